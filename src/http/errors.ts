/** The end of the way for whatever went wrong: every error becomes an Error body, and no detail of ours leaks. */
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { ApiError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Redact } from '../sandbox/redact.ts';
import { shorten } from '../wording.ts';
import { answer, errorAnswer } from './answer.ts';
import { ClientGone } from './body.ts';

/** Answers errors; what is not an `ApiError` is logged whole and answered as `internal_error`. */
export const answerErrors =
  ({ log, redact }: { log: Log; redact: Redact }): ErrorRequestHandler =>
  (thrown, req, res, _next) => {
    if (thrown instanceof ClientGone) return;
    const known = thrown instanceof ApiError ? thrown : undefined;
    if (!known || known.cause !== undefined) log.error({ err: thrown, ...req.exchange.summary }, 'a request failed');
    // The head is out already: all that is left is to let the client see that the answer is not whole.
    if (res.headersSent) res.destroy();
    else {
      const error =
        known ?? new ApiError('internal_error', 'the sandbox failed on this request; its log has the reason');
      answer(req, res, errorAnswer(error, redact));
    }
  };

/** Where no path matches. */
export const unknownPath: RequestHandler = (req) => {
  throw unknownPathError(req);
};

/** What is said where no path matches. */
export function unknownPathError({ exchange }: Request): ApiError {
  const path = exchange.request.target.split('?')[0] as string;
  return new ApiError(
    'not_found',
    `no such path: ${shorten(path, 100)}; the interface is at /v1/pets and /v1/pets/{petId}, the controls are under /_sandbox`,
  );
}
