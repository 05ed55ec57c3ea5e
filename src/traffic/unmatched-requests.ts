/**
 * Requests that belong to no sandbox: without a usable key, or outside the base path. They have their own list, so that
 * no request is invisible. It stores no credentials, only what was wrong with them.
 */

import { pathOfAddress, pathOfTarget } from '../base/address.ts';
import { ERROR_STATUS } from '../base/api/errors.ts';
import { type Exchange, isExpectedInvalid, requestHeader, type UnmatchedReason } from '../base/api/exchange.ts';
import type { components } from '../base/generated/control-api.d.ts';
import { basePath } from '../base/generated/facts.ts';
import { copyOf, counted, shorten } from '../base/text.ts';
import { isoTime } from '../base/time.ts';
import { isBelowBase, looksLikeApi, nearestOperation } from './closest-operation.ts';
import { MALFORMED, malformedFix } from './malformed.ts';

/** An unmatched request. It may contain secrets: serialize it with `redactedJson`. */
export type UnmatchedRequest = components['schemas']['UnmatchedRequest'];

/** The capacity of the list; then the oldest request is evicted. */
export const MAX_REQUESTS = 500;
/** Characters kept of a path. */
const MAX_UNMATCHED_PATH = 200;
/** Evicted requests whose times are known, so that a report counts its own. */
const MAX_TIMES = 10_000;

const CREDENTIAL = 'Authorization: Bearer <API_KEY>';

/** Each reason, and what to send instead. */
const REASONS: Readonly<Record<UnmatchedReason, readonly [message: string, instead: string]>> = {
  'no-credential': ['no API key was sent', CREDENTIAL],
  'key-in-header': ['the API key came in a header such as `X-Api-Key`, which is not read', CREDENTIAL],
  'key-in-query': ['the API key came in the query, which is not read', CREDENTIAL],
  'not-bearer': ['`Authorization` is not of the form `Bearer <API_KEY>`', CREDENTIAL],
  'authorization-twice': ['`Authorization` was sent more than once', CREDENTIAL],
  'unset-variable': ['the name of a variable, or nothing, came in place of the API key', CREDENTIAL],
  'damaged-key': ['the API key was mistyped or cut off', CREDENTIAL],
  'unknown-key': ['the API key is unknown; its sandbox may have been ended', CREDENTIAL],
  'outside-base-path': [`the API is under ${basePath}`, `a path under ${basePath}`],
  'unknown-address': [
    'no sandbox has this address; it may have been ended or have expired',
    'the request to the address of a sandbox that exists, or to /v1 with a key',
  ],
  preflight: [
    'it asks for the methods of a path, as a browser does before the request of a page, and needs no key',
    'the same again: nothing is wrong with it',
  ],
  malformed: [
    'the request was rejected before its key was read; the response says what is wrong',
    'a request as RFC 9112 has it',
  ],
};

/** Unmatched requests since some time. */
export interface UnmatchedSince {
  readonly requests: readonly UnmatchedRequest[];
  /** Requests that are no longer in the list. If their times are unknown, all that may have come since. */
  readonly dropped: number;
  /** Preflights that are no longer in the list. */
  readonly droppedPreflights: number;
}

interface Evicted {
  readonly startedMs: number;
  readonly reason: UnmatchedReason;
}

export class Unmatched {
  #requests: (Evicted & { readonly request: UnmatchedRequest })[] = [];
  /** The last ones that were evicted. */
  #evicted: Evicted[] = [];
  /** Number of requests evicted since the last clear. */
  dropped = 0;

