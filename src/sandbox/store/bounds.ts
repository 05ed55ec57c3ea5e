/**
 * Limits on what the store holds, and its memory by an account in bytes: estimates from measurements with Node 20 to 24,
 * rounded up. The limits apply to this account, not to the size of the files: a pet of 60 bytes takes 85.
 */
import { ApiError } from '../../base/api/errors.ts';
import type { Fixture } from './fixture.ts';
import { Pets } from './pets.ts';
import type { FaultRecord } from './record.ts';
import type { State } from './state.ts';

export interface StoreLimits {
  /** Pets of a sandbox, including its fixture. */
  readonly maxPets: number;
  /** Memory of all added pets of all sandboxes, in bytes. */
  readonly maxBytes: number;
  /** Memory of all sandboxes without their pets, in bytes. */
  readonly maxHeadBytes?: number;
}

/** What one sandbox takes. */
export interface Weight {
  /** Its pets, those of fixtures that came with a request included. */
  readonly pets: number;
  /** All the rest. */
  readonly head: number;
}

export const NOTHING: Weight = { pets: 0, head: 0 };

/** A sandbox without pets, keys and faults, when idle. */
const SANDBOX = 5 * 1024;
const KEY = 600;
/** A fault rule without its texts. */
const FAULT = 600;
/** A fixture of its own, without its pets. */
const OWN_FIXTURE = 2 * 1024;
/** A snapshot's own nodes of the trees that it shares with others. */
const SNAPSHOT = 6 * 1024;
const DRILL = 1024;
/** The result of a drill, and each of its checks and requests. */
const DRILL_RESULT = 1024;

export const weightOfState = ({ record, seed, own, snapshots }: State): Weight => {
  const saved = [...snapshots.values()];
  const seeds = [seed, ...saved.map((snapshot) => snapshot.seed)].filter(({ isInline }) => isInline);
  const pets = Pets.weight([own, ...saved.map((snapshot) => snapshot.own), ...seeds.map((each) => each.pets)]);
  let head = SANDBOX + weightOfSeed(seed) + weightOfFaults(record.faults);
  if (record.drill !== null) head += DRILL;
  for (const { checks, requests } of record.drillResults) head += (1 + checks.length + requests.length) * DRILL_RESULT;
  for (const { label } of record.keys) head += KEY + 2 * (label?.length ?? 0);
  for (const snapshot of saved) head += SNAPSHOT + weightOfSeed(snapshot.seed) + weightOfFaults(snapshot.faults);
  return { pets, head };
};

const weightOfSeed = ({ isInline }: Fixture): number => (isInline ? OWN_FIXTURE : 0);

const weightOfFaults = (faults: readonly FaultRecord[]): number =>
  faults.reduce((sum, { query = '', pattern = '' }) => sum + FAULT + 2 * (query + pattern).length, 0);

/** What all sandboxes take together. */
export class MemoryAccount {
  /** Memory of added pets. */
  pets = 0;
  /** Memory of sandboxes without their pets. */
  head = 0;
  readonly #limits: StoreLimits;

  constructor(limits: StoreLimits) {
    this.#limits = limits;
  }

  /** @throws {ApiError} `limit_reached` @param pets of one sandbox, with those that are to come */
  rejectBeyondPets(pets: number): void {
    const { maxPets } = this.#limits;
    if (pets <= maxPets) return;
    const why = `a sandbox holds ${maxPets} pets at most, and these are ${pets}; reset it, or send fewer`;
    throw new ApiError('limit_reached', why);
  }

  /** Replaces one weight by another. What does not grow is never rejected. @throws {ApiError} `limit_reached` */
  change(before: Weight, after: Weight): void {
    const { maxBytes, maxHeadBytes = Number.POSITIVE_INFINITY } = this.#limits;
    if (after.pets > before.pets && this.pets + after.pets - before.pets > maxBytes) {
      throw new ApiError(
        'limit_reached',
        `the pets of all sandboxes together take ${maxBytes} bytes of memory at most; reset or end a sandbox to go on`,
      );
    }
    if (after.head > before.head && this.head + after.head - before.head > maxHeadBytes) {
      throw new ApiError(
        'limit_reached',
        `all sandboxes together, with their keys, snapshots and faults, take ${maxHeadBytes} bytes of memory at most; end one with DELETE /_sandbox`,
      );
    }
    this.count(before, after);
  }

  /** The same without a limit: for what is there already. */
  count(before: Weight, after: Weight): void {
    this.pets += after.pets - before.pets;
    this.head += after.head - before.head;
  }
}
