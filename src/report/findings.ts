/** The findings of a report as one list of texts, used by three of its formats. */
import type { Occurrences, OperationReport, Report } from './report.ts';
import { ruleOf } from './rules.ts';

/** One kind of finding in one operation. */
export interface Finding extends Occurrences {
  /** `undefined` for a finding that concerns no single operation. */
  readonly operation: OperationReport | undefined;
  /** `error`: the verdict becomes `fail`. `warning`: only in a strict report. `note`: never. */
  readonly level: 'error' | 'warning' | 'note';
  /** The kind: `request/maximum`, `unknown-field`, `int64-rounded`. */
  readonly rule: string;
  /** Location in the message: `query/limit`. */
  readonly location: string;
  /** Location in the specification; the operation itself if there is no closer one. */
  readonly pointer: string;
  readonly message: string;
}

/** All findings, most severe first. */
export function findingsOf({ operations, noOperation, behavior }: Report): Finding[] {
  const ofOperations = operations.flatMap((operation) => [
    ...operation.violations.map((violation) => ({
      ...violation,
      operation,
      level: 'error' as const,
      rule: `request/${violation.rule}`,
    })),
    ...operation.rounded.map(({ location, sent, handedOut, ...occurrences }) => ({
      ...occurrences,
      operation,
      level: 'error' as const,
      rule: 'int64-rounded',
      location,
      pointer: pointerOf(operation),
      message: `the client was given ${handedOut} and came back with ${sent}: it reads int64 into a double`,
    })),
    ...operation.brokenResponses.map((violation) => ({
      ...violation,
      operation,
      level: 'note' as const,
      rule: `response/${violation.rule}`,
      message: `${violation.message} (a bug of the sandbox, not of the client)`,
    })),
    ...operation.warnings.map((warning) => ({
      ...warning,
      operation,
      level: 'warning' as const,
      pointer: pointerOf(operation),
    })),
  ]);
  const ofBehavior = behavior.found.map((warning) => {
    const operation = operations.find((each) => each.operation === warning.operation);
    const pointer = operation ? pointerOf(operation) : '#/paths';
    return { ...warning, operation, level: 'warning' as const, location: 'behavior', pointer };
  });
  const ofNone = noOperation.map(({ method, path, ...finding }) => ({
    ...finding,
    operation: undefined,
    level: 'error' as const,
    rule: NO_OPERATION,
    location: `${method} ${path}`,
    pointer: '#/paths',
  }));
  const all: Finding[] = [...ofOperations, ...ofNone, ...ofBehavior];
  return LEVELS.flatMap((level) => all.filter((finding) => finding.level === level));
}

/** The rule of a request without a matching operation. */
const NO_OPERATION = 'no-operation';

const LEVELS = ['error', 'warning', 'note'] as const;

/** `#/paths/~1pets/get` */
export const pointerOf = ({ path, method }: OperationReport): string =>
  `#/paths/${path.slice('/v1'.length).replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}`;

/** `3 times, first in req_…, last in req_…` */
export function whereOf({ count, requests, last }: Occurrences): string {
  const [first = last] = requests;
  if (count === 1) return `in request ${first}`;
  return `${count} times, first in request ${first}, last in ${last}`;
}

/** How to fix the client, as a sentence: the part to send, or the rule's help text if none can be derived. */
export function fixOf({ rule, sample: { sent, instead } }: Pick<Finding, 'rule' | 'sample'>): string {
  if (instead === null) return ruleOf(rule).help;
  return sent === null ? `Send ${instead}` : `Send ${instead} instead of ${sent}`;
}

/** `GET /v1/pets?limit=500 → 400` */
export const sampleLine = ({ sample: { request, status } }: Occurrences): string =>
  `${request} → ${status === 0 ? 'no response' : status}`;

/** The operation that a finding concerns. */
export const subjectOf = ({ operation, rule }: Finding): string =>
  operation?.operation ?? (rule === NO_OPERATION ? 'no operation' : 'several operations');

/**
 * What the reader should know and no verdict depends on: lost creations, and requests that no behavior warning was searched in.
 */
export const notesOf = ({ behavior: { exchanges, dropped, lostCreations } }: Report): string[] => [
  ...lostCreations.map(({ message }) => message),
  ...(dropped === 0
    ? []
    : [`behavior warnings were looked for in the last ${exchanges} requests; the request log had dropped ${dropped}`]),
];
