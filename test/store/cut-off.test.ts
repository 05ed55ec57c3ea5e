/** A kill in the midst of a write to a log file: what was acknowledged is there, and the rest as if never asked for. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import type { Notice } from '../../src/store/tidy.ts';
import { limit } from '../support/slow.ts';
import { AT, add, addOne, namesOf, openFiles, pet, ROOMY, sandboxIn, scratch } from './support.ts';

let directory: string;
let clear: () => Promise<void>;
let id: string;
let store: Store;
beforeEach(async () => {
  ({ directory, clear } = await scratch());
  store = await openFiles(directory);
  id = await sandboxIn(store);
});
afterEach(() => clear());

/** The log file with this number. */
async function fileOf(n: number): Promise<string> {
  const [branch = ''] = await readdir(join(directory, 'changes'));
  return join(directory, 'changes', branch, `${n}.json`);
}

/** The text that a file has when a write stopped after so many of its bytes. */
const cutAfter = (before: Buffer, after: Buffer, bytes: number): Buffer => {
  const common = before.findIndex((byte, i) => byte !== after[i]);
  return Buffer.concat([after.subarray(0, common + bytes), before.subarray(common + bytes)]);
};

/** Opens the directory again, looks at the names, and adds a pet; tells which files were mended. */
async function reopened(): Promise<{ names: string[]; mended: string[] }> {
  const mended: string[] = [];
  const again = await openFiles(directory, ROOMY, ({ details }) => mended.push(details['path'] as string));
  const names = await namesOf(again, id);
  expect(await addOne(again, id, 'next')).toBe(BigInt(names.length + 1));
  await again.close();
  return { names, mended };
}

