/** The outcome as JUnit XML: one suite per section, one case per check. */
import { printable } from '../../client/text.ts';
import { type JUnitCase, junitSuiteOf, junitXml, type Note } from '../../report/junit.ts';
import type { Conformance, ConformCheckResult } from '../conform.ts';
import { lineOf } from '../known-differences.ts';
import { BASIS_WORDS } from '../rules.ts';

/** Checks with differences and stale known differences fail; skipped checks state their reason. */
export function junitOf({ results, stale, startedAt, verdict }: Conformance): Promise<string> {
  const sections = [...new Set(results.map(({ section }) => section))];
  const suites = sections.map((section) =>
    junitSuiteOf(section, results.filter((result) => result.section === section).map(caseOf), startedAt),
  );
  return junitXml('petstore conformance', [
    ...suites,
    junitSuiteOf('run', [endCase(verdict), ...stale.map((known) => staleCase(lineOf(known)))], startedAt),
  ]);
}

function caseOf({ name, outcome, reason = '', differences }: ConformCheckResult): JUnitCase {
  if (outcome === 'ok') return { name };
  if (outcome === 'skipped') return { name, outcome: { skipped: { '@message': printable(reason) } } };
  const text = differences.map(inWords).join('\n\n');
  if (outcome === 'accepted') return { name, outcome: { 'system-out': printableLines(text) } };
  const [first] = differences.filter(({ accepted }) => accepted === undefined);
  return { name, outcome: { failure: noteOf(`expected ${first?.expected}`, first?.rule ?? '', text) } };
}

const inWords = ({ rule, basis, sent, expected, got, accepted }: ConformCheckResult['differences'][number]): string =>
  [
    `${rule}, ${BASIS_WORDS[basis]}${accepted === undefined ? '' : `, ${accepted}`}`,
    `sent      ${sent}`,
    `expected  ${expected}`,
    `got       ${got}`,
  ].join('\n');

function endCase(verdict: Conformance['verdict']): JUnitCase {
  const name = 'every check ran to its end';
  const message = 'the run was cut short; nothing differs so far';
  return verdict === 'incomplete' ? { name, outcome: { error: noteOf(message, 'incomplete', message) } } : { name };
}

function staleCase(line: string): JUnitCase {
  const message = 'this known difference is gone; take it off the list';
  return { name: line, outcome: { failure: noteOf(message, 'stale', message) } };
}

const noteOf = (message: string, type: string, text: string): Note => ({
  '@message': printable(message),
  '@type': type,
  '#text': printableLines(text),
});

/** Keeps line breaks; everything else is escaped. */
const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
