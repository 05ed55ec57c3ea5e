/** Results of drills with one of everything in them, and texts from outside that do harm. */
import type { DrillResult } from '../../../src/client/run-drill.ts';
import type { Check, Grade } from '../../../src/verdict/drills/drill.ts';
import { type DrillsReport, drillsReportOf, drillsResults } from '../../../src/verdict/drills/drills-report.ts';
import { gradeDrill } from '../../../src/verdict/drills/grade.ts';
import type { Results } from '../../../src/verdict/report/results.ts';
import { createPet } from '../../support/exchanges.ts';
import { HOSTILE } from './clients.ts';

const WORDS = HOSTILE.join(' ');
const at = Date.UTC(2026, 10, 22, 10);
const exchange = createPet('{}', {
  ...{ id: 'req_1', at, respondedAt: at + 1_000, durationMs: 1_000, changes: { created: [13n] } },
  ...{ request: { target: `/v1/pets?${WORDS}` }, response: { status: 201 }, injectedFault: { status: 503 } },
  verdict: { violations: [], warnings: [] },
});

const check = (status: Grade['status'], level: Check['level'] = 'must'): Check => ({
  ...{ id: `${level}-${status}`, level, title: 'There is at most one pet.', source: 'RFC 9110, section 9.2.2' },
  fix: 'Exclude POST from automatic retries.',
  grade: () => ({ status, words: WORDS, measured: '2', expected: 'at most 1', exchanges: [exchange] }),
});
const result = (id: string, ...checks: Check[]): DrillResult =>
  gradeDrill(
    {
      ...{ id, group: 'writes', title: 'The connection is reset.', task: 'create', times: 1, fixture: 'default' },
      ...{ faults: [], isMet: () => true, checks },
    },
    {
      ...{ exchanges: [exchange], dropped: 0, petName: 'Doppel', petId: undefined, petsOfName: [] },
      outcome: { success: true, crashed: false, missing: null, at },
    },
    { strict: false, startedAt: at },
  );

/** One in each state, named after it. */
const DRILLS = [
  result('passes', check('pass'), check('fail', 'should'), check('skipped')),
  result('fails', check('fail')),
  result('unsure', check('open')),
  result('known', check('fail')),
  result('stale', check('pass')),
];

/** The report on those of these names; on all without any. */
export const reportOnDrills = (names = DRILLS.map(({ drill }) => drill)): DrillsReport =>
  drillsReportOf(
    DRILLS.filter(({ drill }) => names.includes(drill)),
    { strict: false, createdAt: new Date(at).toISOString() },
    new Set(['known', 'stale']),
  );

export const DRILLS_RESULTS: Results = drillsResults(reportOnDrills());
