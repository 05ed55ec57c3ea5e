/** What comes back when a server starts again on its data directory: after a stop, after a kill, and on damaged files. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { petOf } from '../../../src/base/api/pet.ts';
import { INT64_MAX, INT64_MIN } from '../../../src/base/int64.ts';
import { DataFileError } from '../../../src/sandbox/store/data-file.ts';
import { LAYOUT_VERSION } from '../../../src/sandbox/store/files.ts';
import { inlineFixture } from '../../../src/sandbox/store/fixture.ts';
import { begun } from '../../../src/sandbox/store/state.ts';
import { newFolder } from '../../support/folder.ts';
import { limit } from '../../support/slow.ts';
import {
  AT,
  add,
  addOne,
  allOf,
  contentsOf,
  everythingOf,
  filesBelow,
  keyRecord,
  type Notice,
  namesOf,
  numbered,
  openFiles,
  pet,
  ROOMY,
  recordsOf,
  type StoreById,
  sandboxIn,
  sandboxRecord,
  storeOn,
} from './support.ts';

let directory: string;
beforeEach(async () => {
  directory = await newFolder();
});

const at = (path: string): string => join(directory, path);
const logOf = (id: string): string => at(`sandboxes/${id}.jsonl`);

const open = (): Promise<StoreById> => storeOn(directory);

/** Closes the store and opens its directory again. */
async function again(store: StoreById): Promise<StoreById> {
  await store.close();
  return open();
}

describe('a restart', () => {
  it('brings everything back exactly: ids and categories at the ends of int64, names, keys, clock, faults', async () => {
    const store = await open();
    const keys = [keyRecord({ expiresAt: null }), keyRecord({ label: '"\\ é', revokedAt: AT + 1 })];
    const id = await sandboxIn(store, 'last-id', { label: null, expiresAt: null, preconfigured: true, keys });
    await add(store, id, [pet('\ud800 \u0000 "\\/ é 猫 \u2028', { categoryId: INT64_MIN, status: 'sold' })]);
    await add(store, id, [pet('', { categoryId: INT64_MAX })]);
    const rule = { operation: 'createPet', when: 'before', probability: 0.2, seed: 7 } as const;
    const faults = [{ id: 'flt_1', ...rule, triggered: 1, drawn: 9 }];
    await store.update(id, { clock: { offset: -5, frozenAt: null }, faults });
    const before = await everythingOf(store, id);
    const { bytes } = store.figures;
    const reopened = await again(store);
    expect(await everythingOf(reopened, id)).toEqual(before);
    expect(reopened.figures).toMatchObject({ writes: 0, failedWrites: 0, bytes });
  });

  it('brings back snapshots, a fixture that came with a request, and forks that go their own way', async () => {
    let store = await open();
    const ids = [INT64_MIN, -1n, 2n ** 53n + 1n, INT64_MAX];
    const fixture = inlineFixture({ nextId: 7n, pets: ids.map((id) => petOf(id, pet(`Pet ${id}`))) });
    const { id } = await store.create(begun(sandboxRecord(), fixture));
    await addOne(store, id, 'Ada');
    await store.saveSnapshot(id, 'one', AT);
    await addOne(store, id, 'Bea');
    const fork = sandboxRecord();
    await store.fork(id, fork);
    await store.reset(id, { snapshot: 'one' });
    await addOne(store, id, 'Dora');
    const seen = async () => {
      const { bytes, headBytes } = store.figures;
      return { bytes, headBytes, own: await everythingOf(store, id), fork: await everythingOf(store, fork.id) };
    };
    const before = await seen();
    for (let start = 0; start < 3; start++) {
      store = await again(store);
      expect(await seen()).toEqual(before);
    }
    expect(await addOne(store, fork.id, 'Eve')).toBe(9n);
    await store.reset(id, 'again');
    expect(await allOf(store, id)).toHaveLength(4);
    expect(await addOne(store, id, 'Next')).toBe(7n);
    for (const each of [id, fork.id]) await store.remove(each);
    await expectEmpty(store);
  });

  it('clears what a write that was cut off left, and leaves files of others alone', async () => {
    const first = await open();
    const id = await sandboxIn(first);
    await addOne(first, id, 'Ada');
    await first.close();
    const clean = await filesBelow(directory);
    await writeFile(at(`sandboxes/.${id}.jsonl.tmp`), '{');
    await writeFile(at('sandboxes/notes.txt'), 'mine');
    const store = await open();
    expect(await namesOf(store, id)).toEqual(['Ada']);
    await store.close();
    expect(await filesBelow(directory)).toEqual([...clean, 'sandboxes/notes.txt'].sort());
  });

  it('does not bring a sandbox back that was ended while something of it was still to be done', async () => {
    const store = await open();
    const ids = await Promise.all(Array.from({ length: 20 }, () => sandboxIn(store, 'large')));
    const late = ids.flatMap((id) => [addOne(store, id, 'late'), store.saveSnapshot(id, 's', AT), store.describe(id)]);
    const ends = ids.map((id) => store.remove(id));
    await Promise.allSettled(late);
    await Promise.all(ends);
    const reopened = await again(store);
    expect(recordsOf(reopened)).toEqual([]);
    await expectEmpty(reopened);
  });

  /** No sandbox has left a byte. */
  async function expectEmpty(store: StoreById): Promise<void> {
    await store.close();
    expect(store.figures.bytes).toBe(0);
    expect(await filesBelow(directory)).toEqual(['sandboxes/', 'store.json']);
  }
});

