/** JSON texts (RFC 8259): reasons for rejecting one, and limits that are checked before parsing. */
import { MAX_NESTING } from './limits.ts';
import { quoted } from './text.ts';

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

// Parses JSON with every number as its digits. `JSON.parse` alone cannot: it rounds integers beyond 53 bits, takes the
// last of several members with one name, and on Node 24 sometimes misreads an escaped member name (V8 compares it with
// the next member of a similar object before unescaping it). The work is linear in the text for any input.

/** V8 copies shorter slices of a string. A longer slice keeps the whole text in memory. */
const COPIED_LENGTH = 13;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const LOWER_E = 0x65;

/**
 * Parses a text that `countMembers` has accepted. Rejects a member given twice with different values. `__proto__` is an
 * ordinary member. No string of the result keeps `text` in memory.
 * @param toNumber converts the digits of a number
 * @throws {JsonError} with the position of the error
 */
export function readExactly<N>(text: string, toNumber: (digits: string) => N): Json<N> {
  return new JsonReader(text, toNumber).read();
}

/** A recursive-descent parser: `#at` is the next unread character. */
class JsonReader<N> {
  readonly #text: string;
  readonly #toNumber: (digits: string) => N;
  #at = 0;

  constructor(text: string, toNumber: (digits: string) => N) {
    this.#text = text;
    this.#toNumber = toNumber;
  }

  read(): Json<N> {
    const value = this.#value();
    this.#next();
    if (this.#at < this.#text.length) throw this.#expected('the end');
    return value;
  }

  /** The code of the next character that is not whitespace; NaN at the end. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#at++;
    }
  }

  #value(): Json<N> {
    const code = this.#next();
    if (code === QUOTE) return this.#string();
    if (code === OPEN_OBJECT) return this.#object();
    if (code === OPEN_ARRAY) return this.#array();
    if (code === MINUS || isDigit(code)) return this.#number();
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    throw this.#expected('a value');
  }

  #object(): Json<N> {
    const object: { [member: string]: Json<N> } = {};
    this.#at++;
    if (this.#next() === CLOSE_OBJECT) {
      this.#at++;
      return object;
    }
    for (;;) {
      if (this.#next() !== QUOTE) throw this.#expected('a field name in double quotes');
      const start = this.#at;
      const name = this.#string();
      if (this.#next() !== COLON) throw this.#expected('":"');
      this.#at++;
      const value = this.#value();
      if (!Object.hasOwn(object, name)) setMember(object, name, value);
      else if (!isSameValue(object[name], value)) throw memberTwice(name, start + 1);
      if (this.#isLast(CLOSE_OBJECT, '"," or "}"')) return object;
    }
  }

  #array(): Json<N> {
    const array: Json<N>[] = [];
    this.#at++;
    if (this.#next() === CLOSE_ARRAY) {
      this.#at++;
      return array;
    }
    for (;;) {
      array.push(this.#value());
      if (this.#isLast(CLOSE_ARRAY, '"," or "]"')) return array;
    }
  }

  /** Consumes the closing bracket (true) or the comma (false) after a member or an item. */
  #isLast(close: number, either: string): boolean {
    const code = this.#next();
    if (code !== close && code !== COMMA) throw this.#expected(either);
    this.#at++;
    return code === close;
  }

  #string(): string {
    const start = this.#at;
    const end = endOfString(this.#text, start);
    if (end === this.#text.length) throw this.#wrong('a string without an end', start);
    this.#at = end + 1;
    if (end - start <= COPIED_LENGTH && isPlainText(this.#text, start + 1, end))
      return this.#text.slice(start + 1, end);
    try {
      return JSON.parse(this.#text.slice(start, end + 1)) as string;
    } catch {
      throw this.#wrong('a string with a control character or a bad escape', start);
    }
  }

  #number(): N {
    const start = this.#at;
    if (this.#code() === MINUS) this.#at++;
    if (this.#code() === ZERO) this.#at++;
    else this.#digits();
    if (this.#code() === POINT) {
      this.#at++;
      this.#digits();
    }
    // `E` is `e` without this bit.
    if ((this.#code() | 0x20) === LOWER_E) {
      this.#at++;
      if (this.#code() === PLUS || this.#code() === MINUS) this.#at++;
      this.#digits();
    }
    return this.#toNumber(this.#text.slice(start, this.#at));
  }

  #digits(): void {
    if (!isDigit(this.#code())) throw this.#expected('a digit');
    while (isDigit(this.#code())) this.#at++;
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #expected(what: string): JsonError {
    const code = this.#text.codePointAt(this.#at);
    const isMark = code === 0xfeff && this.#at === 0;
    if (isMark) return new JsonError('not valid JSON: it begins with a byte order mark; send it without', 'syntax');
    const got = code === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(code));
    return new JsonError(`not valid JSON: expected ${what} at position ${this.#at}; got ${got}`, 'syntax');
  }

  #wrong(what: string, at: number): JsonError {
    return new JsonError(`not valid JSON: ${what} at position ${at}`, 'syntax');
  }
}

const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** Whether the characters between two quotes are literal: no escapes, and no character that requires one. */
function isPlainText(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === BACKSLASH) return false;
  }
  return true;
}

function setMember<N>(object: { [member: string]: Json<N> }, name: string, value: Json<N>): void {
  // Assigning to `__proto__` would set the prototype.
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** A comparison ends at the first difference, which rejects the text, so all comparisons together are linear. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const [ofA, ofB] = [a, b] as Record<string, unknown>[];
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSameValue(ofA?.[name], ofB?.[name]))
  );
}

function memberTwice(name: string, position: number): JsonError {
  const shown = quoted(name, 64);
  return new JsonError(
    `ambiguous: the field ${shown} is given twice with different values (at position ${position})`,
    'member-twice',
  );
}
