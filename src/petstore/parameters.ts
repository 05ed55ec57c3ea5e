/** Strict parameters: a value that violates the specification rejects the request. */
import type { Request } from 'express';
import type { ApiError } from '../api/errors.ts';
import type { Problem } from '../api/exchange.ts';
import type { Field } from '../api/specification.ts';
import { INT64_MAX, INT64_MIN, readDecimal } from '../core/int64.ts';
import { quoted } from '../core/text.ts';
import { rejection } from '../http/body.ts';
import { onlyValue, type QueryPair, readQuery } from '../http/query.ts';

/** What a query gave: integers as numbers where all that the specification allows are exact as such. */
export type QueryValue = string | number | bigint | undefined;

/**
 * The parameters of an operation's query by name: as sent, or the default. Others are ignored.
 * @throws {ApiError} `invalid_request` that names all that is wrong
 */
export function queryParameters(req: Request, fields: readonly Field[]): Readonly<Record<string, QueryValue>> {
  const pairs = readQuery(req.exchange.request.target);
  const problems: Problem[] = [];
  const values: Record<string, QueryValue> = {};
  for (const field of fields) values[field.name] = readValue(pairs, field, problems) ?? field.default;
  if (problems.length > 0) throw rejection(req, 'invalid_request', problems);
  return values;
}

/** An invalid value becomes a problem. */
function readValue(pairs: readonly QueryPair[], field: Field, problems: Problem[]): QueryValue {
  const { name, type, minimum, maximum } = field;
  const expected = expectedOf(field);
  const text = onlyValue(pairs, name, problems, expected);
  if (text === undefined) return undefined;
  const location = `query/${name}`;
  if (type === 'string') {
    if (field.enum === undefined || field.enum.includes(text)) return text;
    problems.push({ location, message: `must be ${expected}; got ${quoted(text)}` });
    return undefined;
  }
  const value = readDecimal(text);
  if (value !== undefined && isWithin(value, field)) return maximum > Number.MAX_SAFE_INTEGER ? value : Number(value);
  problems.push({
    location,
    message: `must be a plain integer from ${minimum} to ${maximum}; got ${quoted(text)}`,
    // The validator converts parameters as JavaScript does: `+5` and `5.0` are 5.
    ...(value === undefined && Number.isInteger(Number(text)) && { difference: 'integer-form' as const }),
  });
  return undefined;
}

function expectedOf({ type, enum: words, minimum, maximum }: Field): string {
  if (words) return `one of ${words.join(', ')}`;
  return type === 'integer' ? `an integer from ${minimum} to ${maximum}` : 'a text';
}

/** An integer of the path. @throws {ApiError} `not_found` for anything else: no such id exists */
export function pathInteger(req: Request, field: Field): bigint {
  const text = String(req.params[field.name]);
  const value = readDecimal(text);
  if (value !== undefined && isWithin(value, field)) return value;
  throw noSuchPath(req, field, text, value);
}

function noSuchPath(req: Request, { name, minimum, maximum }: Field, text: string, value?: bigint): ApiError {
  const message = `must be a plain integer from ${minimum} to ${maximum}; got ${quoted(text)}`;
  // The validator uses doubles, see `IntendedDifference`.
  const isBeyond = value !== undefined && (value < INT64_MIN || value > INT64_MAX);
  const isOtherForm = value === undefined && Number.isInteger(Number(text));
  const difference = isBeyond ? 'int64-range' : isOtherForm ? 'integer-form' : undefined;
  return rejection(req, 'not_found', [{ location: `path/${name}`, message, ...(difference && { difference }) }]);
}

const isWithin = (value: bigint, { minimum, maximum }: Field): boolean => value >= minimum && value <= maximum;
