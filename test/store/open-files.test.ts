/** Files that grow stay open between two writes; their number is bounded, and none stays open for nothing. */
import { readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { add, addOne, namesOf, openFiles, pet, sandboxIn, scratch } from './support.ts';

let directory: string;
let clear: () => Promise<void>;
let store: Store;
beforeEach(async () => {
  ({ directory, clear } = await scratch());
  store = await openFiles(directory);
});
afterEach(() => clear());

/** The log files that this process has open. */
const openLogs = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(directory) && path.includes('/changes/') ? [path] : [];
    } catch {
      return [];
    }
  });

async function grown(): Promise<string> {
  const id = await sandboxIn(store);
  await addOne(store, id, 'begins the file');
  await addOne(store, id, 'grows it');
  return id;
}

it.runIf(process.platform === 'linux')('a log file stays open while it can grow, and no longer', async () => {
  const id = await grown();
  expect(openLogs()).toHaveLength(1);
  await store.reset(id, { fixture: 'empty' });
  expect(openLogs()).toEqual([]);
  await addOne(store, id, 'begins another');
  await addOne(store, id, 'grows it');
  expect(openLogs()).toHaveLength(1);
  // Too many for a line: a file of their own takes its place.
  await add(
    store,
    id,
    Array.from({ length: 101 }, (_, i) => pet(`p${i}`)),
  );
  expect(openLogs()).toEqual([]);
  await addOne(store, id, 'grows the new one');
  expect(openLogs()).toHaveLength(1);
  await addOne(store, id, 'x'.repeat(300_000));
  expect(openLogs()).toEqual([]);
  const other = await grown();
  expect(openLogs()).toHaveLength(1);
  await store.remove(other);
  expect(openLogs()).toEqual([]);
  await grown();
  await store.close();
  expect(openLogs()).toEqual([]);
});

it.runIf(process.platform === 'linux')('of many sandboxes that grow, only some have their file open', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 100; n++) ids.push(await grown());
  expect(openLogs()).toHaveLength(64);
  // The first ones are opened again.
  for (const id of ids) expect(await addOne(store, id, 'more')).toBe(3n);
  expect(openLogs()).toHaveLength(64);
  await store.close();
  store = await openFiles(directory);
  for (const id of ids) expect(await namesOf(store, id)).toEqual(['begins the file', 'grows it', 'more']);
  await store.close();
});

it.skipIf(process.platform === 'win32').each([
  ['removed', (path: string) => rmSync(path)],
  [
    'replaced',
    (path: string) => {
      writeFileSync(`${path}.edited`, 'edited');
      renameSync(`${path}.edited`, path);
    },
  ],
])('a change fails when the file that it goes to was %s by hand, and the start names that file', async (_, spoil) => {
  const id = await grown();
  const [branch] = readdirSync(join(directory, 'changes')) as [string];
  const path = join(directory, 'changes', branch, '1.json');
  spoil(path);
  await expect(addOne(store, id, 'would be lost')).rejects.toMatchObject({ code: 'storage_failed' });
  expect(await namesOf(store, id)).toEqual(['begins the file', 'grows it']);
  expect(openLogs()).toEqual([]);
  await store.close();
  await expect(openFiles(directory)).rejects.toThrow(path);
});
