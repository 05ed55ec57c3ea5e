/** The problems of a report, in groups: each with what it is, and how to find it in the journal. */
import type { ComponentChildren } from 'preact';
import type { Occurrences, Report } from '../../../report/report.ts';
import type { Summary } from '../traffic/kept.ts';

export interface Problem extends Occurrences {
  readonly operation: string;
  readonly what: ComponentChildren;
  /** A pointer into the specification. */
  readonly where: string | undefined;
  /** Whether an exchange has this problem. */
  readonly isIn: (exchange: Summary) => boolean;
}

export interface Group {
  readonly title: string;
  readonly kind: 'bad' | 'warn' | 'fault';
  /** Whether later requests without it show that the client was mended: a habit shows over several requests. */
  readonly canBeFixed?: boolean;
  readonly problems: readonly Problem[];
}

type Operation = Report['operations'][number];

/** The lists of findings of an operation. */
type Lists = 'violations' | 'rounded' | 'brokenResponses' | 'unjudged' | 'warnings' | 'injected';

/** Reads one list of findings from all operations. */
const listOf =
  ({ operations }: Report) =>
  <List extends Lists>(
    list: List,
    what: (found: Operation[List][number]) => ComponentChildren,
    isIn: (found: Operation[List][number], exchange: Summary) => boolean,
    where: (found: Operation[List][number]) => string | undefined = () => undefined,
  ): Problem[] =>
    operations.flatMap(({ operation, [list]: all }) =>
      (all as readonly Operation[List][number][]).map((found) => ({
        ...occurrencesOf(found),
        operation,
        what: what(found),
        where: where(found),
        isIn: (exchange) => exchange.operation === operation && isIn(found, exchange),
      })),
    );

const named = (operation: string | null, message: string, found: Occurrences): Problem => ({
  ...occurrencesOf(found),
  operation: operation ?? 'Several operations',
  what: message,
  where: undefined,
  isIn: (exchange) => isListed(found, exchange),
});

/** All groups, empty ones included, the gravest first. */
export function problemsIn(report: Report): readonly Group[] {
  const { habits, noOperation } = report;
  const of = listOf(report);
  return [
    {
      title: 'Violations',
      kind: 'bad',
      canBeFixed: true,
      problems: of('violations', placed, hasViolation, ({ pointer }) => pointer),
    },
    {
      title: 'Requests to no operation',
      kind: 'bad',
      problems: noOperation.map((found) => named(`${found.method} ${found.path}`, found.message, found)),
    },
    { title: 'Large integers that came back rounded', kind: 'bad', problems: of('rounded', rounding, isListed) },
    {
      title: 'Responses of the sandbox that break the specification',
      kind: 'bad',
      problems: of('brokenResponses', placed, hasViolation, ({ pointer }) => pointer),
    },
    {
      title: 'Not judged',
      kind: 'bad',
      problems: of(
        'unjudged',
        ({ reason }) => reason,
        ({ reason }, exchange) => exchange.unjudged === reason,
      ),
    },
    { title: 'Warnings', kind: 'warn', canBeFixed: true, problems: of('warnings', placed, hasWarning) },
    {
      title: 'Habits',
      kind: 'warn',
      problems: habits.found.map((found) => named(found.operation, found.message, found)),
    },
    {
      title: 'Lost responses to creations',
      kind: 'fault',
      problems: habits.lostCreations.map((found) => named(found.operation, found.message, found)),
    },
    {
      title: 'Injected faults',
      kind: 'fault',
      problems: of(
        'injected',
        ({ fault }) => <code>{fault}</code>,
        ({ fault }, exchange) => exchange.injected === fault,
      ),
    },
  ];
}

const occurrencesOf = ({ sample, count, requests, last }: Occurrences): Occurrences => ({
  sample,
  count,
  requests,
  last,
});

type Placed = { readonly place: string; readonly rule: string };

const isSame = (a: Placed, b: Placed): boolean => a.place === b.place && a.rule === b.rule;

const hasViolation = (found: Placed, { violations }: Summary): boolean =>
  violations.some((each) => isSame(each, found));

const hasWarning = (found: Placed, { warnings }: Summary): boolean => warnings.some((each) => isSame(each, found));

const isListed = ({ requests, last }: Occurrences, { id }: Summary): boolean => requests.includes(id) || last === id;

const placed = ({ place, message }: { place: string; message: string }) => (
  <>
    <code>{place}</code> {message}
  </>
);

const rounding = ({ place, sent, handedOut }: Operation['rounded'][number]) => (
  <>
    <code>{place}</code> {handedOut} was handed out, {sent} came back: the client reads it as a floating-point number
  </>
);
