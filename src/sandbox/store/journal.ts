/**
 * The journal of one sandbox, and the state that it leads to. A change is planned on the newest state, appended to the file,
 * and only then shown: readers never see what the disk then rejects. A resolved promise means that the change is in the
 * journal; one rejected with `storage_failed` means that it is not. Changes take effect in the order of the calls, and are
 * rejected with `not_found` once the sandbox has ended.
 */
import type { NewPet, Pet, StoredPet } from '../../base/api/pet.ts';
import { setImmediate } from '../../base/real-globals.ts';
import { type MemoryAccount, NOTHING, type Weight, weightOfState } from './bounds.ts';
import { Contents, type ListQuery, type PetList } from './contents.ts';
import { type ChangedFields, type Entry, entryText } from './entries.ts';
import type { JournalFile } from './journal-file.ts';
import type { Lists } from './lists.ts';
import { weightOfNewPets } from './pets.ts';
import type { SandboxRecord } from './record.ts';
import { apply, changeOf, type Snapshot, type State, sandboxNotFound } from './state.ts';

/** Decides on an entry. `undefined`: nothing changes. */
type Planner = (state: State) => Entry | undefined;

/** The entry that a plan led to, and the state right after it. */
interface Planned {
  readonly entry: Entry | undefined;
  readonly state: State;
}

/** What all journals of a store share. */
export interface JournalOptions {
  readonly account: MemoryAccount;
  readonly lists: Lists;
  /** Called with the bytes of memory of pets that are no longer used. */
  readonly onGivenUp: (bytes: number) => void;
}

/** A named state of a sandbox. `createdAt` in milliseconds since 1970. */
export interface SnapshotInfo {
  readonly name: string;
  readonly createdAt: number;
  readonly fixture: string;
  /** All pets, including the fixture's. */
  readonly pets: number;
}

interface PendingChange {
  readonly plan: Planner;
  readonly done: (planned: Planned) => void;
  readonly failed: (error: unknown) => void;
}

export class Journal {
  readonly id: string;
  /** `undefined`: it is in memory alone. */
  readonly file: JournalFile | undefined;
  #state: State;
  /** What counts in the account: that of the newest planned state. */
  #weight: Weight;
  #hasEnded = false;
  /** The changes of this turn of the event loop: they share a write. */
  #pending: PendingChange[] = [];
  readonly #options: JournalOptions;

  /** @param weight as it counts in the account */
  constructor(state: State, file: JournalFile | undefined, weight: Weight, options: JournalOptions) {
    this.id = state.record.id;
    this.file = file;
    this.#state = state;
    this.#weight = weight;
    this.#options = options;
  }

  /** As it is shown; the last one, once the sandbox has ended. */
  get state(): State {
    return this.#state;
  }

