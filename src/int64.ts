/**
 * Exact integers in JSON. JavaScript's numbers hold 53 bits; the interface's ids and categories hold 64, and must come
 * back digit for digit. So JSON from outside is read with every number kept as its digits until it is known what it is.
 */
import { parse } from 'lossless-json';
import { quoted, shorten } from './wording.ts';

export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

/** A JSON number that is no int64: it has a fraction, or lies beyond the range. */
export class OtherNumber {
  constructor(readonly text: string) {}
}

/** What `parseJson` makes of a text: every number is a `bigint` (an exact int64) or an `OtherNumber`. */
export type JsonValue = null | boolean | string | bigint | OtherNumber | JsonValue[] | JsonObject;
export interface JsonObject {
  [member: string]: JsonValue;
}

/** Why a text was refused; `message` is a clause that can stand in an answer. */
export class JsonError extends Error {
  constructor(
    message: string,
    readonly reason: 'syntax' | 'member-twice' | 'nesting',
  ) {
    super(message);
  }
}

const MAX_NESTING = 100;

/**
 * Parses JSON (RFC 8259) without losing a digit. Refuses a member given twice with different values and nesting beyond
 * 100 levels. `__proto__` is a member like any other.
 *
 * @throws {JsonError}
 */
export function parseJson(text: string): JsonValue {
  refuseDeepNesting(text);
  return parsePlain(text) ?? parseExactly(text);
}

/**
 * What the engine's own parser makes of an object without inner ones, when it would write it back character for
 * character: then no digit was lost and no member given twice. Most clients' bodies are like that, and it takes a
 * quarter of the time. `undefined` for any other text, a wrong one included.
 */
function parsePlain(text: string): JsonObject | undefined {
  let object: Record<string, unknown>;
  try {
    object = JSON.parse(text);
  } catch {
    return undefined;
  }
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

function parseExactly(text: string): JsonValue {
  try {
    return parse(text, undefined, {
      parseNumber: readJsonNumber,
      onDuplicateKey: ({ key, position }) => {
        throw new JsonError(
          `the member ${quoted(key, 64)} is given twice with different values (at position ${position})`,
          'member-twice',
        );
      },
    }) as JsonValue;
  } catch (error) {
    if (error instanceof JsonError) throw error;
    throw new JsonError(`not valid JSON: ${shorten((error as Error).message, 200)}`, 'syntax');
  }
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
  const digits = integralDigits(text);
  if (digits === undefined || digits.length > 20) return new OtherNumber(text);
  const value = BigInt(digits);
  return isInt64(value) ? value : new OtherNumber(text);
}

/** The plain digits of an integral JSON number; a long stand-in beyond any range, `undefined` for a fraction. */
function integralDigits(text: string): string | undefined {
  if (!/[.eE]/.test(text)) return text.length > 400 ? BEYOND : text;
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!parts) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = digits.replace(/0+$/, '');
  // Where the point stands, counted from the last significant digit: never negative for an integral value.
  const zeros = Number(exponent) - fraction.length + (digits.length - significant.length);
  if (zeros < 0) return undefined;
  return significant.length + zeros > 400 ? BEYOND : `${sign}${significant}${'0'.repeat(zeros)}`;
}

const BEYOND = '1'.padEnd(401, '0');

/** The parser recurses: counting first keeps a hostile body from exhausting the stack. */
function refuseDeepNesting(text: string): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth++;
      if (depth > MAX_NESTING) throw new JsonError(`nested over ${MAX_NESTING} levels`, 'nesting');
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
}
