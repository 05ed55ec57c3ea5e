/** All that a report found, in one list: whoever shows a report shows every kind, because a kind without a row is no valid program. */
import { pointerTo } from '../core/pointer.ts';
import type { components } from '../generated/control-api.d.ts';
import { basePath } from '../generated/facts.ts';

type Report = components['schemas']['Report'];
type Occurrences = components['schemas']['Occurrences'];
type OperationReport = components['schemas']['ReportOperation'];

/** What is found, with what to do about it. */
type Found = Occurrences & { readonly message: string; readonly title: string; readonly fix: string };

/** `error`: a failure. `open`: a rejection, and nobody knows whether the client is wrong. `note`: the server is wrong. */
export type ListedKind = 'error' | 'open' | 'warning' | 'note';

/** A finding with its place. */
export interface ListedFinding extends Found {
  readonly kind: ListedKind;
  readonly rule: string;
  /** An operation, or what stands for none: `no operation`. */
  readonly subject: string;
  readonly location: string;
  /** Into the specification. */
  readonly pointer: string;
}

/** The names of the lists of findings in a report, or in an operation of it. */
type ListsIn<Owner> = { [Name in keyof Owner]-?: Owner[Name] extends readonly Found[] ? Name : never }[keyof Owner];

/** What each list of an operation contains, and what its rules begin with. */
const OF_OPERATION: Readonly<Record<ListsIn<OperationReport>, readonly [ListedKind, side?: string]>> = {
  violations: ['error', 'request/'],
  rounded: ['error'],
  rejected: ['open'],
  brokenResponses: ['note', 'response/'],
  warnings: ['warning'],
};

/** What each list of requests without an operation contains. */
const OF_NONE: Readonly<
  Record<ListsIn<Report>, readonly [ListedKind, rule: string, subject: string, pointer: string]>
> = {
  noOperation: ['error', 'no-operation', 'no operation', '#/paths'],
  malformed: ['error', 'malformed-http', 'no operation', '#/paths'],
  unmatched: ['open', 'unmatched', 'no sandbox', '#/components/securitySchemes'],
};

/** @param server what responded, in words */
export function listedFindings(report: Report, server = 'sandbox'): ListedFinding[] {
  const ofOperations = report.operations.flatMap((operation) =>
    entriesOf(OF_OPERATION).flatMap(([list, [kind, side = '']]) =>
      operation[list].map((each): ListedFinding => {
        const rule = 'rule' in each ? `${side}${each.rule}` : 'int64-rounded';
        const pointer = 'pointer' in each ? each.pointer : pathPointer(operation);
        const message = kind === 'note' ? `${each.message} (a bug of the ${server}, not of the client)` : each.message;
        return { ...each, kind, rule, subject: operation.operation, pointer, message };
      }),
    ),
  );
  const ofNone = entriesOf(OF_NONE).flatMap(([list, [kind, rule, subject, pointer]]) =>
    report[list].map(({ method, path, ...each }): ListedFinding => {
      return { ...each, kind, rule, subject, pointer, location: `${method} ${path}` };
    }),
  );
  const ofBehavior = report.behavior.found.map((each): ListedFinding => {
    const operation = report.operations.find(({ operation: name }) => name === each.operation);
    const pointer = operation ? pathPointer(operation) : '#/paths';
    const subject = operation?.operation ?? 'several operations';
    return { ...each, kind: 'warning', subject, pointer, location: 'behavior' };
  });
  return [...ofOperations, ...ofNone, ...ofBehavior];
}

const entriesOf = <Name extends string, Value>(table: Readonly<Record<Name, Value>>): [Name, Value][] =>
  Object.entries(table) as [Name, Value][];

const pathPointer = ({ path, method }: OperationReport): string =>
  pointerTo({ path: path.slice(basePath.length), method });

/** What is no finding, and changes how a report reads: responses that nothing documents, faults, and what was not validated. */
export function remarksOn(operation: OperationReport): string[] {
  const { operation: name, otherResponses, injectedFaults, validationFailures } = operation;
  return [
    ...otherResponses
      .filter(({ seen }) => seen > 0)
      .map(
        ({ status, seen }) => `${name}: ${status === 0 ? 'no response' : status}, which is not documented, ${seen} ×`,
      ),
    ...injectedFaults.map((each) => `${name}: injected fault ${each.fault}, ${timesOf(each)}`),
    ...validationFailures.map((each) => `${name}: not validated: ${each.reason}, ${timesOf(each)}`),
  ];
}

/** `2 × (req_…)` */
const timesOf = ({ count, requests: [first], last }: Occurrences): string => `${count} × (${first ?? last})`;
