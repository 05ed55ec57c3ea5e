/** The image as an archive, as `npm run release` makes it. */
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { limit } from '../support/slow.ts';
import { LABELS } from './build.ts';
import { runToEnd } from './container.ts';
import { engine, environment, inspect, tool, tryEngine } from './engine.ts';

test('an archive gives the image back, with its labels', { timeout: limit(120_000) }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-archive-'));
  const image = `petstore-sandbox:archive-${process.pid}`;
  onTestFinished(async () => {
    await tryEngine('image', 'rm', image);
    await rm(folder, { recursive: true, force: true });
  });
  const file = join(folder, 'image.tar.gz');
  // The labels and the time of the image under test: the engine has its layers already.
  const options = { engine: tool, image, labels: LABELS, epoch: 0, file };
  const program = `import { archiveImage } from './scripts/release-image.mjs';
    await archiveImage(${JSON.stringify(options)});`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env: environment });
  await engine('image', 'rm', image);
  // Not every podman unpacks it by itself, as docker does.
  const unpacked = join(folder, 'image.tar');
  await pipeline(createReadStream(file), createGunzip(), createWriteStream(unpacked));
  await engine('load', '--input', unpacked);
  expect((await inspect(image, 'image')).Config.Labels).toMatchObject(LABELS);
  expect((await runToEnd({ image, args: ['--version'] })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
