/** Every kind of finding, alone in a report: no format, issue, merge or verdict may forget it. */
import { describe, expect, it } from 'vitest';
import { advised } from '../../src/report/findings.ts';
import { formatNames, inFormat } from '../../src/report/formats/formats.ts';
import { issuesOf } from '../../src/report/issues.ts';
import { type FindingKind, findingKinds, KINDS, UNSHOWN } from '../../src/report/kinds.ts';
import { mergedReport } from '../../src/report/merge.ts';
import { concluded, type Report } from '../../src/report/report.ts';
import { reportResults } from '../../src/report/report-results.ts';
import { reportOfVerdicts } from './clients.ts';

const { verdict: _, reasons: __, ...rest } = reportOfVerdicts({ violations: [], warnings: [] });
const plain = reportOfVerdicts({ violations: [], warnings: [] });
const WORDS = 'what this kind says';
const SHOWN = {
  sample: { request: 'GET /v1/pets', sent: null, status: 200, instead: null, action: 'other' },
  ...{ count: 1, requests: ['req_one'], last: 'req_one' },
  lines: [{ id: 'req_one', at: plain.since, request: 'GET /v1/pets', status: 200 }],
} as const;

/** What a report says by itself. */
const OF_THE_REPORT: { readonly [Kind in FindingKind]?: RegExp } = {
  nothingSeen: /no request was seen/,
  unsearched: /had\s+dropped\s+9/,
};

/** Whose only finding is of this kind. @param isShown whether a request shows it */
function reportWith(kind: FindingKind, strict: boolean, isShown: boolean): Report {
  const found = { kind, rule: 'incomplete', pointer: '#/paths', message: WORDS } as const;
  const exchanges = kind === 'nothingSeen' ? 0 : 1;
  const account = { ...plain.account, ...(kind === 'expectedInvalid' && { validated: 0, expectedInvalid: 1 }) };
  return concluded({
    ...{ ...rest, strict, exchanges, account, behavior: { exchanges: 1, dropped: kind === 'unsearched' ? 9 : 0 } },
    findings:
      kind in OF_THE_REPORT
        ? []
        : [
            advised(
              isShown
                ? { ...found, ...SHOWN, operation: 'listPets', location: 'query/limit' }
                : { ...found, ...UNSHOWN, operation: null, location: 'report' },
            ),
          ],
  });
}

function issuesIn(report: Report) {
  const issues = issuesOf(report, [], 0);
  for (;;) {
    const { done, value } = issues.next();
    if (done) return value;
  }
}

const VERDICTS = { error: 'fail', incomplete: 'incomplete', warning: 'pass', note: 'pass' };

describe.each([false, true])('in a report, strict: %s,', (strict) => {
  it.each(findingKinds.flatMap((kind) => [true, false].map((isShown) => [kind, isShown] as const)))(
    'a finding %s, shown by a request: %s, is in every format, and all of them say the same verdict',
    async (kind, isShown) => {
      const report = reportWith(kind, strict, isShown);
      const { level, strictLevel = level } = KINDS[kind];
      expect(report.verdict).toBe(VERDICTS[strict ? strictLevel : level]);
      expect(report.reasons.length > 0).toBe(report.verdict !== 'pass');
      expect(report.counts[kind]).toBe(1);
      const words = OF_THE_REPORT[kind] ?? (kind === 'expectedInvalid' ? /expected ?invalid/i : RegExp(WORDS));
      const results = reportResults(report);
      for (const format of formatNames)
        expect([format, await inFormat(format, results)]).toEqual([format, expect.stringMatching(words)]);
      const [, failures, errors] =
        /<testsuites [^>]*failures="(\d+)" errors="(\d+)"/.exec(await inFormat('junit', results)) ?? [];
      const ofJUnit = failures !== '0' ? 'fail' : errors !== '0' ? 'incomplete' : 'pass';
      expect(ofJUnit).toBe(report.verdict);
    },
  );

  it.each(findingKinds)('a finding %s is kept with others, and is an issue if the client can act on it', (kind) => {
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
