import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { minVersion, satisfies } from 'semver';
import { expect, onTestFinished, test } from 'vitest';

const json = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

const { packages } = (await json('package-lock.json')) as {
  packages: Record<string, { engines?: { node?: string }; libc?: readonly string[] }>;
};

test("npm leaves the repository's own Node out where the C library is not glibc", () => {
  const ours = Object.entries(packages).filter(([path]) => /^node_modules\/node-linux-/.test(path));
  expect(ours.length).toBe(2);
  // The packages do not say it themselves. After a new version: add the line to the lock file again.
  for (const [path, { libc }] of ours) expect({ path, libc }).toEqual({ path, libc: ['glibc'] });
});

test('every locked package runs on the oldest Node that this one names: npm ci refuses others', async () => {
  const { engines } = (await json('package.json')) as { engines: { node: string } };
  const oldest = minVersion(engines.node)?.version as string;
  expect(oldest).toBe('20.19.0');
  const tooNew = Object.entries(packages).filter(([, { engines: { node = '*' } = {} }]) => !satisfies(oldest, node));
  expect(tooNew.map(([path, each]) => `${path} needs Node ${each.engines?.node}`)).toEqual([]);
});

test('the bundler works without its binary, which npm leaves out with --omit=optional', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp('scripts/esbuild.mjs', join(folder, 'scripts/esbuild.mjs'));
  // A copy finds no package with the binary beside it.
  await cp('node_modules/esbuild', join(folder, 'node_modules/esbuild'), { recursive: true });
  await symlink(join(process.cwd(), 'node_modules/esbuild-wasm'), join(folder, 'node_modules/esbuild-wasm'), 'dir');
  const program = `const { esbuild } = await import('./scripts/esbuild.mjs');
    const { code } = await esbuild.transform('let x: number = 1', { loader: 'ts' });
    console.log(esbuild.version, code.trim());
    process.exit();`;
  const ran = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
  expect(ran.stderr).toContain('The binary of esbuild is not installed');
  const { devDependencies } = (await json('package.json')) as { devDependencies: Record<string, string> };
  expect(ran.stdout).toBe(`${devDependencies['esbuild']} let x = 1;\n`);
  expect(devDependencies['esbuild-wasm']).toBe(devDependencies['esbuild']);
}, 60_000);
