/** The sandboxes of a server: their states, each with its log. Where the logs are kept makes no difference here. */
import { ApiError } from '../api/errors.ts';
import type { NewPet, Pet, StoredPet } from '../api/pet.ts';
import { stopwatch } from '../core/clock.ts';
import { MemoryAccount, NOTHING, type StoreLimits, type Weight, weightOfState } from './bounds.ts';
import { type AllPets, Contents, type ListQuery, type PetList } from './contents.ts';
import { type Changes, type Entry, EntryReader, type PetsEntry, type Restart } from './entries.ts';
import { type Fixture, type FixtureShelf, fixtureNameOf, type Seed } from './fixture.ts';
import { Lists } from './lists.ts';
import type { Logs } from './logs.ts';
import { Pets } from './pets.ts';
import { NO_SETTINGS, type SandboxRecord } from './record.ts';
import { startedAt } from './start.ts';
import { changeOf, entriesOf, forked, type Snapshot, type State, sandboxNotFound } from './state.ts';
import type { EntryLog } from './timeline.ts';
import { type Planned, type Planner, Timeline, type TimelineOptions } from './timeline.ts';

/** What the pets of a new sandbox are: those of a fixture, a copy of another sandbox, or a state made elsewhere. */
export type Source =
  | { readonly fixture: Seed }
  | { readonly copyOf: string }
  | {
      readonly state: Omit<State, 'record'> & {
        readonly record: Pick<SandboxRecord, 'clock' | 'faults' | 'drill' | 'drillResults'>;
      };
    };

/** A named state of a sandbox. `createdAt` in milliseconds since 1970. */
export interface SnapshotInfo {
  readonly name: string;
  readonly createdAt: number;
  readonly fixture: string;
  /** All pets, including the fixture's. */
  readonly pets: number;
}

interface SandboxContents {
  readonly fixture: string;
  /** Pets of the fixture. */
  readonly seeded: number;
  /** Pets added since. */
  readonly added: number;
  readonly nextId: bigint;
}

/** Fields of a record to set: as data, or as a function of the newest record. */
export type RecordChanges = Changes | ((newest: SandboxRecord) => Changes);

/** Follows the sandboxes of a store. */
export interface StoreWatcher {
  /** A sandbox is there, or its record changed. */
  follow(record: SandboxRecord): void;
  /** It has ended. */
  drop(id: string): void;
}

interface StoreOptions {
  readonly logs: Logs;
  readonly fixtures: FixtureShelf;
  readonly limits: StoreLimits;
  /** What the logs held at the start. */
  readonly loaded?: Iterable<readonly [State, EntryLog]>;
  /** Called with the bytes of memory of pets that are no longer used. */
  readonly onGivenUp?: ((bytes: number) => void) | undefined;
  /** Characters of cached lists. */
  readonly maxListed?: number;
}

/**
 * Every method but `records` rejects (or throws) with an `ApiError` `not_found` for an unknown sandbox. A resolved
 * promise means that the change is in the log; one rejected with `storage_failed` means that it is not, unless the
 * message says that nobody knows. Changes of one sandbox take effect in the order of the calls; one that waits for its
 * fixture takes effect when the fixture is loaded.
 */
