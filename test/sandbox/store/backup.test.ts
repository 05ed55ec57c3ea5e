/** A copy of the data directory that is made while sandboxes begin, grow and end. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../../support/folder.ts';
import { addOne, namesOf, sandboxIn, storeOn } from './support.ts';

/** @returns what it complained of */
const copy = (from: string, to: string): Promise<string[]> =>
  new Promise((resolve) => {
    const env = { ...process.env, LC_ALL: 'C' };
    execFile('cp', ['-r', from, to], { env }, (_, __, said) => resolve(said.split('\n').filter(Boolean)));
  });

const onUnix = it.skipIf(process.platform === 'win32');

onUnix('a copy holds what was acknowledged in every sandbox that stays, though cp found another gone', async () => {
  const directory = await newFolder();
  const [data, to] = [join(directory, 'data'), join(directory, 'copy')];
  const store = await storeOn(data);
  const kept = await Promise.all(Array.from({ length: 20 }, () => sandboxIn(store)));
  let complaints: string[] = [];
  // A file may vanish at any time while it is copied: until one does, nothing was proved.
  for (let round = 0; round < 100 && complaints.length === 0; round++) {
    const passing = await Promise.all(Array.from({ length: 200 }, () => sandboxIn(store)));
    for (const id of kept) await addOne(store, id, 'acknowledged');
    const copying = copy(data, to);
    for (const [n, id] of passing.reverse().entries()) {
      await store.remove(id);
      await addOne(store, kept[n % kept.length] as string, 'meanwhile'.repeat(300));
    }
    complaints = await copying;
    for (const line of complaints) expect(line).toContain('No such file or directory');
    const copied = await storeOn(to);
    for (const id of kept) {
      const names = await namesOf(copied, id);
      expect(names.filter((name) => name === 'acknowledged')).toHaveLength(round + 1);
    }
    await copied.close();
    await rm(to, { recursive: true });
  }
  expect(complaints).not.toEqual([]);
});
