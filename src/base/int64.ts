/**
 * Exact integers in JSON. JavaScript's numbers have 53 bits; the petstore API's ids and categories have 64 and must
 * round-trip digit for digit. So JSON from outside is parsed with every number as its digits until its type is known.
 */
import { countMembers, type Json, JsonError, readExactly } from './json.ts';
import { kindOf, shorten } from './text.ts';

export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

/** A JSON number that is not an int64: it has a fraction, or is out of range. */
export class NumberLiteral {
  constructor(readonly text: string) {}
}

/** The result of `parseJson`: every number is a `bigint` (an exact int64) or a `NumberLiteral`. */
export type JsonValue = Json<bigint | NumberLiteral>;
export interface JsonObject {
  [member: string]: JsonValue;
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberLiteral);

/**
 * Parses JSON (RFC 8259) without losing a digit. Rejects a member given twice with different values, nesting beyond 100
 * levels, and more than `maxMembers` members and array items in total. `__proto__` is an ordinary member.
 * @throws {JsonError}
 */
export function parseJson(text: string, maxMembers?: number): JsonValue {
  const members = countMembers(text, maxMembers);
  return parseQuickly(text, members) ?? readExactly(text, readJsonNumber);
}

/** As `parseJson`; `undefined` for a text that it rejects. */
export function parseIfJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** As `parseJson`, but every number as it was written: `1.0` stays `1.0`. @throws {JsonError} */
export function parseDigits(text: string): Json<NumberLiteral> {
  countMembers(text);
  return readExactly(text, (digits) => new NumberLiteral(digits));
}

/** Serializes JSON; a `bigint` as its digits. `undefined` members are omitted. @param indent spaces a level */
export function writeJson(value: unknown, indent = 0, before = ''): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof NumberLiteral) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const isArray = Array.isArray(value);
  const deeper = before + ' '.repeat(indent);
  const inside = isArray
    ? value.map((item) => writeJson(item, indent, deeper))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}:${indent ? ' ' : ''}${writeJson(member, indent, deeper)}`);
  const [open, shut] = isArray ? '[]' : '{}';
  if (inside.length === 0 || indent === 0) return `${open}${inside.join(',')}${shut}`;
  return `${open}\n${deeper}${inside.join(`,\n${deeper}`)}\n${before}${shut}`;
}

/** Numbers that are not short integers, and escapes, which the engine may misread: see `json.ts`. */
const DELICATE = /\d(?:\d{15}|[.eE])|\\/;

/**
 * The result of the engine's own parser, which takes a tenth of the time, if all numbers are exact as doubles and all
 * `members` are in it, so that none was given twice. `undefined` for anything else.
 */
function parseQuickly(text: string, members: number): JsonValue | undefined {
  if (DELICATE.test(text)) return undefined;
  let found = 0;
  const exact = (value: unknown): JsonValue => {
    if (typeof value === 'number') return BigInt(value);
    if (typeof value !== 'object' || value === null) return value as JsonValue;
    const parts = value as Record<string, unknown>;
    for (const name in parts) {
      parts[name] = exact(parts[name]);
      found++;
    }
    return value as JsonValue;
  };
  try {
    const value = exact(JSON.parse(text));
    return found === members ? value : undefined;
  } catch {
    // The reader finds the place of the error.
    return undefined;
  }
}

/** Parses a plain decimal integer of a path or query, `-?(0|[1-9][0-9]*)`; `undefined` for any other text. */
export function readDecimal(text: string): bigint | undefined {
  // 400 digits exceed every range and keep the conversion cheap.
  return text.length <= 400 && /^-?(?:0|[1-9][0-9]*)$/.test(text) ? BigInt(text) : undefined;
}

/** A short description of a value, whatever its size. */
export const describeJson = (value: JsonValue | undefined): string =>
  value instanceof NumberLiteral ? shorten(value.text, 40) : kindOf(value);

/** True from -9223372036854775808 to 9223372036854775807. */
export const isInt64 = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX;

/** JSON Schema counts `1.0` and `1e2` as integers: any literal with an integral value in range becomes a bigint. */
function readJsonNumber(text: string): bigint | NumberLiteral {
  const number = Number(text);
  // The common case: converting a number to a bigint is cheaper than converting digits.
  if (Number.isSafeInteger(number) && String(number) === text) return BigInt(number);
  const digits = /[.eE]/.test(text) ? integralDigits(text) : text;
  if (digits === undefined || digits.length > MAX_DIGITS) return new NumberLiteral(text);
  const value = BigInt(digits);
  return isInt64(value) ? value : new NumberLiteral(text);
}

/** Characters of the longest int64, with its sign. */
const MAX_DIGITS = 20;

/** The plain digits of a number in another notation; `undefined` for a fraction or a value out of range. */
function integralDigits(text: string): string | undefined {
  const mark = text.search(/[eE]/);
  const mantissa = mark < 0 ? text : text.slice(0, mark);
  const exponent = mark < 0 ? 0 : Number(text.slice(mark + 1));
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.slice(sign.length).split('.');
  const digits = whole + fraction;
  let first = 0;
  while (digits.charCodeAt(first) === ZERO) first++;
  if (first === digits.length) return '0';
  // A loop, not a pattern: `/0+$/` is quadratic on a long row of zeros.
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) end--;
  // Position of the decimal point, counted from the last significant digit: never negative for an integral value.
  const zeros = exponent - fraction.length + (digits.length - end);
  if (zeros < 0 || end - first + zeros > MAX_DIGITS) return undefined;
  return sign + digits.slice(first, end) + '0'.repeat(zeros);
}

const ZERO = 0x30;

/** The same with plain numbers, where nothing is beyond 53 bits: a larger number still breaks its bounds. */
export function plainValue(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof NumberLiteral) return Number(value.text);
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainValue(member)]));
}
