/** Compares exchanges with an expectation. The expectation is parsed once, for all exchanges. */

import { partsOfTarget } from '../base/address.ts';
import type { Exchange } from '../base/api/exchange.ts';
import { isObject, type JsonObject, type JsonValue, NumberLiteral, parseIfJson } from '../base/int64.ts';

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

/** A location in a body: a linked list, so that its text is built only for reported differences. */
export interface BodyLocation {
  readonly parent: BodyLocation | undefined;
  readonly name: string | number;
}

/** Why a body cannot be compared. */
export class Unreadable {
  constructor(readonly reason: string) {}
}

/** Collects the differences that a comparison finds. */
export interface DifferenceList {
  /** `operation`, `method`, `path`, `path?status`, `status` or `wait`. */
  note(location: string, expected: string | number, actual: string | number | undefined): void;
  noteInBody(location: BodyLocation, expected: JsonValue, actual: JsonValue | Unreadable | undefined): void;
  /** Set when a body that is not stored as sent could be as expected, or not. */
  isUnknown?: boolean;
  /** False when further differences of a body do not matter. */
  readonly wantsMore: boolean;
}

/** Parameter values by name; repeated parameters are joined. */
type Parameters = ReadonlyMap<string, string>;

const BODY: BodyLocation = { parent: undefined, name: 'body' };
const RESPONSE_BODY: BodyLocation = { parent: undefined, name: 'responseBody' };
const NONE: Parameters = new Map();
/** Longer numbers are equal only if their digits are: converting them would be slow. */
const MAX_COMPARED_DIGITS = 400;

/** An expectation, ready to be compared with exchanges. */
export class Comparison {
  readonly #expected: Expectation;
  /** Under the base path, and as the expectation has it. */
  readonly #path: string | undefined;
  readonly #asSent: string | undefined;
  readonly #parameters: Parameters = NONE;
  /** Members of the expected objects, listed once. */
  readonly #names = new Map<JsonObject, readonly string[]>();

  constructor(expected: Expectation) {
    this.#expected = expected;
    if (expected.path === undefined) return;
    const { path, query = '' } = partsOfTarget(expected.path);
    this.#asSent = path;
    this.#path = /^\/v1(\/|$)/.test(path) ? path : `/v1${path}`;
    this.#parameters = comparedParameters(query);
  }

  compare({ operation, request, response, truncated }: Exchange, notes: DifferenceList): void {
    const { operation: wantedOperation, method, status, body, responseBody } = this.#expected;
    if (wantedOperation !== undefined && wantedOperation !== operation)
      notes.note('operation', wantedOperation, operation);
    if (method !== undefined && method !== request.method) notes.note('method', method, request.method);
    this.#compareTarget(request.target, notes);
    if (status !== undefined && status !== response.status) notes.note('status', status, response.status);
    if (body !== undefined) {
      const isStored = !truncated?.request && !request.bodyUnread;
      this.#compareBody(BODY, body, isStored ? readComparedBody(request.body) : CUT, notes);
    }
    if (responseBody === undefined) return;
    this.#compareBody(
      RESPONSE_BODY,
      responseBody,
      truncated?.response ? CUT : readComparedBody(response.body || undefined),
      notes,
    );
  }

  #compareBody(
    location: BodyLocation,
    expected: JsonValue,
    actual: JsonValue | Unreadable,
    notes: DifferenceList,
  ): void {
    if (actual === CUT) notes.isUnknown = true;
    if (actual instanceof Unreadable) notes.noteInBody(location, expected, actual);
    else this.#compareValue(location, expected, actual, notes);
  }

  #compareTarget(target: string, notes: DifferenceList): void {
    if (this.#path === undefined) return;
    const { path, query = '' } = partsOfTarget(target);
    // One outside of the base path is meant as it is.
    if (path !== this.#path && path !== this.#asSent) notes.note('path', this.#path, path);
    if (this.#parameters.size === 0) return;
    const parameters = comparedParameters(query);
    for (const [name, expected] of this.#parameters) {
      const actual = parameters.get(name);
      if (actual !== expected) notes.note(`path?${name}`, expected, actual);
    }
  }

  #compareValue(
    location: BodyLocation,
    expected: JsonValue,
    actual: JsonValue | undefined,
    notes: DifferenceList,
  ): void {
    if (isSameJson(expected, actual)) return;
    if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
      for (const [index, item] of expected.entries()) {
        if (!notes.wantsMore) return;
        this.#compareValue({ parent: location, name: index }, item, actual[index], notes);
      }
    } else if (isObject(expected) && isObject(actual)) {
      for (const name of this.#namesOf(expected)) {
        if (!notes.wantsMore) return;
        const given = Object.hasOwn(actual, name) ? actual[name] : undefined;
        this.#compareValue({ parent: location, name }, expected[name] as JsonValue, given, notes);
      }
    } else {
      notes.noteInBody(location, expected, actual);
    }
  }

  #namesOf(object: JsonObject): readonly string[] {
    let names = this.#names.get(object);
    if (!names) {
      names = Object.keys(object);
      this.#names.set(object, names);
    }
    return names;
  }
}

const CUT = new Unreadable('a body that is not stored as a whole');
const NO_BODY = new Unreadable('no body');
const NO_JSON = new Unreadable('a body that is not JSON');

function readComparedBody(body: string | undefined): JsonValue | Unreadable {
  if (body === undefined) return NO_BODY;
  const value = parseIfJson(body);
  return value === undefined ? NO_JSON : value;
}

function comparedParameters(query: string): Parameters {
  if (query === '') return NONE;
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
