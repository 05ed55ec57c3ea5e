/** What both stores must do, and `sandbox/model.test.ts` does not see: what changes at once do to each other, and bytes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoreLimits } from '../../../src/sandbox/store/bounds.ts';
import { newFolder } from '../../support/folder.ts';
import {
  AT,
  add,
  addOne,
  allOf,
  fixtureNamed,
  keyRecord,
  namesOf,
  numbered,
  openFiles,
  ROOMY,
  recordsOf,
  StoreById,
  sandboxIn,
  sandboxRecord,
} from './support.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });
const limitReached = code('limit_reached');

/** A new, empty store of each kind, and how long a chain of snapshots is tried. In memory it is longer than a call stack is deep. */
const STORES = [
  ['memory', 20_000, async (limits: StoreLimits) => new StoreById({ limits })],
  ['json-files', 200, async (limits: StoreLimits) => openFiles(await newFolder(), limits)],
] as const;

describe.each(STORES)('a store of the kind %s', (kind, depth, open) => {
  let store: StoreById;
  beforeEach(async () => {
    store = await open(ROOMY);
  });
  afterEach(() => store.close());

  describe('a sandbox in the store', () => {
    it('ends after the changes before it; those that come later find it gone, and forks live on', async () => {
      const [id, other] = [await sandboxIn(store, 'default'), await sandboxIn(store)];
      await addOne(store, id, 'Ada');
      const fork = sandboxRecord();
      await store.fork(id, fork);
      const early = addOne(store, id, 'early');
      const ending = store.remove(id);
      const late = addOne(store, id, 'late').catch((error: unknown) => error);
      expect(await early).toBe(14n);
      await ending;
      expect(await late).toEqual(code('not_found'));
      expect(recordsOf(store).map((record) => record.id)).toEqual([other, fork.id]);
      expect((await namesOf(store, fork.id)).at(-1)).toBe('Ada');
      for (const each of [id, other, fork.id]) await store.remove(each);
      expect([recordsOf(store), store.figures.bytes]).toEqual([[], 0]);
    });

    it('is not written to where no pets are added', async () => {
      const id = await sandboxIn(store);
      const { writes } = store.figures;
      expect([await add(store, id, []), store.figures.writes]).toEqual([[], writes]);
    });
  });

  it('a record changes in the order of the calls, each on what the one before made of it, but where it throws', async () => {
    const id = await sandboxIn(store);
    const rename = (n: number) => store.update(id, ({ label }) => ({ label: `${label} ${n}` }));
    const results = await Promise.all([1, 2, 3].map(rename));
    expect(results.map(({ label }) => label)).toEqual(['for a test 1', 'for a test 1 2', 'for a test 1 2 3']);
    const change = store.update(id, () => {
      throw new Error('no');
    });
    await expect(change).rejects.toThrow('no');
    expect(recordsOf(store)[0]?.label).toBe('for a test 1 2 3');
  });

  it('a reset shows readers all of the old or all of the new, even during other changes', async () => {
    const id = await sandboxIn(store);
    await add(store, id, numbered(30));
    await store.saveSnapshot(id, 'thirty', AT);
    let isOver = false;
    const seen = new Set<number>();
    const reading = (async () => {
      for (; !isOver; await new Promise(setImmediate)) {
        const { pets } = await store.list(id, { limit: 1000 });
        expect(pets.map((each) => Number(each.id))).toEqual(pets.map((_, i) => i + 1));
        if (pets.length >= 30) expect(pets[29]?.json).toContain('p29');
        else for (const { json } of pets) expect(json).toContain('new');
        seen.add(pets.length);
      }
    })();
    const empty = { seed: await fixtureNamed('empty') };
    for (let round = 0; round < 20; round++) {
      const work = [store.reset(id, empty), addOne(store, id, 'new'), addOne(store, id, 'new')];
      expect((await Promise.all(work)).slice(1)).toEqual([1n, 2n]);
      const back = [store.reset(id, { snapshot: 'thirty' }), addOne(store, id, 'more')];
      expect((await Promise.all(back))[1]).toBe(31n);
      await new Promise(setImmediate);
      await store.reset(id, empty);
      await new Promise(setImmediate);
    }
    isOver = true;
    await reading;
    expect(seen.size).toBeGreaterThan(1);
    expect(Math.max(...seen)).toBeLessThanOrEqual(31);
  });

  it('a snapshot and a reset to it copy no pet: only a fork takes memory of its own', async () => {
    const id = await sandboxIn(store);
    const texts = (await add(store, id, numbered(100))).map(({ json }) => json);
    const { bytes } = store.figures;
    await store.saveSnapshot(id, 's', AT);
    await store.reset(id, { snapshot: 's' });
    expect(store.figures.bytes).toBe(bytes);
    const fork = sandboxRecord();
    await store.fork(id, fork);
    expect(store.figures.bytes).toBe(2 * bytes);
    for (const each of [id, fork.id]) expect(await allOf(store, each)).toEqual(texts);
    await addOne(store, id, 'not in the fork');
    const counted = store.figures.bytes;
    // This counts the fork again.
    await store.update(fork.id, { label: 'fork' });
    expect(store.figures.bytes).toBe(counted);
  });

  it('a snapshot frees its bytes when it was the last to hold them', async () => {
    const id = await sandboxIn(store);
    await addOne(store, id, 'Ada');
    await store.saveSnapshot(id, 's', AT);
    await store.reset(id, { seed: await fixtureNamed('empty') });
    expect(store.figures.bytes).toBeGreaterThan(0);
    await store.dropSnapshot(id, 's');
    expect(store.figures.bytes).toBe(0);
  });

  it(`survives a chain of ${depth} snapshots, each grown from the one before`, async () => {
    const id = await sandboxIn(store);
    // The fixture is loaded with the first.
    await addOne(store, id, 'p');
    for (let i = 1; i < depth; i++) {
      const [name, before] = [`s${i % 2}`, `s${(i + 1) % 2}`];
      const work = [addOne(store, id, 'p'), store.saveSnapshot(id, name, AT), store.reset(id, { snapshot: name })];
      await Promise.all(i > 1 ? [...work, store.dropSnapshot(id, before)] : work);
    }
    expect((await store.describe(id)).added).toBe(depth);
    await store.remove(id);
    expect(store.figures.bytes).toBe(0);
  });

  describe('the limits', () => {
    it('of bytes hold over all sandboxes, to the byte, and give way when one ends', async () => {
      const small = await open({ ...ROOMY, maxBytes: 1000 });
      const [one, two] = [await sandboxIn(small), await sandboxIn(small)];
      await addOne(small, one, '猫'.repeat(200));
      // Texts lie in memory in UTF-8: three bytes for each of these letters.
      expect(small.figures.bytes).toBeGreaterThan(Buffer.byteLength((await allOf(small, one))[0] as string));
      await expect(addOne(small, two, '犬'.repeat(200))).rejects.toEqual(limitReached);
      await small.remove(one);
      expect(small.figures.bytes).toBe(0);
      expect(await addOne(small, two, '犬'.repeat(200))).toBe(1n);
      const full = await open({ ...ROOMY, maxBytes: small.figures.bytes });
      expect(await addOne(full, await sandboxIn(full), '犬'.repeat(200))).toBe(1n);
      for (const each of [small, full]) await each.close();
    });

    it('of bytes beside the pets hold over all sandboxes, and give way when one ends', async () => {
      const small = await open({ ...ROOMY, maxHeadBytes: 30_000 });
      const ids: string[] = [];
      const fill = async () => {
        for (;;) ids.push(await sandboxIn(small));
      };
      await expect(fill()).rejects.toEqual(limitReached);
      const full = small.figures.headBytes;
      expect(full).toBeLessThanOrEqual(30_000);
      const [one, two] = ids as [string, string];
      const keys = Array.from({ length: 50 }, () => keyRecord());
      await expect(small.update(one, { keys })).rejects.toEqual(limitReached);
      await expect(small.saveSnapshot(one, 'more', AT)).rejects.toEqual(limitReached);
      expect(small.figures.headBytes).toBe(full);
      // What needs no more is never rejected.
      await small.update(one, { clock: { offset: 1, frozenAt: null } });
      await addOne(small, one, 'Ada');
      await small.remove(two);
      await small.saveSnapshot(one, 'more', AT);
      await small.dropSnapshot(one, 'more');
      for (const id of ids) await small.remove(id);
      expect(small.figures.headBytes).toBe(0);
      await small.close();
    });
  });

  it('is of its kind, and closes twice without complaint', async () => {
    expect(store.kind).toBe(kind);
    for (const _ of [1, 2]) await store.close();
  });
});