  /** Its pets as they are now. */
  get contents(): Contents {
    if (this.#hasEnded) throw sandboxNotFound(this.id);
    return contentsOf(this.#state);
  }

  get snapshots(): readonly SnapshotInfo[] {
    return Array.from(this.#state.snapshots, ([name, snapshot]) => infoOf(name, snapshot));
  }

  findPet(id: bigint): StoredPet | undefined {
    return this.contents.find(id);
  }

  /** The first `limit` pets in ascending id, of one status or of all. */
  listPets(query: ListQuery): PetList {
    if (this.#hasEnded) throw sandboxNotFound(this.id);
    return this.#options.lists.first(this.#state.own, this.#state.seed, query);
  }

  /** Sets fields of the record: as data, or as a function of the newest record. Resolves to the record as written. */
  async update(changes: ChangedFields | ((newest: SandboxRecord) => ChangedFields)): Promise<SandboxRecord> {
    const { state } = await this.change(({ record }) =>
      changeOf(record, typeof changes === 'function' ? changes(record) : changes),
    );
    return state.record;
  }

  /**
   * Adds pets under the next free ids, all or none, and resolves to them.
   * @throws {ApiError} `limit_reached` (pets of a sandbox, bytes of all, ids), `storage_failed`
   */
  async addPets(newPets: readonly NewPet[]): Promise<readonly Pet[]> {
    const { entry } = await this.change((state) => {
      if (newPets.length === 0) return undefined;
      const contents = contentsOf(state);
      const pets = contents.numbered(newPets);
      this.#options.account.rejectBeyondPets(contents.count + pets.length);
      return { pets };
    });
    return entry && 'pets' in entry ? entry.pets : [];
  }

  /** Stores the present state under a name. @throws {ApiError} `conflict` if the name is taken, `limit_reached` at 50 */
  async saveSnapshot(name: string, createdAt: number): Promise<SnapshotInfo> {
    const { state } = await this.change(() => ({ snapshot: name, createdAt }));
    return infoOf(name, state.snapshots.get(name) as Snapshot);
  }

  /**
   * Makes a change; resolves once it is shown.
   * @throws {ApiError} `not_found` once the sandbox has ended, `storage_failed`, `limit_reached`, and what `plan` throws
   */
  change(plan: Planner): Promise<Planned> {
    return new Promise((done, failed) => {
      this.#pending.push({ plan, done, failed });
      if (!this.file) this.flush();
      else if (this.#pending.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Makes the pending changes. */
  flush(): void {
    const changes = this.#pending;
    if (changes.length === 0) return;
    this.#pending = [];
    if (this.#hasEnded) for (const { failed } of changes) failed(sandboxNotFound(this.id));
    else this.#make(changes);
  }

  /** Ends the sandbox, after the pending changes. @throws {ApiError} `storage_failed`: nothing was changed */
  end(): void {
    this.flush();
    if (this.#hasEnded) return;
    this.file?.remove();
    this.#hasEnded = true;
    this.#options.account.count(this.#weight, NOTHING);
    this.#options.onGivenUp(this.#weight.pets);
  }

  /** Makes changes, all or none of them but those whose own plan is rejected. */
  #make(changes: readonly PendingChange[]): void {
    const { account } = this.#options;
    const weight = this.#weight;
    let state = this.#state;
    const lines: string[] = [];
    const outcomes: { readonly planned?: Planned; readonly error?: unknown }[] = [];
    for (const { plan } of changes) {
      try {
        const entry = plan(state);
        if (entry) {
          state = this.#planned(state, entry);
          if (this.file) lines.push(entryText(entry));
        }
        outcomes.push({ planned: { entry, state } });
      } catch (error) {
        outcomes.push({ error });
      }
    }
    try {
      if (lines.length > 0) this.file?.append(lines);
    } catch (error) {
      account.count(this.#weight, weight);
      this.#weight = weight;
      for (const { failed } of changes) failed(error);
      return;
    }
    this.#state = state;
    for (const [index, { planned, error }] of outcomes.entries()) {
      const { done, failed } = changes[index] as PendingChange;
      if (planned) done(planned);
      else failed(error);
    }
    this.file?.compactIfDue(state, this.#weight);
  }

  /** The next planned state, which counts in the account. @throws {ApiError} `limit_reached`, and what `apply` throws */
  #planned(state: State, entry: Entry): State {
    const { account } = this.#options;
    if ('pets' in entry) {
      const after = { ...this.#weight, pets: this.#weight.pets + weightOfNewPets(entry.pets) };
      // First, so that no pet that there is no memory for is appended.
      account.change(this.#weight, after);
      this.#weight = after;
    }
    const next = apply(state, entry);
    if ('pets' in entry && next.own.goesOnFrom(state.own)) return next;
    const after = weightOfState(next);
    if ('pets' in entry) account.count(this.#weight, after);
    else account.change(this.#weight, after);
    this.#weight = after;
    return next;
  }
}

export const contentsOf = ({ own, seed }: Pick<State, 'own' | 'seed'>): Contents => new Contents(own, seed);

const infoOf = (name: string, snapshot: Snapshot): SnapshotInfo => ({
  ...{ name, createdAt: snapshot.createdAt, fixture: snapshot.seed.name, pets: contentsOf(snapshot).count },
});
