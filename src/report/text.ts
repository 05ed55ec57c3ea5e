/** The contract report in a few lines for people at a terminal: what was wrong, and what was never tried. */
import type { Occurrences, OperationReport, Report } from './report.ts';

/** The lines. They may hold what a client sent: whoever prints them makes them safe to show. */
export function reportLines({ verdict, reasons, totals, coverage, operations, strict }: Report): string[] {
  const head = { pass: 'contract kept', fail: 'contract broken', incomplete: 'contract not known to be kept' }[verdict];
  const why = reasons.length > 0 ? `: ${reasons.join('; ')}` : '';
  return [
    `${head}${strict ? ' (strict)' : ''}${why}`,
    ...operations.flatMap(findingLines),
    `  ${totals.exchanges} request${totals.exchanges === 1 ? '' : 's'}, ${coverage.seen} of ${coverage.documented} documented answers seen`,
    ...coverage.neverSeen.map(({ operation, status, hint }) => `  never seen: ${operation} ${status} (${hint})`),
  ];
}

function findingLines(report: OperationReport): string[] {
  const { operation, violations, brokenAnswers, warnings, rounded, unjudged, injected } = report;
  const line = (what: string, text: string, { count, requests: [first = ''] }: Occurrences): string =>
    `  ${operation} ${what}: ${text} (${first}${count > 1 ? ` and ${count - 1} more` : ''})`;
  return [
    ...violations.map((each) => line('violation', `${each.place}: ${each.message}`, each)),
    ...rounded.map((each) => line('rounded', `${each.place}: ${each.handedOut} came back as ${each.sent}`, each)),
    ...warnings.map((each) => line('warning', `${each.place}: ${each.message}`, each)),
    ...injected.map((each) => line('injected fault', each.fault, each)),
    ...unjudged.map((each) => line('unjudged', each.reason, each)),
    ...brokenAnswers.map((each) => line("the sandbox's own fault", `${each.place}: ${each.message}`, each)),
  ];
}
