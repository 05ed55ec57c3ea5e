/**
 * The content of a sandbox: its fixture, shared and read-only, and the changes since: a log and the number of changes
 * that count. A world is a value of three fields. So a reset, a snapshot and a fork are one assignment, whatever the
 * size, and a reader sees all of one world or all of the next, even while the log grows.
 */
import { ApiError } from '../errors.ts';
import { INT64_MAX } from '../int64.ts';
import { type NewPet, type Pet, petOf, type StoredPet } from '../pet.ts';
import { type BranchPoint, growFrom, type Log } from './branch.ts';
import type { Change } from './change.ts';
import type { Fixture } from './fixture.ts';
import type { Seed } from './own-fixture.ts';

/** A sandbox's pets at one moment. Of a fixture with a file it contains only the name: idle worlds need none loaded. */
export interface World extends BranchPoint {
  readonly fixture: Seed;
}

/** A world without changes, or at a given point; with its own branch that can grow. */
export function worldOf(fixture: Seed, point?: BranchPoint): World {
  const branch = growFrom(point);
  return { fixture, branch, changes: branch.length };
}

/**
 * The world after more changes. They are appended to its log, so `at` must be the newest world of the log.
 * @returns a new value: readers of `at` do not see the changes
 */
export function apply<At extends BranchPoint>(at: At, changes: readonly Change[]): At {
  for (const change of changes) at.branch.append(change);
  return { ...at, changes: at.changes + changes.length };
}

/** The number of pets in a log: those of a fixture, or those added to it. Every change adds one. */
export const countPets = ({ branch, changes }: Log): number => branch.countOf(undefined, changes);

/** The pet of a log with this id, if it exists. */
const petIn = ({ branch, changes }: Log, id: bigint): StoredPet | undefined => branch.find(id, changes);

const isTaken = ({ log: { branch, changes } }: Fixture, id: bigint): boolean => branch.has(id, changes);

/** The id of the next pet, skipping existing ids. It may exceed int64 if none is left. */
export function nextIdOf({ branch, changes }: World, fixture: Fixture): bigint {
  let next = changes === 0 ? fixture.nextId : branch.idAt(changes - 1) + 1n;
  while (isTaken(fixture, next)) next++;
  return next;
}

/**
 * Assigns the next free id to each new pet.
 * @throws {ApiError} `limit_reached` when the ids run out at the end of int64.
 */
export function numbered(world: World, fixture: Fixture, newPets: readonly NewPet[]): readonly Pet[] {
  let next = nextIdOf(world, fixture);
  return newPets.map((newPet) => {
    while (isTaken(fixture, next)) next++;
    if (next > INT64_MAX) {
      throw new ApiError('limit_reached', 'no id is left: the largest int64 has been given out; reset the sandbox');
    }
    return petOf(next++, newPet);
  });
}

/** The pet with this id, if it exists. */
export const findPet = (world: World, fixture: Fixture, id: bigint): StoredPet | undefined =>
  petIn(world, id) ?? petIn(fixture.log, id);
