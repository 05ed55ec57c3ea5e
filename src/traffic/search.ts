/** Finds exchanges in a request log. */
import { ApiError } from '../base/api/errors.ts';
import type { Exchange } from '../base/api/exchange.ts';
import { shorten } from '../base/text.ts';
import { readTime, withTime } from '../base/time.ts';
import type { Redact } from './redact.ts';
import type { RequestLog } from './request-log.ts';

/** Filters for exchanges; without any, all match. */
export interface ExchangeFilter {
  readonly operation?: string | undefined;
  readonly status?: number | undefined;
  /** A run of the client: `node, run 3`. */
  readonly run?: string | undefined;
  /** True: with at least one violation; false: without any. */
  readonly violations?: boolean | undefined;
  /** An RFC 3339 time (inclusive), or the id of an exchange (exclusive). */
  readonly since?: string | undefined;
  /** The id of an exchange (exclusive): only older ones. */
  readonly before?: string | undefined;
}

/**
 * The exchanges that match, newest first.
 * @throws {ApiError} `not_found` for an exchange that is not in the request log, `invalid_request` for an invalid time
 */
export function search(
  requestLog: RequestLog,
  { operation, status, run, violations, since, before }: ExchangeFilter,
): Exchange[] {
  const [after, from] = startOfSearch(requestLog, since);
  // None follows one that the request log has dropped.
  const end = before === undefined ? requestLog.next : (requestLog.numberOf(before) ?? requestLog.first);
  const { first } = requestLog;
  return requestLog
    .all()
    .slice(Math.max(0, after + 1 - first), end - first)
    .filter(
      (exchange) =>
        exchange.at >= from &&
        (operation === undefined || exchange.operation === operation) &&
        (status === undefined || exchange.response.status === status) &&
        (run === undefined || exchange.run === run) &&
        (violations === undefined || hasViolations(exchange) === violations),
    )
    .reverse();
}

/** The time of a `since`, in milliseconds since 1970. @throws {ApiError} as `search` */
export function startOf(requestLog: RequestLog, since: string | undefined): number {
  const [after, from] = startOfSearch(requestLog, since);
  return requestLog.at(after)?.at ?? from;
}

/** The number that follows must exceed, and the time that they must reach. */
function startOfSearch(requestLog: RequestLog, since: string | undefined): readonly [after: number, from: number] {
  const all = [-1, Number.NEGATIVE_INFINITY] as const;
  if (since === undefined) return all;
  if (since.startsWith('req_')) {
    const number = requestLog.numberOf(since);
    if (number === undefined) throw notKept(since);
    return [number, all[1]];
  }
  const time = readTime(withTime(since));
  if (time === undefined) {
    throw new ApiError(
      'invalid_request',
      `since: no such time: ${shorten(since, 40)}; send one like 2026-03-02T09:30:00Z`,
    );
  }
  return [all[0], time];
}

/** @throws {ApiError} `not_found` */
export function exchangeIn(requestLog: RequestLog, id: string): Exchange {
  const number = requestLog.numberOf(id);
  const exchange = number === undefined ? undefined : requestLog.at(number);
  if (exchange) return exchange;
  throw notKept(id);
}

const hasViolations = ({ verdict }: Exchange): boolean => (verdict?.violations.length ?? 0) > 0;

const notKept = (id: string): ApiError =>
  new ApiError(
    'not_found',
    `this sandbox's request log holds no request ${id}; it keeps the last 10,000, until it is cleared or the server stops`,
  );

/**
 * The exchanges whose id, target, status, kept headers or kept bodies contain the text, in upper or lower case, in the same order.
 * Yields where it may pause: a request log may hold 32 MiB.
 */
export function* containing(exchanges: readonly Exchange[], text: string, redact: Redact): Generator<void, Exchange[]> {
  const wanted = text.toLowerCase();
  const found: Exchange[] = [];
  // Only what is shown can be found: otherwise a secret could be guessed letter by letter.
  const holds = (part: string): boolean =>
    (wanted.includes('[key]') || part.toLowerCase().includes(wanted)) && redact(part).toLowerCase().includes(wanted);
  for (const exchange of exchanges) {
    yield;
    if (searchedTexts(exchange).some(holds)) found.push(exchange);
  }
  return found;
}

const searchedTexts = ({ id, request, requestHeaders, response }: Exchange): readonly string[] => [
  id,
  request.target,
  String(response.status),
  ...requestHeaders.flatMap((name, at) => (at % 2 === 0 ? `${name}: ${requestHeaders[at + 1]}` : [])),
  request.body ?? '',
  // A response to HEAD has no body.
  request.method === 'HEAD' ? '' : response.body,
];
