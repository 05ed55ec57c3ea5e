/** What tests of the stores share. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { NewPet, Pet, PetStatus, StoredPet } from '../../../src/base/api/pet.ts';
import { newId } from '../../../src/base/ids.ts';
import { openFixtures } from '../../../src/sandbox/fixtures.ts';
import type { StoreLimits } from '../../../src/sandbox/store/bounds.ts';
import type { Restart } from '../../../src/sandbox/store/entries.ts';
import { openFiles as openLogs } from '../../../src/sandbox/store/files.ts';
import type { Fixture } from '../../../src/sandbox/store/fixture.ts';
import type { Journal } from '../../../src/sandbox/store/journal.ts';
import type { KeyRecord, SandboxRecord } from '../../../src/sandbox/store/record.ts';
import { begun, forked } from '../../../src/sandbox/store/state.ts';
import { Store } from '../../../src/sandbox/store/store.ts';

export const ROOMY: StoreLimits = { maxPets: 1_000_000, maxBytes: 512 * 2 ** 20 };
export const AT = Date.UTC(2026, 2, 2, 9, 30);

/** The shipped fixtures, and `last-id`, which has two ids left to give out. */
export const shelf = () => openFixtures({ shipped: 'fixtures', extra: 'test/sandbox/store/fixtures' });

/** One of them. */
export const fixtureNamed = async (name: string): Promise<Fixture> => (await shelf()).load(name);

/** All pets of a fixture, of one status or of any. */
export const petsOf = (fixture: Fixture, status?: PetStatus): readonly StoredPet[] =>
  [...fixture.pets.each()].filter((pet) => status === undefined || pet.status === status);

/** A warning with details: what the start did to the files. */
export interface Notice {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** @param onNotice told what the start did to the files @param onWarning told what should not be as it is */
export const openFiles = async (
  directory: string,
  limits: StoreLimits = ROOMY,
  onNotice: (notice: Notice) => void = () => undefined,
  onWarning: (message: string) => void = () => undefined,
): Promise<StoreById> => {
  const fixtures = await shelf();
  const warn = (message: string, details?: object): void =>
    details ? onNotice({ message, details: details as Notice['details'] }) : onWarning(message);
  return new StoreById({ ...(await openLogs({ directory, fixtures, warn })), limits });
};

/** The same, closed with the test at the latest. */
export const storeOn: typeof openFiles = async (...parts) => {
  const store = await openFiles(...parts);
  onTestFinished(() => store.close());
  return store;
};

export const keyRecord = (about: Partial<KeyRecord> = {}): KeyRecord => ({
  id: newId('key'),
  hash: 'ab'.repeat(32),
  label: null,
  createdAt: AT,
  expiresAt: AT + 86_400_000,
  revokedAt: null,
  ...about,
});

export const sandboxRecord = (about: Partial<SandboxRecord> = {}): SandboxRecord => ({
  id: newId('sbx'),
  label: 'for a test',
  createdAt: AT,
  expiresAt: AT + 86_400_000,
  preconfigured: false,
  keys: [keyRecord()],
  clock: null,
  faults: [],
  drill: null,
  drillResults: [],
  ...about,
});

/** A store whose sandboxes are named by their ids. */
export class StoreById extends Store {
  find = async (id: string, pet: bigint) => this.journal(id).findPet(pet);
  list = async (id: string, query: Parameters<Journal['listPets']>[0]) => this.journal(id).listPets(query);
  update = async (id: string, changes: Parameters<Journal['update']>[0]) => this.journal(id).update(changes);
  addPets = async (id: string, pets: readonly NewPet[]) => this.journal(id).addPets(pets);
  reset = async (id: string, to: Restart) => this.journal(id).change(() => ({ reset: to }));
  saveSnapshot = async (id: string, name: string, at: number) => this.journal(id).saveSnapshot(name, at);
  dropSnapshot = async (id: string, name: string) => this.journal(id).change(() => ({ drop: name }));
  fork = async (id: string, record: SandboxRecord) => this.create(forked(record, this.journal(id).state));
  snapshots = async (id: string) => this.journal(id).snapshots;
  fixtureOf = async (id: string) => this.journal(id).state.seed.name;

  async describe(id: string) {
    const { contents, state } = this.journal(id);
    return { fixture: state.seed.name, seeded: contents.seeded, added: contents.added, nextId: contents.nextId };
  }
}

/** A new sandbox in the store; resolves to its id. */
export async function sandboxIn(
  store: StoreById,
  fixture = 'empty',
  about: Partial<SandboxRecord> = {},
): Promise<string> {
  const record = sandboxRecord(about);
  await store.create(begun(record, await fixtureNamed(fixture)));
  return record.id;
}

export const pet = (name: string, rest: Partial<NewPet> = {}): NewPet => ({ name, categoryId: 1n, ...rest });

/** The records of all sandboxes. */
export const recordsOf = (store: StoreById): SandboxRecord[] =>
  Array.from(store.journals(), ({ state }) => state.record);

/** So many pets: p0, p1 and so on. */
export const numbered = (count: number): NewPet[] => Array.from({ length: count }, (_, n) => pet(`p${n}`));

/** Adds pets; resolves to them. */
export const add = async (store: StoreById, id: string, newPets: readonly NewPet[]): Promise<readonly Pet[]> =>
  store.addPets(id, newPets);

/** Adds one pet; resolves to its id. */
export async function addOne(store: StoreById, id: string, name: string): Promise<bigint | undefined> {
  return (await add(store, id, [pet(name, { status: 'pending' })]))[0]?.id;
}

/** All pets of a sandbox as they are served. */
export const allOf = async (store: StoreById, id: string): Promise<string[]> => [...store.journal(id).contents.texts()];

export const namesOf = async (store: StoreById, id: string): Promise<string[]> =>
  (await allOf(store, id)).map((json) => (JSON.parse(json) as { name: string }).name);

/** All that a reader can see of a sandbox. */
export async function everythingOf(store: StoreById, id: string): Promise<object> {
  const [pets, pending, holdings, snapshots] = await Promise.all([
    allOf(store, id),
    store.list(id, { status: 'pending', limit: 100 }),
    store.describe(id),
    store.snapshots(id),
  ]);
  return { pets, pending, holdings, snapshots, record: recordsOf(store).find((record) => record.id === id) };
}

/** Every file below a directory, as paths from there, sorted; empty directories end in a slash. */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isDirectory()) return [entry.name];
      const inside = await filesBelow(join(directory, entry.name));
      return inside.length === 0 ? [`${entry.name}/`] : inside.map((name) => join(entry.name, name));
    }),
  );
  return found.flat().sort();
}

/** Every file's bytes, by its path, without sockets. */
export async function contentsOf(directory: string): Promise<Record<string, string>> {
  const files = (await filesBelow(directory)).filter((file) => !/(\/|\.sock)$/.test(file));
  const contents = files.map(async (file) => [file, await readFile(join(directory, file), 'latin1')]);
  return Object.fromEntries(await Promise.all(contents));
}
