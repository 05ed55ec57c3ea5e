/** The error handler of the request lifecycle: every error becomes an Error body, without internals. */
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../api/errors.ts';
import type { Log } from '../core/log.ts';
import { shorten } from '../core/text.ts';
import { basePath, operations } from '../generated/facts.ts';
import { nearestOperation } from '../requests/closest-operation.ts';
import { redactAllOf } from '../requests/own-credentials.ts';
import type { Redact } from '../requests/redact.ts';
import { ClientGone } from './body.ts';
import type { RequestParts } from './open-exchange.ts';
import { unreadable } from './query.ts';
import { errorResponse, type ResponseData, respond } from './response.ts';

export interface ErrorOptions {
  readonly log: Log;
  readonly redact: Redact;
}

/** Sends errors: see `responseToError`. */
export const respondToErrors =
  (options: ErrorOptions) =>
  (thrown: unknown, req: Request, res: Response): void => {
    if (thrown instanceof ClientGone) {
      // The client may have half-closed its connection: nothing more is sent on it.
      res.destroy();
      req.exchange.abandon();
      return;
    }
    const response = responseToError(thrown, req, options);
    // The head was sent already: close the connection, so that the client sees an incomplete response.
    if (res.headersSent) res.destroy();
    else respond(req, res, response);
  };

/** The response to an error; anything but an `ApiError` is logged in full and becomes `internal_error`. */
export function responseToError(thrown: unknown, req: RequestParts, { log, redact }: ErrorOptions): ResponseData {
  const known = asApiError(thrown, req);
  if (!known || known.cause !== undefined) log.error({ err: thrown, ...req.exchange.summary }, 'a request failed');
  const error = known ?? new ApiError('internal_error', 'the sandbox failed on this request; its log has the reason');
  return errorResponse(error, redactAllOf(req.exchange, redact));
}

/** The router decodes a path's parameters before our steps run: a decoding error is the client's. */
function asApiError(thrown: unknown, req: RequestParts): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown;
  const isBadPath = thrown instanceof URIError && (thrown as { status?: unknown }).status === 400;
  return isBadPath ? unreadable(req) : undefined;
}

/** Handles requests without a matching path. */
export const unknownPath: RequestHandler = (req) => {
  throw unknownPathError(req);
};

/** The error for a path that does not exist. */
export function unknownPathError({ exchange }: Request): ApiError {
  const { method, target } = exchange.request;
  // A path of the control API is never meant for an operation of the API: `/_sandbox/pet`.
  const closest = target.startsWith('/_sandbox') ? undefined : nearestOperation(method, target);
  const path = shorten(target.split('?', 1)[0] as string, 100);
  const where = SPECIFICATION.test(path)
    ? 'the specification is at /_sandbox/openapi.json, and its page at /_sandbox/docs'
    : closest === undefined
      ? `the API is at ${PATHS}`
      : `did you mean ${closest}?`;
  return new ApiError('not_found', `no such path: ${path}; ${where} (the control API is under /_sandbox)`);
}

/** Where other services have their specification. */
const SPECIFICATION = /^\/(?:v1\/)?(?:openapi|swagger|api-docs|docs)(?:\.json|\.ya?ml|\/)?$/;

/** `/v1/pets and /v1/pets/{petId}` */
const PATHS = [...new Set(Object.values(operations).map(({ path }) => `${basePath}${path}`))].join(' and ');
