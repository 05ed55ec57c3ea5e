/** Every kind of finding, alone in a report: no format, issue, merge or verdict may forget it. */
import { describe, expect, it } from 'vitest';
import type { Found } from '../../../src/traffic/groups.ts';
import { type Preview, previewResults } from '../../../src/verdict/drafts/preview.ts';
import { drillsResults } from '../../../src/verdict/drills/drills-report.ts';
import { issuesOf } from '../../../src/verdict/report/changes.ts';
import { advised, foundAbout, leveled } from '../../../src/verdict/report/findings.ts';
import { formatNames, inFormat } from '../../../src/verdict/report/formats/formats.ts';
import {
  type Finding,
  type FindingKind,
  findingKinds,
  KINDS,
  type ReportKind,
  reasonsOf,
  reportKinds,
  verdictOf,
} from '../../../src/verdict/report/kinds.ts';
import { mergedReport } from '../../../src/verdict/report/merge.ts';
import { concluded, type Report } from '../../../src/verdict/report/report.ts';
import { reportResults } from '../../../src/verdict/report/report-results.ts';
import type { Results } from '../../../src/verdict/report/results.ts';
import { reportOfVerdicts } from './clients.ts';
import { reportOnDrills } from './each.ts';

const { verdict: _, reasons: __, ...rest } = reportOfVerdicts({ violations: [], warnings: [] });
const plain = { ...reportOfVerdicts({ violations: [], warnings: [] }), behavior: { exchanges: 0, dropped: 0 } };
const WORDS = 'what this kind says';
const SHOWN = {
  sample: { request: 'GET /v1/pets', sent: null, status: 200, instead: null, action: 'other' },
  ...{ count: 1, requests: ['req_one'], last: 'req_one' },
  lines: [{ id: 'req_one', at: plain.since, request: 'GET /v1/pets', status: 200 }],
} as const;

/** What a report says by itself. */
const OF_THE_REPORT: { readonly [Kind in FindingKind]?: RegExp } = {
  nothingSeen: /no request was seen/,
  droppedFailure: /1\s+failure\s+is\s+no\s+longer\s+in\s+the\s+log/,
  unsearched: /not\s+in\s+the\s+9\s+before/,
};

/** Whose only finding is of this kind. @param isShown whether a request shows it */
function reportWith(kind: ReportKind, strict: boolean, isShown: boolean): Report {
  const exchanges = kind === 'nothingSeen' ? 0 : 1;
  const account = { ...plain.account, ...(kind === 'expectedInvalid' && { validated: 0, expectedInvalid: 1 }) };
  return concluded({
    ...{ ...rest, strict, exchanges, account, behavior: { exchanges: 1, dropped: kind === 'unsearched' ? 9 : 0 } },
    findings: kind === 'nothingSeen' || kind === 'unsearched' ? [] : [advised(foundAs(kind, isShown))],
  });
}

const foundAs = (kind: FindingKind, isShown: boolean): Found => ({
  ...foundAbout(kind, 'incomplete', WORDS),
  ...(isShown && { ...SHOWN, operation: 'listPets', location: 'query/limit' }),
});

const preview: Preview = {
  ...{
    verdict: 'pass',
    reasons: [],
    date: null,
    daysLeft: null,
    draft: null,
    source: 'sbx_one',
    createdAt: plain.since,
  },
  ...{ account: plain.account, requests: { total: 1, failing: 0, failingAlready: 0, notExamined: 0 }, failing: [] },
  findings: [],
};

const isOfReport = (kind: FindingKind): boolean => (reportKinds as readonly FindingKind[]).includes(kind);

/** What else has findings: with them, and the verdict that follows, as results. */
function otherResults(kind: FindingKind, outcome: Outcome): Results {
  if (kind === 'staleFailure') return drillsResults({ ...reportOnDrills(['stale']), findings: outcome.findings });
  return /Check|Advice/.test(kind) ? drillsResultsWith(outcome) : previewResults({ ...preview, ...outcome });
}

