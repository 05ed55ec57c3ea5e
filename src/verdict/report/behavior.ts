/** All behavior warnings of the report, by rule. They are computed when a report is read, so requests pay nothing for them. */

import { pathOfTarget, pointerTo } from '../../base/address.ts';
import type { Exchange } from '../../base/api/exchange.ts';
import { type OperationName, operations } from '../../base/generated/facts.ts';
import { groupedBy } from '../../base/grouped.ts';
import { shorten } from '../../base/text.ts';
import { Attempts, inOrder, isParallel, isTooShort, retryAfterMs, waitedMs } from '../../traffic/attempts.ts';
import { type Found, MAX_GROUP_REQUESTS, occurrenceLineOf, sampleOf } from '../../traffic/groups.ts';
import type { Spot } from '../../traffic/request-parts.ts';

interface BehaviorRule {
  readonly says: readonly [title: string, help: string];
  /** Finds each occurrence in the exchanges of one sandbox, which are ordered by arrival. */
  readonly find: (exchanges: readonly Exchange[], attempts: Attempts) => Iterable<Behavior>;
  /** The part of the request that should have been different: only a removed operation has a fix. */
  readonly spot: Spot;
}

/** What is found of a rule once or many times, by its key. */
interface Behavior {
  readonly key: string;
  readonly operation: string | undefined;
  /** The behavior of the client at its first occurrence, with figures; a clause without a final period. */
  readonly message: string;
  /** The number of occurrences; by default one. */
  readonly count?: number;
  /** The requests that show it, in order; the last is the one that should have been different. */
  readonly evidence: readonly Exchange[];
}

/** The rules. */
export const BEHAVIOR = {
  'retry-too-early': {
    says: [
      'A client retried before Retry-After elapsed',
      'Wait as long as `Retry-After` says before the next attempt.',
    ],
    find: earlyRetry,
    spot: { location: 'operation', rule: 'retry-too-early' },
  },
  'rejected-body-resent': {
    says: ['A client sent a rejected body again', 'Correct the body or give up.'],
    find: rejectedBodyAgain,
    spot: { location: 'body', rule: 'rejected-body-resent' },
  },
  'invalid-key-reused': {
    says: ["A client kept using a key that's no longer valid", 'Stop at the first 401 and get another key.'],
    find: deadKey,
    spot: { location: 'header/authorization', rule: 'rejected' },
  },
  'removed-operation-called': {
    says: ['A client kept using a removed operation', 'Stop at the first 410. The message names the replacement.'],
    find: usedAfterRemoval,
    spot: { location: 'operation', rule: 'deprecated' },
  },
  'duplicate-create': {
    says: [
      'A client created the same pet again',
      "If a response is lost or late, list the pets. Create the pet again only if it isn't there.",
    ],
    find: createdTwice,
    spot: { location: 'body', rule: 'rejected' },
  },
  polling: {
    says: [
      'A client polls: the same GET more than 50 times in a row, more than ten times a second',
      'Wait between requests, and longer each time nothing has changed.',
    ],
    find: polling,
    spot: { location: 'operation', rule: 'polling' },
  },
} as const satisfies Readonly<Record<string, BehaviorRule>>;

/** The maximum number of findings of one rule. */
const MAX_REPORTED = 20;

/** @param exchanges of one sandbox, settled, without those that a test provokes on purpose. HEAD requests are ignored. Yields after each rule */
export function* behaviorIn(exchanges: readonly Exchange[]): Generator<void, Found[]> {
  const looked = inOrder(exchanges.filter((each) => each.request.method !== 'HEAD'));
  const attempts = new Attempts();
  const found: Found[] = [];
  for (const [id, rule] of Object.entries<BehaviorRule>(BEHAVIOR)) {
    const all = groupedBy(rule.find(looked, attempts), ({ key }) => key).slice(0, MAX_REPORTED);
    found.push(...all.map((each) => foundBehavior(id, rule, each)));
    yield;
  }
  return found;
}

