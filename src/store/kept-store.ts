/**
 * The store over worlds in memory, with or without a disk behind it. Every change is planned on the newest state
 * (`planned`), written, and only then shown to readers (`shown`): nobody ever sees a pet that the disk then refuses.
 * Changes of a sandbox that come together share a write.
 */
import { ApiError } from '../errors.ts';
import type { NewPet, Pet } from '../pet.ts';
import { type Branch, type BranchPoint, growFrom, type Holds, hold, pointAt, release } from './branch.ts';
import { Deletions } from './deletions.ts';
import { Families, type Member } from './family.ts';
import { type ListQuery, Lists } from './lists.ts';
import type { SandboxRecord, Settings } from './record.ts';
import { type Holdings, NO_SETTINGS, type SnapshotInfo, type Start, type Store } from './store.ts';
import { weightOfHead, weightOfPets } from './weight.ts';
import {
  type Fixture,
  type FixtureShelf,
  findPet,
  nextIdOf,
  numbered,
  type PetList,
  type World,
  withPets,
  worldOf,
} from './world.ts';

/** A named state of a sandbox. */
export interface Snapshot extends Settings {
  readonly createdAt: number;
  readonly world: World;
  readonly point: BranchPoint | undefined;
}

/** All of a sandbox at one moment: a value. */
export interface Kept {
  readonly record: SandboxRecord;
  readonly world: World;
  readonly branch: Branch;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  readonly holds: Holds;
}

/**
 * What writes states down. The writes are synchronous: handing a small file to the operating system takes a fraction of
 * what the four hops through the thread pool take, and holds up nobody longer. Each leaves nothing half done.
 */
export interface Disk {
  /** Everything of a sandbox but its added pets, in one step. */
  writeHead(kept: Kept): void;
  /**
   * Ends a sandbox and its forks in one step: after a kill all of them are there, or none.
   *
   * @param family the origin first, each fork after what it was forked from
   */
  end(family: readonly [Member, ...Member[]]): void;
  /** Deletes what is left of an ended family of several; nobody waits for it. */
  clear(family: readonly Member[]): Promise<void>;
  /** More pets at the end of a sandbox's branch. Those of one change are all there after a kill, or none. */
  append(kept: Kept, changes: readonly (readonly Pet[])[]): void;
  /** Gives up a branch that nothing points to any more, at once; what it returns deletes the files, and may be late. */
  dropBranch(branch: Branch): () => Promise<void>;
  /** Why nothing can be written at present; `undefined` when it can. */
  readonly problem: string | undefined;
  close(): Promise<void>;
}

export interface StoreLimits {
  /** Pets a sandbox, its fixture's included. */
  readonly maxPets: number;
  /** Bytes of memory that all added pets take, over all sandboxes (see weight.ts). */
  readonly maxBytes: number;
  /** Bytes of memory that all sandboxes take beside their pets. */
  readonly maxHeadBytes?: number;
}

export interface KeptStoreOptions {
  readonly fixtures: FixtureShelf;
  readonly limits: StoreLimits;
  readonly disk?: Disk;
  /** What the disk held at the start. */
  readonly kept?: readonly Kept[];
  /** Told of a file that could not be deleted: it is in nobody's way. */
  readonly onLeftOver?: (error: unknown) => void;
  /** Characters of lists that are remembered. */
  readonly maxListed?: number;
}

const MAX_SNAPSHOTS = 50;
/** Turns of the event loop that a change waits for others at most. */
const MAX_TURNS = 4;

interface Entry {
  shown: Kept;
  planned: Kept;
  /** What the planned state takes in memory beside its pets. */
  weight: number;
  /** Planned, and written at the end of this turn of the event loop. */
  due: Change[];
}

interface Change {
  readonly next: Kept;
  /** The pets that it adds; `undefined` for a change of anything else. */
  readonly pets: readonly Pet[] | undefined;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

export class KeptStore implements Store {
  readonly kind;
  readonly #entries = new Map<string, Entry>();
  readonly #families = new Families();
  readonly #lists: Lists;
  readonly #fixtures: FixtureShelf;
  readonly #limits: StoreLimits;
  readonly #disk: Disk | undefined;
  /** Under way in the background. */
  readonly #deletions: Deletions;
  readonly #figures = { writes: 0, failedWrites: 0, bytes: 0, headBytes: 0 };

