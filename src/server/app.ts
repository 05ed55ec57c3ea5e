/** The lifecycle of every request, as the list of its steps. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import { ApiError } from '../api/errors.ts';
import { type MalformedCause, NOTHING_SENT } from '../api/exchange.ts';
import { shorten } from '../core/text.ts';
import { ClientGone } from '../http/body.ts';
import type { Capacity } from '../http/capacity.ts';
import { type ErrorOptions, otherMethodError, responseToError, unknownPathError } from '../http/errors.ts';
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
import { pathOf, rejectUnreadable, unreadable } from '../http/query.ts';
import { MAX_TARGET, type RawRequest } from '../http/raw-request.ts';
import type { ResponseData } from '../http/response.ts';
import { type Endpoint, methodsOf } from '../http/route.ts';
import { sandboxAt } from '../http/sandbox-at.ts';
import { SchemaChecks } from '../http/schema-checks.ts';
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
  readonly petstore: Omit<PetstoreOptions, 'authenticate' | 'capacity' | 'redact' | 'checks'>;
  /** The control API and the pages. */
  readonly endpoints: readonly Endpoint[];
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
  const findOperation = petstore({ ...options.petstore, capacity, redact, authenticate, checks: new SchemaChecks() });
  const check = guard(options.guard);

  /** Begin, find the route, open, admit, run, send: `recorder` then hands the exchange to the request log. */
  const serve = (req: Request, res: Response): void => {
    begin(req);
    // Node's parser drops what came behind it, as if it were in the other protocol.
    if (req.exchange.head.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    try {
      const problem = problemOfForm(req);
      if (problem) rejectMalformed(req, res, causeOfError(problem), problem);
      else if (isOfApi(req.url)) serveApi(req, res);
      else serveOther(req, res).catch((thrown) => fail(thrown, req, res));
    } catch (thrown) {
      fail(thrown, req, res);
    }
  };

  /** Without a promise where nothing waits. */
  const serveApi = (req: Request, res: Response): void => {
    const route = findOperation(req);
    const respond = (caller: unknown): void | Promise<void> => {
      const response = route.run(req, res, caller);
      if (response instanceof Promise) return response.then((data) => sender.send(req, res, data));
      sender.send(req, res, response);
    };
    const opened = route.open && capacity.opened(route.open, req);
    const served = opened instanceof Promise ? opened.then(respond) : respond(opened);
    served?.catch((thrown: unknown) => fail(thrown, req, res));
  };

  const serveOther = async (req: Request, res: Response): Promise<void> => (await application())(req, res);

  const begin = (req: Request): void => {
    sender.expect();
    recorder.begin(req);
  };

  /** Runs before all endpoints. The petstore API is open to every page; all else is guarded. */
  const admit: RequestHandler<PathParameters> = async (req, res, next) => {
    if (isAstray(req)) claimAstray(req);
    const response = req.url === '*' ? ABOUT_THE_SERVER : check(req);
    if (response) {
      sender.send(req, res, response);
      return;
    }
    if (isOfControlApi(req.exchange.request.target)) {
      req.exchange.specification = 'control';
      rejectUnreadable(req);
    } else sandboxAt(req, options.petstore);
    next();
  };

  const serveEndpoint =
    ({ respond }: Endpoint): RequestHandler<PathParameters> =>
    async (req, res) =>
      sender.send(req, res, await respond(req));

  const rejectMethods =
    (allow: string): RequestHandler<PathParameters> =>
    (req) => {
      throw otherMethodError(req, allow);
    };

  const rejectUnknown: RequestHandler<PathParameters> = async (req) => {
    // Whatever else comes to the address of a sandbox is its own.
    if (req.exchange.address !== undefined && !isOfBrowsers(pathOf(req))) claim(req);
    throw unknownPathError(req);
  };

  const fail = (thrown: unknown, req: Request, res: Response): void => {
    if (thrown instanceof ClientGone) {
      // The client may have half-closed its connection: nothing more is sent on it.
      res.destroy();
      recorder.abandon(req);
      capacity.release(req.exchange);
    } else sender.send(req, res, responseToError(thrown, req, options));
  };

  const failed: ErrorRequestHandler<PathParameters> = (thrown, req, res, _next) =>
    fail(thrown instanceof URIError ? unreadable(req) : thrown, req, res);

  /** Finds the sandbox of a request that no operation authenticates. */
  const claim = (req: RequestParts): void => {
    if (req.exchange.specification === 'control') return;
    try {
      authenticate(req);
    } catch {
      // Without one it belongs to no sandbox, and is served, or rejected, anyway.
    }
  };

  const claimAstray = (req: RequestParts): void => {
    try {
      authenticate(req);
    } catch (error) {
      unlessMisdirected(error);
    }
  };

  /** Loaded with the first request that it serves, so that the start does not wait for it. */
  let loaded: Promise<Express> | undefined;
  const application = (): Promise<Express> => {
    loaded ??= import('express').then(({ default: express }) => {
      const made = express()
        .disable('x-powered-by')
        .enable('case sensitive routing')
        .enable('strict routing')
        .use(admit);
      for (const path of new Set(options.endpoints.map((each) => each.path))) {
        const there = options.endpoints.filter((each) => each.path === path);
        const route = made.route(path);
        for (const each of there) route[each.method](serveEndpoint(each));
        route.all(rejectMethods(methodsOf(there)));
      }
      return made.use(rejectUnknown, failed);
    });
    return loaded;
  };

  const rejectMalformed = (req: Request, res: Response, cause: MalformedCause, error: ApiError): void => {
    const { exchange } = req;
    if (isOfControlApi(exchange.request.target)) exchange.specification = 'control';
    exchange.request.target = shorten(exchange.request.target, MAX_TARGET);
    // Only what is wrong with its form has a message of its own.
    exchange.malformed = { cause, message: cause === 'not-http' ? error.message : MALFORMED[cause][0] };
    // If the framing of a request is in doubt, so is everything after it on the connection.
    res.shouldKeepAlive = false;
    claim(req);
    fail(error, req, res);
  };

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
    claim(req as Request);
    return (req as Request).exchange;
  };

  const notServed = async (req: Request): Promise<void> => {
    const [message] = MALFORMED['cut-off'];
    req.exchange.malformed = { cause: 'cut-off', message };
    claim(req);
    recorder.close(req.exchange, NOTHING_SENT);
  };

  return {
    serve: (req, res) => serve(req as Request, res),
    rejectExpectation: (req, res) => {
      begin(req as Request);
      rejectMalformed(req as Request, res, 'not-http', UNMET);
    },
    notServed: (req) => {
      begin(req as Request);
      void notServed(req as Request);
    },
    redact,
    log,
    recorder,
    beginRaw,
    beginRead,
    rejectMalformed,
  };
}

type PathParameters = Request['params'];

const causeOfError = ({ code }: ApiError): MalformedCause => (code === 'headers_too_large' ? 'too-large' : 'not-http');

/** `OPTIONS *` applies to the server as a whole (RFC 9110, section 9.3.7). */
const ABOUT_THE_SERVER: ResponseData = {
  status: 204,
  body: '',
  headers: ['Allow', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
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
