/** Compares exchanges with an expectation. The expectation is parsed once, for all exchanges. */

import type { Exchange } from '../api/exchange.ts';
import { partsOfTarget } from '../core/address.ts';
import { isObject, type JsonValue, NumberLiteral, parseIfJson } from '../core/int64.ts';

/** Conditions for a request. */
export interface Expectation {
  readonly operation?: string | undefined;
  readonly method?: string | undefined;
  /** As sent, with or without `/v1`; the parameters after `?` are a partial match. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  /** A partial match of the request's body: additional members are allowed, arrays must be equal. */
  readonly body?: JsonValue | undefined;
  /** The same for the response's body. */
  readonly responseBody?: JsonValue | undefined;
}

/** Why a body cannot be compared. */
export class Unreadable {
  constructor(readonly reason: string) {}
}

export interface Difference {
  /** `operation`, `method`, `path`, `path?status`, `status` or `wait`; or the names that lead to a place in a body. */
  readonly location: string | readonly (string | number)[];
  readonly expected: JsonValue | number;
  readonly actual: JsonValue | Unreadable | number | undefined;
}

/** Longer numbers are equal only if their digits are: converting them would be slow. */
const MAX_COMPARED_DIGITS = 400;

/** Finds the differences of exchanges from an expectation, those in bodies last. Who has enough of them stops asking. */
export function differencesFrom(expected: Expectation): (exchange: Exchange) => Generator<Difference, void> {
  const { path: asSent, query = '' } = partsOfTarget(expected.path ?? '');
  const path = /^\/v1(\/|$)/.test(asSent) ? asSent : `/v1${asSent}`;
  const parameters = comparedParameters(query);
  return function* ({ operation, request, response, truncated }) {
    const { path: sentPath, query: sentQuery = '' } = partsOfTarget(request.target);
    const sent = parameters.size === 0 ? parameters : comparedParameters(sentQuery);
    const wanted: Compared[] = [
      ['operation', expected.operation, operation],
      ['method', expected.method, request.method],
      // One outside of the base path is meant as it is.
      ['path', expected.path === undefined || sentPath === asSent ? undefined : path, sentPath],
      ...[...parameters].map(([name, value]): Compared => [`path?${name}`, value, sent.get(name)]),
      ['status', expected.status, response.status],
    ];
    for (const [location, value, actual] of wanted)
      if (value !== undefined && value !== actual) yield { location, expected: value, actual };
    const isCut = truncated?.request || request.bodyUnread;
    yield* inWhole('body', expected.body, isCut ? CUT : request.body);
    yield* inWhole('responseBody', expected.responseBody, truncated?.response ? CUT : response.body || undefined);
  };
}

type Compared = readonly [location: string, expected: string | number | undefined, actual: string | number | undefined];

function* inWhole(name: string, expected: JsonValue | undefined, body: string | Unreadable | undefined) {
  if (expected === undefined) return;
  yield* inBody([name], expected, body instanceof Unreadable ? body : readComparedBody(body));
}

function* inBody(
  location: readonly (string | number)[],
  expected: JsonValue,
  actual: JsonValue | Unreadable | undefined,
): Generator<Difference, void> {
  if (actual instanceof Unreadable) yield { location, expected, actual };
  else if (isSameJson(expected, actual)) return;
  else if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    for (const [index, item] of expected.entries()) yield* inBody([...location, index], item, actual[index]);
  else if (isObject(expected) && isObject(actual))
    for (const [name, value] of Object.entries(expected))
      yield* inBody([...location, name], value, Object.hasOwn(actual, name) ? actual[name] : undefined);
  else yield { location, expected, actual };
}

/** A body that could be as expected, or not. */
export const CUT = new Unreadable('a body that is not stored as a whole');
const NO_BODY = new Unreadable('no body');
const NO_JSON = new Unreadable('a body that is not JSON');

function readComparedBody(body: string | undefined): JsonValue | Unreadable {
  if (body === undefined) return NO_BODY;
  const value = parseIfJson(body);
  return value === undefined ? NO_JSON : value;
}

/** Parameter values by name; repeated parameters are joined. */
function comparedParameters(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(`?${query}`)) {
    const before = parameters.get(name);
    parameters.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return parameters;
}

/** Numbers are compared by value: `1.50` equals 1.5, and long integers are not rounded. */
function isSameJson(a: JsonValue, b: JsonValue | undefined): boolean {
  if (!(a instanceof NumberLiteral && b instanceof NumberLiteral)) return a === b;
  if (a.text === b.text) return true;
  if (Math.max(a.text.length, b.text.length) > MAX_COMPARED_DIGITS) return false;
  return Number(a.text) === Number(b.text) && Math.abs(Number(a.text)) < 2 ** 53;
}
