/**
 * Loads a data directory. Everything that a head references must exist and be complete; otherwise the start fails,
 * naming the missing or damaged file, and nothing is changed. These invariants reveal gaps; the writers
 * (`json-files.ts`) maintain them:
 *
 * - A head stores the number of its own branch's files (`log.files`). A new log file is written first, then the head
 *   with the new count, and only then is the change acknowledged. So at a start there are at least as many files as the
 *   head expects. A kill in between leaves one more: it is states, and the head is updated.
 * - A point (`from`, a snapshot) covers a number of changes of a branch. They were written before the point, and
 *   branches only grow, so they still exist, whether or not a sandbox still appends to the branch.
 * - Only the last file of a branch that a sandbox appends to can have been truncated by a kill; all others are
 *   complete.
 * - A branch is renamed before it is deleted, after the last head that referenced it was written. So an unreferenced
 *   branch with its own name means a rare kill between the two, or a lost head: it may contain acknowledged changes,
 *   and is moved to `lost+found/`, never deleted.
 * - A fork's head never exists without its origin's.
 */
import type { Leftovers } from './directory.ts';
import { clearEnded, type Ended, splitEnded } from './ended.ts';
import type { FixtureShelf } from './fixture.ts';
import { type Layout, layoutOf } from './layout.ts';
import { Branches } from './read-branches.ts';
import { readHeads, rejectMissingOrigins, rejectSharedBranches } from './read-heads.ts';
import type { SandboxState } from './state.ts';
import { stateOfHead } from './state-of-head.ts';
import { mend, type Notice, setAside } from './tidy.ts';

/** The content of a directory. */
export interface Read {
  /** Every sandbox. */
  readonly states: readonly SandboxState[];
  /** Heads that do not count all files of their branches: a kill came before the head was written. */
  readonly outdated: readonly SandboxState[];
  /** Ended families whose files were partly left by a kill. */
  readonly ended: Ended;
  readonly branches: Branches;
  readonly leftovers: Leftovers;
}

/** Reads everything and changes nothing. @throws {DataFileError} */
async function readDirectory(layout: Layout, fixtures: Pick<FixtureShelf, 'has'>): Promise<Read> {
  const leftovers: Leftovers = [];
  const { alive: heads, ended } = splitEnded(layout, await readHeads(layout, fixtures, leftovers));
  rejectMissingOrigins(layout, heads);
  rejectSharedBranches(heads);
  const growing = new Set(heads.map(([, { log }]) => log.branch));
  const branches = new Branches({ layout, growing, leftovers });
  const states = heads.map(([path, head]) =>
    stateOfHead(head, { own: (log) => branches.own(path, log), point: (point) => branches.point(path, point) }),
  );
  const outdated = states.filter(
    (_, i) => heads[i]?.[1].log.files !== (branches.files.get(states[i]?.world.branch.id ?? '') ?? 0),
  );
  return { states, outdated, ended, branches, leftovers };
}

/** The initial state of a server. */
export interface Loaded extends Pick<Read, 'states' | 'outdated'> {
  /** The number of each branch's files. */
  readonly files: ReadonlyMap<string, number>;
  /** Repairs and moved files, to be reported to people. */
  readonly notices: readonly Notice[];
  /** Errors for files of ended sandboxes that could not be deleted. */
  readonly leftOver: readonly unknown[];
}

/** Reads a directory, and only then repairs and deletes what a kill left in it. @throws {DataFileError} */
export async function loadDirectory(directory: string, fixtures: Pick<FixtureShelf, 'has'>): Promise<Loaded> {
  const layout = layoutOf(directory);
  const { states, outdated, ended, branches, leftovers } = await readDirectory(layout, fixtures);
  const mended = [...branches.mended].map(([path, how]) => mend(path, how));
  const leftOver = await clearEnded(layout, ended, (id) => branches.has(id));
  const moved = setAside(layout, leftovers, (id) => branches.has(id));
  return { states, outdated, files: branches.files, notices: [...mended, ...moved], leftOver };
}