function foundBehavior(rule: string, { spot }: BehaviorRule, all: readonly Behavior[]): Found {
  const [{ operation, message }] = all as [Behavior];
  const evidence = [...new Set(all.flatMap((each) => each.evidence))];
  // The first request started it; the second should have been different.
  const [first, again = first] = evidence as [Exchange, Exchange?];
  const last = evidence.at(-1) as Exchange;
  const known = operation as OperationName | undefined;
  return {
    ...{ kind: 'behavior', rule, operation: known ?? null, location: 'behavior', message },
    pointer: known ? pointerTo(operations[known]) : '#/paths',
    sample: sampleOf(again, spot),
    count: all.reduce((sum, { count = 1 }) => sum + count, 0),
    requests: evidence.slice(0, MAX_GROUP_REQUESTS).map((each) => each.id),
    last: last.id,
    lines: [...new Set([first, last])].map(occurrenceLineOf),
  };
}

/** Acceptable requests with a dead key in a row: a few retries, and a few tests of this case. */
const MANY = 10;

/**
 * A client that keeps using such a key gets nothing else. If another response came in between, several tests tried such a key.
 */
function* deadKey(exchanges: readonly Exchange[]): Iterable<Behavior> {
  const isDead = ({ request, response, injectedFault }: Exchange): boolean =>
    response.status === 401 && request.authorization !== undefined && injectedFault === undefined;
  for (const evidence of rowsOf(exchanges, (each) => (isDead(each) ? 'dead' : undefined))) {
    const [first, last] = [evidence[0] as Exchange, evidence.at(-1) as Exchange];
    // Workers that share a key each need a 401 before they stop.
    if (evidence.length <= MANY || isParallel(exchanges, first, last)) continue;
    const message = `${evidence.length} requests in a row came with a key that was not accepted`;
    yield { key: first.id, operation: undefined, message, count: evidence.length, evidence };
  }
}

/** One finding per method and path. */
function* earlyRetry(exchanges: readonly Exchange[], attempts: Attempts): Iterable<Behavior> {
  const waiting = new Map<string, Exchange>();
  for (const each of exchanges) {
    const isAsked = (retryAfterMs(each) ?? 0) > 0;
    if (!isAsked && waiting.size === 0) continue;
    const attempt = attempts.keyOf(each);
    const before = waiting.get(attempt);
    if (before && waitedMs(before, each) >= 0) {
      waiting.delete(attempt);
      const [asked, waited, key] = [retryAfterMs(before) as number, waitedMs(before, each), sentNameOf(each)];
      const message = `${key} came again after ${waited} ms, and ${before.response.status} with Retry-After had asked for ${asked} ms`;
      if (isTooShort(waited, asked) && !isParallel(exchanges, before, each))
        yield { key, operation: each.operation, message, evidence: [before, each] };
    }
    if (isAsked) waiting.set(attempt, each);
  }
}

/** The maximum number of acceptable requests per second. */
const MAX_A_SECOND = 10;
/** The same request in a row this many times may be as many tests that each send it once. */
const MAX_IN_A_ROW = 50;

/** One finding per method, path and operation. Other requests in between end the run: a test suite requests many things in turn. */
function* polling(exchanges: readonly Exchange[], attempts: Attempts): Iterable<Behavior> {
  for (const run of rowsOf(exchanges, (each) => (each.request.method === 'GET' ? attempts.keyOf(each) : undefined))) {
    if (run.length <= MAX_IN_A_ROW) continue;
    const fast = fastestIn(run);
    const [first, last] = [run[0] as Exchange, run.at(-1) as Exchange];
    if (fast === undefined || isParallel(exchanges, first, last)) continue;
    const [name, operation] = [sentNameOf(first), first.operation];
    const message = `${name} came ${run.length} times in a row, ${MAX_A_SECOND + 1} of them within ${Math.max(1, fast)} ms`;
    yield { key: `${name} ${operation}`, operation, message, count: run.length, evidence: run };
  }
}

/** Consecutive exchanges with the same key; those without a key are in no row. */
function rowsOf(exchanges: readonly Exchange[], keyOf: (exchange: Exchange) => string | undefined): Exchange[][] {
  const rows: Exchange[][] = [];
  let before: string | undefined;
  for (const each of exchanges) {
    const key = keyOf(each);
    if (key !== undefined && key === before) rows.at(-1)?.push(each);
    else if (key !== undefined) rows.push([each]);
    before = key;
  }
  return rows;
}

/** The shortest time of eleven requests in milliseconds, if that is too fast. */
function fastestIn(run: readonly Exchange[]): number | undefined {
  for (let at = MAX_A_SECOND; at < run.length; at++) {
    const took = (run[at] as Exchange).at - (run[at - MAX_A_SECOND] as Exchange).at;
    if (isTooShort(took, 1_000)) return took;
  }
  return undefined;
}

