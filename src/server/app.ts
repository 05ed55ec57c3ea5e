/** The lifecycle of every request, as the list of its steps. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Router } from 'express';
import { ApiError } from '../api/errors.ts';
import { type MalformedCause, NOTHING_SENT } from '../api/exchange.ts';
import { shorten } from '../core/text.ts';
import { ClientGone } from '../http/body.ts';
import type { Capacity } from '../http/capacity.ts';
import { type ErrorOptions, responseToError, unknownPathError } from '../http/errors.ts';
import { find } from '../http/find.ts';
import { type GuardOptions, guard } from '../http/guard.ts';
import type { MalformedRequests } from '../http/node-errors.ts';
import {
  isOfControlApi,
  type OpenExchange,
  Recorder,
  type RecorderOptions,
  type Request,
  type RequestParts,
  type Response,
} from '../http/open-exchange.ts';
import { pathOf } from '../http/query.ts';
import { MAX_TARGET, type RawRequest } from '../http/raw-request.ts';
import type { PageHandler, Route } from '../http/route.ts';
import { sandboxAt } from '../http/sandbox-at.ts';
import { Sender } from '../http/send.ts';
import { problemOfForm } from '../http/well-formed.ts';
import { authenticator } from '../petstore/authenticate.ts';
import { isOfApi, type PetstoreOptions, petstore } from '../petstore/router.ts';
import { MALFORMED } from '../requests/malformed.ts';
import { isOfBrowsers } from '../requests/unmatched-requests.ts';

interface AppOptions extends ErrorOptions {
  readonly record: RecorderOptions;
  readonly capacity: Capacity;
  readonly guard: GuardOptions;
  /** The petstore API. */
  readonly petstore: Omit<PetstoreOptions, 'authenticate' | 'capacity' | 'redact'>;
  /** The route of a request under `/_sandbox`. */
  readonly controls: (req: Request) => Promise<Route>;
  /** What is served elsewhere: page handlers. */
  readonly pages: Router;
}

/** The listeners of a server. */
export interface App extends MalformedRequests {
  serve(req: IncomingMessage, res: ServerResponse): void;
  /** For a request with an `Expect` that nobody meets. */
  rejectExpectation(req: IncomingMessage, res: ServerResponse): void;
  /** Records a request that cannot get a response: the one before it ends the connection. */
  notServed(req: IncomingMessage): void;
}

