/** Fixtures of a sandbox's own on disk: they live as long as somebody starts from them, and not longer. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../src/core/int64.ts';
import { petOf } from '../../src/core/pet.ts';
import type { NewFixture } from '../../src/store/own-fixture.ts';
import type { Store } from '../../src/store/store.ts';
import type { Notice } from '../../src/store/tidy.ts';
import {
  AT,
  addOne,
  allOf,
  everythingOf,
  filesBelow,
  openFiles,
  pet,
  ROOMY,
  sandboxIn,
  sandboxRecord,
  scratch,
} from './support.ts';

let directory: string;
let clear: () => Promise<void>;
beforeEach(async () => {
  ({ directory, clear } = await scratch());
});
afterEach(() => clear());

const fixtureOf = (ids: readonly bigint[], nextId = 100n): NewFixture => ({
  nextId,
  pets: ids.map((id) => petOf(id, pet(`Pet ${id}`, { categoryId: id, status: 'sold' }))),
});

/** A new sandbox with a fixture of its own. */
async function seeded(store: Store, fixture: NewFixture): Promise<string> {
  const record = sandboxRecord();
  await store.withFixture(fixture, (own) => store.create(record, { fixture: own }));
  return record.id;
}

const resetTo = (store: Store, id: string, fixture: NewFixture) =>
  store.withFixture(fixture, (own) => store.reset(id, { fixture: own }));

/** The branches on disk. */
const branches = async (): Promise<Set<string>> =>
  new Set((await filesBelow(join(directory, 'changes'))).map((file) => file.split('/')[0] as string));

