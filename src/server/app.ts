/**
 * All that is served: Express's routes, and what runs before and after them. Express's own `req` and `res` are not used:
 * `server/http/send.ts` sends all responses.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, IRouter, RequestHandler } from 'express';
import { ApiError } from '../base/api/errors.ts';
import { type MalformedCause, NOTHING_SENT } from '../base/api/exchange.ts';
import { basePath } from '../base/generated/facts.ts';
import { shorten } from '../base/text.ts';
import { MALFORMED } from '../traffic/malformed.ts';
import { isOfBrowsers } from '../traffic/unmatched-requests.ts';
import { ClientGone } from './http/body.ts';
import type { Capacity } from './http/capacity.ts';
import { type ErrorOptions, otherMethodError, responseToError, unknownPathError } from './http/errors.ts';
import { type GuardOptions, guard } from './http/guard.ts';
import type { MalformedRequests } from './http/node-errors.ts';
import {
  isOfControlApi,
  type OpenExchange,
  Recorder,
  type RecorderOptions,
  type Request,
  type RequestParts,
  type Response,
} from './http/open-exchange.ts';
import { MAX_TARGET, type RawRequest } from './http/request-head.ts';
import { type Endpoint, methodsOf, type Respond, type ResponseData } from './http/response.ts';
import { sandboxAt } from './http/sandbox-at.ts';
import { Sender } from './http/send.ts';
import { pathOf, problemOfForm, rejectUnreadable, unreadable } from './http/well-formed.ts';
import { type AuthenticateOptions, authenticator } from './petstore/authenticate.ts';
import { petstoreApi } from './petstore/endpoints.ts';
import type { ServeOptions } from './petstore/serve.ts';

interface AppOptions extends ErrorOptions {
  readonly record: RecorderOptions;
  readonly capacity: Capacity;
  readonly guard: GuardOptions;
  readonly petstore: Pick<ServeOptions, 'limits' | 'stopping'> & AuthenticateOptions;
  /** Of the control API and of pages. */
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

export async function createApp(options: AppOptions): Promise<App> {
  const { default: express } = await import('express');
  const { capacity, redact, log } = options;
  const recorder = new Recorder(options.record);
  const sender = new Sender(recorder, capacity, log);
  const authenticate = authenticator(options.petstore);
  const petstore = petstoreApi({ ...options.petstore, capacity, redact, authenticate });
  const check = guard(options.guard);

  const begin = (req: Request): void => {
    sender.expect();
    recorder.begin(req);
  };

  /** The petstore API is open to every page; all else is guarded. */
  const admit: Handler = (req, res, next) => {
    if (isAstray(req)) claimUnlessMisdirected(req);
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

  /** Without a promise where nothing waits. */
  const sendFrom =
    (respond: Respond): Handler =>
    (req, res) => {
      const response = respond(req, res);
      return response instanceof Promise
        ? response.then((data) => sender.send(req, res, data))
        : sender.send(req, res, response);
    };

  const rejectUnknown: Handler = (req) => {
    // Whatever else comes to the address of a sandbox is its own.
    if (req.exchange.address !== undefined && !isOfBrowsers(pathOf(req))) claim(req);
    throw unknownPathError(req);
  };

  const fail = (thrown: unknown, req: Request, res: Response): void => {
    if (!isBegun(req)) {
      log.error({ err: thrown }, 'a request could not be recorded');
      res.destroy();
    } else if (thrown instanceof ClientGone) {
      // The client may have half-closed its connection: nothing more is sent on it.
      res.destroy();
      recorder.abandon(req);
      capacity.release(req.exchange);
    } else sender.send(req, res, responseToError(thrown, req, options));
  };

  const rejectUnreadableInApi: ErrorHandler = (thrown, req, res, next) =>
    thrown instanceof URIError ? sendFrom(petstore.respondToUnreadable)(req, res, next) : next(thrown);

  const failed: ErrorHandler = (thrown, req, res, _next) =>
    fail(thrown instanceof URIError ? unreadable(req) : thrown, req, res);

  const app: IRouter = express.Router({ caseSensitive: true, strict: true });
  addRoutes(app, petstore.endpoints, sendFrom);
  app.use(basePath, sendFrom(petstore.respondToUnknown), rejectUnreadableInApi);
  app.use(admit);
  addRoutes(app, options.endpoints, sendFrom);
  app.use(rejectUnknown, failed);

  /** Express reads targets of the usual form only, so it gets a request when that is checked. */
  const serve = (req: Request, res: Response): void => {
    try {
      begin(req);
      // Node's parser drops what came behind it, as if it were in the other protocol.
      if (req.exchange.head.headers.upgrade !== undefined) res.shouldKeepAlive = false;
      const problem = problemOfForm(req);
      if (problem) rejectMalformed(req, res, causeOfError(problem), problem);
      else app(req as never, res as never, (thrown: unknown) => fail(thrown ?? unknownPathError(req), req, res));
    } catch (thrown) {
      fail(thrown, req, res);
    }
  };

  /** Finds the sandbox of a request that no operation authenticates. */
  const claim = (req: RequestParts): void => {
    if (req.exchange.specification === 'control') return;
    try {
      authenticate(req);
    } catch {
      // Without one it belongs to no sandbox, and is served, or rejected, anyway.
    }
  };

  const claimUnlessMisdirected = (req: RequestParts): void => {
    try {
      authenticate(req);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'misdirected_request') throw error;
    }
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
type Handler = RequestHandler<PathParameters>;
type ErrorHandler = ErrorRequestHandler<PathParameters>;

/** Adds each path, with its methods. A path without a handler for all others rejects them. */
function addRoutes(app: IRouter, endpoints: readonly Endpoint[], handler: (respond: Respond) => Handler): void {
  for (const path of new Set(endpoints.map((each) => each.path))) {
    const there = endpoints.filter((each) => each.path === path);
    const route = app.route(path);
    for (const { method, respond } of there) route[method](handler(respond));
    const allow = methodsOf(there);
    route.all(
      handler(async (req) => {
        throw otherMethodError(req, allow);
      }),
    );
  }
}

const isBegun = ({ exchange }: { readonly exchange?: OpenExchange }): boolean => exchange !== undefined;

const causeOfError = ({ code }: ApiError): MalformedCause => (code === 'headers_too_large' ? 'too-large' : 'not-http');

/** `OPTIONS *` applies to the server as a whole (RFC 9110, section 9.3.7). */
const ABOUT_THE_SERVER: ResponseData = {
  status: 204,
  body: '',
  headers: ['Allow', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
};

const UNMET = new ApiError('expectation_failed', 'only `Expect: 100-continue` is supported; leave Expect out');

/**
 * Whether a request with a credential goes neither to the API nor to the control API: it may have lost its base path. At the
 * address of a sandbox, a page is one, whatever key it is asked for with.
 */
const isAstray = ({ exchange: { address, request } }: Request): boolean =>
  address === undefined && request.authorization !== undefined && !isOfControlApi(request.target);
