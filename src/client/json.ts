/** JSON as the controls speak it: an int64 keeps all its digits. */
import { parse, stringify } from 'lossless-json';

/** The members that are int64 in the document, by their names there; held in step with it by a test. */
export const INT64_MEMBERS: ReadonlySet<string> = new Set(['id', 'categoryId', 'nextId', 'firstId', 'lastId']);

/**
 * Reads JSON: numbers as numbers, but the document's int64 members, and any integer that a number cannot hold, as
 * `bigint`.
 *
 * @throws {SyntaxError} for a text that is none
 */
export function readJson(text: string): unknown {
  return parse(text, (name, value) => (isInteger(value) && INT64_MEMBERS.has(name) ? BigInt(value) : value), {
    parseNumber: (digits) => {
      const value = Number(digits);
      return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(digits) ? BigInt(digits) : value;
    },
  });
}

/** Writes JSON; a `bigint` as its digits. What is `undefined` is left out. */
export const writeJson = (value: unknown, indent?: number): string => stringify(value, undefined, indent) ?? 'null';

const isInteger = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value);
