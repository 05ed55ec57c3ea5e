/** Files that grow stay open between two writes; their number is bounded, and none stays open for nothing. */
import { readdirSync, readlinkSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { newFolder } from '../../support/folder.ts';
import { addOne, fixtureNamed, namesOf, type StoreById, sandboxIn, storeOn } from './support.ts';

let directory: string;
let store: StoreById;
beforeEach(async () => {
  directory = await newFolder();
  store = await storeOn(directory);
});

/** The log files that this process has open. */
const openLogs = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(directory) && path.endsWith('.jsonl') ? [path] : [];
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

const onLinux = it.runIf(process.platform === 'linux');

onLinux('a log file stays open until its sandbox ends, or the store is closed', async () => {
  const id = await grown();
  expect(openLogs()).toHaveLength(1);
  await store.reset(id, { seed: await fixtureNamed('empty') });
  await addOne(store, id, 'more');
  expect(openLogs()).toHaveLength(1);
  const other = await grown();
  expect(openLogs()).toHaveLength(2);
  await store.remove(other);
  expect(openLogs()).toHaveLength(1);
  await store.close();
  expect(openLogs()).toEqual([]);
});

onLinux('of many sandboxes that grow, only some have their file open', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 100; n++) ids.push(await grown());
  expect(openLogs()).toHaveLength(64);
  // The first ones are opened again.
  for (const id of ids) expect(await addOne(store, id, 'more')).toBe(3n);
  expect(openLogs()).toHaveLength(64);
  await store.close();
  store = await storeOn(directory);
  for (const id of ids) expect(await namesOf(store, id)).toEqual(['begins the file', 'grows it', 'more']);
});
