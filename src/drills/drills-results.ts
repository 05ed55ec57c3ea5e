/** What a client did in several drills, as results: a group for each drill, an item for each check. */
import { pointerTo } from '../core/pointer.ts';
import { operations } from '../generated/facts.ts';
import type { Finding, Group, Item, Results } from '../report/results.ts';
import { type DrillsReport, stateInWords } from './drills-report.ts';
import type { CheckResult } from './grade.ts';

type ReportedDrill = DrillsReport['drills'][number];

const TITLES = {
  pass: 'drills passed',
  fail: 'drills failed',
  incomplete: 'drills incomplete',
} as const;

const HEADINGS = { must: 'Failed checks', should: 'Warnings' } as const;

const LEVELS = [
  'must: a failed check means harm, such as a pet that is created twice, and fails the drill.',
  'should: a failed check is a warning about good behavior; with --strict it fails the drill.',
];

export function drillsResults(report: DrillsReport): Results {
  const { verdict, strict, createdAt, account, groups, drills } = report;
  return {
    kind: 'drills',
    verdict,
    title: `${TITLES[verdict]}${strict ? ' (strict)' : ''}`,
    reasons: [],
    account,
    figures: groups.map(
      ({ group, passed, total, notApplicable }) =>
        `${group} ${passed} of ${total}${notApplicable === 0 ? '' : ` and ${notApplicable} not applicable`}`,
    ),
    about: [],
    endedAt: createdAt,
    headings: Object.values(HEADINGS),
    groups: drills.map((drill) => groupOf(drill, strict)),
    rules: drills.flatMap((drill) =>
      drill.checks.map((check) => ({
        id: ruleIdOf(drill, check),
        title: withoutPeriod(check.title),
        help: `${drill.title} ${check.title} ${check.fix} Source: ${check.source}.`,
        page: 'docs/reference/drills.md',
        anchor: drill.drill,
      })),
    ),
    notes: LEVELS,
    data: report,
  };
}

const withoutPeriod = (sentence: string): string => sentence.replace(/\.$/, '');

const ruleIdOf = ({ drill }: ReportedDrill, { id }: CheckResult): string => `${drill}/${id}`;

function groupOf(drill: ReportedDrill, strict: boolean): Group {
  const { drill: name, group, title, state, checks, requests } = drill;
  const words = stateInWords(drill);
  return {
    name,
    summary: state === 'known' ? `known failure: ${words}` : words,
    about: `${group}: ${title}`,
    timeline: requests,
    items: [
      ...checks.map((check) => itemOf(drill, check, strict)),
      ...(state === 'incomplete' ? [{ name, status: 'error', remarks: [words] } as const] : []),
      ...(state === 'stale' ? [{ name, status: 'failed', remarks: [words] } as const] : []),
    ],
  };
}

function itemOf(drill: ReportedDrill, check: CheckResult, strict: boolean): Item {
  const name = `${ruleIdOf(drill, check)}: ${check.title}`;
  if (check.status !== 'fail') {
    const remarks = [check.words, `${check.level}, by ${check.source}`];
    // Nothing counts in a drill that was not graded.
    const isPassed = check.status === 'pass' && drill.state !== 'not-applicable';
    return { name, status: isPassed ? 'passed' : 'skipped', remarks };
  }
  const counts = check.level === 'must' || strict;
  const findings = [findingOf(drill, check, counts)];
  if (drill.state === 'known') return { name, status: 'accepted', findings };
  // Nor in one that could not be decided.
  return { name, status: counts && drill.state !== 'incomplete' ? 'failed' : 'warned', findings };
}

function findingOf(drill: ReportedDrill, check: CheckResult, counts: boolean): Finding {
  const { level, title, words, measured, expected, source, fix, requests } = check;
  const last = requests.at(-1);
  return {
    heading: HEADINGS[level],
    level: counts ? 'error' : 'warning',
    rule: ruleIdOf(drill, check),
    subject: withoutPeriod(title),
    message: words,
    summary: withoutPeriod(title),
    sample: { ...(expected !== null && { expected }), ...(measured !== null && { got: measured }), source },
    fix,
    pointer: taskPointer(drill),
    ...(last !== undefined && { requests: { count: requests.length, ids: requests, last } }),
    ...(drill.state === 'known' && { accepted: 'known' }),
  };
}

/** The operation that the task is about. */
function taskPointer({ task }: ReportedDrill): string {
  const name = task === 'create' ? 'createPet' : task === 'get' || task === 'all' ? 'getPet' : 'listPets';
  return pointerTo(operations[name]);
}