describe('a write that a kill cut off', () => {
  it(
    'is there or not, wherever it was cut, and a change of several pets is there whole or not at all',
    async () => {
      await addOne(store, id, 'Ada');
      await addOne(store, id, 'Bea');
      const path = await fileOf(1);
      const before = await readFile(path);
      await Promise.all([
        addOne(store, id, 'C"]}'),
        add(store, id, [pet('Dan'), pet('Eve')]),
        addOne(store, id, 'Fay'),
      ]);
      await store.close();
      const after = await readFile(path);
      const head = join(directory, 'sandboxes', `${id}.json`);
      const known = await readFile(head);
      const seen = new Map<string, number>();
      for (let bytes = 0; bytes <= after.length - before.length + 4; bytes++) {
        const cut = cutAfter(before, after, bytes);
        await writeFile(path, cut);
        const { names, mended } = await reopened();
        seen.set(names.join(' '), (seen.get(names.join(' ')) ?? 0) + 1);
        const now = await readFile(path);
        expect(mended).toEqual(now.equals(cut) ? [] : [path]);
        expect(JSON.parse(now.toString()).changes).toHaveLength(names.length);
        await rm(await fileOf(2));
        await writeFile(head, known);
      }
      expect([...seen.keys()]).toEqual(['Ada Bea', 'Ada Bea C"]}', 'Ada Bea C"]} Dan Eve', 'Ada Bea C"]} Dan Eve Fay']);
      // Each of them after more than one cut: the last byte is the least of it.
      expect(Math.min(...seen.values())).toBeGreaterThan(1);
    },
    limit(60_000),
  );

  it.each([
    ['a line that was cut off', (text: string) => text.slice(0, -7)],
    ['a copy that ends in the middle', (text: string) => text.slice(0, text.indexOf('"Cleo"'))],
    ['zeros in place of the last line', (text: string) => text.slice(0, -20) + '\0'.repeat(4096)],
    ['zeros behind the end', (text: string) => text + '\0'.repeat(4096)],
    ['half a letter', (text: string) => `${text.slice(0, -4)}\n,{"added":{"id":4,"name":"\u{1f408}`, 3],
  ])('is mended, and what was removed is kept beside the file: %s', async (_, change, cut = 0) => {
    for (const name of ['Ada', 'Bea', 'Cleo']) await addOne(store, id, name);
    await store.close();
    const path = await fileOf(1);
    const whole = Buffer.from(change(await readFile(path, 'utf8')));
    const damaged = whole.subarray(0, whole.length - cut);
    await writeFile(path, damaged);
    const notices: Notice[] = [];
    const again = await openFiles(directory, ROOMY, (notice) => notices.push(notice));
    const names = await namesOf(again, id);
    await again.close();
    expect(names).toEqual(['Ada', 'Bea', 'Cleo'].slice(0, names.length));
    expect(names.length).toBeGreaterThanOrEqual(2);
    const removed = await readFile(`${path}.removed-1`);
    const mended = await readFile(path);
    // Together they are what was there, but for the closing line.
    expect(damaged.subarray(damaged.length - removed.length)).toEqual(removed);
    const left = damaged.subarray(0, damaged.length - removed.length);
    expect([left.toString(), `${left}\n]}\n`]).toContain(mended.toString());
    expect(notices.map(({ details }) => details)).toEqual([
      { path, bytes: removed.length, movedTo: `${path}.removed-1` },
    ]);
    expect(notices[0]?.message).toContain(`the last ${removed.length} bytes of this file were an incomplete change`);
    expect(notices[0]?.message).not.toMatch(/told|acknowledged/);
  });

  it('is looked for in branches that still grew only: what snapshots and forks point to was whole', async () => {
    for (const name of ['Ada', 'Bea']) await addOne(store, id, name);
    await store.saveSnapshot(id, 's', AT);
    await addOne(store, id, 'Cleo');
    const path = await fileOf(1);
    await store.reset(id, { fixture: 'empty' });
    await store.close();
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.slice(0, -8));
    await expect(openFiles(directory)).rejects.toThrow(path);
    await writeFile(path, text);
    await (await openFiles(directory)).close();
  });

  it('is looked for in the last file only: the others were whole when they were closed', async () => {
    await addOne(store, id, 'Ada');
    await addOne(store, id, 'Bea');
    await store.close();
    store = await openFiles(directory);
    await addOne(store, id, 'Cleo');
    await store.close();
    const path = await fileOf(1);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.slice(0, -8));
    await expect(openFiles(directory)).rejects.toThrow(path);
    await writeFile(path, text);
    expect(await reopened()).toEqual({ names: ['Ada', 'Bea', 'Cleo'], mended: [] });
  });

  it('is no excuse for a file that was edited by hand: what is wrong within it is rejected', async () => {
    for (const name of ['Ada', 'Bea', 'Cleo']) await addOne(store, id, name);
    await store.close();
    const path = await fileOf(1);
    const text = await readFile(path, 'utf8');
    for (const edited of [text.replace('"Cleo"', '"Cleo'), text.replace('"Bea"', 'Bea').slice(0, -8)]) {
      await writeFile(path, edited);
      await expect(openFiles(directory)).rejects.toThrow(path);
      expect(await readFile(path, 'utf8')).toBe(edited);
    }
    // However it is laid out.
    await writeFile(path, JSON.stringify(JSON.parse(text), null, 2));
    expect(await reopened()).toEqual({ names: ['Ada', 'Bea', 'Cleo'], mended: [] });
  });
});

describe('a change of many pets', () => {
  it('begins a file, with a line for each, so that it can be read', async () => {
    await addOne(store, id, 'Ada');
    await add(
      store,
      id,
      Array.from({ length: 101 }, (_, i) => pet(`p${i}`)),
    );
    await addOne(store, id, 'Zoe');
    await store.close();
    const [first, second] = [await readFile(await fileOf(1), 'utf8'), await readFile(await fileOf(2), 'utf8')];
    expect(first.split('\n')).toHaveLength(4);
    expect(second.split('\n')).toHaveLength(1 + 101 + 1 + 2);
    expect((await reopened()).names.slice(-2)).toEqual(['p100', 'Zoe']);
  });
});
