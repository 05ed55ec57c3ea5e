/** JSON texts (RFC 8259): reasons for rejecting one, and limits that are checked before parsing. */
import { MAX_NESTING } from './limits.ts';

/** A JSON value. `N` is the caller's representation of a number. */
export type Json<N> = null | boolean | string | N | Json<N>[] | { [member: string]: Json<N> };

/** Why a text was rejected; `message` is a clause that fits into an error message. */
export class JsonError extends Error {
  constructor(
    message: string,
    readonly reason: 'syntax' | 'member-twice' | 'nesting' | 'members',
  ) {
    super(message);
  }
}

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The number of members and array items of a JSON text in total. Rejects more than `maxMembers`, and nesting beyond 100
 * levels, before the text is parsed: a parser recurses, and an object with very many members is slow to build, check and
 * free.
 * @throws {JsonError}
 */
export function countMembers(text: string, maxMembers = Number.POSITIVE_INFINITY): number {
  let depth = 0;
  let members = 0;
  /** Whether only whitespace has come since the last opening bracket. */
  let isEmpty = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE) continue;
    const opens = code === OPEN_OBJECT || code === OPEN_ARRAY;
    if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth--;
    else if (isEmpty || code === COMMA) members++;
    if (opens) depth++;
    if (depth > MAX_NESTING) throw new JsonError(`nested over ${MAX_NESTING} levels`, 'nesting');
    if (members > maxMembers) throw tooMany(maxMembers);
    isEmpty = opens;
    if (code === QUOTE) at = endOfString(text, at);
  }
  return members;
}

/** The error for a text with too many members and array items. */
export const tooMany = (most: number): JsonError =>
  new JsonError(`limited to ${most.toLocaleString('en')} fields and array items in all`, 'members');

/** The index of the closing quote of the string that starts at `start`; the text's length if there is none. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
