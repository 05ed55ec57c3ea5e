/** Strict parameters: a value that violates the specification rejects the request. */

import type { Problem } from '../../base/api/exchange.ts';
import { integerInPath, type QueryValue, valuesInQuery } from '../../base/api/parameters.ts';
import type { Field } from '../../base/api/specification.ts';
import { rejection } from '../http/body.ts';
import type { Request } from '../http/open-exchange.ts';

/**
 * The parameters of an operation's query by name: as sent, or the default. Others are ignored.
 * @throws {ApiError} `invalid_request` that names all that is wrong
 */
export function queryParameters(req: Request, fields: readonly Field[]): Readonly<Record<string, QueryValue>> {
  const problems: Problem[] = [];
  const values = valuesInQuery(req.exchange.request.target, fields, problems);
  if (problems.length > 0) throw rejection(req, 'invalid_request', problems);
  return values;
}

/** An integer of the path. @throws {ApiError} `not_found` for anything else: no such id exists */
export function pathInteger(req: Request, field: Field): bigint {
  const problems: Problem[] = [];
  const value = integerInPath(String(req.params[field.name]), field, problems);
  if (problems.length > 0) throw rejection(req, 'not_found', problems);
  return value as bigint;
}
