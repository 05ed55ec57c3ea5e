/** The store of worlds in memory, with or without a disk. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Awaitable, continued } from '../core/awaitable.ts';
import { ApiError } from '../core/errors.ts';
import type { StoredPet } from '../core/pet.ts';
import type { AllPets } from './all-pets.ts';
import { Account, type StoreLimits } from './bounds.ts';
import { type BranchReferences, release, retain } from './branch-references.ts';
import { type Change, petsAddedBy, weightOf } from './change.ts';
import type { Disk } from './disk.ts';
import { Entries, gone } from './entries.ts';
import type { FixtureShelf } from './fixture.ts';
import { FULL } from './growing-file.ts';
import { Lists } from './lists.ts';
import { branchOf, type NewFixture, nameOf, type OwnFixture, ownFixture, Seeds } from './own-fixture.ts';
import type { ListQuery, PetList } from './pet-list.ts';
import { PlannedSandbox, type Shared } from './planned-changes.ts';
import type { SandboxRecord } from './record.ts';
import { type Restored, restore } from './restore.ts';
import { savedOf } from './save.ts';
import type { Saved } from './saved.ts';
import {
  begun,
  forked,
  infoOf,
  restored,
  type SandboxState,
  type Snapshot,
  withoutSnapshot,
  withSnapshot,
} from './state.ts';
import type { Plan, Restart, SandboxContents, SnapshotInfo, Source, Store } from './store.ts';
import { WorldView } from './world-view.ts';

interface EmbeddedStoreOptions {
  readonly fixtures: FixtureShelf;
  readonly limits: StoreLimits;
  readonly disk?: Disk;
  /** The content of the disk at the start. */
  readonly states?: readonly SandboxState[];
  /** Called for a file that could not be deleted: it does no harm. */
  readonly onLeftOver?: (error: unknown) => void;
  /** Called with the bytes of memory of changes that are no longer used. */
  readonly onGivenUp?: (bytes: number) => void;
  /** Characters of cached lists. */
  readonly maxListed?: number;
}

export class EmbeddedStore implements Store {
  readonly kind: Store['kind'];
  readonly isShared = false;
  readonly #entries = new Entries();
  readonly #lists: Lists;
  readonly #seeds: Seeds;
  readonly #shared: Shared;
  readonly #deletions: Deletions;
  readonly #onGivenUp;
  readonly #writes = { writes: 0, failedWrites: 0 };

