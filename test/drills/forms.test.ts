/** The forms of drills, against the schemas of JUnit and SARIF, and safe to show. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type DrillsReport, drillsReportOf } from '../../src/drills/drills-report.ts';
import type { CheckResult, DrillResult } from '../../src/drills/grade.ts';
import { drillsHtmlOf } from '../../src/drills/html.ts';
import { drillsJunitOf } from '../../src/drills/junit.ts';
import { drillsSarifOf } from '../../src/drills/sarif.ts';
import { junitProblems, sarifProblems } from '../support/published-schemas.ts';

const HOSTILE = '<script>alert("x")</script> \u001b[2J \u202e ]]> {0} [a](b)';
const at = '2026-11-22T10:00:00.000Z';

const check = (status: CheckResult['status'], level: CheckResult['level'] = 'must'): CheckResult => ({
  id: `${level}-${status}`,
  level,
  title: 'There is at most one pet.',
  source: 'RFC 9110, section 9.2.2',
  status,
  words: HOSTILE,
  measured: '2',
  expected: 'at most 1',
  requests: ['req_1'],
});
const result = (drill: string, verdict: DrillResult['verdict'], checks: CheckResult[]): DrillResult => ({
  drill,
  group: 'writes',
  title: 'The connection is reset.',
  task: 'create',
  petName: 'Doppel',
  petId: null,
  strict: false,
  startedAt: at,
  outcome: null,
  verdict,
  reason: verdict === 'pass' ? null : HOSTILE,
  checks,
  requests: [],
});

/** One drill in each state, named after it. */
const RESULTS = [
  result('passes', 'pass', [check('pass'), check('fail', 'should'), check('skipped')]),
  result('fails', 'fail', [check('fail')]),
  result('unsure', 'incomplete', [check('open')]),
  result('known', 'fail', [check('fail')]),
  result('stale', 'pass', [check('pass')]),
];
const reportOf = (results: readonly DrillResult[]): DrillsReport =>
  drillsReportOf(results, { expected: new Set(['known', 'stale']), strict: false, createdAt: at });
const report = reportOf(RESULTS);
const sarif = () => drillsSarifOf(report, { version: '1.2.3', specificationFile: 'spec/openapi.yaml' });

test('a failure and a stale known failure fail all, and what is unsure makes all incomplete', () => {
  const verdictOf = (...names: string[]) => reportOf(RESULTS.filter(({ drill }) => names.includes(drill))).verdict;
  expect(report.drills.map(({ state }) => state)).toEqual(['pass', 'fail', 'incomplete', 'known', 'stale']);
  expect([
    verdictOf('passes', 'known'),
    verdictOf('passes', 'unsure'),
    verdictOf('unsure', 'stale'),
    verdictOf('fails'),
    verdictOf(),
  ]).toEqual(['pass', 'incomplete', 'fail', 'fail', 'incomplete']);
});

test('JUnit is valid: a failed must is a failure, what is unsure an error, and a known failure neither', async () => {
  const xml = await drillsJunitOf(report);
  expect(await junitProblems(xml, ['writes'])).toEqual([]);
  expect(xml).toMatch(/<testsuites name="petstore drills" tests="\d+" failures="2" errors="1">/);
});

test('SARIF is valid: a must is an error, a should a warning, and a known failure is suppressed', async () => {
  const log = JSON.parse(await sarif());
  expect(await sarifProblems(log)).toEqual([]);
  const [{ results, invocations }] = log.runs;
  expect(
    results.map(({ ruleId, level, suppressions }: Record<string, unknown>) => [
      ruleId,
      level,
      suppressions !== undefined,
    ]),
  ).toEqual([
    ['passes/should-fail', 'warning', false],
    ['fails/must-fail', 'error', false],
    ['known/must-fail', 'error', true],
  ]);
  const lines = (await readFile('spec/openapi.yaml', 'utf8')).split('\n');
  expect(lines[results[0].locations[0].physicalLocation.region.startLine - 1]).toBe('    post:');
  expect(invocations[0].executionSuccessful).toBe(false);
});

test('every form is safe to show', async () => {
  for (const text of [drillsHtmlOf(report), await drillsJunitOf(report), await sarif()]) {
    for (const unsafe of ['\u001b', '\u202e']) expect(text).not.toContain(unsafe);
  }
  expect(drillsHtmlOf(report)).not.toContain('<script>');
});