  /** Newest first. @param since by the stopwatch: many requests share a millisecond of the system clock */
  since(since: number): UnmatchedSince {
    const isOfAll = ({ startedMs, reason }: Evicted): boolean => startedMs >= since && reason !== 'unknown-address';
    const gone = this.#evicted.filter(isOfAll);
    const droppedPreflights = gone.filter(({ reason }) => reason === 'preflight').length;
    const isUnknown = (this.#evicted[0]?.startedMs ?? since) >= since;
    const unknown = isUnknown ? this.dropped - this.#evicted.length : 0;
    return {
      requests: this.#requests.flatMap((each) => (isOfAll(each) ? each.request : [])).reverse(),
      dropped: gone.length - droppedPreflights + unknown,
      droppedPreflights,
    };
  }

  /** Requests since then that any client of `/v1` may have sent. @param since as in `since` */
  ofAnybodySince(since: number): UnmatchedSince {
    const { requests, dropped } = this.since(since);
    return { requests: requests.filter(isOfAnybody), dropped, droppedPreflights: 0 };
  }

  /**
   * Adds an exchange without a sandbox. @returns the stored request; `undefined` if the exchange does not count as
   * unmatched
   */
  note(exchange: Exchange): UnmatchedRequest | undefined {
    const reason = reasonOf(exchange);
    if (reason === undefined) return undefined;
    const request = unmatchedRequest(exchange, reason);
    this.#add(exchange.startedMs, request);
    return request;
  }

  newestFirst(): readonly UnmatchedRequest[] {
    return this.#requests.map(({ request }) => request).reverse();
  }

  clear(): void {
    this.#requests = [];
    this.#evicted = [];
    this.dropped = 0;
  }

  #add(startedMs: number, request: UnmatchedRequest): void {
    const { reason } = request;
    this.#requests.push({ startedMs, reason, request });
    const oldest = this.#requests.length > MAX_REQUESTS && this.#requests.shift();
    if (!oldest) return;
    this.dropped += 1;
    if (this.#evicted.push({ startedMs: oldest.startedMs, reason: oldest.reason }) > 2 * MAX_TIMES)
      this.#evicted = this.#evicted.slice(-MAX_TIMES);
  }
}

/** Whether a client of the API sent it without marking it as expected to be rejected. */
const isOfAnybody = ({ path, reason, expectedInvalid }: UnmatchedRequest): boolean =>
  !expectedInvalid && reason !== 'preflight' && (reason !== 'outside-base-path' || looksLikeApi(path));

const [CUT_OFF] = MALFORMED['cut-off'];

/** Whether a request broke off before anything of it was read. */
export const isCutInHead = ({ method, message }: UnmatchedRequest): boolean => method === '-' && message === CUT_OFF;

/** Requests that a client of `/v1` may have sent, and that nobody can attribute. */
export interface Unattributed {
  readonly count: number;
  /** Others that broke off before their address was read. */
  readonly cut: number;
  /** Whether this is one of several servers, so that others may have got some. */
  readonly elsewhere: boolean;
}

/** Why a verdict is incomplete if these requests may be of the client of a sandbox. */
export function unattributedReasons({ count, cut, elsewhere }: Unattributed, sandbox: string): string[] {
  const instead = `let it use the address of its sandbox, /${sandbox}${basePath}, where every request is its own`;
  return [
    ...(count > 0
      ? [
          `${counted(count, 'request')} to ${basePath} ${count === 1 ? 'belongs' : 'belong'} to no sandbox, and may be of this client: ${instead}`,
        ]
      : []),
    ...(cut > 0
      ? [
          `${counted(cut, 'request')} broke off within the headers, and may be of this client: keep each connection open until its response`,
        ]
      : []),
    ...(elsewhere
      ? [`the client used ${basePath}, where a request without a key may have come to another server: ${instead}`]
      : []),
  ];
}

/**
 * Why a request belongs to no sandbox, and what to send instead; `undefined` if nothing is wrong with it, or it does not
 * count as unmatched.
 */
export function unmatchedWords(exchange: Exchange): string | undefined {
  const reason = reasonOf(exchange);
  if (reason === undefined || reason === 'preflight') return undefined;
  const instead = insteadOf(exchange, reason);
  const words = `${unmatchedMessage(exchange, reason)}; ${reason === 'malformed' ? instead : `send ${instead}`}`;
  return words.replaceAll('`', '');
}

/** Whether browsers request it on their own, or as a part of a page. */
export const isOfBrowsers = (target: string): boolean => BY_BROWSERS.test(target);
const BY_BROWSERS = /^\/(?:favicon\.|apple-touch-icon|robots\.txt|\.well-known\/|assets\/|docs\/)/;

/** The dashboard does not belong to the API. */
function reasonOf({
  specification,
  sandbox,
  unmatched,
  request,
  response,
  malformed,
}: Exchange): UnmatchedReason | undefined {
  if (specification !== 'petstore' || sandbox !== undefined) return undefined;
  // It is a request of another server.
  if (!malformed && response.status === ERROR_STATUS.misdirected_request) return undefined;
  if (unmatched === 'unknown-address') return unmatched;
  if (malformed) return 'malformed';
  const { target } = request;
  const isOfApi = isBelowBase(target);
  if (request.method === 'OPTIONS' && response.status < 300) return isOfApi ? 'preflight' : undefined;
  if (isOfApi) return unmatched ?? 'malformed';
  if (looksLikeApi(target)) return 'outside-base-path';
  // A page of this server.
  return unmatched ?? (response.status < 400 || isOfBrowsers(target) ? undefined : 'outside-base-path');
}

function unmatchedRequest(exchange: Exchange, reason: UnmatchedReason): UnmatchedRequest {
  const { id, at, request, response } = exchange;
  return {
    id,
    at: isoTime(at),
    method: request.method,
    path: copyOf(shorten(pathOfAddress(exchange.address) + pathOfTarget(request.target), MAX_UNMATCHED_PATH)),
    status: response.status,
    userAgent: requestHeader(exchange, 'User-Agent') ?? null,
    reason,
    message: unmatchedMessage(exchange, reason),
    instead: insteadOf(exchange, reason),
    expectedInvalid: isExpectedInvalid(exchange),
  };
}

const unmatchedMessage = ({ malformed }: Exchange, reason: UnmatchedReason): string =>
  (reason === 'malformed' && malformed?.message) || REASONS[reason][0];

function insteadOf({ request, malformed }: Exchange, reason: UnmatchedReason): string {
  if (malformed && reason === 'malformed') return malformedFix(request.method, request.target, malformed.cause);
  const near = reason === 'outside-base-path' ? nearestOperation(request.method, request.target) : undefined;
  return near ?? REASONS[reason][1];
}