describe('a log', () => {
  it('has a line for each request, in the order of the requests, and may be mended by hand', async () => {
    const first = await open();
    const id = await sandboxIn(first);
    await Promise.all([addOne(first, id, 'Ada'), add(first, id, [pet('Bea'), pet('Cleo')]), addOne(first, id, 'Dan')]);
    await first.close();
    const text = await readFile(logOf(id), 'utf8');
    const lines = text.trimEnd().split('\n').slice(-3);
    const names = lines.map((line) => JSON.parse(line).pets.map(({ name }: { name: string }) => name));
    expect(names).toEqual([['Ada'], ['Bea', 'Cleo'], ['Dan']]);
    const more = '{"pets": [{"id": 5000, "name": "by hand", "categoryId": 1.0}]}\n';
    await writeFile(logOf(id), text.replace('"Dan"', '"Dana"').replace('for a test', 'renamed') + more);
    const store = await open();
    expect(await namesOf(store, id)).toEqual(['Ada', 'Bea', 'Cleo', 'Dana', 'by hand']);
    expect(recordsOf(store)[0]?.label).toBe('renamed');
    expect(await addOne(store, id, 'next')).toBe(5001n);
  });

  it('is compacted while the server runs, and when it stops, once half of its content is obsolete', async () => {
    let store = await open();
    const id = await sandboxIn(store);
    await addOne(store, id, 'Ada');
    await store.saveSnapshot(id, 's', AT);
    let largest = 0;
    for (let round = 0; round < 100; round++) {
      await addOne(store, id, 'x'.repeat(10_000));
      await store.reset(id, { snapshot: 's' });
      largest = Math.max(largest, (await readFile(logOf(id))).length);
    }
    expect(largest).toBeLessThan(200_000);
    const before = await everythingOf(store, id);
    store = await again(store);
    expect(await everythingOf(store, id)).toEqual(before);
    await store.close();
    expect((await readFile(logOf(id))).length).toBeLessThan(100_000);
  });

  it('of a long fork is written in slices: all of it is there, or nothing', async () => {
    let store = await open();
    const id = await sandboxIn(store);
    await add(store, id, numbered(40_000));
    const fork = sandboxRecord();
    let turns = 0;
    let counting = setImmediate(function count() {
      turns += 1;
      counting = setImmediate(count);
    });
    await store.fork(id, fork);
    clearImmediate(counting);
    expect(turns).toBeGreaterThan(3);
    store = await again(store);
    expect(await allOf(store, fork.id)).toEqual(await allOf(store, id));
    await store.close();
    expect((await filesBelow(directory)).filter((file) => file.endsWith('.tmp'))).toEqual([]);
  });
});

