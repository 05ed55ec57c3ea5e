/** The contract report as results. */

import { LAST } from '../../traffic/runs.ts';
import { itemsOf, resultsOf } from './finding-results.ts';
import { namesInShort } from './merge.ts';
import { isCovered, type OperationReport, type Report } from './report.ts';
import { type Group, type Item, type Results, VERDICTS } from './results.ts';

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
    notes: [...outcomeInWords(report), ...(merged ? mergeNotes(merged) : [])],
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

/** `last run (suite, run 2): passed; fixed 2, new 1, still 3 against suite, run 1; not tried: createPet` */
function outcomeInWords({ run: about, outcome }: Report): string[] {
  if (outcome === null) return [];
  const { run, verdict, against, fixed, still, notTried } = outcome;
  const name = run === LAST ? 'last run' : about === null ? `last run (${run})` : run;
  const isSame = verdict === 'pass' && fixed + outcome.new + still === 0 && notTried.length === 0;
  const changes = `fixed ${fixed}, new ${outcome.new}${still === 0 ? '' : `, still ${still}`} against`;
  return [
    `${name}: ${[
      VERDICTS[verdict].word,
      ...(against === null ? [] : [`${isSame ? 'the same as' : changes} ${against}`]),
      ...(notTried.length === 0 ? [] : [`not tried: ${notTried.join(', ')}`]),
    ].join('; ')}`,
  ];
}

/** Which of the reports did not pass. */
function mergeNotes({ reports, duplicates }: NonNullable<Report['merged']>): string[] {
  if (reports.length < 2) return [...duplicates];
  const those = (which: Report['verdict']): string[] => {
    const names = reports.filter(({ verdict }) => verdict === which).map(({ name }) => name);
    return names.length === 0
      ? []
      : [`${names.length} of ${reports.length} reports ${VERDICTS[which].word}: ${namesInShort(names)}`];
  };
  return [...those('fail'), ...those('incomplete'), ...duplicates];
}
