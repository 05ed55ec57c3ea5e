/** Strict parameters: a value that violates the specification rejects the request. */

import type { Problem } from '../api/exchange.ts';
import { isRequired, wantedOf } from '../api/schema-problems.ts';
import { checkField, type Field, wrongValue } from '../api/specification.ts';
import { isInt64, type JsonValue, NumberLiteral, readDecimal } from '../core/int64.ts';
import { isAndSent, quoted } from '../core/text.ts';
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
  const text = onlyValue(pairs, name, problems, () => wantedOf(field.schema));
  if (text === undefined) {
    const isMissing = field.required && !problems.some((problem) => problem.location === location);
    if (isMissing) problems.push({ location, message: isRequired(field.schema) });
    return undefined;
  }
  const value = type === 'string' ? text : jsonOf(text, type);
  if (value === undefined) {
    problems.push(wrongText(field, text, location));
    return undefined;
  }
  const before = problems.length;
  checkField(field, value, location, problems);
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
  if (integer !== undefined && isInt64(integer)) return integer;
  // A number as JSON writes it (RFC 8259, section 6).
  const form = type === 'number' ? /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/ : /^-?[1-9]\d*$/;
  return form.test(text) ? new NumberLiteral(text) : undefined;
}

/** The validator converts parameters as JavaScript does: `+5` and `5.0` are 5. */
function wrongText(field: Field, text: string, location: string): Problem {
  if (!isOtherForm(text, field.type)) return { location, message: wrongValue(field, text) };
  return {
    location,
    message: isAndSent(`${wantedOf(field.schema)}, in plain digits`, quoted(text)),
    difference: 'integer-form',
  };
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
  const value = jsonOf(text, field.type);
  const problems: Problem[] = [];
  const location = `path/${field.name}`;
  if (value === undefined) problems.push(wrongText(field, text, location));
  else checkField(field, value, location, problems);
  if (problems.length > 0) throw rejection(req, 'not_found', problems);
  return value as bigint;
}
