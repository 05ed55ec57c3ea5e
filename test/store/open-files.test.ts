/** Files that grow stay open between two writes; their number is bounded, and none stays open for nothing. */
import { readdirSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { newFolder } from '../support/folder.ts';
import { addOne, namesOf, openFiles, sandboxIn } from './support.ts';

let directory: string;
let store: Store;
beforeEach(async () => {
  directory = await newFolder();
  store = await openFiles(directory);
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

it.runIf(process.platform === 'linux')(
  'a log file stays open until its sandbox ends, or the store is closed',
  async () => {
    const id = await grown();
    expect(openLogs()).toHaveLength(1);
    await store.reset(id, { seed: 'empty' });
    await addOne(store, id, 'more');
    expect(openLogs()).toHaveLength(1);
    const other = await grown();
    expect(openLogs()).toHaveLength(2);
    await store.remove(other);
    expect(openLogs()).toHaveLength(1);
    await store.close();
    expect(openLogs()).toEqual([]);
  },
);

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
])(
  'a change fails when the file that it goes to was %s by hand, and nothing is written to another one',
  async (_, spoil) => {
    const id = await grown();
    const path = join(directory, 'sandboxes', `${id}.jsonl`);
    spoil(path);
    for (const name of ['would be lost', 'too']) {
      await expect(addOne(store, id, name)).rejects.toMatchObject({ code: 'storage_failed' });
    }
    expect(await namesOf(store, id)).toEqual(['begins the file', 'grows it']);
    expect(openLogs()).toEqual([]);
    await store.close();
    const left = readdirSync(join(directory, 'sandboxes')).map((name) =>
      readFileSync(join(directory, 'sandboxes', name), 'utf8'),
    );
    expect(['', 'edited']).toContain(left.join());
  },
);
