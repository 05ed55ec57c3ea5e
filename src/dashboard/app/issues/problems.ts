/** The problems of a report: each with what it is, and how to find it in the request log. */
import type { Occurrences, Report } from '../../../report/report.ts';
import { visible } from '../kit/visible.ts';
import type { Summary } from '../traffic/live.ts';
import { violationWords, warningWords } from '../traffic/row-words.ts';

export interface Problem extends Occurrences {
  readonly kind: 'bad' | 'warn' | 'fault';
  /** What kind of problem it is, in a word or two: `Violation`. */
  readonly label: string;
  readonly operation: string;
  /** The problem in a few words: `limit must be <= 100`. */
  readonly title: string;
  /** The place in the message: `query/limit`. */
  readonly location?: string;
  /** A pointer into the specification. */
  readonly pointer?: string;
  /** The filter of the traffic that finds requests like these. */
  readonly show?: 'violations' | 'findings' | 'faults';
  /** Whether later requests without it show that the client was mended: a behavior warning shows over several requests. */
  readonly canBeFixed?: boolean;
  /** Whether an exchange has this problem. */
  readonly isIn: (exchange: Summary) => boolean;
}

type Words = Pick<Problem, 'title' | 'location' | 'pointer'>;
type Group = Pick<Problem, 'kind' | 'label' | 'show' | 'canBeFixed'>;
type Operation = Report['operations'][number];

/** The lists of findings of an operation. */
type Lists = 'violations' | 'rounded' | 'brokenResponses' | 'validationFailures' | 'warnings' | 'injectedFaults';

/** Reads one list of findings from all operations. */
const listOf =
  ({ operations }: Report) =>
  <List extends Lists>(
    list: List,
    group: Group,
    wordsOf: (found: Operation[List][number]) => Words,
    isIn: (found: Operation[List][number], exchange: Summary) => boolean,
  ): Problem[] =>
    operations.flatMap(({ operation, [list]: all }) =>
      (all as readonly Operation[List][number][]).map((found) => ({
        ...occurrencesOf(found),
        ...group,
        ...wordsOf(found),
        operation,
        isIn: (exchange) => exchange.operation === operation && isIn(found, exchange),
      })),
    );

const named = (group: Group, operation: string | null, message: string, found: Occurrences): Problem => ({
  ...occurrencesOf(found),
  ...group,
  operation: operation === null ? 'Several operations' : visible(operation),
  title: shown(message),
  isIn: (exchange) => isListed(found, exchange),
});

/** The gravest first. */
export function problemsIn(report: Report): readonly Problem[] {
  const { behavior, noOperation } = report;
  const of = listOf(report);
  return [
    ...of(
      'violations',
      { kind: 'bad', label: 'Violation', show: 'violations', canBeFixed: true },
      violation,
      hasViolation,
    ),
    ...noOperation.map((found) =>
      named({ kind: 'bad', label: 'No operation' }, `${found.method} ${found.path}`, found.message, found),
    ),
    ...of('rounded', { kind: 'bad', label: 'Rounded integer' }, rounding, isListed),
    ...of('brokenResponses', { kind: 'bad', label: 'Violation of the sandbox' }, violation, hasViolation),
    ...of(
      'validationFailures',
      { kind: 'bad', label: 'Not validated' },
      ({ reason }) => ({ title: shown(reason) }),
      ({ reason }, exchange) => exchange.validationError === reason,
    ),
    ...of('warnings', { kind: 'warn', label: 'Warning', show: 'findings', canBeFixed: true }, warning, hasWarning),
    ...behavior.found.map((found) => named({ kind: 'warn', label: 'Behavior' }, found.operation, found.message, found)),
    ...behavior.lostCreations.map((found) =>
      named({ kind: 'fault', label: 'Lost response' }, found.operation, found.message, found),
    ),
  ];
}

/** The faults that were triggered: what the sandbox did on purpose. */
export const injectedIn = (report: Report): readonly Problem[] =>
  listOf(report)(
    'injectedFaults',
    { kind: 'fault', label: 'Fault', show: 'faults' },
    ({ fault }) => ({ title: visible(fault) }),
    ({ fault }, exchange) => exchange.injectedFault === fault,
  );

const occurrencesOf = ({ sample, count, requests, last }: Occurrences): Occurrences => ({
  sample,
  count,
  requests,
  last,
});

type Placed = { readonly location: string; readonly rule: string };

const isSame = (a: Placed, b: Placed): boolean => a.location === b.location && a.rule === b.rule;

const hasViolation = (found: Placed, { violations }: Summary): boolean =>
  violations.some((each) => isSame(each, found));

const hasWarning = (found: Placed, { warnings }: Summary): boolean => warnings.some((each) => isSame(each, found));

const isListed = ({ requests, last }: Occurrences, { id }: Summary): boolean => requests.includes(id) || last === id;

const violation = (found: Operation['violations'][number]): Words => ({
  title: violationWords(found),
  location: visible(found.location),
  pointer: found.pointer,
});

const warning = (found: Operation['warnings'][number]): Words => ({
  title: warningWords(found),
  location: visible(found.location),
});

const rounding = ({ location, sent, handedOut }: Operation['rounded'][number]): Words => ({
  title: `${handedOut} was returned, ${sent} came back: the client reads it as a floating-point number`,
  location: visible(location),
});

const shown = (message: string): string => visible(message.replaceAll('`', ''));
