/**
 * A branch is a list of added pets that only ever grows. Sandboxes, snapshots and forks point into branches (this one,
 * so many pets), so that none of them copies a pet. A branch goes when nothing points into it any more.
 */
import { newId } from '../ids.ts';

/** The first `size` pets of a branch, what it grew from included. */
export interface BranchPoint {
  readonly branch: Branch;
  readonly size: number;
}

export interface Branch {
  readonly id: string;
  /** What it grew from: these pets come first. */
  readonly from: BranchPoint | undefined;
  /** What its own pets take in memory, in bytes (see weight.ts). */
  bytes: number;
  /** How many point into it. */
  refs: number;
}

/** A branch that begins where `point` ends, or with nothing. */
export function growFrom(point: BranchPoint | undefined, id: string = newId('brn')): Branch {
  if (point) point.branch.refs++;
  return { id, from: point, bytes: 0, refs: 0 };
}

/** The shortest way to say "the first `size` pets of this branch": `undefined` for none at all. */
export function pointAt(branch: Branch, size: number): BranchPoint | undefined {
  let point: BranchPoint | undefined = { branch, size };
  while (point?.branch.from && point.branch.from.size === point.size) point = point.branch.from;
  return point.size === 0 ? undefined : point;
}

/** The branches that one state of a sandbox points into; shared by all states that point into the same. */
export interface Holds {
  readonly branches: readonly Branch[];
}

/** Points into branches, so that they stay. */
export function hold(branches: readonly Branch[]): Holds {
  for (const branch of branches) branch.refs++;
  return { branches };
}

/** Points no longer; calls `drop` for every branch that nobody points into now. */
export function release(holds: Holds, drop: (branch: Branch) => void): void {
  for (const held of holds.branches) {
    // A branch that goes lets go of what it grew from. Chains may be longer than a call stack is deep.
    for (let branch: Branch | undefined = held; branch && --branch.refs === 0; branch = branch.from?.branch)
      drop(branch);
  }
}
