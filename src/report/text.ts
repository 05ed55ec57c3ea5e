/** The contract report in a few lines for people at a terminal: findings, and responses that were never seen. */
import { type Finding, findingsOf, fixOf, notesOf, sampleLine, subjectOf } from './findings.ts';
import type { Occurrences, OperationReport, Report } from './report.ts';

export interface TextOptions {
  /** Include documented responses that were never seen; true if omitted. */
  readonly verbose?: boolean;
}

/** The lines. They may contain text of a client. Escape them before printing. */
export function reportLines(report: Report, { verbose = true }: TextOptions = {}): string[] {
  const { verdict, reasons, totals, coverage, operations, strict } = report;
  const head = {
    pass: 'contract check passed',
    fail: 'contract check failed',
    incomplete: 'contract check incomplete',
  }[verdict];
  const why = reasons.length > 0 ? `: ${reasons.join('; ')}` : '';
  return [
    `${head}${strict ? ' (strict)' : ''}${why}`,
    ...findingsOf(report).flatMap(findingLines),
    ...operations.flatMap(otherLines),
    `  ${totals.exchanges} request${totals.exchanges === 1 ? '' : 's'}, ${coverage.seen} of ${coverage.documented} documented responses seen`,
    ...notesOf(report).map((note) => `  note: ${note}`),
    ...(verbose ? neverSeenLines(report) : []),
  ];
}

const neverSeenLines = ({ coverage }: Report): string[] =>
  coverage.untested.map(({ operation, status, hint }) => `  never seen: ${operation} ${status} (${hint})`);

/** The problem, the first request with it, and how to fix the client. */
function findingLines(finding: Finding): string[] {
  const { level, location, message } = finding;
  return [
    lineOf(subjectOf(finding), KINDS[level], `${location}: ${message}`, finding),
    `    ${sampleLine(finding)}`,
    `    ${fixOf(finding)}`,
  ];
}

const KINDS: Readonly<Record<Finding['level'], string>> = {
  error: 'violation',
  warning: 'warning',
  note: "the sandbox's own fault",
};

function otherLines({
  operation,
  validationFailures,
  injectedFaults: injected,
  expectedInvalid,
}: OperationReport): string[] {
  return [
    ...expectedInvalid.map((each) => lineOf(operation, 'expectedInvalid', `${each.location}: ${each.message}`, each)),
    ...injected.map((each) => lineOf(operation, 'injected fault', each.fault, each)),
    ...validationFailures.map((each) => lineOf(operation, 'not validated', each.reason, each)),
  ];
}

const lineOf = (about: string, what: string, text: string, { count, requests: [first = ''] }: Occurrences): string =>
  `  ${about} ${what}: ${text} (${first}${count > 1 ? ` and ${count - 1} more` : ''})`;