export function createApp(options: AppOptions): App {
  const { capacity, redact, log } = options;
  const recorder = new Recorder(options.record);
  const sender = new Sender({ recorder, capacity, log });
  const authenticate = authenticator(options.petstore);
  const findOperation = petstore({ ...options.petstore, capacity, redact, authenticate });
  const check = guard(options.guard);

  /** Begin, find the route, open, admit, run, send: `recorder` then hands the exchange to the request log. */
  const serve = async (req: Request, res: Response): Promise<void> => {
    begin(req);
    // Node's parser drops what came behind it, as if it were in the other protocol.
    if (req.exchange.head.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    try {
      const problem = problemOfForm(req);
      if (problem) throw await malformed(req, res, causeOfError(problem), problem);
      const route = isOfApi(req.url) ? findOperation(req) : await routeOf(req);
      const caller = route.open && (await capacity.opened(route.open, req));
      sender.send(req, res, await route.run(req, res, caller));
    } catch (thrown) {
      fail(thrown, req, res);
    }
  };

  const begin = (req: Request): void => {
    sender.expect();
    recorder.begin(req);
  };

  /** The petstore API is open to every page; all else is guarded. */
  const routeOf = async (req: Request): Promise<Route> => {
    if (isAstray(req)) await authenticate(req).catch(unlessMisdirected);
    if (req.url === '*') return ABOUT_THE_SERVER;
    const response = check(req);
    if (response) return { run: async () => response };
    if (isOfControlApi(req.exchange.request.target)) return options.controls(req);
    sandboxAt(req, options.petstore);
    const page = await find<PageHandler>(options.pages, req, pathOf(req));
    if (page) return { run: page };
    // Whatever else comes to the address of a sandbox is its own.
    if (req.exchange.address !== undefined && !isOfBrowsers(pathOf(req))) await claim(req);
    throw unknownPathError(req);
  };

  const fail = (thrown: unknown, req: Request, res: Response): void => {
    if (thrown instanceof ClientGone) {
      // The client may have half-closed its connection: nothing more is sent on it.
      res.destroy();
      req.exchange.arrived = req.complete;
      recorder.abandon(req.exchange);
      capacity.release(req.exchange);
    } else sender.send(req, res, responseToError(thrown, req, options));
  };

  /** Finds the sandbox of a request that no operation authenticates. */
  const claim = async (req: RequestParts): Promise<void> => {
    // Without one it belongs to no sandbox, and is served, or rejected, anyway.
    if (req.exchange.specification !== 'control') await authenticate(req).catch(() => undefined);
  };

  const malformed = async (req: Request, res: Response, cause: MalformedCause, error: ApiError): Promise<ApiError> => {
    const { exchange } = req;
    if (isOfControlApi(exchange.request.target)) exchange.specification = 'control';
    if (cause === 'head-too-large') exchange.request.target = shorten(exchange.request.target, MAX_TARGET);
    // Only what is wrong with the form of a request has a message of its own.
    exchange.malformed = {
      cause,
      message: cause === 'form' || cause === 'expectation' ? error.message : MALFORMED[cause][0],
    };
    // If the framing of a request is in doubt, so is everything after it on the connection.
    res.shouldKeepAlive = false;
    await claim(req);
    return error;
  };

  const rejectExpectation = async (req: Request, res: Response): Promise<void> => {
    begin(req);
    fail(await malformed(req, res, 'expectation', UNMET), req, res);
  };

  const rejectRest = async (req: Request, res: Response, cause: MalformedCause, error: ApiError): Promise<void> =>
    fail(await malformed(req, res, cause, error), req, res);

  const beginRaw = (raw: RawRequest): OpenExchange => {
    const exchange = recorder.beginRaw(raw);
    if (exchange.specification === 'control') return exchange;
    try {
      exchange.sandbox = sandboxAt({ exchange }, options.petstore)?.id;
    } catch {
      // It is nobody's.
    }
    return exchange;
  };

  const beginRead = async (req: IncomingMessage): Promise<OpenExchange> => {
    recorder.begin(req as Request);
    await claim(req as Request);
    return (req as Request).exchange;
  };

  const notServed = async (req: Request): Promise<void> => {
    const [message] = MALFORMED['not-served'];
    req.exchange.malformed = { cause: 'not-served', message };
    await claim(req);
    recorder.close(req.exchange, NOTHING_SENT);
  };

  return {
    serve: (req, res) => void serve(req as Request, res),
    rejectExpectation: (req, res) => void rejectExpectation(req as Request, res),
    notServed: (req) => {
      begin(req as Request);
      void notServed(req as Request);
    },
    redact,
    log,
    recorder,
    beginRaw,
    beginRead,
    rejectRest,
  };
}

const causeOfError = ({ code }: ApiError): MalformedCause => (code === 'headers_too_large' ? 'head-too-large' : 'form');

/** `OPTIONS *` applies to the server as a whole (RFC 9110, section 9.3.7). */
const ABOUT_THE_SERVER: Route = {
  run: async () => ({ status: 204, body: '', headers: ['Allow', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'] }),
};

/** The request is served, or rejected, without a sandbox. */
function unlessMisdirected(error: unknown): void {
  if (error instanceof ApiError && error.code === 'misdirected_request') throw error;
}

const UNMET = new ApiError('expectation_failed', 'only `Expect: 100-continue` is supported; leave Expect out');

/**
 * Whether a request with a credential goes neither to the API nor to the control API: it may have lost its base path. At the
 * address of a sandbox, a page is one, whatever key it is asked for with.
 */
const isAstray = ({ exchange: { address, request } }: Request): boolean =>
  address === undefined && request.authorization !== undefined && !isOfControlApi(request.target);
