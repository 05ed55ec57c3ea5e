/**
 * Relations between a client's requests: pure functions over exchanges, used by the report's behavior warnings. All times are the
 * server's: `at` is the arrival of a request; `respondedAt` is stamped before the response is sent, so a client's
 * waiting time is never underestimated.
 */

import { pathOfTarget } from '../base/address.ts';
import { type Exchange, requestHeader, responseHeader } from '../base/api/exchange.ts';
import { isObject, type JsonValue, NumberLiteral, parseIfJson, writeJson } from '../base/int64.ts';
import { queryIn } from '../base/text.ts';

/** Exchanges by arrival. The request log orders them by response. */
export const inOrder = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  [...exchanges].sort((a, b) => a.startedMs - b.startedMs);

/**
 * The delay in milliseconds that a response requested with `Retry-After`, in seconds or as a date (RFC 9110, section
 * 10.2.3); `undefined` without that header.
 */
export function retryAfterMs(exchange: Exchange): number | undefined {
  const value = responseHeader(exchange, 'Retry-After')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - exchange.respondedAt);
}

/** Milliseconds between the response to one request and the arrival of the next; negative if they overlap. */
export const waitedMs = (before: Exchange, after: Exchange): number => after.at - before.respondedAt;

/** Whether a wait was shorter than requested by more than clock and timer inaccuracy: 5 % and 50 ms. */
export const isTooShort = (waited: number, asked: number): boolean => waited < asked * 0.95 - 50;

/** Finds attempts of the same request. Each long text is read once, however often it is asked about its exchange. */
export class Attempts {
  readonly #keys = new Map<Exchange, string>();
  readonly #bodies = new Map<string, string>();

  /** Equal for attempts of the same request: same client, method, query, media type and body, compared as values. */
  keyOf(exchange: Exchange): string {
    const known = this.#keys.get(exchange);
    if (known !== undefined) return known;
    const { method, target, contentType = '' } = exchange.request;
    const client = requestHeader(exchange, 'User-Agent') ?? '';
    const type = contentType.toLowerCase().replace(/;\s*charset="?utf-8"?\s*$/, '');
    const key = [client, method, sortedQuery(target), type, this.bodyOf(exchange)].join('\n');
    this.#keys.set(exchange, key);
    return key;
  }

  /** Equal for equal values of bodies: order, blanks, escapes and `1.0` make no difference. */
  bodyOf({ request: { body = '', bodyBytes }, truncated }: Exchange): string {
    if (truncated?.request) return `${bodyBytes} ${body}`;
    const value = this.#bodies.get(body) ?? comparableJson(body);
    this.#bodies.set(body, value);
    return value;
  }
}

/** Characters of a body or a target that is parsed: a report must not parse the megabytes of a request log. */
const MAX_COMPARED = 4 * 1024;

function comparableJson(body: string): string {
  const value = body.length > MAX_COMPARED ? undefined : parseIfJson(body);
  return value === undefined ? body : writeJson(sortedMembers(value));
}

function sortedMembers(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (value instanceof NumberLiteral && /[.e]/i.test(value.text)) return String(Number(value.text));
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortedMembers(value[name] as JsonValue)]));
}

/** A target whose pairs are decoded and in order. */
function sortedQuery(target: string): string {
  if (target.length > MAX_COMPARED) return target;
  const pairs = new URLSearchParams(queryIn(target));
  pairs.sort();
  return `${pathOfTarget(target)}?${pairs}`;
}

/** Whether two requests were in flight at the same time. A sequential client has no such pair. */
const overlap = (a: Exchange, b: Exchange): boolean =>
  a.startedMs < b.startedMs + b.durationMs && b.startedMs < a.startedMs + a.durationMs;

/** The time before and after two requests in which other requests are considered. */
const NEIGHBORHOOD_MS = 1_000;

/**
 * Whether other requests overlapped around two requests of one sandbox. Then several workers share the key, and the
 * second request is not certain to be a retry of the first.
 * @param exchanges ordered by arrival
 */
export function isParallel(exchanges: readonly Exchange[], before: Exchange, after: Exchange): boolean {
  const from = before.startedMs - NEIGHBORHOOD_MS;
  const to = after.startedMs + after.durationMs + NEIGHBORHOOD_MS;
  let last: Exchange | undefined;
  for (const each of exchanges) {
    if (each.startedMs > to) break;
    if (each.startedMs + each.durationMs < from) continue;
    const isPair = last === before && each === after;
    if (last && !isPair && overlap(last, each)) return true;
    // The exchange that ends last overlaps with later ones.
    if (!last || each.startedMs + each.durationMs > last.startedMs + last.durationMs) last = each;
  }
  return false;
}
