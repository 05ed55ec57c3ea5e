/** The sandboxes of a server, each with its journal: in files, or in memory alone. */
import { ApiError } from '../api/errors.ts';
import type { NewPet, Pet, StoredPet } from '../api/pet.ts';
import { MemoryAccount, NOTHING, type StoreLimits, type Weight, weightOfState } from './bounds.ts';
import { type AllPets, Contents, type ListQuery, type PetList } from './contents.ts';
import { type Changes, type Entry, EntryReader, type PetsEntry, type Restart } from './entries.ts';
import type { JournalFiles } from './files.ts';
import { type Fixture, type FixtureShelf, fixtureNameOf, type Seed } from './fixture.ts';
import { Journal, type JournalOptions, type Planned, type Planner } from './journal.ts';
import type { JournalFile } from './journal-file.ts';
import { Lists } from './lists.ts';
import { Pets } from './pets.ts';
import { NO_SETTINGS, type SandboxRecord } from './record.ts';
import { changeOf, entriesOf, forked, type Snapshot, type State, sandboxNotFound } from './state.ts';

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

interface StoreOptions {
  /** `undefined`: in memory alone. */
  readonly journals?: JournalFiles;
  readonly fixtures: FixtureShelf;
  readonly limits: StoreLimits;
  /** What the files held at the start. */
  readonly loaded?: Iterable<readonly [State, JournalFile]>;
  /** Called with the bytes of memory of pets that are no longer used. */
  readonly onGivenUp?: ((bytes: number) => void) | undefined;
  /** Characters of cached lists. */
  readonly maxListed?: number;
}

/**
 * Every method but `journals` rejects (or throws) with an `ApiError` `not_found` for an unknown sandbox. A resolved
 * promise means that the change is in the journal; one rejected with `storage_failed` means that it is not. Changes of one
 * sandbox take effect in the order of the calls; one that waits for its fixture takes effect when the fixture is loaded.
 */
