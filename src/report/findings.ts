/** The findings of a report as one list, in words: what three of its forms are made of. */
import type { Occurrences, OperationReport, Report } from './report.ts';

/** One kind of finding in one operation. */
export interface Finding extends Occurrences {
  readonly operation: OperationReport;
  /** `error`: it makes the verdict `fail`. `warning`: it does so only in a strict report. `note`: it never does. */
  readonly level: 'error' | 'warning' | 'note';
  /** Names the kind: `request/maximum`, `unknown-field`, `int64-rounded`. */
  readonly rule: string;
  /** Place in the message: `query/limit`. */
  readonly place: string;
  /** Place in the document; the operation itself where there is no closer one. */
  readonly pointer: string;
  readonly message: string;
}

/** Everything that was found, the gravest first. */
export function findingsOf({ operations }: Report): Finding[] {
  const all = operations.flatMap((operation) => [
    ...operation.violations.map((violation) => ({
      ...violation,
      operation,
      level: 'error' as const,
      rule: `request/${violation.rule}`,
    })),
    ...operation.rounded.map(({ place, sent, handedOut, ...occurrences }) => ({
      ...occurrences,
      operation,
      level: 'error' as const,
      rule: 'int64-rounded',
      place,
      pointer: pointerOf(operation),
      message: `the client was given ${handedOut} and came back with ${sent}: it reads int64 into a double`,
    })),
    ...operation.brokenAnswers.map((violation) => ({
      ...violation,
      operation,
      level: 'note' as const,
      rule: `answer/${violation.rule}`,
      message: `${violation.message} (a bug of the sandbox, not of the client)`,
    })),
    ...operation.warnings.map((warning) => ({
      ...warning,
      operation,
      level: 'warning' as const,
      pointer: pointerOf(operation),
    })),
  ]);
  return LEVELS.flatMap((level) => all.filter((finding) => finding.level === level));
}

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
