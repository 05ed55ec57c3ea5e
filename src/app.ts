/** The lifecycle of every request, from top to bottom: record → form → interface | guard → controls | dashboard → errors. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Request, type Response, Router } from 'express';
import { answer } from './http/answer.ts';
import { answerErrors, unknownPath, unknownPathError } from './http/errors.ts';
import { type GuardOptions, guard } from './http/guard.ts';
import { type RecordOptions, record } from './http/record.ts';
import { createFormCheck } from './http/well-formed.ts';
import type { Log } from './log.ts';
import { addPetstore, type PetstoreOptions } from './petstore/router.ts';
import type { Redact } from './sandbox/redact.ts';

export interface AppOptions {
  readonly log: Log;
  /** Takes secrets out of the messages of errors. */
  readonly redact: Redact;
  readonly record: RecordOptions;
  readonly guard: GuardOptions;
  /** The interface. */
  readonly petstore: PetstoreOptions;
  readonly controls: Router;
  readonly dashboard: Router;
}

/** `OPTIONS *` asks about the server as a whole (RFC 9110, section 9.3.7). */
const ABOUT_THE_SERVER = { status: 204, body: '', headers: ['Allow', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'] };

/**
 * What a server calls for each request. It is Express's router without Express's application around it: the application
 * would give every request and answer another prototype, which costs as much as all that is done here.
 */
export function createApp(options: AppOptions): (req: IncomingMessage, res: ServerResponse) => void {
  const begin = record(options.record);
  const checkForm = createFormCheck();
  const fail = answerErrors(options);
  const router = Router({ caseSensitive: true, strict: true });
  addPetstore(router, options.petstore);
  router.use(guard(options.guard));
  router.use('/_sandbox', options.controls);
  router.use(options.dashboard);
  router.use(unknownPath);

  const route = (req: Request, res: Response): void => {
    // Whatever comes out of the router, an error or a request that nobody answered, ends with an Error body.
    const last = (error?: unknown): void => fail(error ?? unknownPathError(req), req, res);
    try {
      checkForm(req);
    } catch (error) {
      // Where a request is not what it seems, what follows it on the connection may not be either.
      res.shouldKeepAlive = false;
      last(error);
      return;
    }
    if (req.url === '*') answer(req, res, ABOUT_THE_SERVER);
    else router(req, res, last);
  };
  return (request, response) => {
    const req = request as Request;
    const res = response as Response;
    begin(req);
    route(req, res);
  };
}
