// Before the tests: some start `dist/cli.cjs` as a process, and the validator's worker is `dist/worker.js`. The suites share
// one build, as long as nothing changes that it is made of.
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BUILT, build } from './build.mjs';

const keyOfSources = async () => {
  const hash = createHash('sha256').update(process.version);
  for (const folder of ['src', 'spec', 'scripts', 'fixtures', 'docs']) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    for (const file of ['package.json', 'package-lock.json', 'CHANGELOG.md', 'SECURITY.md', ...files.sort()])
      hash.update(file).update(await readFile(file));
  }
  return hash.digest('hex');
};

export const setup = async () => {
  const key = await keyOfSources();
  if ((await readFile(BUILT, 'utf8').catch(() => undefined)) === key) return;
  await build();
  await writeFile(BUILT, key);
};
