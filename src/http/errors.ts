/** The end of the request lifecycle for whatever went wrong: every error becomes an Error body, without internals. */
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Redact } from '../sandbox/redact.ts';
import { shorten } from '../wording.ts';
import { answer, errorAnswer } from './answer.ts';
import { ClientGone } from './body.ts';
import { unreadable } from './query.ts';

/** Answers errors; what is not an `ApiError` is logged whole and answered as `internal_error`. */
export const answerErrors =
  ({ log, redact }: { log: Log; redact: Redact }) =>
  (thrown: unknown, req: Request, res: Response): void => {
    if (thrown instanceof ClientGone) {
      // It may have ended its own side only: nothing more comes on this connection.
      res.destroy();
      req.exchange.abandon();
      return;
    }
    const known = asApiError(thrown, req);
    if (!known || known.cause !== undefined) log.error({ err: thrown, ...req.exchange.summary }, 'a request failed');
    // The head is out already: all that is left is to let the client see that the answer is not whole.
    if (res.headersSent) res.destroy();
    else {
      const error =
        known ?? new ApiError('internal_error', 'the sandbox failed on this request; its log has the reason');
      answer(req, res, errorAnswer(error, redact));
    }
  };

/** The router decodes a path's parameters before any step of ours: what it cannot decode is the client's mistake. */
function asApiError(thrown: unknown, req: Request): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown;
  const isBadPath = thrown instanceof URIError && (thrown as { status?: unknown }).status === 400;
  return isBadPath ? unreadable(req) : undefined;
}

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
