/**
 * What every store must do, whatever it is made of, and `sandbox/model.test.ts` does not see: that is, what changes at once do
 * to each other, and bytes. Each store's test file calls this.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { INT64_MAX } from '../../src/core/int64.ts';
import type { StoreLimits } from '../../src/store/bounds.ts';
import type { Store } from '../../src/store/store.ts';
import { AT, add, addOne, allOf, keyRecord, namesOf, pet, ROOMY, sandboxIn, sandboxRecord } from './support.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

/**
 * @param open a new, empty store, which the kit closes
 * @param depth how long a chain of snapshots is tried
 * @param isAlone whether the store counts the memory of all sandboxes itself
 */
export function conformance(
  { kind, depth, isAlone = true }: { kind: Store['kind']; depth: number; isAlone?: boolean },
  open: (limits: StoreLimits) => Promise<Store>,
): void {
  let store: Store;
  beforeEach(async () => {
    store = await open(ROOMY);
  });
  afterEach(() => store.close());

  describe('a sandbox in the store', () => {
    it('holds its fixture, and gives out ids above it', async () => {
      expect(store.kind).toBe(kind);
      const record = sandboxRecord();
      await store.create(record, { fixture: 'default' });
      expect(store.records()).toEqual([record]);
      expect(store.fixtureOf(record.id)).toBe('default');
      expect(await store.describe(record.id)).toEqual({ fixture: 'default', seeded: 12, added: 0, nextId: 13n });
      expect(await addOne(store, record.id, 'Ada')).toBe(13n);
      expect(await store.describe(record.id)).toEqual({ fixture: 'default', seeded: 12, added: 1, nextId: 14n });
    });

    it('lists beside the text, which is another after every change', async () => {
      const id = await sandboxIn(store);
      const other = await sandboxIn(store);
      const text = async (of: string, query: Parameters<Store['list']>[1]) => (await store.list(of, query)).json;
      expect(await text(id, { limit: 2 })).toBe('[]');
      const [ada] = await add(store, id, [pet('Ada', { status: 'sold' })]);
      for (let time = 0; time < 2; time++) {
        expect(await text(id, { limit: 2 })).toBe(`[${ada?.json}]`);
        expect(await text(id, { limit: 2, status: 'sold' })).toBe(`[${ada?.json}]`);
        expect(await text(id, { limit: 2, status: 'pending' })).toBe('[]');
        expect(await text(other, { limit: 2 })).toBe('[]');
      }
      const [bea] = await add(store, id, [pet('Bea')]);
      expect(await text(id, { limit: 2 })).toBe(`[${ada?.json},${bea?.json}]`);
      expect(await text(id, { limit: 1 })).toBe(`[${ada?.json}]`);
      await store.reset(id, { seed: await store.publish('empty') });
      expect(await text(id, { limit: 2 })).toBe('[]');
    });

    it('adds many at once in their order, all or none, and adds nothing where nothing is given', async () => {
      const id = await sandboxIn(store);
      expect(await add(store, id, [])).toEqual([]);
      const added = await add(
        store,
        id,
        ['a', 'b', 'c'].map((name) => pet(name)),
      );
      expect(added.map((each) => each.id)).toEqual([1n, 2n, 3n]);
      expect(await add(store, id, [])).toEqual([]);
      expect(await namesOf(store, id)).toEqual(['a', 'b', 'c']);
    });

    it('ends after the changes before it; those that come later find it gone, and forks live on', async () => {
      const [id, other] = [await sandboxIn(store, 'default'), await sandboxIn(store)];
      await addOne(store, id, 'Ada');
      const fork = sandboxRecord();
      await store.create(fork, { copyOf: id });
      const early = addOne(store, id, 'early');
      const ending = store.remove(id);
      const late = addOne(store, id, 'late').catch((error: unknown) => error);
      expect(await early).toBe(14n);
      await ending;
      expect(await late).toEqual(code('not_found'));
      await expect((async () => store.describe(id))()).rejects.toEqual(code('not_found'));
      expect(store.records().map((record) => record.id)).toEqual([other, fork.id]);
      expect((await namesOf(store, fork.id)).at(-1)).toBe('Ada');
      await store.remove(id);
      await store.remove(other);
      await store.remove(fork.id);
      expect([store.records(), store.figures.bytes]).toEqual([[], 0]);
    });

    it('says not_found from every method when it is not there', async () => {
      const id = 'sbx_0000000000000000';
      const methods: (() => unknown)[] = [
        () => store.update(id, {}),
        async () => store.find(id, 1n),
        async () => store.list(id, { limit: 1 }),
        () => add(store, id, [pet('Ada')]),
        async () => store.reset(id, { seed: await store.publish('default') }),
        () => store.saveSnapshot(id, 's', AT),
        () => store.snapshots(id),
        () => store.dropSnapshot(id, 's'),
        () => store.describe(id),
        () => store.fixtureOf(id),
        () => store.create(sandboxRecord(), { copyOf: id }),
      ];
      for (const method of methods) await expect((async () => method())()).rejects.toEqual(code('not_found'));
      expect(store.records()).toEqual([]);
    });
  });

  describe('a record', () => {
    it('changes in the order of the calls, each on what the one before made of it', async () => {
      const id = await sandboxIn(store);
      const results = await Promise.all(
        [1, 2, 3].map((n) => store.update(id, ({ label }) => ({ label: `${label} ${n}` }))),
      );
      expect(results.map(({ label }) => label)).toEqual(['for a test 1', 'for a test 1 2', 'for a test 1 2 3']);
      expect(store.records()[0]?.label).toBe('for a test 1 2 3');
    });

    it('stays as it was where the change throws', async () => {
      const id = await sandboxIn(store);
      const change = store.update(id, () => {
        throw new Error('no');
      });
      await expect(change).rejects.toThrow('no');
      expect(store.records()[0]?.label).toBe('for a test');
    });
  });

  describe('a reset', () => {
    it('shows all of the old or all of the new to readers, whoever writes meanwhile', async () => {
      const id = await sandboxIn(store);
      await add(
        store,
        id,
        Array.from({ length: 30 }, (_, i) => pet(`old${i}`)),
      );
      await store.saveSnapshot(id, 'thirty', AT);
      let resetting = true;
      const seen = new Set<number>();
      const reading = (async () => {
        while (resetting) {
          const { pets } = await store.list(id, { limit: 1000 });
          const ids = pets.map((each) => Number(each.id));
          expect(ids).toEqual(ids.map((_, i) => i + 1));
          if (pets.length >= 30) expect(pets[29]?.json).toContain('old29');
          else for (const { json } of pets) expect(json).toContain('new');
          seen.add(pets.length);
          await new Promise(setImmediate);
        }
      })();
      const empty = { seed: await store.publish('empty') };
      for (let round = 0; round < 20; round++) {
        const work = [store.reset(id, empty), addOne(store, id, 'new'), addOne(store, id, 'new')];
        expect((await Promise.all(work)).slice(1)).toEqual([1n, 2n]);
        const back = [store.reset(id, { snapshot: 'thirty' }), addOne(store, id, 'more')];
        expect((await Promise.all(back))[1]).toBe(31n);
        await new Promise(setImmediate);
        await store.reset(id, { seed: await store.publish('empty') });
        await new Promise(setImmediate);
      }
      resetting = false;
      await reading;
      expect(seen.size).toBeGreaterThan(1);
      expect([...seen].filter((size) => size > 31)).toEqual([]);
    });

    it('copies no pet: what it shows takes no memory of its own, but for a fork', async () => {
      const id = await sandboxIn(store);
      const added = await add(
        store,
        id,
        Array.from({ length: 100 }, (_, i) => pet(`p${i}`)),
      );
      const { bytes } = store.figures;
      await store.saveSnapshot(id, 's', AT);
      await store.reset(id, { snapshot: 's' });
      expect(store.figures.bytes).toBe(bytes);
      const fork = sandboxRecord();
      await store.create(fork, { copyOf: id });
      expect(store.figures.bytes).toBe(2 * bytes);
      const [back, forked] = await Promise.all([id, fork.id].map((each) => store.list(each, { limit: 100 })));
      const texts = added.map(({ json }) => json);
      for (const list of [back, forked]) expect(list?.pets.map(({ json }) => json)).toEqual(texts);
      await addOne(store, id, 'not in the fork');
      const counted = store.figures.bytes;
      // This counts the fork anew.
      await store.update(fork.id, { label: 'fork' });
      expect(store.figures.bytes).toBe(counted);
    });
  });

  it('a snapshot frees its bytes when it was the last to hold them', async () => {
    const id = await sandboxIn(store);
    await addOne(store, id, 'Ada');
    await store.saveSnapshot(id, 's', AT);
    await store.reset(id, { seed: await store.publish('empty') });
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
    it.runIf(isAlone)(
      'of bytes hold over all sandboxes, count what is on disk, and give way when one ends',
      async () => {
        const small = await open({ ...ROOMY, maxBytes: 1000 });
        const [one, two] = [await sandboxIn(small), await sandboxIn(small)];
        await addOne(small, one, '猫'.repeat(200));
        // Texts lie in memory in UTF-8: three bytes for each of these letters.
        expect(small.figures.bytes).toBeGreaterThan(Buffer.byteLength((await allOf(small, one))[0] as string));
        await expect(addOne(small, two, '犬'.repeat(200))).rejects.toEqual(code('limit_reached'));
        await small.remove(one);
        expect(small.figures.bytes).toBe(0);
        expect(await addOne(small, two, '犬'.repeat(200))).toBe(1n);
        const full = await open({ ...ROOMY, maxBytes: small.figures.bytes });
        expect(await addOne(full, await sandboxIn(full), '犬'.repeat(200))).toBe(1n);
        for (const each of [small, full]) await each.close();
      },
    );

    it.runIf(isAlone)(
      'of what sandboxes take beside their pets hold over all of them, and give way when one ends',
      async () => {
        const small = await open({ ...ROOMY, maxHeadBytes: 30_000 });
        const ids: string[] = [];
        await expect(
          (async () => {
            for (;;) ids.push(await sandboxIn(small));
          })(),
        ).rejects.toEqual(code('limit_reached'));
        const full = small.figures.headBytes;
        expect(full).toBeLessThanOrEqual(30_000);
        const [one, two] = ids as [string, string];
        const withKeys = (count: number) => ({
          keys: Array.from({ length: count }, () => keyRecord({})),
        });
        await expect(small.update(one, withKeys(50))).rejects.toEqual(code('limit_reached'));
        await expect(small.saveSnapshot(one, 'more', AT)).rejects.toEqual(code('limit_reached'));
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
      },
    );

    it('of ids end at the largest int64: what was given out last is the last', async () => {
      const id = await sandboxIn(store, 'last-id');
      expect((await store.describe(id)).nextId).toBe(INT64_MAX - 1n);
      await expect(add(store, id, [pet('a'), pet('b'), pet('c')])).rejects.toEqual(code('limit_reached'));
      expect(await addOne(store, id, 'a')).toBe(INT64_MAX - 1n);
      expect(await addOne(store, id, 'b')).toBe(INT64_MAX);
      await expect(addOne(store, id, 'c')).rejects.toEqual(code('limit_reached'));
      expect(await store.describe(id)).toMatchObject({ added: 2, nextId: INT64_MAX + 1n });
    });
  });

  it('closes twice without complaint', async () => {
    await store.close();
    await store.close();
  });
}
