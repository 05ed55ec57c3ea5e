/**
 * The content of a sandbox: its fixture, shared and read-only, and the changes since: a log and the number of changes
 * that count. A world is a value of three fields. So a reset, a snapshot and a fork are one assignment, whatever the
 * size, and a reader sees all of one world or all of the next, even while the log grows.
 */
import { type BranchPoint, growFrom } from './branch.ts';
import type { Change } from './change.ts';
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
  return { ...at, changes: at.branch.length };
}
