/** Strict parameters: a value that violates the specification rejects the request. */

import type { ApiError } from '../api/errors.ts';
import type { Problem } from '../api/exchange.ts';
import { checkField, type Field, mustBe, wantedOfField } from '../api/specification.ts';
import { INT64_MAX, INT64_MIN, isInt64, type JsonValue, NumberLiteral, readDecimal } from '../core/int64.ts';
import { quoted } from '../core/text.ts';
import { rejection } from '../http/body.ts';
import type { Request } from '../http/open-exchange.ts';
import { onlyValue, type QueryPair, readQuery } from '../http/query.ts';

/** What a query gave: integers as numbers where all that the specification allows are exact as such. */
export type QueryValue = string | number | bigint | boolean | undefined;

/**
 * The parameters of an operation's query by name: as sent, or the default. Others are ignored.
 * @throws {ApiError} `invalid_request` that names all that is wrong
 */
export function queryParameters(req: Request, fields: readonly Field[]): Readonly<Record<string, QueryValue>> {
  const pairs = readQuery(req.exchange.request.target);
  const problems: Problem[] = [];
  const values: Record<string, QueryValue> = {};
  for (const field of fields) values[field.name] = readParameter(pairs, field, problems) ?? field.default;
  if (problems.length > 0) throw rejection(req, 'invalid_request', problems);
  return values;
}

/** An invalid value becomes a problem. */
function readParameter(pairs: readonly QueryPair[], field: Field, problems: Problem[]): QueryValue {
  const { name, type } = field;
  const location = `query/${name}`;
  const text = onlyValue(pairs, name, problems, wantedOfField(field));
  if (text === undefined) {
    const isMissing = field.required && !problems.some((problem) => problem.location === location);
    if (isMissing) problems.push({ location, message: `is required (${wantedOfField(field)})` });
    return undefined;
  }
  const value = type === 'string' ? text : jsonOf(text, type);
  if (value === undefined) {
    problems.push({
      location,
      message: mustBe(field, text, text),
      // The validator converts parameters as JavaScript does: `+5` and `5.0` are 5.
      ...(isOtherForm(text, type) && { difference: 'integer-form' as const }),
    });
    return undefined;
  }
  const before = problems.length;
  checkField(field, value, location, problems, text);
  if (problems.length > before) return undefined;
  if (value instanceof NumberLiteral) return Number(value.text);
  return typeof value === 'bigint' && (type === 'number' || field.maximum <= Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : (value as QueryValue);
}

/** The value of a text that isn't a string; `undefined` for one in another form. */
function jsonOf(text: string, type: Field['type']): JsonValue | undefined {
  if (type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : undefined;
  const integer = readDecimal(text);
  if (integer !== undefined) return isInt64(integer) ? integer : new NumberLiteral(text);
  // A number as JSON writes it (RFC 8259, section 6).
  return type === 'number' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)
    ? new NumberLiteral(text)
    : undefined;
}

/** Whether the validator takes a text for a value of the type anyway. */
function isOtherForm(text: string, type: Field['type']): boolean {
  const value = Number(text);
  // Without a bound in the specification, it also takes `Infinity`, and digits that are beyond all doubles.
  if (Math.abs(value) === Number.POSITIVE_INFINITY) return type === 'integer' || type === 'number';
  if (type === 'integer') return Number.isInteger(value);
  return type === 'number' && Number.isFinite(value);
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
