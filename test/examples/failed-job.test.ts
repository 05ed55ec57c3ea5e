/** The recipes of docs/start/ci.md: CI systems take them, and their line leaves the recording of a job that failed. */
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readRecording } from '../../src/recording/read.ts';
import { newFolder } from '../support/folder.ts';
import { limit } from '../support/slow.ts';
import { runLines } from './support.ts';

const page = await readFile('docs/start/ci.md', 'utf8');
const [github, gitlab] = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) => parse(text));
const { steps } = github.jobs.contract;
const runs: readonly string[] = steps.flatMap(({ run }: { run?: string }) => run ?? []);
const [line = '', upload] = [runs.at(-1), steps.at(-1)];

it('both run the same line, and upload what it keeps where it failed', () => {
  expect(gitlab.contract.script).toEqual(runs);
  const { path } = upload.with;
  expect([upload.if, gitlab.contract.artifacts]).toEqual(['failure()', { when: 'on_failure', paths: [path] }]);
  expect(line).toContain(` --artifacts ${path} `);
});

it('the line leaves a recording that can be opened where the tests fail', { timeout: limit(60_000) }, async () => {
  const folder = await newFolder();
  const bin = join(folder, 'node_modules/.bin');
  await mkdir(bin, { recursive: true });
  await symlink(resolve('dist/cli.cjs'), join(bin, 'petstore-sandbox'));
  const client = `const { SANDBOX_URL: url, SANDBOX_KEY: key } = process.env;
    const { status } = await fetch(url + '/pets/404', { headers: { Authorization: 'Bearer ' + key } });
    process.exitCode = status === 200 ? 0 : 1;`;
  await writeFile(join(folder, 'test.mjs'), client);
  await writeFile(join(folder, 'package.json'), '{"name":"client","scripts":{"test":"node test.mjs"}}');
  expect((await runLines(line, { folder })).code).toBe(1);
  const kept = join(folder, upload.with.path);
  const names = await readdir(kept);
  expect(names).toContainEqual(expect.stringMatching(/^report-sbx_\w+\.xml$/));
  const recording = names.find((name) => /^recording-sbx_\w+\.jsonl$/.test(name)) ?? 'none';
  const { exchanges } = await readRecording(await readFile(join(kept, recording)));
  expect(exchanges).toMatchObject([{ target: '/v1/pets/404', status: 404 }]);
});