  constructor({ fixtures, limits, disk, states = [], maxListed, ...callbacks }: EmbeddedStoreOptions) {
    this.#onGivenUp = callbacks.onGivenUp ?? (() => undefined);
    this.kind = disk ? 'json-files' : 'memory';
    this.#seeds = new Seeds(fixtures);
    this.#deletions = new Deletions(callbacks.onLeftOver ?? (() => undefined));
    this.#lists = new Lists(maxListed);
    this.#shared = {
      account: new Account(limits),
      disk,
      write: (write) => this.#write(write),
      release: (references) => this.#release(references),
    };
    this.#load(states);
  }

  get figures(): Store['figures'] {
    const { bytes, headBytes } = this.#shared.account;
    return { ...this.#writes, bytes, headBytes };
  }

  get problem(): string | undefined {
    return this.#shared.disk?.problem;
  }

  records(): readonly SandboxRecord[] {
    return [...this.#entries.all()].map((entry) => entry.shown.record);
  }

  async create(record: SandboxRecord, start: Source): Promise<SandboxRecord> {
    const { account } = this.#shared;
    const { state, logs } =
      'saved' in start ? await restore(record, start, this.#seeds, account) : this.#begin(record, start);
    const entry = new PlannedSandbox(state, this.#shared);
    try {
      entry.weigh();
      if (this.#shared.disk) for (const log of logs) await this.#writeBranch(log);
      this.#write((disk) => disk.writeHead(state));
    } catch (error) {
      entry.forget();
      this.#release(state.references);
      throw error;
    }
    this.#entries.add(entry);
    return state.record;
  }

  async update(id: string, change: (record: SandboxRecord) => SandboxRecord): Promise<SandboxRecord> {
    const entry = this.#entries.get(id);
    return entry.step({ ...entry.planned, record: change(entry.planned.record) });
  }

  async remove(id: string): Promise<void> {
    // Looked up synchronously, so that a fork created a moment ago is not missed.
    const entries = this.#entries.familyOf(id);
    for (const entry of entries) entry.flush();
    const [origin, ...forks] = entries.map(({ shown }) => shown.record);
    if (!origin) return;
    this.#write((disk) => disk.end([origin, ...forks]));
    for (const entry of entries) this.#entries.delete(entry);
    for (const entry of entries) entry.forget();
    for (const { shown } of entries) this.#release(shown.references);
    const { disk } = this.#shared;
    if (disk && forks.length > 0) this.#deletions.add(() => disk.clear([origin, ...forks]));
  }

  find(id: string, petId: bigint): Awaitable<StoredPet | undefined> {
    const { world } = this.#entries.get(id).shown;
    return continued(this.#seeds.load(world.fixture), (fixture) => new WorldView(world, fixture).find(petId));
  }

  list(id: string, query: ListQuery): Awaitable<PetList> {
    const { world } = this.#entries.get(id).shown;
    return continued(this.#seeds.load(world.fixture), (fixture) => this.#lists.first(world, fixture, query));
  }

  async allPets(id: string): Promise<AllPets> {
    const { world } = this.#entries.get(id).shown;
    return new WorldView(world, await this.#seeds.load(world.fixture)).all();
  }

  async change<C extends Change>(id: string, plan: Plan<C>): Promise<readonly C[]> {
    const entry = this.#entries.get(id);
    let seed = entry.planned.world.fixture;
    let fixture = this.#seeds.get(seed);
    // A reset may have chosen another fixture while this one was loading.
    while (fixture === undefined || seed !== entry.planned.world.fixture) {
      seed = entry.planned.world.fixture;
      fixture = await this.#seeds.load(seed);
    }
    // Or the sandbox may have been ended: its files are deleted and must not be recreated.
    if (!this.#entries.has(entry)) throw gone(id);
    const view = new WorldView(entry.planned.world, fixture);
    const changes = plan(view);
    if (changes.length === 0) return changes;
    const { account } = this.#shared;
    account.rejectBeyondPets(view.count, petsAddedBy(changes));
    account.rejectBeyondBytes(weightOf(changes));
    await entry.append(changes);
    return changes;
  }

  async reset(id: string, to: Restart): Promise<SandboxRecord> {
    const entry = this.#entries.get(id);
    return entry.step(restored(entry.planned, to));
  }

  async withFixture<T>(fixture: NewFixture, use: (own: OwnFixture) => Promise<T>): Promise<T> {
    return withFixture(this.#shared, fixture, use);
  }

  async saveSnapshot(id: string, name: string, at: number): Promise<SnapshotInfo> {
    const entry = this.#entries.get(id);
    const next = withSnapshot(entry.planned, name, at);
    await entry.change(next);
    return this.#info([name, next.snapshots.get(name) as Snapshot]);
  }

  async snapshots(id: string): Promise<readonly SnapshotInfo[]> {
    return Promise.all([...this.#entries.get(id).shown.snapshots].map((each) => this.#info(each)));
  }

  async dropSnapshot(id: string, name: string): Promise<void> {
    await this.#entries.get(id).change(withoutSnapshot(this.#entries.get(id).planned, name));
  }

  async describe(id: string): Promise<SandboxContents> {
    const { world } = this.#entries.get(id).shown;
    const fixture = await this.#seeds.load(world.fixture);
    const { seeded, added, nextId } = new WorldView(world, fixture);
    return { fixture: fixture.name, seeded, added, nextId };
  }

  save = async (id: string): Promise<Saved> => savedOf(this.#entries.get(id).shown);

  fixtureOf(id: string): string {
    return nameOf(this.#entries.get(id).shown.world.fixture);
  }

  async close(): Promise<void> {
    for (const entry of this.#entries.all()) entry.flush();
    await this.#deletions.done();
    await this.#shared.disk?.close();
  }

  #load(states: readonly SandboxState[]): void {
    for (const state of states) {
      const entry = new PlannedSandbox(state, this.#shared);
      entry.count();
      this.#entries.add(entry);
    }
    this.#shared.account.countBranches(states);
  }

  async #info([name, snapshot]: [string, Snapshot]): Promise<SnapshotInfo> {
    return infoOf(name, snapshot, await this.#seeds.load(snapshot.world.fixture));
  }

  /** The first state of a new sandbox, which has no logs of its own yet. @throws {ApiError} `not_found` */
  #begin(record: SandboxRecord, start: Exclude<Source, { saved: unknown }>): Restored {
    const state = 'copyOf' in start ? forked(record, this.#entries.get(start.copyOf).shown) : begun(record, start);
    return { state, logs: [] };
  }

  /** File by file: other requests have their turn in between. */
  async #writeBranch({ branch, changes }: Restored['logs'][number]): Promise<void> {
    for (let from = 0; from < changes.length; from += FULL.changes) {
      this.#write((disk) => disk.writeBranch(branch, changes.slice(from, from + FULL.changes)));
      await nextTurn();
    }
  }

  #write(write: (disk: Disk) => void): void {
    const { disk } = this.#shared;
    if (!disk) return;
    this.#writes.writes++;
    try {
      write(disk);
    } catch (cause) {
      this.#writes.failedWrites++;
      throw new ApiError('storage_failed', 'the change could not be written and did not happen; try again', [], {
        cause,
      });
    }
  }

  #release(references: BranchReferences): void {
    const { account, disk } = this.#shared;
    release(references, (branch) => {
      account.bytes -= branch.bytes;
      this.#onGivenUp(branch.bytes);
      if (disk) this.#deletions.add(disk.dropBranch(branch));
    });
  }
}

/**
 * Deletes files in the background, a few at a time: thousands of sandboxes may expire together, and as many concurrent
 * deletions would occupy the thread pool and memory that requests need.
 */
const AT_ONCE = 2;

class Deletions {
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #workers = new Set<Promise<void>>();
  readonly #onLeftOver: (error: unknown) => void;

  /** @param onLeftOver called for each deletion that failed */
  constructor(onLeftOver: (error: unknown) => void) {
    this.#onLeftOver = onLeftOver;
  }

  /** Deletions run in no particular order. */
  add(deletion: () => Promise<void>): void {
    this.#waiting.push(deletion);
    if (this.#workers.size >= AT_ONCE) return;
    const worker = this.#work().finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  /** Resolves when nothing is left to delete. */
  async done(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers);
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) await next().catch(this.#onLeftOver);
  }
}

/**
 * See `Store.withFixture`. Its branch is written before any head that references it. A kill in between leaves a branch
 * without a reference, which the next start moves to `lost+found/`.
 */
async function withFixture<T>(
  { account, write, release }: Shared,
  { nextId, pets }: NewFixture,
  use: (own: OwnFixture) => Promise<T>,
): Promise<T> {
  account.rejectLargeFixture(pets.length);
  const changes = pets.map((added) => ({ added }));
  account.rejectBeyondBytes(weightOf(changes));
  const own = ownFixture(nextId, branchOf(changes));
  const { branch } = own.log;
  account.bytes += branch.bytes;
  // Held until then: of several sandboxes that take it, one may end before the next begins.
  const held = retain([branch]);
  try {
    write((disk) => disk.writeBranch(branch, changes));
    return await use(own);
  } finally {
    release(held);
  }
}
