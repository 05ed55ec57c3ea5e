/**
 * Exact integers in JSON. JavaScript's numbers hold 53 bits; the interface's ids and categories hold 64, and must come
 * back digit for digit. So JSON from outside is read with every number kept as its digits until it is known what it is.
 */
import { type Json, JsonError, refuseExcess } from './json.ts';
import { readExactly } from './json-reader.ts';

export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

/** A JSON number that is no int64: it has a fraction, or lies beyond the range. */
export class OtherNumber {
  constructor(readonly text: string) {}
}

/** What `parseJson` makes of a text: every number is a `bigint` (an exact int64) or an `OtherNumber`. */
export type JsonValue = Json<bigint | OtherNumber>;
export interface JsonObject {
  [member: string]: JsonValue;
}

/**
 * Parses JSON (RFC 8259) without losing a digit. Refuses a member given twice with different values, nesting beyond
 * 100 levels, and more than `maxMembers` members and array items in all. `__proto__` is a member like any other.
 *
 * @throws {JsonError}
 */
export function parseJson(text: string, maxMembers?: number): JsonValue {
  refuseExcess(text, maxMembers);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The engine decides that it is no JSON. Its words for it differ from version to version, and quote the text.
    readExactly(text, readJsonNumber);
    throw new JsonError('not valid JSON', 'syntax');
  }
  return plainObject(value, text) ?? readExactly(text, readJsonNumber);
}

/**
 * What the engine's own parser made of a text, where that is an object without inner ones and would be written back
 * character for character: then no digit was lost and no member given twice. Most clients' bodies are like that, and it
 * takes less than half the time. `undefined` for anything else.
 */
function plainObject(value: unknown, text: string): JsonObject | undefined {
  const object = value as Record<string, unknown>;
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return undefined;
  for (const member of Object.keys(object)) {
    const value = object[member];
    if (typeof value === 'object' && value !== null) return undefined;
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
  }
  if (JSON.stringify(object) !== text) return undefined;
  for (const member of Object.keys(object)) {
    const value = object[member];
    if (typeof value === 'number') object[member] = BigInt(value);
  }
  return object as JsonObject;
}

/** A plain decimal integer as paths and queries carry it, `-?(0|[1-9][0-9]*)`; `undefined` for any other text. */
export function readDecimal(text: string): bigint | undefined {
  // 400 digits are more than any range asks for, and keep the conversion cheap.
  return text.length <= 400 && /^-?(?:0|[1-9][0-9]*)$/.test(text) ? BigInt(text) : undefined;
}

/** True from -9223372036854775808 to 9223372036854775807. */
export const isInt64 = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX;

/** JSON Schema counts `1.0` and `1e2` as integers: any literal with an integral value in range becomes a bigint. */
function readJsonNumber(text: string): bigint | OtherNumber {
  const number = Number(text);
  // Most are like this, and to make a bigint of a number is cheaper than of digits.
  if (Number.isSafeInteger(number) && String(number) === text) return BigInt(number);
  const digits = /[.eE]/.test(text) ? integralDigits(text) : text;
  if (digits === undefined || digits.length > MAX_DIGITS) return new OtherNumber(text);
  const value = BigInt(digits);
  return isInt64(value) ? value : new OtherNumber(text);
}

/** Characters of the longest int64, its sign included. */
const MAX_DIGITS = 20;

/** The plain digits of a number that is written in another way; `undefined` for a fraction, and for one out of range. */
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
  // Counted, not matched: `/0+$/` looks through a long row of zeros once for each of them.
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) end--;
  // Where the point stands, counted from the last significant digit: never negative for an integral value.
  const zeros = exponent - fraction.length + (digits.length - end);
  if (zeros < 0 || end - first + zeros > MAX_DIGITS) return undefined;
  return sign + digits.slice(first, end) + '0'.repeat(zeros);
}

const ZERO = 0x30;
