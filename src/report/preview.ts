/**
 * Which requests of a client stop working with another specification: that of a date, or a draft. A preview is the
 * findings of these requests by that specification, without those that they have today.
 */
import { type Exchange, requestHeader, type Verdict, type Violation } from '../api/exchange.ts';
import { removalOf } from '../api/specification.ts';
import { isoTime, startOfDay } from '../core/clock.ts';
import { pointerTo } from '../core/pointer.ts';
import { shorten } from '../core/text.ts';
import type { components } from '../generated/control-api.d.ts';
import { basePath, type OperationName, operationNames, operations } from '../generated/facts.ts';
import { accountOf, type Entry, kindOf } from '../requests/account.ts';
import { Budget } from '../requests/allowance.ts';
import type { Line } from '../requests/groups.ts';
import { correctionOf } from '../requests/instead.ts';
import { isFromDashboard } from '../requests/intent.ts';
import { RequestParts } from '../requests/request-parts.ts';
import { Tallies } from '../requests/tallies.ts';
import type { DraftOutput } from '../validator/draft.ts';
import { daysUntil, isOfRequest, some, violationsIn } from './findings.ts';

/** Described in `spec/control-api.yaml`. */
export type Preview = components['schemas']['Preview'];
type Break = components['schemas']['PreviewBreak'];

/** The requests of a client. */
export interface PreviewRequests {
  readonly exchanges: readonly Exchange[];
  /** Earlier requests that are no longer there. */
  readonly dropped: number;
  /** What else came in, such as entries of a HAR that are no requests of this API. */
  readonly others?: readonly Entry[];
  /** A sandbox, or a file. */
  readonly source: string;
  /** Real time, and the time from which days are counted, in milliseconds since 1970. */
  readonly now: number;
  readonly countedFrom: number;
}

/** A request, and what another specification says of it. */
interface Examined {
  readonly exchange: Exchange;
  /** Its verdict by that specification; `undefined` if it is not known, or if today's is not. */
  readonly later: Verdict | undefined;
  /** The request to send instead, if it violates that specification. */
  readonly instead?: string | undefined;
}

/** Another specification. */
interface Other {
  readonly date: string | null;
  readonly draft: string | null;
  /** The parts of operations that it changes. */
  readonly changes: DraftOutput['changes'];
  readonly notes: readonly string[];
}

/** Failing requests that are listed: as many as a request log holds. */
const MAX_LISTED = 1_000;
const MAX_AGENTS = 5;
const MAX_AGENT = 200;
const MAX_FINDINGS_BYTES = 512 * 1024;

/** The next date on which the API changes; `undefined` if none is announced. @param now in milliseconds since 1970 */
export const nextChange = (now: number): string | undefined =>
  operationNames
    .filter((name) => (removalOf(name) ?? 0) > now)
    .map((name) => operations[name].sunset as string)
    .sort()[0];

/** The operations that are removed on a date, or before. */
const removedBy = (date: string | undefined): OperationName[] => {
  const time = (date === undefined ? undefined : startOfDay(date)) ?? Number.NEGATIVE_INFINITY;
  return operationNames.filter((name) => (removalOf(name) ?? Number.POSITIVE_INFINITY) <= time);
};

/** The preview of a date: its specification is today's without the operations that are removed by then. */
export function previewAt(date: string | undefined, requests: PreviewRequests): Preview {
  const names = removedBy(date);
  const verdicts = new Map(
    names.map((name) => [name as string, removed(name, `${name} is removed on ${operations[name].sunset}`)]),
  );
  const examined = requests.exchanges.map((exchange): Examined => {
    const later = verdicts.get(exchange.operation ?? '');
    // What the specification still has does not change.
    return later ? { exchange, later, instead: replacementOf(exchange) } : { exchange, later: NO_FINDINGS };
  });
  const changes = names.map((name) => ({ operation: name, location: 'operation', text: `${name} is removed` }));
  return previewOf(examined, { date: date ?? null, draft: null, changes, notes: [] }, requests);
}

/** The preview of a draft. */
export function previewWith({ draft, base, results, changes }: DraftOutput, requests: PreviewRequests): Preview {
  const examined = requests.exchanges.map((exchange, index): Examined => {
    const { isRemoved, verdict, instead } = results[index] ?? {};
    if (!isRemoved) return { exchange, later: verdict, instead };
    const name = exchange.operation as OperationName;
    return { exchange, later: removed(name, `${name} is not in the draft`), instead: replacementOf(exchange) };
  });
  const notes = base === basePath ? [] : [`the base path is ${base || '/'}, and today it is ${basePath}`];
  return previewOf(examined, { date: null, draft, changes, notes }, requests);
}

const NO_FINDINGS: Verdict = { violations: [], warnings: [] };

const replacementOf = (exchange: Exchange): string | undefined =>
  correctionOf(new RequestParts(exchange), { location: 'operation', rule: 'deprecated' }).instead;

/** The verdict on requests for an operation that another specification lacks. */
const removed = (name: OperationName, message: string): Verdict => ({
  violations: [
    { side: 'request', location: 'operation', pointer: pointerTo(operations[name]), rule: REMOVED, message },
  ],
  warnings: [],
});

const REMOVED = 'removed';

