/** What a client did in several drills, as results: a group for each drill, an item for each check. */

import { findingOf, resultsOf, STATUSES } from '../report/finding-results.ts';
import type { Finding } from '../report/kinds.ts';
import type { Group, Item, Results } from '../report/results.ts';
import { type DrillsReport, interruptedWords, stateInWords } from './drills-report.ts';
import type { CheckResult } from './grade.ts';

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