  constructor({ fixtures, limits, disk, kept = [], onLeftOver = () => undefined, maxListed }: KeptStoreOptions) {
    this.kind = disk ? ('json-files' as const) : ('memory' as const);
    this.#fixtures = fixtures;
    this.#limits = limits;
    this.#disk = disk;
    this.#deletions = new Deletions(onLeftOver);
    this.#lists = new Lists(maxListed);
    const counted = new Set<Branch>();
    for (const state of kept) {
      const weight = weightOfHead(state);
      this.#entries.set(state.record.id, { shown: state, planned: state, weight, due: [] });
      this.#families.add(state.record);
      this.#figures.headBytes += weight;
      for (const held of state.holds.branches) {
        for (let branch: Branch | undefined = held; branch && !counted.has(branch); branch = branch.from?.branch) {
          counted.add(branch);
          this.#figures.bytes += branch.bytes;
        }
      }
    }
  }

  get figures(): Store['figures'] {
    return this.#figures;
  }

  get problem(): string | undefined {
    return this.#disk?.problem;
  }

  records(): readonly SandboxRecord[] {
    return [...this.#entries.values()].map((entry) => entry.shown.record);
  }

  async create(record: SandboxRecord, start: Start): Promise<SandboxRecord> {
    const kept = this.#begin(record, start);
    const entry: Entry = { shown: kept, planned: kept, weight: 0, due: [] };
    try {
      this.#weigh(entry, kept);
      this.#write((disk) => disk.writeHead(kept));
    } catch (error) {
      this.#setWeight(entry, 0);
      this.#release(kept.holds);
      throw error;
    }
    this.#entries.set(record.id, entry);
    this.#families.add(record);
    return kept.record;
  }

  async update(id: string, change: (record: SandboxRecord) => SandboxRecord): Promise<SandboxRecord> {
    const entry = this.#entry(id);
    const next = { ...entry.planned, record: change(entry.planned.record) };
    await this.#plan(entry, next);
    return next.record;
  }

  async remove(id: string): Promise<void> {
    // Looked up here and now, so that no fork that was made a moment ago is left behind.
    const entries = this.#families.of(id).flatMap((member) => this.#entries.get(member) ?? []);
    for (const entry of entries) this.#flush(entry);
    const [origin, ...forks] = entries.map(({ shown }) => shown.record);
    if (!origin) return;
    this.#write((disk) => disk.end([origin, ...forks]));
    for (const entry of entries) {
      this.#entries.delete(entry.shown.record.id);
      this.#families.delete(entry.shown.record);
      this.#setWeight(entry, 0);
    }
    for (const { shown } of entries) this.#release(shown.holds);
    const disk = this.#disk;
    if (disk && forks.length > 0) this.#deletions.add(() => disk.clear([origin, ...forks]));
  }

  async find(id: string, petId: bigint): Promise<Pet | undefined> {
    const entry = this.#entry(id);
    const fixture = this.#fixtures.get(entry.shown.world.fixture) ?? (await this.#load(entry.shown.world));
    return findPet(entry.shown.world, fixture, petId);
  }

  async list(id: string, query: ListQuery): Promise<PetList> {
    const entry = this.#entry(id);
    const { world } = entry.shown;
    const fixture = this.#fixtures.get(world.fixture) ?? (await this.#load(world));
    return this.#lists.first(world, fixture, query);
  }

  async add(id: string, newPets: readonly NewPet[]): Promise<readonly Pet[]> {
    const entry = this.#entry(id);
    if (newPets.length === 0) return [];
    let fixture = this.#fixtures.get(entry.planned.world.fixture);
    // A reset may have chosen another fixture while this one was being loaded.
    while (fixture?.name !== entry.planned.world.fixture) fixture = await this.#load(entry.planned.world);
    // Or the sandbox may have been ended: its files are gone, and must not come back.
    if (this.#entries.get(id) !== entry) throw gone(id);
    const { world, branch } = entry.planned;
    this.#refuseBeyondLimits(fixture.pets.length + world.added.size + newPets.length);
    const pets = numbered(world, fixture, newPets);
    const bytes = weightOfPets(pets);
    if (this.#figures.bytes + bytes > this.#limits.maxBytes) throw outOfBytes(this.#limits.maxBytes);
    this.#grow(branch, bytes);
    try {
      await this.#plan(entry, { ...entry.planned, world: withPets(world, pets) }, pets);
    } catch (error) {
      this.#grow(branch, -bytes);
      throw error;
    }
    return pets;
  }

  async reset(id: string, start: { fixture: string } | { snapshot: string }): Promise<SandboxRecord> {
    const entry = this.#entry(id);
    const { record, snapshots } = entry.planned;
    const { world, branch, settings } = this.#start(start, entry.planned);
    const holds = holdAll(branch, snapshots);
    const next: Kept = { record: { ...record, ...settings }, world, branch, snapshots, holds };
    await this.#plan(entry, next);
    return next.record;
  }

  async saveSnapshot(id: string, name: string, at: number): Promise<SnapshotInfo> {
    const entry = this.#entry(id);
    const { record, world, branch, snapshots } = entry.planned;
    if (snapshots.has(name)) {
      throw new ApiError('conflict', `a snapshot named ${name} exists; choose another name or drop it first`);
    }
    if (snapshots.size >= MAX_SNAPSHOTS) {
      throw new ApiError('limit_reached', `a sandbox keeps ${MAX_SNAPSHOTS} snapshots; drop one first`);
    }
    const point = pointAt(branch, world.added.size);
    const snapshot: Snapshot = { createdAt: at, world, point, clock: record.clock, faults: record.faults };
    const more = new Map(snapshots).set(name, snapshot);
    await this.#plan(entry, { ...entry.planned, snapshots: more, holds: holdAll(branch, more) });
    return infoOf(name, snapshot, await this.#load(world));
  }

  async snapshots(id: string): Promise<readonly SnapshotInfo[]> {
    const { snapshots } = this.#entry(id).shown;
    return Promise.all(
      [...snapshots].map(async ([name, snapshot]) => infoOf(name, snapshot, await this.#load(snapshot.world))),
    );
  }

  async dropSnapshot(id: string, name: string): Promise<void> {
    const entry = this.#entry(id);
    const { branch, snapshots } = entry.planned;
    if (!snapshots.has(name)) throw noSnapshot(name, snapshots);
    const fewer = new Map(snapshots);
    fewer.delete(name);
    await this.#plan(entry, { ...entry.planned, snapshots: fewer, holds: holdAll(branch, fewer) });
  }

  async describe(id: string): Promise<Holdings> {
    const { world } = this.#entry(id).shown;
    const fixture = await this.#load(world);
    return {
      fixture: world.fixture,
      seeded: fixture.pets.length,
      added: world.added.size,
      nextId: nextIdOf(world, fixture),
    };
  }

  fixtureOf(id: string): string {
    return this.#entry(id).shown.world.fixture;
  }

  async close(): Promise<void> {
    for (const entry of this.#entries.values()) this.#flush(entry);
    await this.#deletions.done();
    await this.#disk?.close();
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw gone(id);
    return entry;
  }

  async #load(world: World): Promise<Fixture> {
    return this.#fixtures.get(world.fixture) ?? (await this.#fixtures.load(world.fixture));
  }

  /** A new sandbox's first state. */
  #begin(record: SandboxRecord, start: Start): Kept {
    if ('copyOf' in start) {
      const { shown } = this.#entry(start.copyOf);
      const branch = growFrom(pointAt(shown.branch, shown.world.added.size));
      const { clock, faults } = shown.record;
      const holds = hold([branch]);
      return { record: { ...record, clock, faults }, world: shown.world, branch, snapshots: new Map(), holds };
    }
    const { world, branch, settings } = this.#start(start, undefined);
    return { record: { ...record, ...settings }, world, branch, snapshots: new Map(), holds: hold([branch]) };
  }

  #start(start: Start, from: Kept | undefined): { world: World; branch: Branch; settings: Settings } {
    if ('fixture' in start)
      return { world: worldOf(start.fixture), branch: growFrom(undefined), settings: NO_SETTINGS };
    const name = 'snapshot' in start ? start.snapshot : '';
    const snapshot = from?.snapshots.get(name);
    if (!snapshot) throw noSnapshot(name, from?.snapshots ?? new Map());
    const { world, point, clock, faults } = snapshot;
    return { world, branch: growFrom(point), settings: { clock, faults } };
  }

  #refuseBeyondLimits(pets: number): void {
    if (pets <= this.#limits.maxPets) return;
    throw new ApiError('limit_reached', `a sandbox holds ${this.#limits.maxPets} pets at most; reset it to go on`);
  }

  #grow(branch: Branch, bytes: number): void {
    // A branch that was dropped meanwhile has been taken off the count with all that it held.
    if (branch.refs <= 0) return;
    branch.bytes += bytes;
    this.#figures.bytes += bytes;
  }

  /** Counts what the next state takes beside its pets. What takes no more than before is never refused. */
  #weigh(entry: Entry, next: Kept): void {
    const { maxHeadBytes = Infinity } = this.#limits;
    const weight = weightOfHead(next);
    const grown = weight - entry.weight;
    if (grown > 0 && this.#figures.headBytes + grown > maxHeadBytes) {
      this.#releaseAll([next.holds], entry.planned.holds);
      throw outOfHeadBytes(maxHeadBytes);
    }
    this.#setWeight(entry, weight);
  }

  #setWeight(entry: Entry, weight: number): void {
    this.#figures.headBytes += weight - entry.weight;
    entry.weight = weight;
  }

  /** Makes `next` the newest state; resolves once it is written and shown. */
  #plan(entry: Entry, next: Kept, pets?: readonly Pet[]): Promise<void> {
    if (!pets) this.#weigh(entry, next);
    if (!this.#disk) {
      const { holds } = entry.shown;
      entry.shown = entry.planned = next;
      if (holds !== next.holds) this.#release(holds);
      return Promise.resolve();
    }
    entry.planned = next;
    return new Promise((done, failed) => {
      entry.due.push({ next, pets, done, failed });
      if (entry.due.length === 1) this.#flushSoon(entry, 0, MAX_TURNS);
    });
  }

