/**
 * Where sandboxes are kept. The interface is asynchronous and knows one sandbox at a time, so that a store which
 * several machines share can stand beside these two one day, under the same conformance tests.
 */
import type { NewPet, Pet } from '../pet.ts';
import type { ListQuery } from './lists.ts';
import type { SandboxRecord, Settings } from './record.ts';
import type { PetList } from './world.ts';

/** Where a sandbox's pets come from, at its creation or on a reset. */
export type Start =
  | { readonly fixture: string }
  /** One of its own snapshots. */
  | { readonly snapshot: string }
  /** All of another sandbox as it is now, its clock and faults too. */
  | { readonly copyOf: string };

/** A named state of a sandbox. `createdAt` in milliseconds since 1970. */
export interface SnapshotInfo {
  readonly name: string;
  readonly createdAt: number;
  readonly fixture: string;
  /** All pets, the fixture's included. */
  readonly pets: number;
}

/** What a sandbox holds, in numbers. */
export interface Holdings {
  readonly fixture: string;
  /** Pets of the fixture. */
  readonly seeded: number;
  /** Pets added since. */
  readonly added: number;
  /** The id that the next pet gets. */
  readonly nextId: bigint;
}

/**
 * Every method but `records` rejects (or throws) with an `ApiError` `not_found` for a sandbox that is not there. What a
 * promise acknowledged has been handed to the operating system; what it rejected with `storage_failed` left nothing
 * behind. Changes of one sandbox happen in the order of the calls; an `add` that has to wait until its fixture is loaded
 * happens then.
 */
export interface Store {
  readonly kind: 'memory' | 'json-files';
  /** Writes so far, those that failed, and the bytes of memory that added pets, and sandboxes beside them, take. */
  readonly figures: {
    readonly writes: number;
    readonly failedWrites: number;
    readonly bytes: number;
    readonly headBytes: number;
  };
  /** Why nothing can be written at present, for those who ask after the server's health; `undefined` when it can. */
  readonly problem: string | undefined;

  /** All sandboxes kept, in no order. */
  records(): readonly SandboxRecord[];

  /**
   * Resolves to the record as it was written: a copy has the clock and faults of what it copies.
   *
   * @throws {ApiError} `storage_failed`
   */
  create(record: SandboxRecord, start: Start): Promise<SandboxRecord>;

  /** Changes the record; `change` must be pure. Resolves to the record as it was written. */
  update(id: string, change: (record: SandboxRecord) => SandboxRecord): Promise<SandboxRecord>;

  /**
   * Ends a sandbox with everything that descends from it: all or none, for every reader and over a kill. One that is
   * gone already is no error.
   *
   * @throws {ApiError} `storage_failed`: all of them are as they were
   */
  remove(id: string): Promise<void>;

  /** The pet with this id. */
  find(id: string, petId: bigint): Promise<Pet | undefined>;

  /** The first `limit` pets in ascending id, of one status or of all. */
  list(id: string, query: ListQuery): Promise<PetList>;

  /**
   * Adds pets under the next ids, all or none.
   *
   * @throws {ApiError} `limit_reached` (pets of a sandbox, bytes of all, ids), `storage_failed`
   */
  add(id: string, newPets: readonly NewPet[]): Promise<readonly Pet[]>;

  /** Puts the sandbox back, at once for every reader: pets, ids, clock and faults. Resolves to its record. */
  reset(id: string, start: { readonly fixture: string } | { readonly snapshot: string }): Promise<SandboxRecord>;

  /** Names the present state. @throws {ApiError} `conflict` when the name is taken, `limit_reached` at 50. */
  saveSnapshot(id: string, name: string, at: number): Promise<SnapshotInfo>;
  snapshots(id: string): Promise<readonly SnapshotInfo[]>;
  /** @throws {ApiError} `not_found` */
  dropSnapshot(id: string, name: string): Promise<void>;

  describe(id: string): Promise<Holdings>;

  /** The name of the fixture that a reset goes back to. */
  fixtureOf(id: string): string;

  /** Resolves when all that is due has been written. */
  close(): Promise<void>;
}

/** Nothing set: what a sandbox starts with and goes back to. */
export const NO_SETTINGS: Settings = { clock: null, faults: [] };
