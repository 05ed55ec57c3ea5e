/** Finds exchanges in a request log. */
import { readTime } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { shorten } from '../core/text.ts';
import type { Exchange } from './exchange.ts';
import type { RequestLog } from './request-log.ts';

/** Filters for exchanges; without any, all match. */
export interface ExchangeFilter {
  readonly operation?: string | undefined;
  readonly status?: number | undefined;
  /** True: with at least one violation; false: without any. */
  readonly violations?: boolean | undefined;
  /** An RFC 3339 time (inclusive), or the id of an exchange (exclusive). */
  readonly since?: string | undefined;
  /** The id of an exchange (exclusive): only older ones. */
  readonly before?: string | undefined;
}

/** @throws {ApiError} as `sinceIn` */
export function search(
  requestLog: RequestLog,
  { operation, status, violations, since, before }: ExchangeFilter,
): Exchange[] {
  return beforeIn(sinceIn(requestLog, since), before).filter(
    (exchange) =>
      (operation === undefined || exchange.operation === operation) &&
      (status === undefined || exchange.response.status === status) &&
      (violations === undefined || hasViolations(exchange) === violations),
  );
}

/**
 * The exchanges since a time or another exchange, newest first.
 * @throws {ApiError} `not_found` for an exchange that is not in the request log, `invalid_request` for an invalid time
 */
export function sinceIn(requestLog: RequestLog, since: string | undefined): Exchange[] {
  const all = [...requestLog.newestFirst()];
  if (since === undefined) return all;
  if (since.startsWith('req_')) {
    const after = all.findIndex(({ id }) => id === since);
    if (after < 0) throw notKept(since);
    return all.slice(0, after);
  }
  const time = readTime(since);
  if (time === undefined) {
    throw new ApiError(
      'invalid_request',
      `since: no such time: ${shorten(since, 40)}; send one like 2026-03-02T09:30:00Z`,
    );
  }
  return all.filter(({ at }) => at >= time);
}

/** The exchanges that follow one in a list, newest first: none for one that the request log has dropped. */
function beforeIn(found: Exchange[], before: string | undefined): Exchange[] {
  if (before === undefined) return found;
  const at = found.findIndex(({ id }) => id === before);
  return at < 0 ? [] : found.slice(at + 1);
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
    `this sandbox's request log holds no request ${id}; it keeps the last 1,000, until it is cleared or the server stops`,
  );