  /** Writes once a turn of the event loop brought nothing more: those who come together share one write. */
  #flushSoon(entry: Entry, seen: number, turns: number): void {
    setImmediate(() => {
      const more = entry.due.length > seen && turns > 0;
      if (more) this.#flushSoon(entry, entry.due.length, turns - 1);
      else this.#flush(entry);
    });
  }

  /** Writes what is due: all pets in a row in one write, all other changes in a row in another. */
  #flush(entry: Entry): void {
    while (entry.due.length > 0) {
      const adding = entry.due[0]?.pets !== undefined;
      const end = entry.due.findIndex((change) => (change.pets !== undefined) !== adding);
      const batch = entry.due.splice(0, end < 0 ? entry.due.length : end);
      const { next } = batch.at(-1) as Change;
      const before = entry.shown.holds;
      try {
        const added = batch.flatMap(({ pets }) => (pets ? [pets] : []));
        this.#write((disk) => (adding ? disk.append(next, added) : disk.writeHead(next)));
      } catch (error) {
        this.#takeBack(entry, batch, error);
        return;
      }
      entry.shown = next;
      this.#releaseAll([before, ...batch.map((change) => change.next.holds)], next.holds);
      for (const change of batch) change.done();
    }
  }

  /** What was planned on a state that failed fails with it: pets and ids are taken back together. */
  #takeBack(entry: Entry, batch: readonly Change[], error: unknown): void {
    const all = [...batch, ...entry.due.splice(0)];
    entry.planned = entry.shown;
    this.#setWeight(entry, weightOfHead(entry.shown));
    this.#releaseAll(
      all.map((change) => change.next.holds),
      entry.shown.holds,
    );
    for (const change of all) change.failed(error);
  }

  #write(write: (disk: Disk) => void): void {
    if (!this.#disk) return;
    this.#figures.writes++;
    try {
      write(this.#disk);
    } catch (cause) {
      this.#figures.failedWrites++;
      throw new ApiError('storage_failed', 'the change could not be written and did not happen; try again', [], {
        cause,
      });
    }
  }

  #releaseAll(holds: readonly Holds[], kept: Holds): void {
    const dropped = new Set(holds);
    dropped.delete(kept);
    for (const each of dropped) this.#release(each);
  }

  #release(holds: Holds): void {
    release(holds, (branch) => {
      this.#figures.bytes -= branch.bytes;
      if (this.#disk) this.#deletions.add(this.#disk.dropBranch(branch));
    });
  }
}

