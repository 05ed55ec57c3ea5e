/**
 * The lifecycle of every request, in order: record → form → petstore API | guard → control API | dashboard |
 * documentation → errors.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Log } from '../core/log.ts';
import { respondToErrors, unknownPathError } from '../http/errors.ts';
import { type GuardOptions, guard } from '../http/guard.ts';
import { type RecordOptions, record } from '../http/record.ts';
import { respond } from '../http/response.ts';
import { checkForm } from '../http/well-formed.ts';
import { isOfApi, type PetstoreOptions, petstore } from '../petstore/router.ts';
import type { Redact } from '../requests/redact.ts';

interface AppOptions {
  readonly log: Log;
  /** Redacts secrets in error messages. */
  readonly redact: Redact;
  readonly record: RecordOptions;
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
  const begin = record(options.record);
  const serveApi = petstore(options.petstore);
  const router = Router({ caseSensitive: true, strict: true });
  router.use(guard(options.guard));
  router.use('/_sandbox', options.controls);
  router.use(options.dashboard);
  router.use(options.documentation);
  const fail = respondToErrors(options);

  const handle = async (req: Request, res: Response): Promise<void> => {
    begin(req);
    try {
      checkForm(req, res);
      if (isOfApi(req.url)) {
        const response = await serveApi(req, res);
        if (response) respond(req, res, response);
      } else if (req.url === '*') respond(req, res, ABOUT_THE_SERVER);
      else router(req, res, (error?: unknown) => fail(error ?? unknownPathError(req), req, res));
    } catch (error) {
      fail(error, req, res);
    }
  };
  return (req, res) => void handle(req as Request, res as Response);
}
