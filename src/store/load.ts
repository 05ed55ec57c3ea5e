/**
 * Reads a data directory back. What a head refers to is there and complete, or the start is refused with the name of
 * what is missing or broken, and nothing is changed. These invariants make a gap visible; the writers
 * (`json-files.ts`) keep them in this order:
 *
 * - A head knows how many files its own branch has (`added.files`). A new file of pets is written first, then the head
 *   with the new count, and only then is the change acknowledged. So at a start there are never fewer files than the
 *   head knows of. One more is what a kill in between leaves: it is kept, and the head learns of it.
 * - A point (`from`, a snapshot) says how many pets of a branch it covers. They were written before the point was, and
 *   branches only grow, so that they are still there, whether or not a sandbox still adds to the branch.
 * - Only the last file of a branch that a sandbox adds to can have been cut off by a kill; all others are whole.
 * - A branch is renamed before it is deleted, after the last head that pointed to it was written. So a branch under its
 *   own name that nobody points to is a rare kill between the two, or the head that pointed to it is lost: it may hold
 *   acknowledged pets, and is moved to `lost+found/`, never deleted.
 * - A fork's head is never there without its origin's.
 */
import { readTime } from '../clock.ts';
import { type BranchPoint, hold } from './branch.ts';
import type { Leftovers } from './directory.ts';
import { clearEnded, type Ended, splitEnded } from './ended.ts';
import type { HeadFile, PointFile } from './head.ts';
import type { Kept, Snapshot } from './kept-store.ts';
import { type Layout, layoutOf } from './layout.ts';
import { Branches } from './read-branches.ts';
import { readHeads, refuseMissingOrigins, refuseSharedBranches } from './read-heads.ts';
import { mend, type Notice, setAside } from './tidy.ts';
import type { FixtureShelf } from './world.ts';

/** What a directory holds. */
export interface Read {
  /** Every sandbox. */
  readonly kept: readonly Kept[];
  /** Those whose heads do not know all files of their branches: a kill came before the head was written. */
  readonly outdated: readonly Kept[];
  /** Families that ended, and of which a kill left files. */
  readonly ended: Ended;
  readonly branches: Branches;
  readonly leftovers: Leftovers;
}

/** Reads all of it and changes nothing. @throws {DataFileError} */
export async function readDirectory(layout: Layout, fixtures: Pick<FixtureShelf, 'has'>): Promise<Read> {
  const leftovers: Leftovers = [];
  const { alive: heads, ended } = splitEnded(layout, await readHeads(layout, fixtures, leftovers));
  refuseMissingOrigins(layout, heads);
  refuseSharedBranches(heads);
  const growing = new Set(heads.map(([, { added }]) => added.branch));
  const branches = new Branches({ layout, growing, leftovers });
  const kept = heads.map(([path, head]) => keptOf(path, head, branches));
  const outdated = kept.filter(
    (_, i) => heads[i]?.[1].added.files !== (branches.files.get(kept[i]?.branch.id ?? '') ?? 0),
  );
  return { kept, outdated, ended, branches, leftovers };
}

/** What a server starts with. */
export interface Loaded extends Pick<Read, 'kept' | 'outdated'> {
  /** How many files each branch has. */
  readonly files: ReadonlyMap<string, number>;
  /** What was mended or moved: people should know. */
  readonly notices: readonly Notice[];
  /** Why files of ended sandboxes could not be deleted. */
  readonly leftOver: readonly unknown[];
}

/** Reads a directory, and only then mends and clears what a kill left in it. @throws {DataFileError} */
export async function loadDirectory(directory: string, fixtures: Pick<FixtureShelf, 'has'>): Promise<Loaded> {
  const layout = layoutOf(directory);
  const { kept, outdated, ended, branches, leftovers } = await readDirectory(layout, fixtures);
  const mended = [...branches.mended].map(([path, how]) => mend(path, how));
  const leftOver = await clearEnded(layout, ended, (id) => branches.has(id));
  const moved = setAside(layout, leftovers, (id) => branches.has(id));
  return { kept, outdated, files: branches.files, notices: [...mended, ...moved], leftOver };
}

function keptOf(path: string, head: HeadFile, branches: Branches): Kept {
  const branch = branches.own(path, head.added);
  const pointOf = (point: PointFile | null): BranchPoint | undefined =>
    point ? branches.point(path, point) : undefined;
  const snapshots = new Map<string, Snapshot>(
    Object.entries(head.snapshots).map(([name, { createdAt, fixture, clock, faults, added }]) => {
      const point = pointOf(added);
      const world = branches.world(fixture, point);
      return [name, { createdAt: timeOf(createdAt), world, point, clock, faults }];
    }),
  );
  return {
    record: {
      id: head.id,
      label: head.label,
      createdAt: timeOf(head.createdAt),
      expiresAt: timeOrNull(head.expiresAt),
      fixed: head.fixed,
      forkOf: head.forkOf,
      keys: head.keys.map((key) => ({
        ...key,
        createdAt: timeOf(key.createdAt),
        expiresAt: timeOrNull(key.expiresAt),
        revokedAt: timeOrNull(key.revokedAt),
      })),
      clock: head.clock,
      faults: head.faults,
    },
    world: branches.world(head.fixture, { branch, size: branches.sizeOf(branch) }),
    branch,
    snapshots,
    holds: hold([branch, ...[...snapshots.values()].flatMap(({ point }) => (point ? [point.branch] : []))]),
  };
}

const timeOf = (text: string): number => readTime(text) ?? 0;
const timeOrNull = (text: string | null): number | null => (text === null ? null : timeOf(text));