const holdAll = (branch: Branch, snapshots: ReadonlyMap<string, Snapshot>): Holds =>
  hold([branch, ...[...snapshots.values()].flatMap(({ point }) => (point ? [point.branch] : []))]);

const infoOf = (name: string, { createdAt, world }: Snapshot, fixture: Fixture): SnapshotInfo => ({
  name,
  createdAt,
  fixture: world.fixture,
  pets: fixture.pets.length + world.added.size,
});

const gone = (id: string): ApiError =>
  new ApiError('not_found', `no sandbox ${id}; it may have been ended or have expired`);

const noSnapshot = (name: string, snapshots: ReadonlyMap<string, unknown>): ApiError =>
  new ApiError(
    'not_found',
    `no snapshot named ${name}; ${snapshots.size > 0 ? `there are: ${[...snapshots.keys()].join(', ')}` : 'there is none yet'}`,
  );

const outOfBytes = (maxBytes: number): ApiError =>
  new ApiError(
    'limit_reached',
    `the pets of all sandboxes together take ${maxBytes} bytes of memory at most; reset or end a sandbox to go on`,
  );

const outOfHeadBytes = (maxBytes: number): ApiError =>
  new ApiError(
    'limit_reached',
    `all sandboxes together, with their keys, snapshots and faults, take ${maxBytes} bytes of memory at most; end one with DELETE /_sandbox`,
  );
