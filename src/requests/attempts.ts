/**
 * Relations between a client's requests: pure functions over exchanges, used by the report's behavior warnings. All times are the
 * server's: `at` is the arrival of a request; `respondedAt` is stamped before the response is sent, so a client's
 * waiting time is never underestimated.
 */
import { type Exchange, requestHeader, responseHeader } from '../api/exchange.ts';

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
  readonly #texts = new Map<string, number>();

  /** Equal for attempts of the same request: same client, method, target, media type and body. */
  keyOf(exchange: Exchange): string {
    const known = this.#keys.get(exchange);
    if (known !== undefined) return known;
    const { method, target, contentType = '', bodyBytes, body = '' } = exchange.request;
    const client = requestHeader(exchange, 'User-Agent') ?? '';
    const key = [...[client, method, target, contentType, body].map((text) => this.#numberOf(text)), bodyBytes].join(
      ' ',
    );
    this.#keys.set(exchange, key);
    return key;
  }

  #numberOf(text: string): number {
    const number = this.#texts.get(text) ?? this.#texts.size;
    this.#texts.set(text, number);
    return number;
  }
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
