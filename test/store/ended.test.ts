/** The end of a family on disk: all of it or nothing, also when a kill or the disk cuts it off. */
import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJsonFileStore } from '../../src/store/json-files.ts';
import type { Store } from '../../src/store/store.ts';
import { stick } from '../support/stuck-file.ts';
import {
  AT,
  addOne,
  filesBelow,
  namesOf,
  openFiles,
  ROOMY,
  sandboxIn,
  sandboxRecord,
  scratch,
  shelf,
} from './support.ts';

const EMPTY = ['changes/', 'sandboxes/', 'store.json'];

let directory: string;
let clear: () => Promise<void>;
let store: Store;
beforeEach(async () => {
  ({ directory, clear } = await scratch());
  store = await openFiles(directory);
});
afterEach(async () => {
  await store.close();
  await clear();
});

const head = (id: string): string => join(directory, 'sandboxes', `${id}.json`);
const tombstone = (id: string): string => join(directory, 'sandboxes', `${id}.ended`);
const ids = (): string[] => store.records().map(({ id }) => id);

async function forkOf(id: string): Promise<string> {
  const record = sandboxRecord({ forkOf: id });
  await store.create(record, { copyOf: id });
  await addOne(store, record.id, 'of the fork');
  return record.id;
}

/** A sandbox, two forks, a fork of the first of these: each with pets of its own. */
async function family(): Promise<[origin: string, first: string, second: string, ofFirst: string]> {
  const origin = await sandboxIn(store);
  await addOne(store, origin, 'of the origin');
  await store.saveSnapshot(origin, 's', AT);
  await store.reset(origin, { snapshot: 's' });
  const first = await forkOf(origin);
  return [origin, first, await forkOf(origin), await forkOf(first)];
}

/** Opens the directory again; resolves to what was told of files that could not be deleted. */
async function reopen(): Promise<unknown[]> {
  await store.close();
  const leftOver: unknown[] = [];
  const options = { directory, fixtures: await shelf(), limits: ROOMY };
  store = await openJsonFileStore({ ...options, onLeftOver: (error) => leftOver.push(error) });
  return leftOver;
}

describe('a family that ended', () => {
  it('leaves no file behind, and touches no other sandbox', async () => {
    const other = await sandboxIn(store);
    await addOne(store, other, 'Ada');
    const files = await filesBelow(directory);
    const [origin] = await family();
    await store.remove(origin);
    expect(ids()).toEqual([other]);
    await store.close();
    expect(await filesBelow(directory)).toEqual(files.filter((file) => !file.endsWith('.sock')));
    await reopen();
    expect(await namesOf(store, other)).toEqual(['Ada']);
  });

  it.each([
    ['before the first file was deleted', []],
    ['when one of several forks was deleted', [2]],
    ['when all forks were deleted', [3, 2, 1]],
  ])('is gone after a kill %s', async (_, deleted) => {
    const other = await sandboxIn(store);
    await addOne(store, other, 'Ada');
    const members = await family();
    await store.close();
    await rename(head(members[0]), tombstone(members[0]));
    // A head is deleted after its branch was dropped.
    for (const index of deleted) {
      const path = head(members[index] as string);
      const { log } = JSON.parse(await readFile(path, 'utf8'));
      await rename(join(directory, 'changes', log.branch), join(directory, 'changes', `.dropped-${log.branch}`));
      await rm(path);
    }
    expect(await reopen()).toEqual([]);
    expect(ids()).toEqual([other]);
    expect(await namesOf(store, other)).toEqual(['Ada']);
    await store.remove(other);
    await store.close();
    expect(await filesBelow(directory)).toEqual(EMPTY);
  });

  it('takes no pets with it that a sandbox outside still shows', async () => {
    const [origin, first, second, ofFirst] = await family();
    await store.close();
    // Cut loose by hand: its own branch grows from those of the family.
    const cut = (await readFile(head(second), 'utf8')).replace(`"forkOf": "${origin}"`, '"forkOf": null');
    await writeFile(head(second), cut);
    await rename(head(origin), tombstone(origin));
    await reopen();
    expect([ids(), await namesOf(store, second)]).toEqual([[second], ['of the origin', 'of the fork']]);
    const names = await filesBelow(directory);
    for (const gone of [origin, first, ofFirst]) expect(names.join()).not.toContain(gone);
    await store.remove(second);
    await store.close();
    expect(await filesBelow(directory)).toEqual(EMPTY);
  });

  it('is ended by its tombstone alone, whatever that holds', async () => {
    const [origin] = await family();
    await store.close();
    await rm(head(origin));
    await writeFile(tombstone(origin), '{"added":{"branch":"../../sandboxes"},"snapshots":null');
    await reopen();
    await store.close();
    expect((await filesBelow(directory)).filter((file) => file.startsWith('sandboxes/'))).toEqual(['sandboxes/']);
  });

  it('comes back where its head was put back by hand', async () => {
    const members = await family();
    await store.close();
    await copyFile(head(members[0]), tombstone(members[0]));
    await reopen();
    expect(ids().sort()).toEqual([...members].sort());
  });
});

describe('a disk that refuses writes', () => {
  it('ends nothing where it rejects the origin, and all of it later', async (context) => {
    const members = await family();
    const { bytes } = store.figures;
    const letGo = stick(context, head(members[0]));
    await expect(store.remove(members[0])).rejects.toEqual(expect.objectContaining({ code: 'storage_failed' }));
    expect([ids().sort(), store.figures.bytes]).toEqual([[...members].sort(), bytes]);
    for (const id of members) expect(await namesOf(store, id)).toContain('of the origin');
    letGo();
    await store.remove(members[0]);
    await store.close();
    expect(await filesBelow(directory)).toEqual(EMPTY);
  });

  it('keeps a fork’s file, but not the fork: it stays ended over restarts until the file can be deleted', async (context) => {
    const members = await family();
    const letGo = stick(context, head(members[3]));
    await store.remove(members[0]);
    expect(store.records()).toEqual([]);
    for (let restart = 0; restart < 2; restart++) {
      expect(await reopen()).toEqual([expect.objectContaining({ code: 'EBUSY' })]);
      expect(store.records()).toEqual([]);
    }
    letGo();
    expect(await reopen()).toEqual([]);
    await store.close();
    expect(await filesBelow(directory)).toEqual(EMPTY);
  });
});
