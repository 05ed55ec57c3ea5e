/** What the image is, before anything runs. */
import { readFile } from 'node:fs/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { buildImage, LABELS } from './build.ts';
import { runToEnd } from './container.ts';
import { engine, inspect, tryEngine } from './engine.ts';

const MAX_ADDED_BYTES = 15 * 2 ** 20;
const HOME = '/usr/local/lib/petstore-sandbox';

const dockerfile = await readFile('Dockerfile', 'utf8');
const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
const base = /^\nFROM (\S+)/.exec(lastStage)?.[1] as string;

/** Files of an image, one a line: path, mode, owner, time, where a link leads. */
async function filesOf(image: string, below = '/'): Promise<string[]> {
  const list = `find ${below} -xdev \\( -type f -o -type l \\) -printf "%p %M %U:%G %T@ %l\\n"`;
  const ran = await runToEnd({ image, flags: ['--user=0', '--entrypoint=sh'], args: ['-c', list] });
  return ran.stdout
    .trim()
    .split('\n')
    .filter((line) => !FROM_THE_ENGINE.test(line));
}

/** What the engine puts into a running container. */
const FROM_THE_ENGINE = /^\/(?:etc\/(?:hosts|hostname|resolv\.conf|mtab|passwd|group) |run\/|dev\/|\.dockerenv)/;

test('adds at most 15 MiB to its base', async () => {
  if ((await tryEngine('image', 'inspect', base)).code !== 0) await engine('pull', base);
  const [whole, below] = await Promise.all([inspect(inject('image'), 'image'), inspect(base, 'image')]);
  const added = whole.Size - below.Size;
  process.stdout.write(`image: ${(added / 2 ** 20).toFixed(2)} MiB above the base\n`);
  expect(added).toBeGreaterThan(2 ** 20);
  expect(added).toBeLessThanOrEqual(MAX_ADDED_BYTES);
});

test('holds the bundled program, its fixtures, specifications and pages, and nothing else', async () => {
  const below = new Set(await filesOf(base));
  const added = (await filesOf(inject('image')))
    .filter((line) => !below.has(line))
    .map((line) => line.split(' ')[0] as string);
  const strange = added.filter(
    (path) =>
      path !== '/usr/local/bin/petstore-sandbox' &&
      path !== `${HOME}/package.json` &&
      // The build clears its folder: whatever is there is its work, save sources and maps, which it must not leave.
      !(path.startsWith(`${HOME}/dist/`) && !/\.(?:ts|tsx|map)$|node_modules/.test(path)) &&
      !(path.startsWith(`${HOME}/fixtures/`) && path.endsWith('.json')) &&
      !(path.startsWith(`${HOME}/spec/`) && /\.(?:yaml|json)$/.test(path)) &&
      !(path.startsWith(`${HOME}/docs/`) && /\.(?:md|txt|png|svg)$/.test(path)) &&
      // The documentation shows them as pages.
      !/\/(?:CHANGELOG|SECURITY)\.md$/.test(path),
  );
  expect(below.size).toBeGreaterThan(1_000);
  expect(strange).toEqual([]);
  for (const path of ['dist/cli.cjs', 'dist/worker.js', 'fixtures/default.json', 'spec/openapi.yaml'])
    expect(added).toContain(`${HOME}/${path}`);
});

test('says what it is: user, volume, port, entry point, labels', async () => {
  const { Config } = await inspect(inject('image'), 'image');
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  expect(Config.User).toBe('1000');
  expect(Config.Entrypoint).toEqual(['petstore-sandbox']);
  expect(Object.keys(Config.Volumes)).toEqual(['/data']);
  expect(Object.keys(Config.ExposedPorts)).toEqual(['4020/tcp']);
  expect(Config.Labels).toMatchObject({
    'org.opencontainers.image.title': 'petstore-sandbox',
    'org.opencontainers.image.version': version,
    ...LABELS,
  });
});

test('is the same when it is built again, with the times that the build was told', async () => {
  const again = `${inject('image')}-again`;
  onTestFinished(async () => {
    await tryEngine('image', 'rm', again);
  });
  // With another time, because the engine would take the first build's layers. Only as far as the tree is made: some
  // engines take a layer for the same when nothing but its times differ.
  await buildImage(again, { epoch: 86_400, stage: 'build' });
  const treeOf = async (image: string, root: string) => {
    const files = await filesOf(image, `${root}${HOME} ${root}/usr/local/bin/petstore-sandbox`);
    const script = `cd ${root}${HOME} && find . -type f -exec sha256sum {} + | sort`;
    const sums = await runToEnd({ image, flags: ['--entrypoint=sh'], args: ['-c', script] });
    const times = new Set(files.map((line) => TIME.exec(line)?.[0]));
    return { times, files: files.map((line) => line.replace(root, '').replace(TIME, ' ')).sort(), sums: sums.stdout };
  };
  const first = await treeOf(inject('image'), '');
  const second = await treeOf(again, '/image');
  expect(first.files.length).toBeGreaterThan(10);
  expect({ ...second, times: first.times }).toEqual(first);
  expect(first.times.size).toBe(1);
  expect(second.times).toEqual(new Set([' 86400.0000000000 ']));
});

/** The time in a line of `filesOf`. */
const TIME = / \d+\.\d{10} /;

test('asks for its own health, often while it starts', () => {
  // Not every engine knows the interval at the start, so the file is read.
  const [check] = /^HEALTHCHECK (?:.*\\\n)*.*$/m.exec(lastStage) ?? [''];
  expect(check).toContain('--start-interval=500ms');
  // Whatever SANDBOX_URL says.
  expect(check).toMatch(
    /CMD \["env", "-u", "SANDBOX_URL", "-u", "SANDBOX_CACERT", "petstore-sandbox", "wait", "--timeout", "0"\]$/,
  );
});

test('runs nothing of the target platform while it is built', () => {
  expect(lastStage).not.toMatch(/^RUN /m);
  expect(dockerfile.match(/^FROM .*/gm)).toEqual([`FROM --platform=$BUILDPLATFORM ${base} AS build`, `FROM ${base}`]);
});