/** A drill with one check. */
function drillsResultsWith({ findings, verdict }: Outcome): Results {
  const { drills, ...rest } = reportOnDrills(['fails']);
  const state = verdict === 'fail' ? 'fail' : 'pass';
  const named = findings.map((each) => ({ ...each, rule: 'fails/must-fail' }));
  return drillsResults({ ...rest, verdict, drills: drills.map((each) => ({ ...each, state })), findings: named });
}

type Outcome = Pick<Preview, 'verdict' | 'reasons'> & { readonly findings: Finding[] };

function outcomeWith(kind: FindingKind, strict: boolean, isShown: boolean): Outcome {
  const findings = leveled([advised(foundAs(kind, isShown))], strict);
  return { verdict: verdictOf(findings), reasons: reasonsOf(findings), findings };
}

/** In each format, with the verdict. */
async function expectShown(results: Results, words: RegExp): Promise<void> {
  for (const format of formatNames)
    expect([format, await inFormat(format, results)]).toEqual([format, expect.stringMatching(words)]);
  const [, failures, errors] =
    /<testsuites [^>]*failures="(\d+)" errors="(\d+)"/.exec(await inFormat('junit', results)) ?? [];
  expect(failures !== '0' ? 'fail' : errors !== '0' ? 'incomplete' : 'pass').toBe(results.verdict);
}

const issuesIn = (report: Report) => issuesOf(report, undefined);

const VERDICTS = { error: 'fail', incomplete: 'incomplete', warning: 'pass', note: 'pass' };

describe.each([false, true])('in a report, strict: %s,', (strict) => {
  it.each(reportKinds.flatMap((kind) => [true, false].map((isShown) => [kind, isShown] as const)))(
    'a finding %s, shown by a request: %s, is in every format, and all of them say the same verdict',
    async (kind, isShown) => {
      const report = reportWith(kind, strict, isShown);
      const { level, strictLevel = level } = KINDS[kind];
      expect(report.verdict).toBe(VERDICTS[strict ? strictLevel : level]);
      expect(report.reasons.length > 0).toBe(report.verdict !== 'pass');
      expect(report.counts[kind]).toBe(1);
      const words = OF_THE_REPORT[kind] ?? (kind === 'expectedInvalid' ? /expected ?invalid/i : RegExp(WORDS));
      await expectShown(reportResults(report), words);
    },
  );

  it.each(reportKinds)('a finding %s is kept with others, and is an issue if the client can act on it', (kind) => {
    const report = { ...reportWith(kind, strict, true), sandbox: 'sbx_other' };
    const whole = mergedReport(
      [
        { name: 'a', report },
        { name: 'b', report: plain },
      ],
      { eachSees: 'all' },
    );
    expect([whole.verdict, JSON.stringify(whole.findings)]).toEqual([
      report.verdict,
      expect.stringContaining(report.findings[0]?.message as string),
    ]);
    const { issues, notes } = issuesIn(report);
    const isIssue = KINDS[kind].issue !== undefined;
    expect([...issues, ...notes].map((each) => each.kind)).toEqual(isIssue ? [kind] : []);
    // What fails a report, or leaves it incomplete, is no small print.
    if (report.verdict !== 'pass') expect(notes).toEqual([]);
  });
});

describe.each([true, false])('of a preview or of drills, shown by a request: %s,', (isShown) => {
  it.each(findingKinds.filter((kind) => !isOfReport(kind)))(
    'a finding %s is in every format, and all of them say the same verdict',
    async (kind) => {
      const outcome = outcomeWith(kind, false, isShown);
      expect(outcome.verdict).toBe(VERDICTS[KINDS[kind].level]);
      await expectShown(otherResults(kind, outcome), kind === 'staleFailure' ? /listed as a known/ : RegExp(WORDS));
    },
  );
});
