/** The contract report as results. */

import { LAST } from '../requests/runs.ts';
import { itemsOf, resultsOf, VERDICTS } from './finding-results.ts';
import { namesInShort } from './merge.ts';
import { isCovered, type OperationReport, type Report } from './report.ts';
import type { Group, Item, Results } from './results.ts';

export function reportResults(report: Report): Results {
  const { strict, coverage, label, sandbox, since, createdAt, operations, merged } = report;
  return resultsOf(report, {
    kind: 'contract',
    name: 'contract check',
    strict,
    figures: [`${coverage.seen} of ${coverage.documented} documented responses seen`],
    about: [...(label ? [label] : []), sandbox],
    startedAt: since,
    endedAt: createdAt,
    groups: operations.map((each) => groupOf(each, report)),
    ...{ complete: 'everything was seen and validated', counted: 'every failure is listed' },
    notes: [...lastRunInWords(report), ...(merged ? mergeNotes(merged) : [])],
  });
}

/** An operation: a case for each documented response, finding, and request that was invalid on purpose. */
function groupOf(operation: OperationReport, report: Report): Group {
  const { operation: name, method, path, deprecated, responses } = operation;
  const hints = report.coverage.untested.filter((each) => each.operation === name);
  return {
    name,
    about: `${method} ${path}${deprecated ? ', deprecated' : ''}`,
    items: [
      ...responses.map((each): Item => {
        const { status, seen, unexpected, description } = each;
        const response = `response ${status}: ${description}`;
        if (isCovered(each)) return { name: response, status: 'passed', remarks: [`${seen} ×`] };
        const hint = hints.find((each) => each.status === status)?.hint ?? '';
        return {
          name: response,
          status: 'skipped',
          remarks: [`${unexpected > 0 ? 'not covered' : `${status} not tested`}: ${hint}`],
        };
      }),
      ...report.findings.filter((each) => each.operation === name).flatMap(itemsOf),
    ],
  };
}

/** `last run (suite, run 2): passed; fixed 2, new 1, still 3 against suite, run 1` */
function lastRunInWords({ lastRun }: Report): string[] {
  if (lastRun === null) return [];
  const { run, verdict, against } = lastRun;
  const counts = [
    ['fixed', lastRun.fixed],
    ['new', lastRun.new],
    ['still', lastRun.still],
  ] as const;
  const changes = counts.flatMap(([word, count]) => (count === 0 ? [] : [`${word} ${count}`])).join(', ');
  const compared = against === null ? '' : `; ${changes === '' ? 'the same as' : `${changes} against`} ${against}`;
  return [`last run${run === LAST ? '' : ` (${run})`}: ${VERDICTS[verdict]}${compared}`];
}

/** Which of the reports did not pass. */
function mergeNotes({ reports, duplicates }: NonNullable<Report['merged']>): string[] {
  if (reports.length < 2) return [...duplicates];
  const those = (which: Report['verdict']): string[] => {
    const names = reports.filter(({ verdict }) => verdict === which).map(({ name }) => name);
    return names.length === 0
      ? []
      : [`${names.length} of ${reports.length} reports ${VERDICTS[which]}: ${namesInShort(names)}`];
  };
  return [...those('fail'), ...those('incomplete'), ...duplicates];
}
