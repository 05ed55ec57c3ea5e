/** `npm run release`: what it makes, that it makes the same again, and when it refuses to. */
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { limit } from '../support/slow.ts';
import { git } from './git.ts';
import { packed } from './packed.ts';
import { type Ran, run, succeed } from './run.ts';

const { cleanGit } = inject('package');
const { tarball, alone } = await packed();
const { name, version } = JSON.parse(await readFile('package.json', 'utf8'));
const FILES = ['SHA256SUMS', `${name}-${version}.cdx.json`, `${name}-${version}.tgz`];

// biome-ignore lint/suspicious/noExplicitAny: an SBOM, read where it is known to be of this shape
type Json = any;

/** The folder of a release without the image, which had a file of an earlier one. */
let released: string;
let said: string;
let sbom: Json;
beforeAll(async () => {
  released = await mkdtemp(join(tmpdir(), 'petstore-sandbox-release-'));
  await writeFile(join(released, FILES[1] as string), 'of an earlier run');
  const args = ['run', '--silent', 'release', '--', '--without-image', '--out', released];
  said = await succeed('npm', args, { cwd: process.cwd(), environment: cleanGit });
  sbom = JSON.parse(await readFile(join(released, FILES[1] as string), 'utf8'));
}, limit(120_000));
afterAll(() => rm(released, { recursive: true, force: true }));

/** The same repository, to be changed. */
async function ownGit(): Promise<Record<string, string>> {
  const folder = await newFolder();
  await cp(cleanGit['GIT_DIR'] as string, folder, { recursive: true });
  return { ...cleanGit, GIT_DIR: folder };
}

test('makes the package byte for byte as npm run package does, its SBOM, and checksums that hold', async () => {
  expect((await readdir(released)).sort()).toEqual(FILES);
  const [packed, ours] = await Promise.all([readFile(tarball), readFile(join(released, basename(tarball)))]);
  expect(ours.equals(packed)).toBe(true);
  const checked = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: released, encoding: 'utf8' });
  expect(checked).toBe(`${FILES[1]}: OK\n${FILES[2]}: OK\n`);
  expect(said).toContain('Without the image');
});

test('the SBOM is of this tarball, and lists what is bundled in it and nothing else', async () => {
  const licenses = await readFile(join(alone, 'node_modules/petstore-sandbox/dist/LICENSES'), 'utf8');
  const bundled = [...licenses.matchAll(/^((?:@[\w-]+\/)?[\w.-]+) (\d\S*) \(([\w.-]+)\)$/gm)];
  expect(bundled.length).toBeGreaterThan(50);
  const described = sbom.components.map((each: Json) => [
    [each.group, each.name].filter(Boolean).join('/'),
    each.version,
    each.licenses[0].license.id,
    each.purl,
  ]);
  const purl = (each: string, of: string) => `pkg:npm/${each.replace('@', '%40')}@${of}`;
  const expected = bundled.map(([, each = '', of = '', license]) => [each, of, license, purl(each, of)]);
  // A version that is installed twice is one component.
  const once = [...new Map(expected.map((each) => [each.at(-1), each])).values()];
  expect(described.sort()).toEqual(once.sort());
  const sum = (await readFile(join(released, 'SHA256SUMS'), 'utf8')).split('\n').find((line) => line.endsWith('.tgz'));
  const { component, timestamp } = sbom.metadata;
  expect(component).toMatchObject({ name, version, hashes: [{ alg: 'SHA-256', content: sum?.split(' ')[0] }] });
  // The time of the commit: that of the run would differ each time.
  expect([sbom.serialNumber, timestamp]).toEqual([undefined, '2026-01-02T03:04:05.000Z']);
});

/** Releases, whatever comes of it. */
const tryRelease = (args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Ran> =>
  run(process.execPath, ['scripts/release.mjs', ...args], { cwd: process.cwd(), environment });

test('a tree with changes is rejected, with their names, and nothing is made', async () => {
  const changed = await ownGit();
  git(changed, 'rm', '-q', '--cached', 'SECURITY.md', 'fixtures/empty.json');
  git(changed, 'commit', '-q', '-m', 'Without two files');
  // Ignored by Git, and packed all the same.
  await writeFile(join(changed['GIT_DIR'] as string, 'info/exclude'), 'fixtures/empty.json\n');
  const folder = await newFolder();
  const { code, stderr } = await tryRelease(['--without-image', '--out', folder], changed);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `release: a release is made from a clean tree, and this one has:\n?? SECURITY.md\n!! fixtures/empty.json\n`,
  });
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  [
    'a tag of another version',
    ['--tag', 'v0.0.0'],
    {},
    /^release: the tag is v0\.0\.0, .* has to be v\d+\.\d+\.\d+\n$/,
  ],
  ['no container engine', [], { CONTAINER_TOOL: 'no-such-engine' }, /no-such-engine.*--without-image/],
  ['an unknown flag', ['--without-images'], {}, /--without-images/],
])('%s is rejected', async (_, args, environment, expected) => {
  const { code, stdout, stderr } = await tryRelease(args, { ...cleanGit, ...environment });
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(expected) });
});
