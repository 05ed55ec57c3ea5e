/**
 * A request while it is served, and its record, the exchange: begun without its credential before anything acts on it, filled
 * in by each step, closed with the response.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { splitTarget } from '../../base/address.ts';
import { withoutCredentials } from '../../base/api/credential.ts';
import {
  type Decision,
  type Exchange,
  NO_EFFECT,
  NOTHING_SENT,
  type Problem,
  type RecordedRequest,
  type RecordedResponse,
} from '../../base/api/exchange.ts';
import type { Lessee } from '../../base/byte-budget.ts';
import { type Clock, stopwatch } from '../../base/clock.ts';
import { shorten } from '../../base/text.ts';
import { isoTime } from '../../base/time.ts';
import type { Unanswered } from '../../traffic/unanswered.ts';
import { headOf, originForm, type RawRequest, type RequestHead, type ShownName, shownNames } from './request-head.ts';

export interface Request extends IncomingMessage {
  url: string;
  method: string;
  exchange: OpenExchange;
  /** The parameters of its path, decoded. */
  params: Readonly<Record<string, string>>;
}

declare module 'express-serve-static-core' {
  interface Request {
    exchange: OpenExchange;
  }
}

export type Response = ServerResponse<IncomingMessage>;

/** What most steps read of a request: one that came over no connection has it as well. */
export type RequestParts = Pick<Request, 'exchange' | 'method' | 'headers' | 'rawHeaders' | 'params'>;

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** For those who handle a request: its exchange while that is filled in. It is only data: what steps share is handed to them. */
export interface OpenExchange extends Writable<Omit<Exchange, 'request'>>, Lessee {
  readonly id: string;
  readonly request: Writable<RecordedRequest>;
  owner: string;
  /** Ends the delay that a fault injects. */
  endDelay: (() => void) | undefined;
  unansweredAt: number;
  readonly head: RequestHead;
  /** Headers of every response to this request, as name, value, name, value. */
  headers: readonly string[];
}

const UNDECIDED: Decision = { kind: 'undecided' };
const ACCEPTED: Decision = { kind: 'accepted' };
const NO_HEADERS: readonly string[] = [];
/** As long as no response was recorded. */
const NO_RESPONSE: RecordedResponse = { status: 0, contentType: undefined, body: '' };

/** @param at when the request arrived, in milliseconds since 1970 */
const openExchange = (
  id: string,
  at: number,
  request: RecordedRequest,
  head: RequestHead,
  address?: string,
): OpenExchange => ({
  id,
  at,
  address,
  request,
  head,
  requestHeaders: head.shown,
  otherHeaders: head.others,
  specification: 'petstore',
  operation: undefined,
  sandbox: undefined,
  unmatched: undefined,
  owner: '',
  decision: UNDECIDED,
  malformed: undefined,
  injectedFault: undefined,
  response: NO_RESPONSE,
  durationMs: 0,
  respondedAt: 0,
  disconnectedAt: undefined,
  delayMs: 0,
  changes: NO_EFFECT,
  responseHeaders: NO_HEADERS,
  verdict: undefined,
  truncated: undefined,
  run: undefined,
  place: undefined,
  arrived: undefined,
  endDelay: undefined,
  unansweredAt: -1,
  lease: undefined,
  headers: NO_HEADERS,
  startedMs: stopwatch(),
});

const NO_HEAD: RequestHead = {
  headers: {},
  size: 0,
  shown: [],
  others: [],
  authorization: undefined,
  keyHash: undefined,
  isWellFormed: false,
};

/** An exchange without headers: for a call from within this process, which is neither recorded nor validated. */
export const unrecorded = (id: string, at: number, method: string, target: string, address?: string): OpenExchange =>
  openExchange(
    id,
    at,
    {
      ...{ method, target: withoutCredentials(target), authorization: undefined, contentType: undefined },
      ...{ bodyBytes: 0, body: undefined, bodyUnread: false },
    },
    { ...NO_HEAD },
    address,
  );

