/** What a client did in several drills: the facts of which every form is made. Pure functions. */
import type { Group } from './drill.ts';
import type { DrillResult } from './grade.ts';

/** `known`: a failure that was expected. `stale`: an expected failure that passes. */
export type State = DrillResult['verdict'] | 'known' | 'stale';

export interface DrillsReport {
  /** RFC 3339. */
  readonly createdAt: string;
  readonly strict: boolean;
  readonly verdict: DrillResult['verdict'];
  readonly groups: readonly { readonly group: Group; readonly passed: number; readonly total: number }[];
  readonly drills: readonly (DrillResult & { readonly state: State })[];
}

/** @param expected ids of the drills whose failure is known */
export function drillsReportOf(
  results: readonly DrillResult[],
  { expected, strict, createdAt }: { expected: ReadonlySet<string>; strict: boolean; createdAt: string },
): DrillsReport {
  const drills = results.map((result) => ({ ...result, state: stateOf(result, expected.has(result.drill)) }));
  const names = [...new Set(results.map(({ group }) => group))];
  const groups = names.map((group) => {
    const ofGroup = results.filter((result) => result.group === group);
    return { group, passed: ofGroup.filter(({ verdict }) => verdict === 'pass').length, total: ofGroup.length };
  });
  const has = (...states: readonly State[]): boolean => drills.some(({ state }) => states.includes(state));
  const verdict = has('fail', 'stale') ? 'fail' : has('incomplete') || drills.length === 0 ? 'incomplete' : 'pass';
  return { createdAt, strict, verdict, groups, drills };
}

function stateOf({ verdict }: DrillResult, isExpected: boolean): State {
  if (!isExpected || verdict === 'incomplete') return verdict;
  return verdict === 'fail' ? 'known' : 'stale';
}

/** What a state asks of its reader, in a few words. */
export function stateInWords({ state, reason }: DrillsReport['drills'][number]): string {
  if (state === 'stale') return 'passes, but is listed as a known failure; take it out of the list';
  return reason ?? 'passes';
}