describe('a write that a kill cut off', () => {
  /** Opens the directory again, looks at the names, and adds a pet. */
  async function reopened(id: string): Promise<{ names: string[]; notices: Notice[] }> {
    const notices: Notice[] = [];
    const store = await storeOn(directory, ROOMY, (notice) => notices.push(notice));
    const names = await namesOf(store, id);
    expect(await addOne(store, id, 'next')).toBe(BigInt(names.length + 1));
    await store.close();
    return { names, notices };
  }

  it('is there or not, wherever it was cut, and several pets of one request are there all or none', {
    timeout: limit(60_000),
  }, async () => {
    const store = await openFiles(directory);
    const id = await sandboxIn(store);
    await addOne(store, id, 'Ada');
    const before = (await readFile(logOf(id))).length;
    const more = [[pet('B"]}\n')], [pet('Cleo'), pet('Dan')], [pet('Eve')]];
    await Promise.all(more.map((pets) => add(store, id, pets)));
    await store.close();
    const whole = await readFile(logOf(id));
    const seen = new Set<string>();
    for (let length = before; length <= whole.length; length++) {
      await writeFile(logOf(id), whole.subarray(0, length));
      const { names, notices } = await reopened(id);
      seen.add(names.join(' '));
      const cut = length - (whole.lastIndexOf('\n', length - 1) + 1);
      expect(notices.map(({ details }) => details['bytes'])).toEqual(cut === 0 ? [] : [cut]);
      if (cut > 0) await rm(`${logOf(id)}.removed-1`);
    }
    expect([...seen]).toEqual(['Ada', 'Ada B"]}\n', 'Ada B"]}\n Cleo Dan', 'Ada B"]}\n Cleo Dan Eve']);
  });

  it.each([
    ['zeros behind the end', (text: string) => Buffer.from(text + '\0'.repeat(4096))],
    ['zeros in place of the end', (text: string) => Buffer.from(text.slice(0, -20) + '\0'.repeat(4096))],
    ['half a letter', (text: string) => Buffer.from(`${text}{"pets":[{"id":4,"name":"\u{1f408}`).subarray(0, -2)],
  ])('is moved to a file beside the journal: %s', async (_, change) => {
    const store = await openFiles(directory);
    const id = await sandboxIn(store);
    for (const name of ['Ada', 'Bea', 'Cleo']) await addOne(store, id, name);
    await store.close();
    const damaged = change(await readFile(logOf(id), 'utf8'));
    await writeFile(logOf(id), damaged);
    const { names, notices } = await reopened(id);
    expect(names).toEqual(['Ada', 'Bea', 'Cleo'].slice(0, names.length));
    expect(names.length).toBeGreaterThanOrEqual(2);
    const removed = await readFile(`${logOf(id)}.removed-1`);
    expect(damaged.subarray(damaged.length - removed.length)).toEqual(removed);
    const details = { path: logOf(id), bytes: removed.length, movedTo: `${logOf(id)}.removed-1` };
    expect(notices.map((notice) => notice.details)).toEqual([details]);
    expect(notices[0]?.message).toContain(`the last ${removed.length} bytes of this file were an incomplete change`);
    // Nothing of it is left in the journal.
    expect(await reopened(id)).toEqual({ names: [...names, 'next'], notices: [] });
  });
});

describe('a damaged file stops the start, and stays as it is:', () => {
  let id: string;
  beforeEach(async () => {
    const store = await openFiles(directory);
    id = await sandboxIn(store, 'default');
    for (let i = 0; i < 10; i++) await addOne(store, id, `p${i}`);
    await store.saveSnapshot(id, 's', AT);
    await store.close();
  });

  /** The start is rejected, with this file's path first and the reason; nothing was touched. */
  async function expectRejection(path: string, reason: string | RegExp): Promise<void> {
    const before = await contentsOf(directory);
    const error = await openFiles(directory).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DataFileError);
    const { message } = error as Error;
    expect(message.startsWith(`${at(path)}: `), message).toBe(true);
    expect(message).toMatch(reason);
    expect(message).toMatch(/(mend it, or move it away|Nothing was changed; .*)$/);
    expect(message).not.toMatch(/[\n\r]/);
    expect(await contentsOf(directory)).toEqual(before);
    // The lock is free again.
    await expect(openFiles(directory)).rejects.toThrow(DataFileError);
  }

  const log = (): string => `sandboxes/${id}.jsonl`;

  it.each<[string, (text: string) => string | Buffer, RegExp]>([
    ['empty', () => '', /must begin with a line \{"begin"/],
    ['without its first line', (text) => text.replace(/.*\n/, ''), /line 1: the sandbox has not begun/],
    ['with a line in the midst that was cut', (text) => text.replace('"p3"', '"p3'), /line \d+: not valid JSON/],
    ['with a kind of a later version', (text) => `${text}{"rename":{"id":13}}\n`, /line \d+: begins with "rename"/],
    ['with a fixture that is not there', (text) => text.replace('"default"', '"spring"'), /no fixture named spring/],
    ['under another name', (text) => text.replace(/sbx_\w+/, 'sbx_other'), /id is sbx_other, but the file's name/],
    ['not UTF-8', (text) => Buffer.from(text.replace('p5', '\u00ff5'), 'latin1'), /not valid UTF-8/],
    ['with an end that is no entry', (text) => `${text}garbage`, /its last line is no entry/],
  ])('a log %s', async (_, change, reason) => {
    await writeFile(at(log()), change(await readFile(at(log()), 'utf8')));
    await expectRejection(log(), reason);
  });

  const other = (layout: number): [string, RegExp] => [
    JSON.stringify({ layout }),
    new RegExp(`layout ${layout}; this version reads layout ${LAYOUT_VERSION} only\\.`),
  ];

  it.each([
    other(LAYOUT_VERSION - 1),
    other(LAYOUT_VERSION + 1),
    ['null', /layout/],
    ['{"layout":"4"}', /layout/],
    ['{"layout":4', /not valid JSON/],
  ])('the layout of the directory is given as %s', async (text, reason) => {
    await writeFile(at('store.json'), text);
    await expectRejection('store.json', reason);
  });
});
