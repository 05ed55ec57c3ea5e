/** Drills as JUnit XML: one suite a group, one case a check. */
import { printable } from '../client/text.ts';
import { type JUnitCase, junitSuiteOf, junitXml } from '../report/junit.ts';
import type { DrillsReport } from './drills-report.ts';
import { stateInWords } from './drills-report.ts';
import type { CheckResult } from './grade.ts';

export const drillsJunitOf = (report: DrillsReport): Promise<string> =>
  junitXml(
    'petstore drills',
    report.groups.map(({ group }) =>
      junitSuiteOf(
        group,
        report.drills.filter((drill) => drill.group === group).flatMap((drill) => casesOf(drill, report.strict)),
        report.createdAt,
      ),
    ),
  );

function casesOf(drill: DrillsReport['drills'][number], strict: boolean): JUnitCase[] {
  const { state } = drill;
  const cases = drill.checks.map((check) => caseOf(drill, check, strict));
  if (state !== 'incomplete' && state !== 'stale') return cases;
  const message = printable(stateInWords(drill));
  const note = { '@message': message, '@type': state, '#text': message };
  return [...cases, { name: drill.drill, outcome: state === 'stale' ? { failure: note } : { error: note } }];
}

function caseOf({ drill, state }: DrillsReport['drills'][number], check: CheckResult, strict: boolean): JUnitCase {
  const { id, level, title, status, expected, source, requests } = check;
  const words = printable(check.words);
  const name = `${drill}/${id}: ${title}`;
  if (status === 'pass') return { name };
  if (status !== 'fail') return { name, outcome: { skipped: { '@message': words } } };
  const text = [words, `expected ${expected ?? title}`, source, requests.join(' ')].join('\n');
  const isFailure = (level === 'must' || strict) && state !== 'known';
  return {
    name,
    outcome: isFailure ? { failure: { '@message': words, '@type': level, '#text': text } } : { 'system-out': text },
  };
}