export class Store {
  readonly #options: StoreOptions;
  readonly #journals = new Map<string, Journal>();
  readonly #account: MemoryAccount;
  readonly #lists: Lists;
  readonly #journalOptions: JournalOptions;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#account = new MemoryAccount(options.limits);
    this.#lists = new Lists(options.maxListed);
    this.#journalOptions = { account: this.#account, onGivenUp: options.onGivenUp ?? (() => undefined) };
    for (const [state, file] of options.loaded ?? []) {
      const weight = weightOfState(state);
      this.#account.count(NOTHING, weight);
      this.#add(state, file, weight);
    }
  }

  get kind(): 'memory' | 'json-files' {
    return this.#options.journals ? 'json-files' : 'memory';
  }

  /** Counts of writes and failures, and the memory in bytes of added pets and of sandboxes without them. */
  get figures() {
    const { pets, head } = this.#account;
    const { writes, failedWrites } = this.#options.journals?.figures ?? { writes: 0, failedWrites: 0 };
    return { writes, failedWrites, bytes: pets, headBytes: head };
  }

  /** Why nothing can be written at present, for health checks; `undefined` if it can. */
  get problem(): string | undefined {
    return this.#options.journals?.problem;
  }

  /** Those of all sandboxes, in no order. */
  journals(): Iterable<Journal> {
    return this.#journals.values();
  }

  /** Begins a journal; a copy has the clock and faults of its source. @throws {ApiError} `limit_reached`, `storage_failed` */
  async create(record: SandboxRecord, source: Source): Promise<Journal> {
    const state = await this.#first(record, source);
    const weight = weightOfState(state);
    // Counted before it is written: several that are made at once must not exceed the limit.
    this.#account.change(NOTHING, weight);
    try {
      return this.#add(state, await this.#options.journals?.create(state), weight);
    } catch (error) {
      this.#account.count(weight, NOTHING);
      throw error;
    }
  }

  /** Sets fields of the record. Resolves to the record as written. */
  async update(id: string, changes: RecordChanges): Promise<SandboxRecord> {
    const { state } = await this.change(id, ({ record }) =>
      changeOf(record, typeof changes === 'function' ? changes(record) : changes),
    );
    return state.record;
  }

  /** Makes a change of any kind. @throws {ApiError} `limit_reached`, `storage_failed`, and what `plan` throws */
  change<E extends Entry>(id: string, plan: Planner<E>): Promise<Planned<E>> {
    const journal = this.#journals.get(id);
    return journal ? journal.change(plan) : Promise.reject(sandboxNotFound(id));
  }

  /** Ends a sandbox. An unknown one is not an error. @throws {ApiError} `storage_failed`: nothing was changed */
  remove(id: string): void {
    this.#journals.get(id)?.end();
    this.#journals.delete(id);
  }

  /** A promise only if the fixture has to be loaded first. */
  find(id: string, petId: bigint): StoredPet | undefined | Promise<StoredPet | undefined> {
    const { own, seed } = this.state(id);
    const fixture = this.#known(seed);
    if (fixture) return new Contents(own, fixture).find(petId);
    return this.load(seed).then((loaded) => new Contents(own, loaded).find(petId));
  }

  /** The first `limit` pets in ascending id, of one status or of all. */
  list(id: string, query: ListQuery): PetList | Promise<PetList> {
    const { own, seed } = this.state(id);
    const fixture = this.#known(seed);
    if (fixture) return this.#lists.first(own, fixture, query);
    return this.load(seed).then((loaded) => this.#lists.first(own, loaded, query));
  }

  /** Every pet, to be read one after another, as of this call. */
  async allPets(id: string): Promise<AllPets> {
    return (await this.#contents(id)).all();
  }

  /**
   * Adds pets under the next free ids, all or none, and resolves to them. @param ms when a control adds them: see `PetsEntry`
   * @throws {ApiError} `limit_reached` (pets of a sandbox, bytes of all, ids), `storage_failed`
   */
  async addPets(id: string, newPets: readonly NewPet[]): Promise<readonly Pet[]> {
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
        return { pets };
      });
      if (isLoaded) return entry?.pets ?? [];
    }
  }

  /**
   * Resets the sandbox atomically for every reader: pets, ids, clock and faults. Resets take effect in the order of the calls. Resolves to the sandbox's record.
   */
  async reset(id: string, to: Restart): Promise<SandboxRecord> {
    const { state } = await this.change(id, () => ({ reset: to }));
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
    const state = this.#journals.get(id)?.state;
    if (!state) throw sandboxNotFound(id);
    return state;
  }

  /** What to seed with instead of a seed, whose file may have changed. @throws {ApiError} `conflict` for a file with a mistake */
  async newest(seed: Seed): Promise<Seed> {
    return typeof seed === 'string' ? this.#options.fixtures.newest(seed) : seed;
  }

  /** Resolves when all pending writes are done. */
  async close(): Promise<void> {
    for (const journal of this.#journals.values()) journal.flush();
    await this.#options.journals?.close(this.#journals.values());
  }

  #add(state: State, file: JournalFile | undefined, weight: Weight): Journal {
    const journal = new Journal(state, file, weight, this.#journalOptions);
    this.#journals.set(journal.id, journal);
    return journal;
  }

  async #first(record: SandboxRecord, source: Source): Promise<State> {
    if ('copyOf' in source) return forked(record, this.state(source.copyOf));
    if ('state' in source) {
      const { state } = source;
      const { clock, faults, drill, drillResults } = state.record;
      return this.#checked({ ...state, record: { ...record, clock, faults, drill, drillResults } });
    }
    return { record: { ...record, ...NO_SETTINGS }, seed: source.fixture, own: Pets.NONE, snapshots: new Map() };
  }

  /**
   * A state from elsewhere.
   * @throws {ApiError} `limit_reached`; `invalid_request` for what the reader of journals would reject
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
