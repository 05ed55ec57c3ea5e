/** Reference counts of branches: a branch is dropped with its last reference. */
import type { Branch } from './branch.ts';

/** The branches that one state of a sandbox references; shared by all states with the same references. */
export interface BranchReferences {
  readonly branches: readonly Branch[];
}

/** Adds references to branches. */
export function retain(branches: readonly Branch[]): BranchReferences {
  for (const branch of branches) branch.refs++;
  return { branches };
}

/** Removes references; calls `drop` for every branch without any left. */
export function release(references: BranchReferences, drop: (branch: Branch) => void): void {
  for (const held of references.branches) {
    // A dropped branch releases its origin. Iterative: chains may be longer than the call stack.
    for (let branch: Branch | undefined = held; branch && --branch.refs === 0; branch = branch.from?.branch)
      drop(branch);
  }
}
