/**
 * Every file of a data directory is damaged in turn, in every way: the start is rejected with the name of the file, and
 * changes nothing; or all that was acknowledged is there; or the end of a file was mended, and what was removed is
 * kept. What no start can know is said where it is allowed: a value that became another value of its kind, and a
 * sandbox whose file is gone, like that of one that was ended.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readyKeyOf } from '../../src/sandbox/ready-key.ts';
import { DataFileError } from '../../src/sandbox/store/data-file.ts';
import {
  AT,
  add,
  addOne,
  filesBelow,
  type Notice,
  openFiles,
  pet,
  ROOMY,
  recordsOf,
  type StoreById,
  sandboxIn,
  sandboxRecord,
} from '../sandbox/store/support.ts';
import { limit } from '../support/slow.ts';

let folder: string;
/** As it should be; each damage is done to a copy. */
let whole: string;
let files: string[];
let sandboxes: string[];
let before: Record<string, object>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-damage-'));
  whole = join(folder, 'whole');
  let store = await openFiles(whole);
  const root = await sandboxIn(store, 'default');
  const other = await sandboxIn(store);
  await add(store, root, many('r', 1_200));
  await addOne(store, root, 'last');
  await store.saveSnapshot(root, 'early', AT);
  await store.close();
  store = await openFiles(whole);
  await add(store, root, many('later', 40));
  await store.saveSnapshot(root, 'late', AT);
  const fork = sandboxRecord();
  await store.fork(root, fork);
  await add(store, fork.id, many('f', 30));
  await store.reset(root, { snapshot: 'early' });
  await add(store, root, many('again', 20));
  const second = sandboxRecord();
  await store.fork(fork.id, second);
  await add(store, other, many('o', 1_000));
  for (const name of ['x', 'y', 'z']) await addOne(store, other, name);
  await sandboxIn(store, 'boundary');
  sandboxes = recordsOf(store).map(({ id }) => id);
  before = await seen(store);
  await store.close();
  await readyKeyOf(whole);
  files = await filesBelow(whole);
  expect(files.filter((file) => file.startsWith('sandboxes/'))).toHaveLength(5);
});
afterAll(() => rmSync(folder, { recursive: true }));

const many = (name: string, count: number) => Array.from({ length: count }, (_, i) => pet(`${name}${i} 猫`));

/** The ids of all pets of each sandbox, and how many its snapshots hold. */
async function seen(store: StoreById): Promise<Record<string, object>> {
  const all = recordsOf(store).map(async ({ id, keys }) => {
    const { pets } = await store.list(id, { limit: 100_000 });
    const snapshots = (await store.snapshots(id)).map((snapshot) => [snapshot.name, snapshot.pets]);
    return [id, { ids: pets.map((each) => each.id), snapshots, keys: keys.length }] as const;
  });
  return Object.fromEntries(await Promise.all(all));
}

async function contents(directory: string): Promise<Record<string, string>> {
  const found = await filesBelow(directory);
  return Object.fromEntries(
    found.map((file) => [file, file.endsWith('/') ? '' : readFileSync(join(directory, file), 'latin1')]),
  );
}

/** What a start on a damaged copy came to. */
type Outcome =
  | { readonly rejected: string }
  | { readonly notices: readonly Notice[]; readonly after: Record<string, object> };

/** @param damage does it to the copy in this directory */
async function startAfter(damage: (directory: string) => void): Promise<Outcome> {
  const directory = join(folder, 'damaged');
  rmSync(directory, { recursive: true, force: true });
  cpSync(whole, directory, { recursive: true });
  damage(directory);
  const damaged = await contents(directory);
  const notices: Notice[] = [];
  let store: StoreById | undefined;
  try {
    await readyKeyOf(directory);
    store = await openFiles(directory, ROOMY, (notice) => notices.push(notice));
    const after = await seen(store);
    await store.close();
    expectNothingLost(damaged, await contents(directory));
    return { notices, after };
  } catch (error) {
    if (store) throw error;
    // Never a stack trace: the program prints the message of this class alone.
    expect(error).toBeInstanceOf(DataFileError);
    const { message } = error as Error;
    expect(message).not.toMatch(/[\r\n]/);
    expect(await contents(directory)).toEqual(damaged);
    return { rejected: message.replaceAll(`${directory}/`, '') };
  }
}

/** Every byte of every pet is still somewhere: in its place, or in what was taken off its file. */
function expectNothingLost(damaged: Record<string, string>, after: Record<string, string>): void {
  for (const [path, text] of Object.entries(damaged)) {
    if (!path.startsWith('sandboxes/') || after[path] === text) continue;
    const removed = after[`${path}.removed-1`];
    expect([path, removed !== undefined && text === after[path] + removed]).toEqual([path, true]);
  }
}

/** One line for each outcome that must not be. */
function wrongs(name: string, file: string, outcome: Outcome): string[] {
  if ('rejected' in outcome) {
    // The file itself, the folder that it is in, or the one that references it and says where something is missing.
    const named = [file, dirname(file)].some((path) => outcome.rejected.includes(path));
    return named ? [] : [`${name}: the rejection does not name it: ${outcome.rejected}`];
  }
  const mended = outcome.notices.some(({ message }) => message.includes('were an incomplete change'));
  return sandboxes.flatMap((id) => {
    if (JSON.stringify(outcome.after[id], digits) === JSON.stringify(before[id], digits) || mended) return [];
    const gone = outcome.after[id] === undefined && file === `sandboxes/${id}.jsonl`;
    return gone ? [] : [`${name}: ${id} is not as it was`];
  });
}