export interface RecorderOptions {
  readonly clock: Clock;
  /** Generates the id of each exchange. */
  readonly newId: () => string;
  /** Names of request headers that the request log shows as well. */
  readonly logHeaders: readonly string[];
  /** Has each exchange from its beginning until it is closed. */
  readonly unanswered: Unanswered;
  /** Receives each exchange once it is closed. */
  readonly done: (exchange: Exchange) => void;
}

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #shown: readonly ShownName[];

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#shown = shownNames(options.logHeaders);
  }

  begin(req: Request): OpenExchange {
    const { newId, clock } = this.#options;
    const head = headOf(req, this.#shown);
    const { headers } = head;
    const length = Number(headers['content-length'] ?? 0);
    const { address, target } = splitTarget(originForm(req.url));
    // A target with a host is checked, and cut, with it.
    if (address !== undefined && req.url.startsWith('/')) req.url = target;
    req.exchange = openExchange(
      newId(),
      clock.now(),
      {
        method: req.method,
        target: withoutCredentials(target),
        authorization: head.authorization,
        contentType: headers['content-type'],
        bodyBytes: length,
        body: undefined,
        // A chunked body has no length yet; an unread one exists anyway.
        bodyUnread: length > 0 || headers['transfer-encoding'] !== undefined,
      },
      head,
      address,
    );
    this.#options.unanswered.add(req.exchange);
    return req.exchange;
  }

  /** For a request that Node did not read, as far as it is known. */
  beginRaw({ method, target: sent, run }: RawRequest): OpenExchange {
    const { newId, clock } = this.#options;
    const { address, target } = splitTarget(originForm(sent));
    const exchange = unrecorded(newId(), clock.now(), method, target, address);
    if (isOfControlApi(target)) exchange.specification = 'control';
    exchange.otherHeaders = undefined;
    if (run !== undefined) exchange.requestHeaders = ['Sandbox-Run', run];
    return exchange;
  }

  /** The response is about to be sent, with these headers. Call it before the first byte. */
  beginResponse(exchange: OpenExchange, headers: readonly string[]): void {
    exchange.responseHeaders = headers;
    this.#stamp(exchange);
  }

  /** The response was sent: from now on only the verdict changes. */
  close(exchange: OpenExchange, response: RecordedResponse): void {
    if (isClosed(exchange)) return;
    this.#options.unanswered.delete(exchange);
    if (exchange.respondedAt === 0) this.#stamp(exchange);
    exchange.response = response;
    this.#options.done(exchange);
  }

  /**
   * No response can be sent any more. A client of the petstore API that left is recorded, with the changes that its request
   * made; what it asked of the control API is not.
   */
  abandon({ exchange, complete }: Request): void {
    if (isClosed(exchange)) return;
    exchange.arrived = complete;
    if (exchange.specification === 'petstore') {
      exchange.disconnectedAt ??= this.#options.clock.now();
      this.close(exchange, NOTHING_SENT);
    } else this.#options.unanswered.delete(exchange);
  }

  #stamp(exchange: OpenExchange): void {
    exchange.respondedAt = this.#options.clock.now();
    exchange.durationMs = stopwatch() - exchange.startedMs;
  }
}

/**
 * Whether a request is for the control API, which isn't part of what a client is tested by. For Express, a backslash is a
 * slash where a fragment follows.
 */
export const isOfControlApi = (target: string): boolean => /^\/_sandbox(?:[/?#\\]|$)/.test(target);

/** The service accepts the request as sent. */
export function accept(exchange: OpenExchange): void {
  exchange.decision = ACCEPTED;
}

/** The service rejects the request, for these reasons. */
export function reject(exchange: OpenExchange, problems: readonly Problem[]): void {
  exchange.decision = { kind: 'rejected', problems };
}

const isClosed = ({ response }: OpenExchange): boolean => response !== NO_RESPONSE;

/** For logs: the kind of request, without its content. */
export function logFieldsOf(exchange: OpenExchange): object {
  const { id, at, request, response } = exchange;
  const target = shorten(request.target, 200);
  return { request: id, at: isoTime(at), method: request.method, target, status: response.status };
}
