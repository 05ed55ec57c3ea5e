/** What a client did in several drills: the facts of which every form is made. Pure functions. */
import { counted } from '../../base/text.ts';
import type { DrillResult } from '../../client/run-drill.ts';
import { type Account, mergedAccounts } from '../../traffic/account.ts';
import { findingOf, resultsOf, STATUSES } from '../report/finding-results.ts';
import { advised, foundAbout, leveled } from '../report/findings.ts';
import { type Finding, reasonsOf, verdictOf } from '../report/kinds.ts';
import type { Group, Item, OverallVerdict, Results } from '../report/results.ts';
import type { DrillGroup } from './drill.ts';
import type { CheckResult } from './grade.ts';

/** `known`: a failure that was expected. `stale`: an expected failure that passes. */
type DrillState = DrillResult['verdict'] | 'known' | 'stale';

export interface DrillsReport {
  /** RFC 3339. */
  readonly createdAt: string;
  readonly strict: boolean;
  /** `incomplete` too where nothing was graded. */
  readonly verdict: OverallVerdict;
  /** Why it is not `pass`. */
  readonly reasons: readonly string[];
  /** How many others were chosen, and did not end. */
  readonly interrupted: number;
  /** What became of the requests of all drills. */
  readonly account: Account;
  /** `total`: the graded drills of a group; `notApplicable`: those that had nothing to grade. */
  readonly groups: readonly {
    readonly group: DrillGroup;
    readonly passed: number;
    readonly total: number;
    readonly notApplicable: number;
  }[];
  readonly drills: readonly (Omit<DrillResult, 'findings'> & { readonly state: DrillState })[];
  /** Those of all drills. */
  readonly findings: readonly Finding[];
}

/**
 * @param expected ids of the drills whose failure is known
 * @param interrupted how many others were chosen, and did not end
 */
export function drillsReportOf(
  results: readonly DrillResult[],
  {
    strict,
    createdAt,
    interrupted = 0,
  }: { readonly strict: boolean; readonly createdAt: string; readonly interrupted?: number },
  expected: ReadonlySet<string> = new Set(),
): DrillsReport {
  const all = results.map((result) => ({ ...result, state: drillState(result, expected.has(result.drill)) }));
  const drills = all.map(({ findings: _, ...drill }) => drill);
  const names = [...new Set(results.map(({ group }) => group))];
  const groups = names.map((group) => {
    const ofGroup = results.filter((result) => result.group === group);
    const count = (wanted: DrillResult['verdict']): number =>
      ofGroup.filter(({ verdict }) => verdict === wanted).length;
    const notApplicable = count('not-applicable');
    return { group, passed: count('pass'), total: ofGroup.length - notApplicable, notApplicable };
  });
  const isGraded = drills.some(({ state }) => state !== 'not-applicable');
  const unknown = interrupted > 0 ? [interruptedWords(interrupted)] : isGraded ? [] : ['no drill could be graded'];
  const found = [
    ...all.flatMap(findingsIn),
    ...unknown.map((message) => advised(foundAbout('incomplete', 'incomplete', message))),
  ];
  const findings = leveled(found, strict);
  const account = mergedAccounts(drills.map((drill) => drill.account));
  const verdict = verdictOf(findings);
  return { createdAt, strict, verdict, reasons: reasonsOf(findings), interrupted, account, groups, drills, findings };
}

const interruptedWords = (count: number): string => `${counted(count, 'drill')} did not end`;

/** What counts of a drill: a known failure does not, and one that is listed and passes does. */
function findingsIn({
  drill,
  state,
  findings,
}: DrillResult & { readonly state: DrillState }): readonly Omit<Finding, 'level'>[] {
  if (state === 'known') return findings.map((each) => ({ ...each, kind: 'uncountedCheck' }));
  const named = findings.map((each) =>
    each.kind === 'incomplete' ? { ...each, message: `${drill}: ${each.message}` } : each,
  );
  if (state !== 'stale') return named;
  return [...named, advised(foundAbout('staleFailure', 'incomplete', `${drill} ${STALE}`))];
}

const STALE = 'passes, but is listed as a known failure; take it out of the list';

function drillState({ verdict }: DrillResult, isExpected: boolean): DrillState {
  if (!isExpected) return verdict;
  return verdict === 'fail' ? 'known' : verdict === 'pass' ? 'stale' : verdict;
}

/** What a state asks of its reader, in a few words. */
function stateInWords({ state, reason, checks }: DrillsReport['drills'][number]): string {
  if (state === 'stale') return STALE;
  if (state === 'not-applicable') return `not applicable: ${reason}`;
  const warnings = checks.filter(({ status }) => status === 'fail').length;
  return reason ?? (warnings === 0 ? 'passes' : `passes, with ${counted(warnings, 'warning')}`);
}

/** What a client did in several drills, as results: a group for each drill, an item for each check. */
type ReportedDrill = DrillsReport['drills'][number];

export function drillsResults(report: DrillsReport): Results {
  const { strict, createdAt, groups, drills, findings, interrupted } = report;
  const results = resultsOf(report, {
    ...{ kind: 'drills', name: 'drills', strict, about: [], endedAt: createdAt, notes: [] },
    figures: groups.map(
      ({ group, passed, total, notApplicable }) =>
        `${group} ${passed} of ${total}${notApplicable === 0 ? '' : ` and ${notApplicable} not applicable`}`,
    ),
    groups: drills.map((drill) => groupOf(drill, findings)),
    complete: 'every drill was graded',
  });
  // Each drill says its own.
  return { ...results, reasons: interrupted > 0 ? [interruptedWords(interrupted)] : [] };
}

const ruleIdOf = ({ drill }: ReportedDrill, { id }: CheckResult): string => `${drill}/${id}`;

function groupOf(drill: ReportedDrill, findings: readonly Finding[]): Group {
  const { drill: name, group, title, state, checks, requests } = drill;
  const words = stateInWords(drill);
  // Its client never met what goes wrong: its requests say nothing.
  if (state === 'incomplete') return { name, summary: words, items: [{ name, status: 'error', remarks: [words] }] };
  return {
    name,
    summary: state === 'known' ? `known failure: ${words}` : words,
    about: `${group}: ${title}`,
    timeline: requests,
    items: [
      ...checks.map((check) => {
        const rule = ruleIdOf(drill, check);
        return itemOf(
          drill,
          check,
          findings.find((each) => each.rule === rule),
        );
      }),
      ...(state === 'stale' ? [{ name, status: 'failed', remarks: [words] } as const] : []),
    ],
  };
}

function itemOf(drill: ReportedDrill, check: CheckResult, found: Finding | undefined): Item {
  const { level, title, source, status, words } = check;
  const name = `${ruleIdOf(drill, check)}: ${title}`;
  if (!found) {
    // Nothing counts in a drill that was not graded.
    const isPassed = status === 'pass' && drill.state !== 'not-applicable';
    return { name, status: isPassed ? 'passed' : 'skipped', remarks: [words, `${level}, by ${source}`] };
  }
  const { location: _, ...finding } = findingOf(found);
  const sample = { ...finding.sample, source };
  const accepted = drill.state === 'known' ? { accepted: 'known' } : {};
  return { name, status: STATUSES[found.level], findings: [{ ...finding, subject: found.title, sample, ...accepted }] };
}
