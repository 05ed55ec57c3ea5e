/**
 * The store of sandboxes. The interface is asynchronous and addresses one sandbox at a time, so that a store shared by
 * several machines can be added later, under the same conformance tests.
 */
import type { Awaitable } from '../core/awaitable.ts';
import type { StoredPet } from '../core/pet.ts';
import type { AllPets } from './all-pets.ts';
import type { Change } from './change.ts';
import type { NewFixture, OwnFixture, Seed } from './own-fixture.ts';
import type { ListQuery, PetList } from './pet-list.ts';
import type { SandboxRecord, Settings } from './record.ts';
import type { Saved, SavedSeeds, SavedState } from './saved.ts';
import type { WorldView } from './world-view.ts';

/** The source of a sandbox's pets, at its creation or on a reset. */
export type Source =
  | { readonly fixture: Seed }
  /** One of its own snapshots. */
  | { readonly snapshot: string }
  /** The present state of another sandbox, including its clock and faults. */
  | { readonly copyOf: string }
  /** Data of a sandbox that was saved, here or elsewhere, which must be valid; and what its fixtures are here. */
  | { readonly saved: SavedState; readonly seeds: SavedSeeds };

/** Where a reset leads: a fixture, one of its own snapshots, or `again` the fixture that it has. */
export type Restart = { readonly fixture: Seed } | { readonly snapshot: string } | 'again';

/** Decides on changes to the pets of a sandbox, as they are after all changes before it. It must be synchronous. */
export type Plan<C extends Change = Change> = (pets: WorldView) => readonly C[];

/** A named state of a sandbox. `createdAt` in milliseconds since 1970. */
export interface SnapshotInfo {
  readonly name: string;
  readonly createdAt: number;
  readonly fixture: string;
  /** All pets, including the fixture's. */
  readonly pets: number;
}

/** The content of a sandbox, in numbers. */
export interface SandboxContents {
  readonly fixture: string;
  /** Pets of the fixture. */
  readonly seeded: number;
  /** Pets added since. */
  readonly added: number;
  /** The id of the next pet. */
  readonly nextId: bigint;
}

/**
 * Every method but `records` rejects (or throws) with an `ApiError` `not_found` for an unknown sandbox. A resolved
 * promise means that the change was passed to the operating system; one rejected with `storage_failed` means that it
 * was rolled back. Changes of one sandbox take effect in the order of the calls; a `change` that waits for its
 * fixture takes effect when the fixture is loaded.
 */
export interface Store {
  readonly kind: 'memory' | 'json-files' | 'valkey';
  /** Whether other processes change the same sandboxes. */
  readonly isShared: boolean;
  /** Counts of writes and failures, and the memory in bytes of added pets and of sandboxes without them. */
  readonly figures: {
    readonly writes: number;
    readonly failedWrites: number;
    readonly bytes: number;
    readonly headBytes: number;
  };
  /** Why nothing can be written at present, for health checks; `undefined` if it can. */
  readonly problem: string | undefined;

  /** All stored sandboxes, in no order. */
  records(): readonly SandboxRecord[];

  /**
   * Resolves to the record as written: a copy has the clock and faults of its source.
   * @throws {ApiError} `storage_failed`
   */
  create(record: SandboxRecord, start: Source): Promise<SandboxRecord>;

  /** Changes the record; `change` must be pure. Resolves to the record as written. */
  update(id: string, change: (record: SandboxRecord) => SandboxRecord): Promise<SandboxRecord>;

  /**
   * Ends a sandbox with all its descendants: all or none, for every reader and after a kill. An unknown sandbox is not
   * an error.
   * @throws {ApiError} `storage_failed`: nothing was changed
   */
  remove(id: string): Promise<void>;

  /** The pet with this id. */
  find(id: string, petId: bigint): Awaitable<StoredPet | undefined>;

  /** The first `limit` pets in ascending id, of one status or of all. */
  list(id: string, query: ListQuery): Awaitable<PetList>;

  /** Every pet, to be read one after another, as of this call. */
  allPets(id: string): Promise<AllPets>;

  /**
   * Makes the changes that `plan` decides on, all or none, and resolves to them.
   * @throws {ApiError} `limit_reached` (pets of a sandbox, bytes of all), `storage_failed`, and what `plan` throws
   */
  change<C extends Change>(id: string, plan: Plan<C>): Promise<readonly C[]>;

  /** Resets the sandbox atomically for every reader: pets, ids, clock and faults. Resolves to its record. */
  reset(id: string, to: Restart): Promise<SandboxRecord>;

  /**
   * Stores a fixture, for the sandboxes that `use` creates or resets from it. It is kept as long as a sandbox or a
   * snapshot starts from it; if none does when `use` is done, nothing is left of it.
   * @throws {ApiError} `limit_reached`, `storage_failed`, and what `use` throws
   */
  withFixture<T>(fixture: NewFixture, use: (own: OwnFixture) => Promise<T>): Promise<T>;

  /**
   * Stores the present state under a name. @throws {ApiError} `conflict` if the name is taken, `limit_reached` at 50.
   */
  saveSnapshot(id: string, name: string, at: number): Promise<SnapshotInfo>;
  snapshots(id: string): Promise<readonly SnapshotInfo[]>;
  /** @throws {ApiError} `not_found` */
  dropSnapshot(id: string, name: string): Promise<void>;

  describe(id: string): Promise<SandboxContents>;

  /** All of its state as data: `create` makes the same from it. */
  save(id: string): Promise<Saved>;

  /** The name of the fixture that a reset restores; `inline` for one of its own. */
  fixtureOf(id: string): string;

  /** Resolves when all pending writes are done. */
  close(): Promise<void>;
}

/** The initial settings of a sandbox, restored by a reset. */
export const NO_SETTINGS: Settings = { clock: null, faults: [] };