const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** A damage by name, and how it is done to a file in this directory. */
type Damage = readonly [name: string, damage: (directory: string) => void];

const written = (name: string, file: string, bytes: Buffer): Damage => [
  `${file} ${name}`,
  (directory) => writeFileSync(join(directory, file), bytes),
];

// A new ready key is made: that is how one gets another.
const removal = (file: string): Damage[] =>
  file === 'ready-key.json' ? [] : [[`${file} removed`, (directory) => rmSync(join(directory, file))]];

const otherNames = (file: string): Damage[] =>
  (file === 'store.json' ? [`${file}.old`, '77.json'] : []).map((name) => [
    `${file} as ${name}`,
    (directory) => renameSync(join(directory, file), join(directory, name)),
  ]);

const replacements = (file: string): Damage[] => [
  written('emptied', file, Buffer.alloc(0)),
  [
    `${file} as a directory`,
    (directory) => {
      rmSync(join(directory, file));
      mkdirSync(join(directory, file));
    },
  ],
];

const copies = (file: string): Damage[] =>
  [`${basename(file, '.jsonl')} copy.jsonl`, `${basename(file)}.bak`, 'sbx_copy.jsonl'].map((name) => [
    `${file} also as ${name}`,
    (directory) => cpSync(join(directory, file), join(directory, dirname(file), name), { recursive: true }),
  ]);

it.each<[what: string, damagesOf: (file: string, bytes: Buffer) => readonly Damage[], isRejected?: boolean]>([
  ['a file that is removed is missed, but for that of a sandbox, which takes no other with it', removal],
  ['the layout under another name is missed', otherNames],
  ['a file that is empty, or has a directory in its place, is rejected', replacements, true],
  ['a file that is there twice is rejected, or has no effect', copies],
])('%s', async (_, damagesOf, isRejected = false) => {
  const found: string[] = [];
  for (const file of files)
    for (const [name, damage] of damagesOf(file, readFileSync(join(whole, file)))) {
      const outcome = await startAfter(damage);
      found.push(...wrongs(name, file, outcome));
      if (isRejected && !('rejected' in outcome)) found.push(`${name} is not rejected`);
    }
  expect(found).toEqual([]);
});

it('a folder that is removed is missed', async () => {
  for (const folder of new Set(files.map((file) => dirname(file)).filter((each) => each !== '.'))) {
    const outcome = await startAfter((directory) => rmSync(join(directory, folder), { recursive: true }));
    expect(outcome).toMatchObject({ rejected: expect.stringContaining(folder) });
  }
});

it(
  'a byte that flipped is found, unless it made another value of the same kind',
  async () => {
    const found: string[] = [];
    let rejected = 0;
    let unseen = 0;
    for (const file of files) {
      const bytes = readFileSync(join(whole, file));
      const step = Math.max(1, Math.floor(bytes.length / 25));
      for (let at = step >> 1; at < bytes.length; at += step) {
        const damaged = Buffer.from(bytes);
        damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
        const outcome = await startAfter((directory) => writeFileSync(join(directory, file), damaged));
        const name = `${file}, bit ${at % 8} of byte ${at}`;
        if ('rejected' in outcome) rejected++;
        if ('rejected' in outcome || !sameShape(bytes, damaged)) found.push(...wrongs(name, file, outcome));
        else {
          // A name, a time or a number became another one: nobody can know, but no pet is gone.
          unseen++;
          for (const id of sandboxes)
            if (countIn(outcome.after, id) !== countIn(before, id)) found.push(`${name}: ${id} lost pets`);
        }
      }
    }
    expect(found).toEqual([]);
    expect(rejected).toBeGreaterThan(50);
    process.stdout.write(
      `damage: ${rejected} flipped bytes were rejected, ${unseen} made another value of the same kind\n`,
    );
  },
  limit(240_000),
);

const countIn = (state: Record<string, object>, id: string): number | undefined =>
  (state[id] as { ids: bigint[] } | undefined)?.ids.length;

/** Whether two texts differ in the values of members and elements only; the name of a snapshot counts as a value. */
function sameShape(one: Buffer, other: Buffer): boolean {
  const shapeOf = (value: unknown, isNamed = true): unknown => {
    if (Array.isArray(value)) return value.map((item) => shapeOf(item));
    if (typeof value !== 'object' || value === null) return typeof value;
    return Object.entries(value).map(([key, inner]) => [isNamed ? key : '', shapeOf(inner, key !== 'snapshots')]);
  };
  try {
    const [a, b] = [one, other].map((bytes) =>
      JSON.stringify(
        bytes
          .toString()
          .split('\n')
          .map((line) => (line === '' ? '' : shapeOf(JSON.parse(line)))),
      ),
    );
    return a === b;
  } catch {
    return false;
  }
}
