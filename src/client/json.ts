/** JSON for the control API: int64 values keep all their digits. */
import { parse, stringify } from 'lossless-json';

/** The members that are int64 in the specification, by name; a test compares them with it. */
export const INT64_MEMBERS: ReadonlySet<string> = new Set(['id', 'categoryId', 'nextId', 'firstId', 'lastId']);

/**
 * Parses JSON: numbers as `number`, except int64 members of the specification, and integers that a `number` cannot
 * represent, which become `bigint`.
 * @throws {SyntaxError} for invalid JSON
 */
export function readJson(text: string): unknown {
  return parse(text, (name, value) => (isInteger(value) && INT64_MEMBERS.has(name) ? BigInt(value) : value), {
    parseNumber: (digits) => {
      const value = Number(digits);
      return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(digits) ? BigInt(digits) : value;
    },
  });
}

/** Serializes JSON; a `bigint` as its digits. `undefined` members are omitted. */
export const writeJson = (value: unknown, indent?: number): string => stringify(value, undefined, indent) ?? 'null';

const isInteger = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value);
