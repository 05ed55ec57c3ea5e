/**
 * Values that follow from the schema of a field or a parameter, as JSON: what it must accept, and what it must reject, by the
 * reason. Patterns, formats and multiples are left out: no value follows from them.
 */
import type { Field } from '../../../src/base/api/specification.ts';
import { INT64_MAX, INT64_MIN } from '../../../src/base/int64.ts';

/** An odd integer that a double cannot represent. */
export const BEYOND_DOUBLE = BigInt(Number.MAX_SAFE_INTEGER) + 2n;
export const DIGITS = '1'.repeat(500);

/** A bound of the schema, if it has one. */
const bound = ({ schema }: Field, name: string): number | undefined =>
  typeof schema[name] === 'number' ? (schema[name] as number) : undefined;

const isInt64Field = ({ minimum, maximum }: Field): boolean => minimum === INT64_MIN && maximum === INT64_MAX;

/** Each value of an enumeration, or both bounds, and between them an integer that a double would round. */
export const acceptedValues = (field: Field): readonly string[] =>
  likelyValues(field).filter((json) => field.check === undefined || field.check(JSON.parse(json)));

function likelyValues(field: Field): readonly string[] {
  if (field.enum) return field.enum.map((value) => JSON.stringify(value));
  if (field.type === 'boolean') return ['true', 'false'];
  if (field.type === 'integer')
    return [field.maximum, field.minimum, ...(isInt64Field(field) ? [BEYOND_DOUBLE] : [])].map(String);
  if (field.type === 'number') return defined(bound(field, 'maximum'), bound(field, 'minimum')).map(String);
  if (field.type !== 'string' || field.schema['pattern'] || field.schema['format']) return [];
  return defined(bound(field, 'maxLength'), bound(field, 'minLength')).map(textOfLength);
}

/** Values of other types. */
export function valuesOfOtherTypes({ type, enum: values }: Field): readonly string[] {
  if (values || type === 'other') return [];
  return OTHER_TYPES[type];
}

const OTHER_TYPES: Readonly<Record<Exclude<Field['type'], 'other'>, readonly string[]>> = {
  string: ['null', '5', 'true', '[]', '{}'],
  integer: ['null', '"1"', 'true', '[1]', '{}', '1.5', '-0.1'],
  number: ['null', '"1"', 'true', '[1]', '{}'],
  boolean: ['null', '"true"', '1', '[]', '{}'],
};

/** One beyond each bound; for an int64 also fractions that are lost in a double. */
export function valuesBeyond(field: Field): readonly string[] {
  if (field.type === 'integer') {
    const next = [`${field.maximum + 1n}`, `${field.minimum - 1n}`];
    if (!isInt64Field(field)) return [...next, DIGITS];
    const fractions = [`${INT64_MAX}.5`, '1e400', DIGITS, '0.99999999999999999999', '1e-400', `${BEYOND_DOUBLE}.5`];
    return [...next, '1e19', ...fractions];
  }
  if (field.type === 'number') return beyond(bound(field, 'maximum'), bound(field, 'minimum')).map(String);
  if (field.type !== 'string') return [];
  return beyond(bound(field, 'maxLength'), bound(field, 'minLength'))
    .filter((length) => length >= 0)
    .map(textOfLength);
}

/** Values that an enumeration does not have; none for a field without one. */
export function unknownValues({ enum: values }: Field): readonly string[] {
  const value = values?.at(-1);
  if (value === undefined) return [];
  const texts = ['lost', value.toUpperCase(), ''].filter((text) => !values?.includes(text));
  return [...texts.map((text) => JSON.stringify(text)), 'null', '5', `[${JSON.stringify(value)}]`];
}

const defined = (...values: readonly (number | undefined)[]): readonly number[] =>
  values.filter((value) => value !== undefined);

const beyond = (most: number | undefined, least: number | undefined): readonly number[] => [
  ...(most === undefined ? [] : [most + 1]),
  ...(least === undefined ? [] : [least - 1]),
];

const textOfLength = (length: number): string => JSON.stringify('x'.repeat(length));
