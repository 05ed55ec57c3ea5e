/** Data directories of an older layout are upgraded at the start; `layout-1/` and `layout-2/` were written by the programs of their times. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readyKeyOf } from '../../src/sandbox/ready-key.ts';
import { DataFileError } from '../../src/store/data-file.ts';
import { LAYOUT_VERSION } from '../../src/store/layout.ts';
import type { Notice } from '../../src/store/tidy.ts';
import { filesBelow, namesOf, openFiles, ROOMY, scratch } from './support.ts';

let directory: string;
let clear: () => Promise<void>;
beforeEach(async () => {
  ({ directory, clear } = await scratch());
  await cp('test/store/layout-1', directory, { recursive: true });
});
afterEach(() => clear());

const at = (path: string): string => join(directory, path);

async function textsBelow(folder: string): Promise<Record<string, string>> {
  const files = await filesBelow(folder);
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(join(folder, file), 'utf8')] as const)),
  );
}

/** Opens the directory, looks at what is there, and closes it. */
async function lookInside(): Promise<{ names: Record<string, string[]>; notices: Notice[] }> {
  const notices: Notice[] = [];
  const store = await openFiles(directory, ROOMY, (notice) => notices.push(notice));
  const ids = store.records().map(({ id }) => id);
  const names = await Promise.all(ids.map(async (id) => [id, (await namesOf(store, id)).slice(-4)] as const));
  await store.close();
  return { names: Object.fromEntries(names), notices };
}

const THERE = {
  sbx_a: ['Ada', 'Bea', 'Cleo', 'Dan'],
  sbx_e: expect.objectContaining({ length: 4 }),
  sbx_f: ['Ada', 'Bea', 'Cleo', 'Fay'],
};

describe('a directory of layout 1', () => {
  it('is upgraded, with every sandbox, pet and key, and a copy of it is kept', async () => {
    const key = await readyKeyOf(directory);
    const before = await textsBelow(directory);
    const { names, notices } = await lookInside();
    expect(names).toEqual(THERE);
    expect(notices.map(({ details }) => details)).toEqual([
      { path: directory, from: 1, to: LAYOUT_VERSION, copy: at('backup-layout-1') },
    ]);
    expect(await textsBelow(at('backup-layout-1'))).toEqual(before);
    expect(JSON.parse(await readFile(at('store.json'), 'utf8'))).toEqual({ layout: LAYOUT_VERSION });
    expect(await readyKeyOf(directory)).toBe(key);
    const store = await openFiles(directory);
    expect(store.records().find(({ id }) => id === 'sbx_f')?.keys).toMatchObject([
      { id: 'key_b', hash: 'b'.repeat(64) },
    ]);
    expect((await store.snapshots('sbx_a')).map(({ name, pets }) => [name, pets])).toEqual([['three', 3]]);
    await store.close();
  });

  it('is upgraded once', async () => {
    await lookInside();
    const { names, notices } = await lookInside();
    expect([names, notices]).toEqual([THERE, []]);
    expect(
      (await filesBelow(directory)).filter((file) => /^\.?backup/.test(file) && file.endsWith('store.json')),
    ).toEqual(['backup-layout-1/store.json']);
  });

  it('knows its files from then on: one that is missing is noticed', async () => {
    await lookInside();
    const { log } = JSON.parse(await readFile(at('sandboxes/sbx_f.json'), 'utf8'));
    expect(log.files).toBe(1);
    await rm(at(`changes/${log.branch}/1.json`));
    await expect(openFiles(directory)).rejects.toThrow(`${log.branch}/1.json: is missing`);
  });

  it('keeps a copy of its own when there is one of an earlier upgrade', async () => {
    await mkdir(at('backup-layout-1'));
    await writeFile(at('backup-layout-1/note'), 'mine');
    const { notices } = await lookInside();
    expect(notices[0]?.details['copy']).toBe(at('backup-layout-1-2'));
    expect(await filesBelow(at('backup-layout-1'))).toEqual(['note']);
  });

  it('is left as it is when a head of it cannot be read', async () => {
    await writeFile(at('sandboxes/sbx_f.json'), '{"added":');
    const before = await textsBelow(directory);
    await expect(openFiles(directory)).rejects.toThrow(DataFileError);
    expect(await textsBelow(directory)).toEqual(before);
    await writeFile(at('sandboxes/sbx_f.json'), '{"added":{"branch":"../x"}}');
    await expect(openFiles(directory)).rejects.toThrow(/sbx_f\.json: "added" must be/);
  });
});

it('a directory of layout 2 is upgraded, with every sandbox and pet, and a copy of it is kept', async () => {
  await rm(directory, { recursive: true });
  await cp('test/store/layout-2', directory, { recursive: true });
  const before = await textsBelow(directory);
  const { names, notices } = await lookInside();
  expect(names).toEqual(THERE);
  expect(notices.map(({ details }) => details)).toEqual([
    { path: directory, from: 2, to: LAYOUT_VERSION, copy: at('backup-layout-2') },
  ]);
  expect(await textsBelow(at('backup-layout-2'))).toEqual(before);
  expect(await lookInside()).toEqual({ names: THERE, notices: [] });
});

it('a directory of a newer layout is refused, named, and left as it is', async () => {
  await writeFile(at('store.json'), JSON.stringify({ layout: LAYOUT_VERSION + 1 }));
  const before = await textsBelow(directory);
  await expect(openFiles(directory)).rejects.toThrow(
    `${at('store.json')}: the directory has layout ${LAYOUT_VERSION + 1}, made by a newer petstore-sandbox; this one reads layouts up to ${LAYOUT_VERSION}.`,
  );
  expect(await textsBelow(directory)).toEqual(before);
});
