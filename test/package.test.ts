import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

test("npm leaves the repository's own Node out where the C library is not glibc", async () => {
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, { os?: unknown; libc?: readonly string[] }>;
  };
  const ours = Object.entries(lock.packages).filter(([path]) => /^node_modules\/node-linux-/.test(path));
  expect(ours.length).toBe(2);
  // The packages do not say it themselves. After a new version: add the line to the lock file again.
  for (const [path, { libc }] of ours) expect({ path, libc }).toEqual({ path, libc: ['glibc'] });
});
