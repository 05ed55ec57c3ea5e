/**
 * Ends a family on disk: all of it or nothing, whenever the program is killed.
 * One rename of the origin's head, from `<id>.json` to `<id>.ended`, ends the family: from then on the sandbox and
 * every descendant's head are ended, even while their files exist. The files are deleted afterwards, forks before their
 * origins, and this tombstone last. It is a rename and not a write because ending a sandbox must work on a full disk.
 */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, renameSync } from 'node:fs';
import { rm, unlink } from 'node:fs/promises';
import { Families, type Member } from './family.ts';
import { type HeadFile, pointsIn } from './head.ts';
import type { layoutOf } from './layout.ts';

type Layout = ReturnType<typeof layoutOf>;

const TOMBSTONE = /^(sbx_[A-Za-z0-9]{1,64})\.ended$/;
const BRANCH = /^brn_[A-Za-z0-9]{1,64}$/;
/** The start of a log file whose branch grew from another. */
const FROM = /^\{"from":\{"branch":"(brn_[A-Za-z0-9]{1,64})"/;

/** Ends a sandbox and all its descendants, atomically. */
export function endFamily(layout: Layout, id: string): void {
  renameSync(layout.head(id), layout.ended(id));
}

/**
 * Deletes the heads of an ended family, and its tombstone last.
 * @param family the origin first, each fork after its origin
 * @throws the first error; a head that cannot be deleted stays, together with everything that marks it as ended
 */
export async function clearFamily(layout: Layout, family: readonly Member[]): Promise<void> {
  const stuck = new Set<string>();
  const errors: unknown[] = [];
  for (const [index, { id, forkOf }] of [...family.entries()].reverse()) {
    const path = index === 0 ? layout.ended(id) : layout.head(id);
    if (!stuck.has(id)) {
      const error = await failureOf(unlink(path));
      if (error === undefined || isMissing(error)) continue;
      errors.push(error);
    }
    if (forkOf !== null) stuck.add(forkOf);
  }
  if (errors.length > 0) throw errors[0];
}

/** Ended families whose files were partly left by a kill. */
export interface Ended {
  /** Each with its origin first. */
  readonly families: readonly (readonly Member[])[];
  /** The branches that they referenced. */
  readonly branches: readonly string[];
}

/** Separates the heads of ended families from the others. */
export function splitEnded<T extends readonly [path: string, head: HeadFile]>(
  layout: Layout,
  heads: readonly T[],
): { alive: readonly T[]; ended: Ended } {
  const byId = new Map(heads.map(([, head]) => [head.id, head]));
  // A head beside its tombstone was restored by hand, and counts.
  const origins = tombstonesIn(layout.sandboxes).filter((id) => !byId.has(id));
  if (origins.length === 0) return { alive: heads, ended: { families: [], branches: [] } };
  const all = new Families();
  for (const head of byId.values()) all.add(head);
  const families = origins.map((id) => all.of(id).map((member) => byId.get(member) ?? { id: member, forkOf: null }));
  const gone = new Set(families.flat().map(({ id }) => id));
  const branches = new Set(origins.flatMap((id) => branchesOf(readTombstone(layout.ended(id)))));
  for (const id of gone) for (const branch of branchesOf(byId.get(id))) branches.add(branch);
  // Their ancestors' branches were theirs too, unless a remaining sandbox references them.
  for (const branch of branches) {
    const from = originOf(layout.logFile(branch, 1));
    if (from !== undefined) branches.add(from);
  }
  return { alive: heads.filter(([, { id }]) => !gone.has(id)), ended: { families, branches: [...branches] } };
}

/**
 * Deletes the files of ended families.
 * @param isUsed whether a remaining sandbox references this branch
 * @returns errors for files that could not be deleted: they do no harm, and the next start tries again
 */
export async function clearEnded(
  layout: Layout,
  { families, branches }: Ended,
  isUsed: (branch: string) => boolean,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  // A branch is deleted before those that reference it: after a kill here, the next start finds the rest the same way.
  for (const branch of branches.filter((id) => !isUsed(id)).reverse())
    errors.push(await failureOf(rm(layout.branch(branch), { recursive: true, force: true })));
  for (const family of families) errors.push(await failureOf(clearFamily(layout, family)));
  return errors.filter((error) => error !== undefined);
}

const failureOf = (deletion: Promise<void>): Promise<unknown> =>
  deletion.then(
    () => undefined,
    (error: unknown) => error,
  );

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

function tombstonesIn(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory).flatMap((name) => TOMBSTONE.exec(name)?.[1] ?? []);
}

/** Only lists the branches to delete: an unreadable tombstone is no reason to reject the start. */
function readTombstone(path: string): Partial<HeadFile> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<HeadFile>;
  } catch {
    return undefined;
  }
}

/** The branches that a head names. A tombstone is unchecked: only valid branch names count. */
function branchesOf(head: Partial<HeadFile> | undefined): string[] {
  const points = head === undefined ? [] : pointsIn(head).map((point) => point?.branch);
  return [head?.log?.branch, ...points].flatMap((branch) =>
    typeof branch === 'string' && BRANCH.test(branch) ? [branch] : [],
  );
}

/** The branch that a log file names as its origin. */
function originOf(path: string): string | undefined {
  const start = Buffer.alloc(128);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, start);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
  return FROM.exec(start.toString('latin1'))?.[1];
}
