/**
 * The lifecycle of every request, in order: record → form → interface | guard → controls | dashboard | documentation →
 * errors.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Log } from '../core/log.ts';
import { respondToErrors, unknownPath, unknownPathError } from '../http/errors.ts';
import { type GuardOptions, guard } from '../http/guard.ts';
import { Departures } from '../http/open-exchange.ts';
import { type RecordOptions, record } from '../http/record.ts';
import { respond } from '../http/response.ts';
import { checkForm } from '../http/well-formed.ts';
import type { Handler } from '../petstore/direct-path.ts';
import { addPetstore, type PetstoreOptions } from '../petstore/router.ts';
import type { Redact } from '../requests/redact.ts';

interface AppOptions {
  readonly log: Log;
  /** Redacts secrets in error messages. */
  readonly redact: Redact;
  readonly record: Omit<RecordOptions, 'departures'>;
  readonly guard: GuardOptions;
  /** The petstore API. */
  readonly petstore: PetstoreOptions;
  readonly controls: RequestHandler;
  readonly dashboard: Router;
  readonly documentation: Router;
}

/** `OPTIONS *` applies to the server as a whole (RFC 9110, section 9.3.7). */
const ABOUT_THE_SERVER = { status: 204, body: '', headers: ['Allow', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'] };

/**
 * The request listener. It uses Express's router without an Express application: an application replaces the prototype
 * of every request and response, which costs as much as all other work per request.
 */
export function createApp(options: AppOptions): (req: IncomingMessage, res: ServerResponse) => void {
  const begin = record({ ...options.record, departures: new Departures() });
  const fail = respondToErrors(options);
  const router = Router({ caseSensitive: true, strict: true });
  const direct = addPetstore(router, options.petstore);
  router.use(guard(options.guard));
  router.use('/_sandbox', options.controls);
  router.use(options.dashboard);
  router.use(options.documentation);
  router.use(unknownPath);

  const route = (req: Request, res: Response): void => {
    // Every request that leaves the router with an error, or without a response, gets an Error body.
    const last = (error?: unknown): void => fail(error ?? unknownPathError(req), req, res);
    try {
      checkForm(req);
    } catch (error) {
      // If the framing of a request is in doubt, so is everything after it on the connection.
      res.shouldKeepAlive = false;
      last(error);
      return;
    }
    const serve = direct.find(req);
    if (serve) serveDirectly(serve, req, res, last);
    else if (req.url === '*') respond(req, res, ABOUT_THE_SERVER);
    else router(req, res, last);
  };
  return (request, response) => {
    const req = request as Request;
    const res = response as Response;
    begin(req);
    route(req, res);
  };
}

/** Runs a handler as the router does: what it throws or rejects with goes to `fail`. */
function serveDirectly(serve: Handler, req: Request, res: Response, fail: (error: unknown) => void): void {
  try {
    const served = serve(req, res);
    if (served instanceof Promise) served.catch(fail);
  } catch (error) {
    fail(error);
  }
}
