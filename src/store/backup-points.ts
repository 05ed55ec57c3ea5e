/** What heads and files of pets point to, for a backup: read without a check, which the copy gets as a whole. */
import type { HeadFile, PointFile } from './head.ts';

const BRANCH = /^brn_[A-Za-z0-9]{1,64}$/;

/** A branch that a head points to, and how many files it has at least. */
export interface Needed {
  readonly branch: string;
  readonly files: number;
}

/** What a head that was not checked yet points to: names that are none of a branch are left to the check of the copy. */
export function pointsOf({ added, snapshots }: Partial<HeadFile>): Needed[] {
  const points = [added?.from, ...Object.values(snapshots ?? {}).map((snapshot) => snapshot?.added)];
  const needed = points.flatMap((point: PointFile | null | undefined) => (point ? [{ ...point, files: 1 }] : []));
  const own = added ? [{ branch: added.branch, files: added.files }] : [];
  return [...own, ...needed].filter(({ branch }) => BRANCH.test(branch));
}

/** The branch that a file of pets grew from. What is wrong with the file is left to the check of the copy. */
export function originIn(text: string): string | undefined {
  const [, branch] = /^\{"from":(?:null|\{"branch":"(brn_[A-Za-z0-9]{1,64})")/.exec(text) ?? [];
  if (branch !== undefined || text.startsWith('{"from":null')) return branch;
  try {
    // Edited by hand.
    const edited = (JSON.parse(text) as { from?: PointFile | null }).from?.branch;
    return BRANCH.test(String(edited)) ? edited : undefined;
  } catch {
    return undefined;
  }
}
