/** One private world: what its key opens. */
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import type { NewPet, Pet } from '../pet.ts';
import type { ListQuery } from '../store/lists.ts';
import type { KeyRecord, SandboxRecord } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import type { PetList } from '../store/world.ts';
import { LiveFaults } from './live-faults.ts';
import { timeIn } from './sandbox-clock.ts';

export class Sandbox {
  readonly id: string;
  /** What is known of it, as it was last written. */
  record: SandboxRecord;
  /** By the real clock, in milliseconds since 1970. Not kept over a restart. */
  lastUsedAt: number;
  readonly faults: LiveFaults;
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(record: SandboxRecord, { store, clock }: { store: Store; clock: Clock }) {
    this.id = record.id;
    this.record = record;
    this.lastUsedAt = clock.now();
    this.#store = store;
    this.#clock = clock;
    this.faults = new LiveFaults(record.faults, async (change) => {
      this.record = await store.update(this.id, (all) => ({ ...all, faults: change(all.faults) }));
    });
  }

  /** The time in this sandbox, in milliseconds since 1970. */
  now(): number {
    return timeIn(this.record.clock, this.#clock.now());
  }

  findPet(id: bigint): Promise<Pet | undefined> {
    return this.#store.find(this.id, id);
  }

  listPets(query: ListQuery): Promise<PetList> {
    return this.#store.list(this.id, query);
  }

  /** Adds pets, all or none. @throws {ApiError} `limit_reached`, `storage_failed` */
  addPets(newPets: readonly NewPet[]): Promise<readonly Pet[]> {
    return this.#store.add(this.id, newPets);
  }

  /** All of it begins anew with the record that `write` resolves to: its faults too. */
  async takeOver(write: () => Promise<SandboxRecord>): Promise<void> {
    await this.faults.replaceBy(async () => {
      this.record = await write();
      return this.record.faults;
    });
  }
}

/** 404 for a sandbox that is no more. */
export const gone = (id: string): ApiError =>
  new ApiError('not_found', `no sandbox ${id}; it may have been ended or have expired`);

/** True while the key opens its sandbox, at a real time in milliseconds since 1970. */
export const isActive = (key: KeyRecord, now: number): boolean => key.revokedAt === null && !isExpired(key, now);

/** `expiresAt` is the first moment at which the thing is no more. */
export const isExpired = ({ expiresAt }: { readonly expiresAt: number | null }, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;