/** Statuses that do not change when the same body is sent again. */
const FINAL: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** One finding per body. A body that the request log stores in part cannot be compared. */
function* rejectedBodyAgain(exchanges: readonly Exchange[], attempts: Attempts): Iterable<Behavior> {
  const rejected = new Map<string, Exchange>();
  for (const each of exchanges) {
    const { request, response, injectedFault, truncated, operation } = each;
    if (!request.body || truncated?.request || injectedFault !== undefined || !FINAL.has(response.status)) continue;
    const key = attempts.keyOf(each);
    const before = rejected.get(key);
    if (before && !isAgain(exchanges, before, each)) continue;
    rejected.set(key, each);
    const message = `${sentNameOf(each)} was rejected with ${response.status}, and the same body came again`;
    if (before) yield { key, operation, message, evidence: [before, each] };
  }
}

/** Whether the client knew the response to one request when it sent the other. */
const isAgain = (exchanges: readonly Exchange[], before: Exchange, each: Exchange): boolean =>
  waitedMs(before, each) >= 0 && !isParallel(exchanges, before, each);

/**
 * One finding per operation. A clock that is set back restores the operation, and the next 410 counts as the first
 * again.
 */
function* usedAfterRemoval(exchanges: readonly Exchange[]): Iterable<Behavior> {
  const removed = new Map<string, Exchange>();
  for (const each of exchanges) {
    const { operation: key, response } = each;
    if (key === undefined || response.status === 0 || response.status === 401) continue;
    const before = removed.get(key);
    if (response.status !== 410) removed.delete(key);
    else if (!before || isAgain(exchanges, before, each)) {
      removed.set(key, each);
      const message = `${key} was called again after 410 had said that it is removed`;
      if (before) yield { key, operation: key, message, evidence: [before, each] };
    }
  }
}

/** A client closes its connection and opens another one: the server may notice the two events in either order. */
const REORDERED_MS = 50;

/** One finding per pair. */
function* createdTwice(exchanges: readonly Exchange[], attempts: Attempts): Iterable<Behavior> {
  const created = exchanges.filter((each) => each.changes.created.length > 0 && !each.truncated?.request);
  for (const [index, first] of created.entries()) {
    const { id, operation, changes } = first;
    const lost = lossOf(first);
    if (lost === undefined) continue;
    const again = created
      .slice(index + 1)
      .find((each) => attempts.bodyOf(each) === attempts.bodyOf(first) && isAfter(first, each));
    if (!again || isParallel(exchanges, first, again)) continue;
    const message = `pet ${changes.created[0]} was created by ${id}, whose ${lost}, and the same pet was created again as ${again.changes.created[0]} by ${again.id}`;
    yield { key: id, operation, message, evidence: [first, again] };
  }
}

/** Why the client did not learn in time what it had created; `undefined` if it could. */
function lossOf(exchange: Exchange): string | undefined {
  const { response, disconnectedAt, delayMs } = exchange;
  if (disconnectedAt !== undefined) return 'response was late: the client had left';
  if (response.status >= 300) return `response was lost: ${response.status} stood in for it`;
  if (isLost(exchange)) return 'response was lost: the connection broke';
  return delayMs > 0 ? `response was late: it came after ${delayMs} ms` : undefined;
}

/** Whether the response was replaced or incomplete. */
const isLost = ({ response, injectedFault }: Exchange): boolean =>
  response.status === 0 || response.status >= 300 || injectedFault?.connection !== undefined;

function isAfter(first: Exchange, each: Exchange): boolean {
  // Ids only increase: a lower one means that the sandbox was reset, and that the first pet is gone.
  if ((each.changes.created[0] as bigint) <= (first.changes.created[0] as bigint)) return false;
  if (first.disconnectedAt !== undefined) return each.at >= first.disconnectedAt - REORDERED_MS;
  if (isLost(first)) return waitedMs(first, each) >= 0;
  // It arrived while the first was in flight: a retry of a client that did not wait, not a parallel request.
  return waitedMs(first, each) < 0 && each.at - first.at >= first.delayMs / 2;
}

/** `GET /v1/pets`, without its query. */
const sentNameOf = ({ request }: Exchange): string => `${request.method} ${shorten(pathOfTarget(request.target), 100)}`;
