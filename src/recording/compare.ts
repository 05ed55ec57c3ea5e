/** Compares a response with the recorded one: status, body digit by digit, and the headers that mean something. */

import { type JsonObject, type JsonValue, NumberLiteral, parseIfJson } from '../core/int64.ts';
import { shorten } from '../core/text.ts';
import type { RecordingExchange } from '../requests/shown.ts';

/** A response as it arrived; status 0 if none did. */
export interface Arrived {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** The first difference, by its place: `body/3/name`. */
export interface ReplayDifference {
  readonly location: string;
  readonly expected: string;
  readonly got: string;
}

/** Other headers are about one transmission: dates, ids, lengths. */
const HEADERS = ['Content-Type', 'Allow', 'Retry-After', 'WWW-Authenticate', 'Sunset', 'Deprecation', 'Link'];
const MAX_DIFFERENCE_TEXT = 80;
/** A `Retry-After` that is a date, and whole seconds, may be one off. */
const MAX_OFF_MS = 1_000;

export function differenceOf({ status, response }: RecordingExchange, arrived: Arrived): ReplayDifference | undefined {
  if (status !== arrived.status) return difference('status', String(status), String(arrived.status));
  const recorded = response.headers as Readonly<Record<string, string>>;
  for (const name of HEADERS) {
    const [expected = 'none', got = 'none'] = [recorded[name], arrived.headers[name.toLowerCase()]];
    if (expected !== got && !isSameTime(name, expected, got))
      return difference(`header/${name.toLowerCase()}`, expected, got);
  }
  if (response.body === arrived.text) return undefined;
  if (response.truncated)
    return arrived.text.startsWith(response.body) ? undefined : textDifference(response.body, arrived.text);
  const [expected, got] = [parseIfJson(response.body), parseIfJson(arrived.text)];
  if (expected === undefined || got === undefined) return textDifference(response.body, arrived.text);
  // The same values in other words, such as other spaces: the bytes differ.
  return valueDifference('body', expected, got) ?? textDifference(response.body, arrived.text);
}

const difference = (location: string, expected: string, got: string): ReplayDifference => ({
  location,
  expected: shorten(expected, MAX_DIFFERENCE_TEXT),
  got: shorten(got, MAX_DIFFERENCE_TEXT),
});

function isSameTime(name: string, expected: string, got: string): boolean {
  if (name !== 'Retry-After') return false;
  const [a, b] = [expected, got].map((text) => (/^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text)));
  return Math.abs((a as number) - (b as number)) <= MAX_OFF_MS;
}

function textDifference(expected: string, got: string): ReplayDifference {
  let at = 0;
  while (at < expected.length && expected[at] === got[at]) at++;
  return difference(`body at character ${at}`, expected.slice(at), got.slice(at));
}

function valueDifference(
  location: string,
  a: JsonValue | undefined,
  b: JsonValue | undefined,
): ReplayDifference | undefined {
  if (isContainer(a) && isContainer(b) && Array.isArray(a) === Array.isArray(b)) {
    const [left, right] = [a, b] as JsonObject[];
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found = valueDifference(`${location}/${shorten(name, MAX_DIFFERENCE_TEXT)}`, left?.[name], right?.[name]);
      if (found) return found;
    }
    return undefined;
  }
  const [expected, got] = [shownValue(a), shownValue(b)];
  return expected === got ? undefined : difference(location, expected, got);
}

const isContainer = (value: JsonValue | undefined): value is JsonObject | JsonValue[] =>
  typeof value === 'object' && value !== null && !(value instanceof NumberLiteral);

function shownValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'bigint') return String(value);
  if (value instanceof NumberLiteral) return value.text;
  return isContainer(value) ? (Array.isArray(value) ? 'an array' : 'an object') : JSON.stringify(value);
}
