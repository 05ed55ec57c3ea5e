import { readFile } from 'node:fs/promises';
import { minVersion, satisfies } from 'semver';
import { expect, test } from 'vitest';

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
