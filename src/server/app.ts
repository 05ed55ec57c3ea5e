/**
 * The lifecycle of every request, in order: record → form → petstore API | guard → control API | dashboard |
 * documentation → errors.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { ApiError } from '../api/errors.ts';
import { type MalformedCause, NOTHING_SENT } from '../api/exchange.ts';
import type { Log } from '../core/log.ts';
import { respondToErrors, unknownPathError } from '../http/errors.ts';
import { type GuardOptions, guard } from '../http/guard.ts';
import type { MalformedRequests } from '../http/node-errors.ts';
import { isOfControlApi, type RecordOptions, record, recordRaw } from '../http/record.ts';
import { respond } from '../http/response.ts';
import { problemOfForm } from '../http/well-formed.ts';
import { authenticator } from '../petstore/authenticate.ts';
import { isOfApi, type PetstoreOptions, petstore } from '../petstore/router.ts';
import { MALFORMED } from '../requests/malformed.ts';
import type { Redact } from '../requests/redact.ts';

interface AppOptions {
  readonly log: Log;
  /** Redacts secrets in error messages. */
  readonly redact: Redact;
  readonly record: RecordOptions;
  readonly guard: GuardOptions;
  /** The petstore API. */
  readonly petstore: Omit<PetstoreOptions, 'authenticate'>;
  readonly controls: RequestHandler;
  readonly dashboard: Router;
  readonly documentation: Router;
}

/** `OPTIONS *` applies to the server as a whole (RFC 9110, section 9.3.7). */
const ABOUT_THE_SERVER = { status: 204, body: '', headers: ['Allow', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'] };

/** The listeners of a server. */
export interface App extends MalformedRequests {
  serve(req: IncomingMessage, res: ServerResponse): void;
  /** For a request with an `Expect` that nobody meets. */
  rejectExpectation(req: IncomingMessage, res: ServerResponse): void;
  /** Records a request that cannot get a response: the one before it ends the connection. */
  notServed(req: IncomingMessage): void;
}

/**
 * The request listener. It uses Express's router without an Express application: an application replaces the prototype
 * of every request and response, which costs as much as all other work per request.
 */
export function createApp(options: AppOptions): App {
  const begin = record(options.record);
  const authenticate = authenticator(options.petstore);
  const serveApi = petstore({ ...options.petstore, authenticate });
  const router = Router({ caseSensitive: true, strict: true });
  router.use(guard(options.guard));
  router.use('/_sandbox', options.controls);
  router.use(options.dashboard);
  router.use(options.documentation);
  const fail = respondToErrors(options);

  /** Finds the sandbox of a request that no operation authenticates. */
  const claim = async (req: Request): Promise<void> => {
    // Without one it belongs to no sandbox, and is served, or rejected, all the same.
    if (req.exchange.specification !== 'control') await authenticate(req).catch(() => undefined);
  };

  const reject = async (req: Request, res: Response, cause: MalformedCause, error: ApiError): Promise<void> => {
    const { exchange } = req;
    if (isOfControlApi(exchange.request.target)) exchange.specification = 'control';
    exchange.malformed = { cause, message: error.message };
    // If the framing of a request is in doubt, so is everything after it on the connection.
    res.shouldKeepAlive = false;
    await claim(req);
    fail(error, req, res);
  };

  const handle = async (req: Request, res: Response): Promise<void> => {
    begin(req);
    const error = problemOfForm(req);
    if (error) return reject(req, res, 'form', error);
    try {
      if (isOfApi(req.url)) {
        const response = await serveApi(req, res);
        if (response) respond(req, res, response);
      } else if (req.url === '*') respond(req, res, ABOUT_THE_SERVER);
      else {
        if (isAstray(req)) await claim(req);
        router(req, res, (thrown?: unknown) => fail(thrown ?? unknownPathError(req), req, res));
      }
    } catch (thrown) {
      fail(thrown, req, res);
    }
    return undefined;
  };

  const notServed = async (req: Request): Promise<void> => {
    begin(req);
    const [message] = MALFORMED['not-served'];
    req.exchange.malformed = { cause: 'not-served', message };
    await claim(req);
    req.exchange.close(NOTHING_SENT);
  };

  return {
    serve: (req, res) => void handle(req as Request, res as Response),
    rejectExpectation: (req, res) => {
      begin(req as Request);
      void reject(req as Request, res as Response, 'expectation', UNMET);
    },
    notServed: (req) => void notServed(req as Request),
    redact: options.redact,
    begin: recordRaw(options.record),
    claim,
  };
}

const UNMET = new ApiError('expectation_failed', 'the only expectation met here is 100-continue; leave Expect out');

/** Whether a request with a credential goes neither to the API nor to the control API: it may have lost its base path. */
const isAstray = ({ exchange: { request } }: Request): boolean =>
  request.authorization !== undefined && !isOfControlApi(request.target);