function previewOf(
  all: readonly Examined[],
  { date, draft, changes, notes }: Other,
  requests: PreviewRequests,
): Preview {
  const { dropped, others = [], source, now, countedFrom } = requests;
  const examined = all.filter(({ exchange }) => !isFromDashboard(exchange));
  const failing = examined.map(withNew).filter(({ found }) => found.length > 0);
  const unread = others.filter(({ kind }) => kind === 'notValidated').reduce((sum, { count }) => sum + count, 0);
  const notExamined = examined.filter(isUnknown).length + unread;
  const tallies = talliesOf(failing);
  const breaks = breaksIn(failing, tallies);
  const incompleteReasons = [
    ...(examined.length === 0 ? ['no request was seen'] : []),
    ...some(notExamined, 'request could not be examined', 'requests could not be examined'),
    ...some(
      dropped,
      'older request is no longer in the request log',
      'older requests are no longer in the request log',
    ),
    ...tallies.incompleteReasons,
  ];
  const inResponses = changes.filter(({ location }) => location.startsWith('response '));
  const inRequests = changes.filter((change) => !inResponses.includes(change));
  return {
    verdict: failing.length > 0 ? 'fail' : incompleteReasons.length > 0 ? 'incomplete' : 'pass',
    reasons: [...some(failing.length, 'request fails', 'requests fail'), ...incompleteReasons],
    incompleteReasons,
    date,
    daysLeft: date === null ? null : daysUntil(startOfDay(date) as number, countedFrom),
    draft,
    source,
    createdAt: isoTime(now),
    account: accountOf([
      ...all.map((each) => ({ ...endOf(each), count: 1 })),
      { kind: 'dropped', count: dropped, reason: 'no longer in the request log' },
      ...others,
    ]),
    requests: {
      total: examined.length,
      failing: failing.length,
      failingAlready: examined.filter(({ exchange }) => failsToday(exchange)).length,
      notExamined,
    },
    failing: failing.slice(0, MAX_LISTED).map(({ exchange, found, instead }) => ({
      request: exchange.id,
      message: (found[0] as Violation).message,
      instead: instead ?? null,
    })),
    breaks,
    unused: inRequests.filter((change) => !breaks.some((each) => isBy(change, each))).map(({ text }) => text),
    notes: [
      ...notes,
      ...(inResponses.length === 0
        ? []
        : [`responses change, of which requests tell nothing: ${inResponses.map(({ text }) => text).join('; ')}`]),
    ],
  };
}

/** Whether a request stops working because of a change. */
const isBy = ({ operation, location }: DraftOutput['changes'][number], found: Break): boolean =>
  operation === found.operation && (found.location === location || found.location.startsWith(`${location}/`));

interface Failing extends Examined {
  /** What the request violates then, and not today. */
  readonly found: readonly Violation[];
}

/** A request that is rejected today does not stop working, unless its operation is removed. */
function withNew({ exchange, later, instead }: Examined): Failing {
  const found = (later?.violations ?? []).filter(
    (each) => isOfRequest(each) && (each.rule === REMOVED || !failsToday(exchange)),
  );
  return { exchange, later, instead, found };
}

/** Whether it is unknown if a request stops working. */
const isUnknown = ({ exchange, later }: Examined): boolean =>
  !failsToday(exchange) && (later === undefined || later.validationError !== undefined);

/** In which count a request ends: a preview knows a fault or a declaration of today, and no verdict of another day. */
function endOf(each: Examined): ReturnType<typeof kindOf> {
  const today = kindOf(each.exchange);
  if (today.kind === 'skipped' || !isUnknown(each)) return today;
  return { kind: 'notValidated', reason: each.later?.validationError ?? today.reason ?? 'its verdict is not known' };
}

const failsToday = ({ operation, verdict }: Exchange): boolean =>
  operation === undefined || (verdict?.violations.some(isOfRequest) ?? false);

/** Counted by that specification. What requests declare of today's does not matter then. */
function talliesOf(failing: readonly Failing[]): Tallies {
  const tallies = new Tallies(0, new Budget(MAX_FINDINGS_BYTES));
  for (const { exchange, found } of failing) {
    const verdict = { violations: found, warnings: [] };
    tallies.count({ ...exchange, requestHeaders: [], injectedFault: undefined, verdict });
  }
  return tallies;
}

/** The groups of findings, with what a report does not say of their requests. */
const breaksIn = (failing: readonly Failing[], { operations: tallies }: Tallies): Break[] =>
  operationNames.flatMap((operation) =>
    violationsIn(tallies.get(operation)).map(({ side: _, ...violation }): Break => {
      const requests = failing.filter(
        ({ exchange, found }) => exchange.operation === operation && hasOne(found, violation),
      );
      const agents = requests.map(({ exchange }) => requestHeader(exchange, 'User-Agent') ?? '(none)');
      const { lines } = violation;
      return {
        ...violation,
        operation,
        instead: requests[0]?.instead ?? null,
        firstAt: (lines[0] as Line).at,
        lastAt: (lines.at(-1) as Line).at,
        userAgents: [...new Set(agents)].slice(0, MAX_AGENTS).map((agent) => shorten(agent, MAX_AGENT)),
      };
    }),
  );

const hasOne = (found: readonly Violation[], { rule, location, message }: Omit<Violation, 'side'>): boolean =>
  found.some((each) => each.rule === rule && each.location === location && each.message === message);