export class Store {
  readonly #options: StoreOptions;
  readonly #timelines = new Map<string, Timeline>();
  readonly #records = new Map<string, SandboxRecord>();
  readonly #account: MemoryAccount;
  readonly #lists: Lists;
  readonly #timelineOptions: TimelineOptions;
  #watcher: StoreWatcher | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#account = new MemoryAccount(options.limits);
    this.#lists = new Lists(options.maxListed);
    this.#timelineOptions = {
      account: this.#account,
      onShown: (id, state) => this.#shown(id, state),
      onGivenUp: options.onGivenUp ?? (() => undefined),
    };
    for (const [state, log] of options.loaded ?? []) this.adopt(state, log);
  }

  get kind(): Logs['kind'] {
    return this.#options.logs.kind;
  }

  /** Counts of writes and failures, and the memory in bytes of added pets and of sandboxes without them. */
  get figures() {
    const { pets, head } = this.#account;
    return { ...this.#options.logs.figures, bytes: pets, headBytes: head };
  }

  /** Why nothing can be written at present, for health checks; `undefined` if it can. */
  get problem(): string | undefined {
    return this.#options.logs.problem;
  }

  /** Names who follows all sandboxes from now on. */
  watch(watcher: StoreWatcher): void {
    this.#watcher = watcher;
  }

  /** All sandboxes, in no order. */
  records(): readonly SandboxRecord[] {
    return [...this.#records.values()];
  }

  /** The log of a sandbox. */
  timeline(id: string): Timeline | undefined {
    return this.#timelines.get(id);
  }

  /** Takes over a sandbox as its log has it. */
  adopt(state: State, log: EntryLog): Timeline {
    const weight = weightOfState(state);
    this.#account.count(NOTHING, weight);
    return this.#add(state, log, weight);
  }

  /**
   * Resolves to the record as written: a copy has the clock and faults of its source.
   * @throws {ApiError} `limit_reached`, `storage_failed`
   */
  async create(record: SandboxRecord, source: Source): Promise<SandboxRecord> {
    const state = await this.#first(record, source);
    const weight = weightOfState(state);
    // Counted before it is written: several that are made at once must not exceed the limit.
    this.#account.change(NOTHING, weight);
    try {
      this.#add(state, await this.#options.logs.create(state), weight);
    } catch (error) {
      this.#account.count(weight, NOTHING);
      throw error;
    }
    return state.record;
  }

  /** Sets fields of the record. Resolves to the record as written. */
  async update(id: string, changes: RecordChanges): Promise<SandboxRecord> {
    const ms = stopwatch();
    const { state } = await this.change(id, ({ record }) =>
      changeOf(record, typeof changes === 'function' ? changes(record) : changes, ms),
    );
    return state.record;
  }

  /** Makes a change of any kind. @throws {ApiError} `limit_reached`, `storage_failed`, and what `plan` throws */
  change<E extends Entry>(id: string, plan: Planner<E>): Promise<Planned<E>> {
    const timeline = this.#timelines.get(id);
    return timeline ? timeline.add(plan) : Promise.reject(sandboxNotFound(id));
  }

  /** Ends a sandbox. An unknown one is not an error. @throws {ApiError} `storage_failed`: nothing was changed */
  async remove(id: string): Promise<void> {
    await this.#timelines.get(id)?.end();
  }

  async find(id: string, petId: bigint): Promise<StoredPet | undefined> {
    const { own, seed } = this.state(id);
    return new Contents(own, this.#known(seed) ?? (await this.load(seed))).find(petId);
  }

  /** The first `limit` pets in ascending id, of one status or of all. */
  async list(id: string, query: ListQuery): Promise<PetList> {
    const { own, seed } = this.state(id);
    return this.#lists.first(own, this.#known(seed) ?? (await this.load(seed)), query);
  }

  /** Every pet, to be read one after another, as of this call. */
  async allPets(id: string): Promise<AllPets> {
    return (await this.#contents(id)).all();
  }

  /**
   * Adds pets under the next free ids, all or none, and resolves to them. @param ms when a control adds them: see `PetsEntry`
   * @throws {ApiError} `limit_reached` (pets of a sandbox, bytes of all, ids), `storage_failed`
   */
  async addPets(id: string, newPets: readonly NewPet[], ms?: number): Promise<readonly Pet[]> {
    for (;;) {
      const { seed } = this.state(id);
      if (!this.#known(seed)) await this.load(seed);
      let isLoaded = true;
      const { entry } = await this.change(id, (state): PetsEntry | undefined => {
        const fixture = this.#known(state.seed);
        // A reset came first, and its fixture is not in memory.
        isLoaded = fixture !== undefined;
        if (!fixture || newPets.length === 0) return undefined;
        const contents = new Contents(state.own, fixture);
        const pets = contents.numbered(newPets);
        this.#account.rejectBeyondPets(contents.count + pets.length);
        return { pets, ...(ms !== undefined && { ms }) };
      });
      if (isLoaded) return entry?.pets ?? [];
    }
  }

  /**
   * Resets the sandbox atomically for every reader: pets, ids, clock and faults. Resets take effect in the order of the calls. Resolves to the sandbox's record.
   */
  async reset(id: string, to: Restart): Promise<SandboxRecord> {
    const ms = stopwatch();
    const { state } = await this.change(id, () => ({ reset: to, ms }));
    return state.record;
  }

  /** @throws {ApiError} `limit_reached` @param pets of a fixture that came with a request */
  rejectLargeFixture(pets: number): void {
    this.#account.rejectLargeFixture(pets);
  }

  /** Stores the present state under a name. @throws {ApiError} `conflict` if the name is taken, `limit_reached` at 50 */
  async saveSnapshot(id: string, name: string, createdAt: number): Promise<SnapshotInfo> {
    const { state } = await this.change(id, () => ({ snapshot: name, createdAt }));
    return this.#info(name, state.snapshots.get(name) as Snapshot);
  }

  async snapshots(id: string): Promise<readonly SnapshotInfo[]> {
    return Promise.all([...this.state(id).snapshots].map((each) => this.#info(...each)));
  }

  /** @throws {ApiError} `not_found` */
  async dropSnapshot(id: string, name: string): Promise<void> {
    await this.change(id, () => ({ drop: name }));
  }

  async describe(id: string): Promise<SandboxContents> {
    const { seed } = this.state(id);
    const { seeded, added, nextId } = await this.#contents(id);
    return { fixture: fixtureNameOf(seed), seeded, added, nextId };
  }

  /** The name of the fixture that a reset restores; `inline` for one of its own. */
  fixtureOf(id: string): string {
    return fixtureNameOf(this.state(id).seed);
  }

  /** All of a sandbox. @throws {ApiError} `not_found` */
  state(id: string): State {
    const state = this.#timelines.get(id)?.state;
    if (!state) throw sandboxNotFound(id);
    return state;
  }

  /** What to seed with instead of a seed, whose file may have changed. @throws {ApiError} `conflict` for a file with a mistake */
  async newest(seed: Seed): Promise<Seed> {
    return typeof seed === 'string' ? this.#options.fixtures.newest(seed) : seed;
  }

  /** Resolves when all pending writes are done. */
  async close(): Promise<void> {
    await Promise.all(
      [...this.#timelines.values()].map((each) => (each.isBusy ? each.add(() => undefined) : undefined)),
    );
    await this.#options.logs.close([...this.#timelines.values()].map(({ state, log }) => [state, log] as const));
  }

  #add(state: State, log: EntryLog, weight: Weight): Timeline {
    const timeline = new Timeline(state, log, weight, this.#timelineOptions);
    this.#timelines.set(timeline.id, timeline);
    this.#shown(timeline.id, state);
    return timeline;
  }

  #shown(id: string, state: State | undefined): void {
    if (!state) {
      this.#timelines.delete(id);
      this.#records.delete(id);
      this.#watcher?.drop(id);
    } else if (this.#records.get(id) !== state.record) {
      this.#records.set(id, state.record);
      this.#watcher?.follow(state.record);
    }
  }

  async #first(record: SandboxRecord, source: Source): Promise<State> {
    const ms = stopwatch();
    if ('copyOf' in source) return forked(record, this.state(source.copyOf), ms);
    if ('state' in source) {
      const { state } = source;
      const { clock, faults, drill, drillResults } = state.record;
      return this.#checked({ ...state, record: { ...record, clock, faults, drill, drillResults } });
    }
    const fresh = { ...record, ...NO_SETTINGS };
    return { record: fresh, seed: source.fixture, own: Pets.NONE, snapshots: new Map(), start: startedAt(ms, fresh) };
  }

  /**
   * A state from elsewhere.
   * @throws {ApiError} `limit_reached`; `invalid_request` for what the reader of the log would reject
   */
  async #checked(state: State): Promise<State> {
    const reader = await EntryReader.create();
    for (const entry of entriesOf(stateWithoutPets(state))) {
      const problem = reader.problemOf(entry);
      if (problem !== undefined) throw new ApiError('invalid_request', `the sandbox cannot be kept: ${problem}`);
    }
    const points = [state, ...state.snapshots.values()];
    for (const { seed, own } of points) {
      this.#account.rejectBeyondPets(new Contents(own, await this.load(seed)).count);
    }
    return state;
  }

  async #contents(id: string): Promise<Contents> {
    const { own, seed } = this.state(id);
    return new Contents(own, this.#known(seed) ?? (await this.load(seed)));
  }

  /** The fixture of a seed. */
  async load(seed: Seed): Promise<Fixture> {
    return this.#known(seed) ?? this.#options.fixtures.load(seed as string);
  }

  #known(seed: Seed): Fixture | undefined {
    return typeof seed === 'string' ? this.#options.fixtures.get(seed) : seed;
  }

  async #info(name: string, { createdAt, seed, own }: Snapshot): Promise<SnapshotInfo> {
    const { count } = new Contents(own, await this.load(seed));
    return { name, createdAt, fixture: fixtureNameOf(seed), pets: count };
  }
}

/** Pets were checked when they were read, those of fixtures too. */
function stateWithoutPets(state: State): State {
  const bare = <P extends { readonly seed: Seed; readonly own: Pets }>(point: P): P => ({
    ...point,
    seed: fixtureNameOf(point.seed),
    own: Pets.NONE,
  });
  const snapshots = [...state.snapshots].map(([name, snapshot]) => [name, bare(snapshot)] as const);
  return { ...bare(state), snapshots: new Map(snapshots) };
}