/** What a start finds where the program is killed now. */
async function afterKill<T>(look: (store: Store) => Promise<T>): Promise<{ found: T; notices: Notice[] }> {
  const copy = join(directory, 'killed');
  await cp(join(directory, 'data'), copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  const notices: Notice[] = [];
  const store = await openFiles(copy, ROOMY, (notice) => notices.push(notice));
  try {
    return { found: await look(store), notices };
  } finally {
    await store.close();
    await rm(copy, { recursive: true });
  }
}

describe('a fixture of a sandbox on disk', () => {
  it('survives a kill: for the sandbox, its fork and its snapshot, digit for digit', async () => {
    const store = await openFiles(join(directory, 'data'));
    const id = await seeded(store, fixtureOf([INT64_MIN, -1n, 2n ** 53n + 1n, INT64_MAX], 7n));
    await addOne(store, id, 'Added');
    await store.saveSnapshot(id, 'one', AT);
    const fork = sandboxRecord({ forkOf: id });
    await store.create(fork, { copyOf: id });
    await resetTo(store, id, fixtureOf([5n]));
    const before = [await everythingOf(store, id), await everythingOf(store, fork.id)];
    const { bytes, headBytes } = store.figures;
    const { found, notices } = await afterKill(async (again) => {
      expect([again.figures.bytes, again.figures.headBytes]).toEqual([bytes, headBytes]);
      const after = [await everythingOf(again, id), await everythingOf(again, fork.id)];
      await again.reset(fork.id, 'again');
      await again.reset(id, { snapshot: 'one' });
      await again.reset(id, 'again');
      expect(await allOf(again, id)).toEqual(await allOf(again, fork.id));
      expect(await addOne(again, id, 'Next')).toBe(7n);
      return after;
    });
    expect(found).toEqual(before);
    expect(notices).toEqual([]);
    await store.close();
  });

  it('goes with the last that starts from it, in memory and on disk', async () => {
    const store = await openFiles(directory);
    const id = await seeded(store, fixtureOf([1n, 2n]));
    const fork = sandboxRecord({ forkOf: id });
    await store.create(fork, { copyOf: id });
    await store.saveSnapshot(id, 'one', AT);
    const { bytes } = store.figures;
    await store.reset(id, { fixture: 'empty' });
    await store.dropSnapshot(id, 'one');
    expect(store.figures.bytes).toBe(bytes);
    await store.reset(fork.id, { fixture: 'empty' });
    expect(store.figures.bytes).toBe(0);
    await store.close();
    expect(await branches()).toEqual(new Set());
  });

  it('goes with a family that ends, also where a kill leaves its files', async () => {
    const data = join(directory, 'data');
    const store = await openFiles(data);
    const id = await seeded(store, fixtureOf([1n, 2n]));
    await store.create(sandboxRecord({ forkOf: id }), { copyOf: id });
    await store.close();
    await rename(join(data, 'sandboxes', `${id}.json`), join(data, 'sandboxes', `${id}.ended`));
    const notices: Notice[] = [];
    const again = await openFiles(data, ROOMY, (notice) => notices.push(notice));
    expect([again.records(), notices]).toEqual([[], []]);
    await again.close();
    expect(await filesBelow(data)).toEqual(['changes/', 'sandboxes/', 'store.json']);
  });

  it('leaves nothing where the change fails, and the sandbox keeps what it had', async () => {
    const store = await openFiles(directory);
    const id = await seeded(store, fixtureOf([1n, 2n]));
    const before = [await everythingOf(store, id), store.figures.bytes, await filesBelow(directory)];
    // The head cannot be replaced: its name is that of a folder.
    const head = join(directory, 'sandboxes', `${id}.json`);
    await rename(head, `${head}.away`);
    mkdirSync(join(head, 'in the way'), { recursive: true });
    await expect(resetTo(store, id, fixtureOf([9n]))).rejects.toMatchObject({ code: 'storage_failed' });
    rmSync(head, { recursive: true });
    await rename(`${head}.away`, head);
    // Neither can its pets be written.
    const changes = join(directory, 'changes');
    await rename(changes, `${changes}.away`);
    writeFileSync(changes, '');
    await expect(resetTo(store, id, fixtureOf([9n]))).rejects.toMatchObject({ code: 'storage_failed' });
    rmSync(changes);
    await rename(`${changes}.away`, changes);
    await store.withFixture(fixtureOf([3n]), () => Promise.reject(new Error('mine'))).catch(() => undefined);
    await expect.poll(() => filesBelow(directory)).toEqual(before[2]);
    expect([await everythingOf(store, id), store.figures.bytes]).toEqual(before.slice(0, 2));
    await resetTo(store, id, fixtureOf([9n]));
    expect(await allOf(store, id)).toHaveLength(1);
    await store.close();
  });

  it('lies in files of a thousand pets, and one that is missing stops the start', async () => {
    const store = await openFiles(directory);
    const id = await seeded(
      store,
      fixtureOf(
        Array.from({ length: 2500 }, (_, n) => BigInt(n + 1)),
        2501n,
      ),
    );
    const all = await allOf(store, id);
    await store.close();
    const { fixture } = JSON.parse(await readFile(join(directory, 'sandboxes', `${id}.json`), 'utf8'));
    expect(fixture).toEqual({ nextId: '2501', log: { branch: expect.stringMatching(/^brn_/), changes: 2500 } });
    const folder = join(directory, 'changes', fixture.log.branch);
    expect(await filesBelow(folder)).toEqual(['1.json', '2.json', '3.json']);
    const again = await openFiles(directory);
    expect(await allOf(again, id)).toEqual(all);
    await again.close();
    await rename(join(folder, '3.json'), join(directory, 'kept'));
    await expect(openFiles(directory)).rejects.toThrow(`${fixture.log.branch}/3.json may be missing`);
    await rename(folder, join(directory, 'folder'));
    await expect(openFiles(directory)).rejects.toThrow(`${fixture.log.branch}: is missing`);
  });

  it('may be left by a kill before its sandbox points to it: it is set aside, and the start says so', async () => {
    const store = await openFiles(join(directory, 'data'));
    const id = await sandboxIn(store);
    const { notices } = await store.withFixture(fixtureOf([1n]), () => afterKill(async (again) => allOf(again, id)));
    expect(notices.map(({ message }) => message)).toEqual([
      expect.stringContaining('no sandbox points to these changes'),
    ]);
    await store.close();
  });
});
