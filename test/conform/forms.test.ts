/** The forms of an outcome, against the schemas of JUnit and SARIF. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Conformance, ConformCheckResult } from '../../src/conform/conform.ts';
import { type Form, inForm } from '../../src/conform/forms/forms.ts';
import { suite } from '../../src/conform/suite.ts';
import { junitProblems, sarifProblems } from '../support/published-schemas.ts';

const HOSTILE = '<script>alert("x")</script> \u001b[2J \u202e ]]> {0} [a](b)';

const resultOf = (result: Partial<ConformCheckResult>): ConformCheckResult => ({
  name: 'HEAD of the list: 200 without a body',
  section: 'Endpoints',
  rule: 'head',
  basis: 'sandbox',
  outcome: 'ok',
  differences: [],
  ...result,
});

const difference = { rule: 'schema', basis: 'specification', sent: HOSTILE, expected: 'a Pet', got: HOSTILE } as const;

/** One of everything. */
const conformance: Conformance = {
  url: 'https://example.com/v1',
  startedAt: '2026-03-02T09:30:00.000Z',
  endedAt: '2026-03-02T09:30:10.000Z',
  verdict: 'differs',
  counts: { ok: 1, differs: 1, accepted: 1, skipped: 1 },
  requests: 12,
  stale: [{ rule: 'sunset' }],
  results: [
    resultOf({}),
    resultOf({
      name: 'differs',
      section: 'List pets',
      rule: 'schema',
      basis: 'specification',
      outcome: 'differs',
      differences: [difference],
    }),
    resultOf({
      name: 'accepted',
      outcome: 'accepted',
      differences: [{ ...difference, rule: 'head', basis: 'sandbox', accepted: 'known' }],
    }),
    resultOf({ name: 'skipped', outcome: 'skipped', reason: HOSTILE }),
  ],
  created: [{ id: 9007199254740993n, sent: 'POST /v1/pets' }],
};

const options = { verbose: true, version: '1.2.3', specificationFile: 'spec/openapi.yaml' };
const written = (form: Form, of = conformance): Promise<string> => inForm(form, of, options);

test.each<Form>(['text', 'json', 'junit', 'sarif', 'html'])('%s is safe to show', async (form) => {
  const text = await written(form);
  for (const unsafe of ['\u001b', '\u202e']) expect(text).not.toContain(unsafe);
});

test('JUnit is valid: a failure for each difference and each stale line, an error for a run that was cut short', async () => {
  const xml = await written('junit');
  expect(await junitProblems(xml, ['List pets', 'Endpoints', 'run'])).toEqual([]);
  expect(xml).toMatch(/<testsuites name="petstore conformance" tests="6" failures="2" errors="0">/);
  expect(xml).toContain('<skipped message="');
  expect(await written('junit', { ...conformance, verdict: 'incomplete' })).toContain('errors="1"');
});

test('SARIF is valid: the specification gives errors, the sandbox warnings, and what is accepted is suppressed', async () => {
  const log = JSON.parse(await written('sarif'));
  expect(await sarifProblems(log)).toEqual([]);
  const [{ results, invocations }] = log.runs;
  const seen = results.map(({ ruleId, level, suppressions }: Record<string, unknown>) => [
    ruleId,
    level,
    suppressions !== undefined,
  ]);
  expect(seen).toEqual([
    ['schema', 'error', false],
    ['head', 'warning', true],
  ]);
  const lines = (await readFile('spec/openapi.yaml', 'utf8')).split('\n');
  const { physicalLocation } = results[0].locations[0];
  expect(lines[physicalLocation.region.startLine - 1]).toBe('    get:');
  expect(invocations[0].toolExecutionNotifications[0].message.text).toContain('"sunset" is gone');
});

test('JSON keeps every digit, and HTML escapes what a server sent', async () => {
  expect(await written('json')).toContain('"created":[{"id":9007199254740993,');
  const page = await written('html');
  expect(page).not.toContain('<script>');
  expect(page).toContain('&lt;script&gt;');
});

test('the name of every check fits into a line of known differences as it is printed', async () => {
  for (const { name, rule } of suite('a-key-of-somebody')) {
    const text = await written('text', {
      ...conformance,
      results: [resultOf({ name, rule, outcome: 'differs', differences: [{ ...difference, rule }] })],
    });
    expect(text.split('\n')).toContain(`  ${rule}: ${name}`);
  }
});
