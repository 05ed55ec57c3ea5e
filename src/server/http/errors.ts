/** Turns whatever a step of the request lifecycle throws into an Error body, without internals. */

import { pathOfTarget } from '../../base/address.ts';
import { ApiError } from '../../base/api/errors.ts';
import { basePath, operations } from '../../base/generated/facts.ts';
import type { Log } from '../../base/log.ts';
import { shorten } from '../../base/text.ts';
import { nearestOperation } from '../../traffic/closest-operation.ts';
import type { Redact } from '../../traffic/redact.ts';
import { logFieldsOf, type RequestParts } from './open-exchange.ts';
import { errorResponse, type ResponseData } from './response.ts';

export interface ErrorOptions {
  readonly log: Log;
  readonly redact: Redact;
}

/** The response to an error; anything but an `ApiError` is logged in full and becomes `internal_error`. */
export function responseToError(
  thrown: unknown,
  { exchange }: RequestParts,
  { log, redact }: ErrorOptions,
): ResponseData {
  const known = thrown instanceof ApiError ? thrown : undefined;
  if (!known || known.cause !== undefined) log.error({ err: thrown, ...logFieldsOf(exchange) }, 'a request failed');
  const error = known ?? new ApiError('internal_error', 'the sandbox failed on this request; its log has the reason');
  return errorResponse(error, redact);
}

/** The error for a method that a path does not have. @param allow those that it has */
export const otherMethodError = ({ method }: Pick<RequestParts, 'method'>, allow: string): ApiError =>
  new ApiError('method_not_allowed', `${method} is not possible here; the methods are ${allow}`, ['Allow', allow]);

/** The error for a path that does not exist. */
export function unknownPathError({ exchange }: RequestParts): ApiError {
  const { method, target } = exchange.request;
  // A path of the control API is never meant for an operation of the API: `/_sandbox/pet`.
  const closest = target.startsWith('/_sandbox') ? undefined : nearestOperation(method, target);
  const path = shorten(pathOfTarget(target), 100);
  const where = SPECIFICATION.test(path)
    ? 'the specification is at /_sandbox/openapi.json, and its page at /docs/reference/petstore-api.md'
    : closest === undefined
      ? `the API is at ${PATHS}`
      : `did you mean ${closest}?`;
  // Without the id: what a recording repeats in another sandbox must be the same.
  const below = exchange.address === undefined ? '' : '; these paths follow the address of the sandbox';
  return new ApiError('not_found', `no such path: ${path}; ${where} (the control API is under /_sandbox${below})`);
}

/** Where other services have their specification. */
const SPECIFICATION = /^\/(?:v1\/)?(?:openapi|swagger|api-docs|docs)(?:\.json|\.ya?ml|\/)?$/;

/** `/v1/pets and /v1/pets/{petId}` */
const PATHS = [...new Set(Object.values(operations).map(({ path }) => `${basePath}${path}`))].join(' and ');
