/**
 * The branches that heads and log files reference, for a backup: read unchecked, because the copy is validated as a
 * whole.
 */
import { type HeadFile, type PointFile, pointsIn } from './head.ts';

const BRANCH = /^brn_[A-Za-z0-9]{1,64}$/;

/** A branch referenced by a head, and its minimal number of files. */
export interface Needed {
  readonly branch: string;
  readonly files: number;
}

/** The branches that an unchecked head references. Invalid names are left to the check of the copy. */
export function pointsOf(head: Partial<HeadFile>): Needed[] {
  const { log } = head;
  const needed = pointsIn(head).flatMap((point) => (point ? [{ ...point, files: 1 }] : []));
  const own = log ? [{ branch: log.branch, files: log.files }] : [];
  return [...own, ...needed].filter(({ branch }) => BRANCH.test(branch));
}

/** The branch that a log file's branch grew from. Errors in the file are left to the check of the copy. */
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
