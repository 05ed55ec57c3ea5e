/** Begins the record of every request, without its credential, before anything acts on it, and closes it with the response. */
import { type Exchange, NOTHING_SENT, type RecordedResponse } from '../api/exchange.ts';
import { type Clock, stopwatch } from '../core/clock.ts';
import { isClosed, type OpenExchange, openExchange, ownRedactOf, type Request } from './open-exchange.ts';
import type { RawRequest } from './raw-request.ts';
import { headFrom, headOf } from './request-head.ts';
import { ABSOLUTE } from './well-formed.ts';

export interface RecorderOptions {
  readonly clock: Clock;
  /** Generates the id of each exchange. */
  readonly newId: () => string;
  /** Names of request headers that the request log shows as well. */
  readonly logHeaders: readonly string[];
  /** Receives each exchange once it is closed. */
  readonly done: (exchange: Exchange) => void;
  /** Receives those that are not closed: their requests got no response here. */
  readonly abandoned: (exchange: Exchange) => void;
}

export class Recorder {
  readonly #options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  begin(req: Request): OpenExchange {
    const { newId, clock, logHeaders } = this.#options;
    const head = headOf(req, logHeaders);
    const { headers } = head;
    const length = Number(headers['content-length'] ?? 0);
    req.exchange = openExchange(
      newId(),
      clock.now(),
      {
        method: req.method,
        target: originForm(req.url),
        authorization: head.authorization,
        contentType: headers['content-type'],
        bodyBytes: length,
        body: undefined,
        // A chunked body has no length yet; an unread one exists anyway.
        bodyUnread: length > 0 || headers['transfer-encoding'] !== undefined,
      },
      head,
    );
    return req.exchange;
  }

  /** For a request that Node did not read, as far as it is known. */
  beginRaw({ method, target, rawHeaders }: RawRequest): Request {
    const { newId, clock, logHeaders } = this.#options;
    const values = new Map<string, string>();
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = (rawHeaders[at] as string).toLowerCase();
      if (!values.has(name)) values.set(name, rawHeaders[at + 1] as string);
    }
    const headers = Object.fromEntries(values);
    const head = headFrom(headers, rawHeaders, logHeaders);
    const request = {
      ...{ method, target, authorization: head.authorization, contentType: headers['content-type'] },
      ...{ bodyBytes: 0, body: undefined, bodyUnread: false },
    };
    const exchange = openExchange(newId(), clock.now(), request, head);
    if (isOfControlApi(target)) exchange.specification = 'control';
    return { method, url: target, headers, rawHeaders, exchange, params: {} } as unknown as Request;
  }

  /** The response is about to be sent, with these headers. Call it before the first byte. */
  beginResponse(exchange: OpenExchange, headers: readonly string[]): void {
    exchange.responseHeaders = headers;
    this.#stamp(exchange);
  }

  /** The response was sent: from now on only the verdict changes. */
  close(exchange: OpenExchange, response: RecordedResponse): void {
    if (isClosed(exchange)) return;
    if (exchange.respondedAt === 0) this.#stamp(exchange);
    exchange.response = response;
    exchange.redact = ownRedactOf(exchange);
    this.#options.done(exchange);
  }

  /**
   * No response can be sent any more. A client of the petstore API that left is recorded, with the changes that its request
   * made; what it asked of the control API is not.
   */
  abandon(exchange: OpenExchange): void {
    if (isClosed(exchange)) return;
    if (exchange.specification === 'petstore') {
      exchange.disconnectedAt ??= this.#options.clock.now();
      this.close(exchange, NOTHING_SENT);
    } else this.#options.abandoned(exchange);
  }

  #stamp(exchange: OpenExchange): void {
    exchange.respondedAt = this.#options.clock.now();
    exchange.durationMs = stopwatch() - exchange.startedMs;
  }
}

/** Whether a request is for the control API, which isn't part of what a client is tested by. */
export const isOfControlApi = (target: string): boolean => /^\/_sandbox(?:[/?]|$)/.test(target);

/** `GET http://host/v1/pets` means `/v1/pets` (RFC 9112, section 3.2.2). */
const originForm = (target: string): string => {
  if (target.startsWith('/')) return target;
  const path = ABSOLUTE.exec(target)?.[2];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
};
