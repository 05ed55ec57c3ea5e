/**
 * A fixture of a sandbox's own: given with a request, not by a file. Its pets lie in a branch that is never appended
 * to. So it is shared by forks and snapshots, counted, written, backed up and deleted like any other branch.
 */
import type { Awaitable } from '../core/awaitable.ts';
import type { Pet } from '../core/pet.ts';
import { type Branch, type BranchPoint, growFrom } from './branch.ts';
import type { Change } from './change.ts';
import { NO_CHANGES } from './counts.ts';
import type { Fixture, FixtureShelf } from './fixture.ts';

/** The name under which own fixtures are shown; no file may have it. */
export const OWN_FIXTURE = 'inline';

/** A fixture to store. */
export interface NewFixture {
  /** The first id to assign; existing ids are skipped. Above the largest int64 if no id is left. */
  readonly nextId: bigint;
  /** In ascending id. */
  readonly pets: readonly Pet[];
}

/** A stored fixture without a file. */
export interface OwnFixture extends Fixture {
  readonly log: BranchPoint;
}

/** What a world starts from: the name of a fixture of the shelf, or a fixture of its own. */
export type Seed = string | OwnFixture;

/** The fixture at a point of a branch; `undefined` if it has no pets. */
export function ownFixture(nextId: bigint, point: BranchPoint | undefined): OwnFixture {
  const log = point ?? { branch: growFrom(undefined), changes: NO_CHANGES };
  return Object.freeze({ name: OWN_FIXTURE, description: '', nextId, log: Object.freeze(log) });
}

/** A new branch with the pets of a fixture. */
export function branchOf(changes: readonly Change[]): BranchPoint {
  const branch = growFrom(undefined);
  for (const change of changes) branch.append(change);
  return { branch, changes: branch.length };
}

export const nameOf = (seed: Seed): string => (typeof seed === 'string' ? seed : seed.name);

/** The branches that a seed references. */
export const branchesOf = (seed: Seed): readonly Branch[] => (typeof seed === 'string' ? [] : [seed.log.branch]);

/** Finds the fixtures of seeds. */
export class Seeds {
  readonly #shelf: FixtureShelf;

  constructor(shelf: FixtureShelf) {
    this.#shelf = shelf;
  }

  /** The fixture, if it is in memory. */
  get(seed: Seed): Fixture | undefined {
    return typeof seed === 'string' ? this.#shelf.get(seed) : seed;
  }

  /** The fixture: at once if it is in memory. */
  load(seed: Seed): Awaitable<Fixture> {
    return this.get(seed) ?? this.#shelf.load(nameOf(seed));
  }
}
