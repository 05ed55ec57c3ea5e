/** What is in the tarball, and what is not. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packed } from './packed.ts';
import { succeed } from './run.ts';

const { tarball, alone } = await packed();
const installed = join(alone, 'node_modules/petstore-sandbox');

const MB = 1_000_000;

/** The files below a folder, by their names relative to it, with their sizes. */
async function filesBelow(folder: string): Promise<ReadonlyMap<string, number>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return new Map(files.map((file, i) => [file.slice(folder.length + 1), sizes[i] as number]));
}

test('is at most 4 MB packed and 12.5 MB installed, and brings no other package', async () => {
  expect((await stat(tarball)).size).toBeLessThan(4 * MB);
  const sizes = [...(await filesBelow(installed)).values()];
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(12.5 * MB);
  const packages = (await readdir(join(alone, 'node_modules'))).filter((name) => !name.startsWith('.'));
  expect(packages).toEqual(['petstore-sandbox']);
  // Another Node here would be the one that the project's `npm run` finds.
  const programs = await readdir(join(alone, 'node_modules/.bin'));
  expect(programs.filter((name) => !/\.(cmd|ps1)$/.test(name))).toEqual(['petstore-sandbox']);
});

test('holds what its users need, and nothing of how it is made', async () => {
  const files = [...(await filesBelow(installed)).keys()];
  const parts = [
    ...['package.json', 'README.md', 'CHANGELOG.md', 'dist/LICENSES', 'dist/cli.cjs', 'dist/worker.js'],
    ...['dist/operations.json', 'dist/dashboard/index.html', 'docs/concepts.svg'],
    ...['index', 'testing'].flatMap((name) => [`dist/${name}.js`, `dist/${name}.cjs`, `dist/types/${name}.d.cts`]),
    ...['index', 'testing', 'vitest', 'vitest-setup'].map((name) => `dist/types/${name}.d.ts`),
    ...[
      'dist/vitest.js',
      'dist/vitest-setup.js',
      'spec/openapi.yaml',
      'spec/control-api.yaml',
      'fixtures/default.json',
    ],
  ];
  expect(parts.filter((name) => !files.includes(name))).toEqual([]);
  expect(
    files.filter(
      (name) =>
        !/^(?:dist|spec|fixtures|examples)\/|^src\/base\/generated\/[a-z]+\.schema\.json$|^docs\/(?:[\w-]+\/){0,2}[\w-]+\.(?:md|txt|png|svg|webp)$|^[A-Z]+\.md$|^(?:package|server)\.json$|^compose\.yaml$/.test(
          name,
        ),
    ),
  ).toEqual([]);
  expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('every path that its manifest names exists', async () => {
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  const { main, types, exports, typesVersions, bin } = manifest;
  const texts = JSON.stringify([main, types, exports, typesVersions, bin]).match(/"(?:\.\/)?dist\/[^"]+"/g) ?? [];
  const files = await filesBelow(installed);
  expect(texts.length).toBeGreaterThan(12);
  expect(texts.map((text) => text.slice(1, -1).replace('./', '')).filter((name) => !files.has(name))).toEqual([]);
});

test('npx runs it, installed or straight from the tarball', async () => {
  const version = JSON.parse(await readFile('package.json', 'utf8')).version;
  expect(await succeed('npx', ['--no-install', 'petstore-sandbox', '--version'], { cwd: alone })).toBe(`${version}\n`);
  const packed = ['--yes', '--prefer-offline', `--package=${tarball}`, 'petstore-sandbox', '--version'];
  expect(await succeed('npx', packed, { cwd: join(alone, '..') })).toBe(`${version}\n`);
});
