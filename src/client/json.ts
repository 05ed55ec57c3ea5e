/** JSON for the control API: int64 values keep all their digits. */

import { int64Members } from '../base/generated/facts.ts';
import { type JsonValue, NumberLiteral, parseJson } from '../base/int64.ts';

/** The members that are int64 in the specification, by name. */
export const INT64_MEMBERS: ReadonlySet<string> = new Set(int64Members);

/**
 * Parses JSON: numbers as `number`, except int64 members of the specification, and integers that a `number` cannot
 * represent, which become `bigint`.
 * @throws {JsonError} for invalid JSON
 */
export const readJson = (text: string): unknown => converted(parseJson(text), '');

function converted(value: JsonValue, name: string): unknown {
  if (typeof value === 'bigint') {
    return INT64_MEMBERS.has(name) || !Number.isSafeInteger(Number(value)) ? value : Number(value);
  }
  if (value instanceof NumberLiteral) return /^-?\d+$/.test(value.text) ? BigInt(value.text) : Number(value.text);
  if (Array.isArray(value)) return value.map((item) => converted(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, inside]) => [member, converted(inside, member)]));
}
