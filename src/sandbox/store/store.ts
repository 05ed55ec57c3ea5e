/** The sandboxes of a server, each with its journal: in files, or in memory alone. */
import { MemoryAccount, NOTHING, type StoreLimits, type Weight, weightOfState } from './bounds.ts';
import type { JournalFiles } from './files.ts';
import { Journal, type JournalOptions } from './journal.ts';
import type { JournalFile } from './journal-file.ts';
import { Lists } from './lists.ts';
import { type State, sandboxNotFound } from './state.ts';

interface StoreOptions {
  /** `undefined`: in memory alone. */
  readonly journals?: JournalFiles;
  readonly limits: StoreLimits;
  /** What the files held at the start. */
  readonly loaded?: Iterable<readonly [State, JournalFile]>;
  /** Called with the bytes of memory of pets that are no longer used. */
  readonly onGivenUp?: ((bytes: number) => void) | undefined;
  /** Characters of cached lists. */
  readonly maxListed?: number;
}

export class Store {
  /** The limits, and what all sandboxes take of them. */
  readonly account: MemoryAccount;
  readonly #options: StoreOptions;
  readonly #journals = new Map<string, Journal>();
  readonly #journalOptions: JournalOptions;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.account = new MemoryAccount(options.limits);
    const lists = new Lists(options.maxListed);
    this.#journalOptions = { account: this.account, lists, onGivenUp: options.onGivenUp ?? (() => undefined) };
    for (const [state, file] of options.loaded ?? []) {
      const weight = weightOfState(state);
      this.account.count(NOTHING, weight);
      this.#add(state, file, weight);
    }
  }

  get kind(): 'memory' | 'json-files' {
    return this.#options.journals ? 'json-files' : 'memory';
  }

  /** Counts of writes and failures, and the memory in bytes of added pets and of sandboxes without them. */
  get figures() {
    const { pets, head } = this.account;
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

  /** Begins a journal that leads to this state. @throws {ApiError} `limit_reached`, `storage_failed` */
  async create(state: State): Promise<Journal> {
    const weight = weightOfState(state);
    // Counted before it is written: several that are made at once must not exceed the limit.
    this.account.change(NOTHING, weight);
    try {
      return this.#add(state, await this.#options.journals?.create(state), weight);
    } catch (error) {
      this.account.count(weight, NOTHING);
      throw error;
    }
  }

  /** Ends a sandbox. An unknown one is not an error. @throws {ApiError} `storage_failed`: nothing was changed */
  remove(id: string): void {
    this.#journals.get(id)?.end();
    this.#journals.delete(id);
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
}
