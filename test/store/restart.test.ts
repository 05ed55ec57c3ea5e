/** What comes back when a server starts again on its data directory. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../src/core/int64.ts';
import type { Store } from '../../src/store/store.ts';
import type { Notice } from '../../src/store/tidy.ts';
import { limit } from '../support/slow.ts';
import {
  AT,
  add,
  addOne,
  everythingOf,
  filesBelow,
  keyRecord,
  namesOf,
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

/** Closes the store and opens its directory again. */
async function again(store: Store): Promise<Store> {
  await store.close();
  return openFiles(directory);
}

describe('a restart', () => {
  it('brings everything back exactly: ids and categories at the ends of int64, names, keys, clock, faults', async () => {
    const store = await openFiles(directory);
    const id = await sandboxIn(store, 'last-id', {
      label: null,
      expiresAt: null,
      preconfigured: true,
      keys: [keyRecord({ expiresAt: null }), keyRecord({ label: '"\\ é', revokedAt: AT + 1 })],
    });
    await add(store, id, [pet('\ud800 \u0000 "\\/ é 猫 \u2028', { categoryId: INT64_MIN, status: 'sold' })]);
    await add(store, id, [pet('', { categoryId: INT64_MAX })]);
    await store.update(id, (record) => ({
      ...record,
      clock: { offset: -5, frozenAt: null },
      faults: [{ id: 'flt_1', operation: 'createPet', probability: 0.2, seed: 7, triggered: 1, drawn: 9 }],
    }));
    const before = await everythingOf(store, id);
    const { bytes } = store.figures;
    const reopened = await again(store);
    expect(await everythingOf(reopened, id)).toEqual(before);
    expect(reopened.figures).toEqual({ ...store.figures, writes: 0, failedWrites: 0, bytes });
    await reopened.close();
  });

  it('brings back snapshots and forks that share what they grew from, and each still goes its own way', async () => {
    let store = await openFiles(directory);
    const id = await sandboxIn(store, 'default');
    await addOne(store, id, 'Ada');
    await store.saveSnapshot(id, 'one', AT);
    await addOne(store, id, 'Bea');
    await store.saveSnapshot(id, 'two', AT);
    await addOne(store, id, 'Cleo');
    const fork = sandboxRecord({ forkOf: id });
    await store.create(fork, { copyOf: id });
    await store.reset(id, { snapshot: 'two' });
    await addOne(store, id, 'Dora');
    const second = sandboxRecord({ forkOf: id });
    await store.create(second, { copyOf: fork.id });
    await store.reset(fork.id, { fixture: 'empty' });
    await store.remove(fork.id);
    const before = [await everythingOf(store, id), await everythingOf(store, second.id)];
    const { bytes } = store.figures;
    for (let start = 0; start < 3; start++) {
      store = await again(store);
      expect([await everythingOf(store, id), await everythingOf(store, second.id)]).toEqual(before);
      expect(store.figures.bytes).toBe(bytes);
    }
    expect(await addOne(store, second.id, 'Eve')).toBe(16n);
    await store.reset(id, { snapshot: 'one' });
    store = await again(store);
    expect((await namesOf(store, id)).slice(12)).toEqual(['Ada']);
    expect((await namesOf(store, second.id)).slice(12)).toEqual(['Ada', 'Bea', 'Cleo', 'Eve']);
    await store.reset(id, { snapshot: 'two' });
    expect((await namesOf(store, id)).slice(12)).toEqual(['Ada', 'Bea']);
    const { pets: pending } = await store.list(id, { status: 'pending', limit: 100 });
    expect(pending.slice(-2).map((each) => each.id)).toEqual([13n, 14n]);
    await store.remove(id);
    await store.remove(second.id);
    await store.close();
    expect(store.figures.bytes).toBe(0);
    expect(await filesBelow(directory)).toEqual(['changes/', 'sandboxes/', 'store.json']);
  });

  it('brings back what was added over many files, in order, and goes on after it', async () => {
    let store = await openFiles(directory);
    const id = await sandboxIn(store);
    const expected: string[] = [];
    for (let start = 0; start < 3; start++) {
      const names = Array.from({ length: 120 }, (_, i) => `${start}-${i}`.padEnd(3_000, '.'));
      for (const name of names) await addOne(store, id, name);
      await add(store, id, []);
      expected.push(...names);
      store = await again(store);
      expect(await namesOf(store, id)).toEqual(expected);
    }
    await store.close();
    expect((await filesBelow(directory)).filter((file) => file.startsWith('changes/')).length).toBe(6);
  });

  it(
    'brings back a chain of branches that is longer than a call stack is deep, and lets go of it',
    async () => {
      const store = await openFiles(directory);
      const id = await sandboxIn(store);
      await addOne(store, id, 'p1');
      await store.close();
      const [own = ''] = await readdir(join(directory, 'changes'));
      await rm(join(directory, 'changes', own), { recursive: true });
      const head = join(directory, 'sandboxes', `${id}.json`);
      const from = JSON.stringify({ branch: 'brn_19999', changes: 19_999 });
      const text = await readFile(head, 'utf8');
      await writeFile(head, text.replace(own, 'brn_20000').replace('"from": null', `"from": ${from}`));
      for (let n = 1; n <= 20_000; n++) {
        const branch = join(directory, 'changes', `brn_${n}`);
        await mkdir(branch);
        const from = n === 1 ? null : { branch: `brn_${n - 1}`, changes: n - 1 };
        const changes = [{ added: { id: n, name: `p${n}`, categoryId: 1 } }];
        await writeFile(join(branch, '1.json'), JSON.stringify({ from, changes }));
      }
      const reopened = await openFiles(directory);
      expect((await reopened.describe(id)).added).toBe(20_000);
      expect((await reopened.list(id, { limit: 1 })).pets[0]?.id).toBe(1n);
      expect((await reopened.find(id, 20_000n))?.json).toContain('p20000');
      await reopened.remove(id);
      await reopened.close();
      expect(reopened.figures.bytes).toBe(0);
      expect(await filesBelow(directory)).toEqual(['changes/', 'sandboxes/', 'store.json']);
    },
    limit(60_000),
  );

  it('keeps what a fork or a restored sandbox grew from, where its first write was cut off', async () => {
    let store = await openFiles(directory);
    const id = await sandboxIn(store);
    await addOne(store, id, 'Ada');
    const fork = sandboxRecord({ forkOf: id });
    await store.create(fork, { copyOf: id });
    await store.close();
    // A kill after the directory was made, or a full disk.
    const head = JSON.parse(await readFile(join(directory, 'sandboxes', `${fork.id}.json`), 'utf8'));
    const branch = join(directory, 'changes', head.log.branch);
    await mkdir(branch);
    await writeFile(join(branch, '.1.json.tmp'), '{"from":nu');
    store = await openFiles(directory);
    expect(await namesOf(store, fork.id)).toEqual(['Ada']);
    expect(await addOne(store, fork.id, 'Bea')).toBe(2n);
    store = await again(store);
    expect(await namesOf(store, fork.id)).toEqual(['Ada', 'Bea']);
    await store.close();
    expect((await filesBelow(directory)).filter((file) => file.includes('.tmp'))).toEqual([]);
  });

  it('clears what a write that was cut off left, and moves away branches to which nothing points', async () => {
    let store = await openFiles(directory);
    const id = await sandboxIn(store);
    await addOne(store, id, 'Ada');
    await store.close();
    const clean = await filesBelow(directory);
    const [branch = ''] = await readdir(join(directory, 'changes'));
    await writeFile(join(directory, 'changes', branch, '.1.json.tmp'), '{');
    await writeFile(join(directory, 'sandboxes', `.${id}.json.tmp`), '{');
    await mkdir(join(directory, 'changes', 'brn_unused'));
    await writeFile(join(directory, 'changes', 'brn_unused', '1.json'), 'whatever');
    await mkdir(join(directory, 'changes', 'not-ours'));
    // A kill between the name and the deletion, and one before the first file.
    await mkdir(join(directory, 'changes', '.dropped-brn_gone'));
    await writeFile(join(directory, 'changes', '.dropped-brn_gone', '1.json'), 'whatever');
    await mkdir(join(directory, 'changes', 'brn_empty'));
    const notices: Notice[] = [];
    store = await openFiles(directory, ROOMY, (notice) => notices.push(notice));
    expect(await namesOf(store, id)).toEqual(['Ada']);
    await store.close();
    const lost = 'lost+found/brn_unused/1.json';
    expect(await filesBelow(directory)).toEqual([...clean, 'changes/not-ours/', lost].sort());
    const movedTo = join(directory, 'lost+found', 'brn_unused');
    const path = join(directory, 'changes', 'brn_unused');
    expect(notices.map(({ details }) => details)).toEqual([{ path, files: 1, bytes: 8, movedTo }]);
  });

  it('keeps what an earlier start moved away when another branch of that name is moved', async () => {
    await (await openFiles(directory)).close();
    for (const text of ['one', 'two']) {
      await mkdir(join(directory, 'changes', 'brn_unused'), { recursive: true });
      await writeFile(join(directory, 'changes', 'brn_unused', '1.json'), text);
      await (await openFiles(directory)).close();
    }
    const texts = ['brn_unused', 'brn_unused-2'].map((name) =>
      readFile(join(directory, 'lost+found', name, '1.json'), 'utf8'),
    );
    expect(await Promise.all(texts)).toEqual(['one', 'two']);
  });

  it('deletes a branch that a reset gave up, and takes none for lost', async () => {
    const store = await openFiles(directory);
    const id = await sandboxIn(store);
    await addOne(store, id, 'Ada');
    const [branch = ''] = await readdir(join(directory, 'changes'));
    await store.reset(id, { fixture: 'empty' });
    // Whatever a kill leaves from here on has another name.
    expect(await readdir(join(directory, 'changes'))).not.toContain(branch);
    await store.close();
    expect(await filesBelow(directory)).toEqual(['changes/', `sandboxes/${id}.json`, 'store.json']);
  });

  it('keeps pets of a file that was begun before the head could say so, and goes on after it', async () => {
    let store = await openFiles(directory);
    const id = await sandboxIn(store);
    const head = join(directory, 'sandboxes', `${id}.json`);
    const empty = await readFile(head, 'utf8');
    await addOne(store, id, 'Ada');
    await store.close();
    const told = await readFile(head, 'utf8');
    expect([JSON.parse(empty).log.files, JSON.parse(told).log.files]).toEqual([0, 1]);
    await writeFile(head, empty);
    store = await openFiles(directory);
    expect(await namesOf(store, id)).toEqual(['Ada']);
    // From now on the file is counted on.
    expect(await readFile(head, 'utf8')).toBe(told);
    expect(await addOne(store, id, 'Bea')).toBe(2n);
    store = await again(store);
    expect(await namesOf(store, id)).toEqual(['Ada', 'Bea']);
    await store.close();
  });

  it('leaves no file behind after many resets, snapshots and sandboxes', async () => {
    const store = await openFiles(directory);
    const id = await sandboxIn(store);
    for (let round = 0; round < 20; round++) {
      await addOne(store, id, 'Ada');
      await store.saveSnapshot(id, `s${round}`, AT);
      await store.reset(id, round % 2 === 0 ? { fixture: 'empty' } : { snapshot: `s${round}` });
      const fork = sandboxRecord({ forkOf: id });
      await store.create(fork, { copyOf: id });
      await addOne(store, fork.id, 'Bea');
      await store.remove(fork.id);
    }
    for (let round = 0; round < 20; round++) await store.dropSnapshot(id, `s${round}`);
    await store.reset(id, { fixture: 'empty' });
    await store.close();
    expect(store.figures.bytes).toBe(0);
    expect(await filesBelow(directory)).toEqual(['changes/', `sandboxes/${id}.json`, 'store.json']);
  });

  it('does not bring a sandbox back that was ended while something of it was still to be done', async () => {
    let store = await openFiles(directory);
    const ids = await Promise.all(Array.from({ length: 20 }, () => sandboxIn(store, 'large')));
    // The fixture is not loaded yet: what needs it waits while the sandbox ends.
    const late = ids.flatMap((id) => [addOne(store, id, 'late'), store.saveSnapshot(id, 's', AT), store.describe(id)]);
    const ends = ids.map((id) => store.remove(id));
    const outcomes = await Promise.allSettled(late);
    await Promise.all(ends);
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(20);
    store = await again(store);
    expect(store.records()).toEqual([]);
    await store.close();
    expect(store.figures.bytes).toBe(0);
    expect(await filesBelow(directory)).toEqual(['changes/', 'sandboxes/', 'store.json']);
  });
});
