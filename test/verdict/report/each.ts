/** Results of drills with one of everything in them, and texts from outside that do harm. */

import type { DrillResult } from '../../../src/client/run-drill.ts';
import { accountOf } from '../../../src/traffic/account.ts';
import type { Found } from '../../../src/traffic/groups.ts';
import { type DrillsReport, drillsReportOf, drillsResults } from '../../../src/verdict/drills/drills-report.ts';
import type { CheckResult } from '../../../src/verdict/drills/grade.ts';
import { advised, foundAbout, leveled } from '../../../src/verdict/report/findings.ts';
import type { Finding } from '../../../src/verdict/report/kinds.ts';
import type { Results } from '../../../src/verdict/report/results.ts';
import { HOSTILE } from './clients.ts';

const WORDS = HOSTILE.join(' ');
const at = '2026-11-22T10:00:00.000Z';

const check = (status: CheckResult['status'], level: CheckResult['level'] = 'must'): CheckResult => ({
  ...{ id: `${level}-${status}`, level, title: 'There is at most one pet.', source: 'RFC 9110, section 9.2.2', status },
  ...{ words: WORDS, requests: ['req_1'] },
});
const findingOf = (
  drill: string,
  { id, level, title, words }: CheckResult,
): Found & { title: string; fix: string } => ({
  ...foundAbout(level === 'must' ? 'failedCheck' : 'failedAdvice', `${drill}/${id}`, words),
  ...{ operation: 'createPet', location: 'behavior', title: title.replace('.', ''), expected: 'at most 1', got: '2' },
  ...{ fix: 'Exclude POST from automatic retries.', requests: ['req_1'], last: 'req_1' },
});
const findingsOf = (drill: string, checks: readonly CheckResult[]): Finding[] =>
  leveled(
    [
      ...checks.filter(({ status }) => status === 'fail').map((each) => findingOf(drill, each)),
      ...checks
        .filter(({ status }) => status === 'open')
        .map(({ words }) => advised(foundAbout('incomplete', 'incomplete', words))),
    ],
    false,
  );
const result = (drill: string, verdict: DrillResult['verdict'], checks: CheckResult[]): DrillResult => ({
  ...{ drill, group: 'writes', title: 'The connection is reset.', task: 'create', petName: 'Doppel', petId: null },
  ...{ strict: false, startedAt: at, outcome: null, verdict, reason: verdict === 'pass' ? null : WORDS, checks },
  findings: findingsOf(drill, checks),
  account: accountOf([{ kind: 'injected', count: 1 }]),
  requests: [
    {
      ...{ id: 'req_1', at, respondedAt: '2026-11-22T10:00:01.000Z', durationMs: 1_000, delayMs: 0, status: 201 },
      ...{ method: 'POST', target: `/v1/pets?${WORDS}`, operation: 'createPet', injectedFault: { status: 503 } },
      ...{ disconnectedAt: null, changes: { created: ['13'] }, violations: [], warnings: [], validationError: null },
    } as never,
  ],
});

/** One in each state, named after it. */
const DRILLS = [
  result('passes', 'pass', [check('pass'), check('fail', 'should'), check('skipped')]),
  result('fails', 'fail', [check('fail')]),
  result('unsure', 'incomplete', [check('open')]),
  result('known', 'fail', [check('fail')]),
  result('stale', 'pass', [check('pass')]),
];

/** The report on those of these names; on all without any. */
export const reportOnDrills = (names = DRILLS.map(({ drill }) => drill)): DrillsReport =>
  drillsReportOf(
    DRILLS.filter(({ drill }) => names.includes(drill)),
    { strict: false, createdAt: at },
    new Set(['known', 'stale']),
  );

export const DRILLS_RESULTS: Results = drillsResults(reportOnDrills());
