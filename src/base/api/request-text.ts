/** The parts of a request as a client writes them: pairs of a query, members of an object of JSON. */
import { partsOfTarget, percentEncoded } from '../address.ts';
import { type JsonObject, type JsonValue, NumberLiteral, writeJson } from '../int64.ts';
import { shorten } from '../text.ts';

/** Characters kept of a value. */
export const MAX_VALUE = 200;

/** A part of a query. */
export interface QueryPart {
  /** `name=value` as sent. */
  readonly text: string;
  /** Decoded. */
  readonly name: string;
}

/** @param target a path with its query */
export function queryPartsOf(target: string): readonly QueryPart[] {
  const { query } = partsOfTarget(target);
  return query === undefined ? [] : query.split('&').map((text) => ({ text, name: nameOfPair(text) }));
}

/** A text as the value of a parameter: what needs no percent-encoding stays readable. */
export const inQuery = (text: string): string => text.replaceAll(/[^\w.~:,/@!*'()-]+/gu, percentEncoded);

/** A query of these pairs. */
export const joined = (pairs: readonly QueryPart[]): string => pairs.map(({ text }) => text).join('&');

/** The names in a location like `body/categoryId`, without `body`. A member's own name may contain a slash. */
export function pathInBody(fields: JsonObject | undefined, location: string): readonly string[] {
  const whole = location.slice('body/'.length);
  if (fields && Object.hasOwn(fields, whole)) return [whole];
  return whole === '' ? [] : whole.split('/');
}

/** The text of a value, without the quotes of a string. */
export const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : writeJson(value));

/** `"categoryId":1` */
export const memberText = (name: string, value: JsonValue): string =>
  `${JSON.stringify(shorten(name, MAX_VALUE))}:${jsonBeginning(value, MAX_VALUE)}`;

/** The decoded name of `name=value`. */
export function nameOfPair(pair: string): string {
  const mark = pair.indexOf('=');
  return decodedInQuery(mark < 0 ? pair : pair.slice(0, mark));
}

/** The decoded value of `name=value`. */
export const valueOfPair = (pair: string): string => decodedInQuery(pair.slice(pair.indexOf('=') + 1 || pair.length));

/** A part of a query, decoded; as it is, if it cannot be. */
export function decodedInQuery(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * About `room` characters of a value's JSON, and little more work than that. A list or an object that does not fit
 * loses its last members, so the text is for people, not for a parser.
 */
export function jsonBeginning(value: JsonValue, room: number): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value, room));
  if (value instanceof NumberLiteral) return shorten(value.text, room);
  if (typeof value !== 'object' || value === null) return String(value);
  let text = '';
  for (const [name, member] of Object.entries(value)) {
    if (text.length > room) break;
    const named = Array.isArray(value) ? '' : `${JSON.stringify(shorten(name, room))}:`;
    text += `${text === '' ? '' : ','}${named}${jsonBeginning(member, room - text.length)}`;
  }
  return Array.isArray(value) ? `[${text}]` : `{${text}}`;
}
