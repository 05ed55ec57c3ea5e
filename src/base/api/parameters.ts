/**
 * Reads strict parameters: a value that violates the specification is a problem. A query is split exactly: every parameter
 * with all its repetitions, without any guessing.
 */

import { partsOfTarget } from '../address.ts';
import { isInt64, type JsonValue, NumberLiteral, readDecimal } from '../int64.ts';
import { isAndSent, quoted } from '../text.ts';
import type { Problem } from './exchange.ts';
import { nameOfPair, valueOfPair } from './request-text.ts';
import { isRequired, wantedOf } from './schema-problems.ts';
import { checkField, type Field, wrongValue } from './specification.ts';

/** What a query gave: integers as numbers where all that the specification allows are exact as such. */
export type QueryValue = string | number | bigint | boolean | undefined;

/** Name and value, decoded. */
export type QueryPair = readonly [name: string, value: string];

const NONE: readonly QueryPair[] = [];

/** @param target path and query as sent; its percent-encoding has been validated, see `rejectUnreadable` */
export function readQuery(target: string): readonly QueryPair[] {
  const { query = '' } = partsOfTarget(target);
  if (query === '') return NONE;
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => [nameOfPair(part), valueOfPair(part)]);
}

/** The value of a parameter, which may be given once and not empty; anything else becomes a problem. */
export function onlyValue(
  pairs: readonly QueryPair[],
  name: string,
  problems: Problem[],
  wanted: () => string = () => 'a value',
): string | undefined {
  const values = pairs.filter((pair) => pair[0] === name);
  const location = `query/${name}`;
  if (values.length > 1) {
    const message = `is given ${values.length} times; give it once`;
    problems.push({ location, message, difference: 'parameter-twice' });
    return undefined;
  }
  const value = values[0]?.[1];
  if (value !== '') return value;
  const message = `is empty; give ${wanted()}, or leave it out`;
  problems.push({ location, message, difference: 'parameter-empty' });
  return undefined;
}

/** The parameters of a query by name: as sent, or the default. Others are ignored. */
export function valuesInQuery(
  target: string,
  fields: readonly Field[],
  problems: Problem[],
): Readonly<Record<string, QueryValue>> {
  const pairs = readQuery(target);
  const values: Record<string, QueryValue> = {};
  for (const field of fields) values[field.name] = readParameter(pairs, field, problems) ?? field.default;
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

/** An integer of the path; `undefined` with a problem. */
export function integerInPath(text: string, field: Field, problems: Problem[]): bigint | undefined {
  const value = jsonOf(text, field.type);
  const location = `path/${field.name}`;
  if (value === undefined) problems.push(wrongText(field, text, location));
  else checkField(field, value, location, problems);
  return value as bigint | undefined;
}
