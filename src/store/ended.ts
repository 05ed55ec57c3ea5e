/**
 * The end of a family on disk: all of it or nothing, whenever the program is killed.
 *
 * One rename of the origin's head, from `<id>.json` to `<id>.ended`, ends the family: from then on the sandbox and every
 * head that descends from it are ended, even while their files exist. Deleting the files comes after that, forks before
 * their origins, and this tombstone goes last. It is a rename and not a write because ending a sandbox must work on a
 * full disk.
 */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, renameSync } from 'node:fs';
import { rm, unlink } from 'node:fs/promises';
import { Families, type Member } from './family.ts';
import type { HeadFile } from './head.ts';
import type { layoutOf } from './layout.ts';

type Layout = ReturnType<typeof layoutOf>;

const TOMBSTONE = /^(sbx_[A-Za-z0-9]{1,64})\.ended$/;
const BRANCH = /^brn_[A-Za-z0-9]{1,64}$/;
/** How a file of pets begins when its branch grew from another. */
const FROM = /^\{"from":\{"branch":"(brn_[A-Za-z0-9]{1,64})"/;

/** Ends a sandbox and all that descends from it, in one step. */
export function endFamily(layout: Layout, id: string): void {
  renameSync(layout.head(id), layout.ended(id));
}

/**
 * Deletes the heads of an ended family, and its tombstone last.
 *
 * @param family the origin first, each fork after what it was forked from
 * @throws the first error; a head that cannot be deleted stays, and so does everything that says that it is ended
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

/** Families that ended, and of which a kill left files. */
export interface Ended {
  /** Each with its origin first. */
  readonly families: readonly (readonly Member[])[];
  /** The branches that they pointed to. */
  readonly branches: readonly string[];
}

/** Takes the heads of ended families out of those that were read. */
export function splitEnded<T extends readonly [path: string, head: HeadFile]>(
  layout: Layout,
  heads: readonly T[],
): { alive: readonly T[]; ended: Ended } {
  const byId = new Map(heads.map(([, head]) => [head.id, head]));
  // A head beside its tombstone was put back by hand, and counts.
  const origins = tombstonesIn(layout.sandboxes).filter((id) => !byId.has(id));
  if (origins.length === 0) return { alive: heads, ended: { families: [], branches: [] } };
  const all = new Families();
  for (const head of byId.values()) all.add(head);
  const families = origins.map((id) => all.of(id).map((member) => byId.get(member) ?? { id: member, forkOf: null }));
  const gone = new Set(families.flat().map(({ id }) => id));
  const branches = new Set(origins.flatMap((id) => branchesOf(readTombstone(layout.ended(id)))));
  for (const id of gone) for (const branch of branchesOf(byId.get(id))) branches.add(branch);
  // What they grew from was theirs too, unless a sandbox that lives on points there.
  for (const branch of branches) {
    const from = originOf(layout.pets(branch, 1));
    if (from !== undefined) branches.add(from);
  }
  return { alive: heads.filter(([, { id }]) => !gone.has(id)), ended: { families, branches: [...branches] } };
}

/**
 * Deletes what is left of ended families.
 *
 * @param isUsed whether a sandbox that lives on points into this branch
 * @returns why files could not be deleted: they are in nobody's way, and the next start tries again
 */
export async function clearEnded(
  layout: Layout,
  { families, branches }: Ended,
  isUsed: (branch: string) => boolean,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  // A branch goes before those that point to it: cut off here, the next start finds the rest the same way.
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

/** Only says which branches to delete: one that cannot be read is no reason to refuse the start. */
function readTombstone(path: string): Partial<HeadFile> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<HeadFile>;
  } catch {
    return undefined;
  }
}

/** The branches that a head names. A tombstone was not checked: only what looks like a branch is one. */
function branchesOf(head: Partial<HeadFile> | undefined): string[] {
  const points = Object.values(head?.snapshots ?? {}).map((snapshot) => snapshot?.added?.branch);
  return [head?.added?.branch, head?.added?.from?.branch, ...points].flatMap((branch) =>
    typeof branch === 'string' && BRANCH.test(branch) ? [branch] : [],
  );
}

/** The branch that a file of pets says it grew from. */
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
