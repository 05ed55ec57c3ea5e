/** The sandboxes of a server, each with its journal: in files, or in memory alone. */
import { ApiError } from '../../base/api/errors.ts';
import { MemoryAccount, NOTHING, type StoreLimits, type Weight, weightOfState } from './bounds.ts';
import { problemOfEntry } from './entries.ts';
import type { JournalFiles } from './files.ts';
import type { Fixture, FixtureShelf } from './fixture.ts';
import { contentsOf, Journal, type JournalOptions } from './journal.ts';
import type { JournalFile } from './journal-file.ts';
import { Lists } from './lists.ts';
import { Pets } from './pets.ts';
import { NO_SETTINGS, type SandboxRecord } from './record.ts';
import { entriesOf, forked, type State, sandboxNotFound } from './state.ts';

/** What the pets of a new sandbox are: those of a fixture, a copy of another sandbox, or a state made elsewhere. */
export type Source =
  | { readonly fixture: string | Fixture }
  | { readonly copyOf: string }
  | {
      readonly state: Omit<State, 'record'> & {
        readonly record: Pick<SandboxRecord, 'clock' | 'faults' | 'drill' | 'drillResults'>;
      };
    };

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

export class Store {
  readonly #options: StoreOptions;
  readonly #journals = new Map<string, Journal>();
  readonly #account: MemoryAccount;
  readonly #journalOptions: JournalOptions;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#account = new MemoryAccount(options.limits);
    const lists = new Lists(options.maxListed);
    this.#journalOptions = { account: this.#account, lists, onGivenUp: options.onGivenUp ?? (() => undefined) };
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

  /** Ends a sandbox. An unknown one is not an error. @throws {ApiError} `storage_failed`: nothing was changed */
  remove(id: string): void {
    this.#journals.get(id)?.end();
    this.#journals.delete(id);
  }

  /** @throws {ApiError} `limit_reached` @param pets of a fixture that came with a request */
  rejectLargeFixture(pets: number): void {
    this.#account.rejectLargeFixture(pets);
  }

  /** That of a sandbox. @throws {ApiError} `not_found` */
  journal(id: string): Journal {
    const journal = this.#journals.get(id);
    if (!journal) throw sandboxNotFound(id);
    return journal;
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
    if ('copyOf' in source) return forked(record, this.journal(source.copyOf).state);
    if ('state' in source) {
      const { state } = source;
      const { clock, faults, drill, drillResults } = state.record;
      return this.#checked({ ...state, record: { ...record, clock, faults, drill, drillResults } });
    }
    const seed = await this.load(source.fixture);
    return { record: { ...record, ...NO_SETTINGS }, seed, own: Pets.NONE, snapshots: new Map() };
  }

  /**
   * A state from elsewhere.
   * @throws {ApiError} `limit_reached`; `invalid_request` for what the reader of journals would reject
   */
  #checked(state: State): State {
    for (const entry of entriesOf(stateWithoutPets(state))) {
      const problem = problemOfEntry(entry);
      if (problem !== undefined) throw new ApiError('invalid_request', `the sandbox cannot be kept: ${problem}`);
    }
    const points = [state, ...state.snapshots.values()];
    for (const point of points) this.#account.rejectBeyondPets(contentsOf(point).count);
    return state;
  }

  /** The fixture of a name, as its file was last read. @throws {ApiError} `conflict` if its file cannot be used */
  async load(fixture: string | Fixture): Promise<Fixture> {
    return typeof fixture === 'string' ? this.#options.fixtures.load(fixture) : fixture;
  }
}

/** Pets were checked when they were read, those of fixtures too. */
function stateWithoutPets(state: State): State {
  const bare = <P extends { readonly seed: Fixture; readonly own: Pets }>(point: P): P => ({
    ...point,
    seed: { ...point.seed, isInline: false },
    own: Pets.NONE,
  });
  const snapshots = [...state.snapshots].map(([name, snapshot]) => [name, bare(snapshot)] as const);
  return { ...bare(state), snapshots: new Map(snapshots) };
}
