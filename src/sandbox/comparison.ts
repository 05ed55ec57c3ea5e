/** Holds one exchange against an expectation. What the expectation says is taken apart once, for all exchanges. */
import type { Exchange } from '../exchange.ts';
import { type JsonObject, type JsonValue, OtherNumber, parseJson } from '../int64.ts';
import { JsonError } from '../json.ts';

/** What a request has to be like. */
export interface Expectation {
  readonly operation?: string | undefined;
  readonly method?: string | undefined;
  /** As sent, with or without `/v1`; after a `?` the parameters that it has to have, among others. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  /** Has to be in the request's body: members among others, lists whole. */
  readonly body?: JsonValue | undefined;
}

/** Where in a body something is: a chain, so that the text of it is only made for what is told. */
export interface Place {
  readonly parent: Place | undefined;
  readonly name: string | number;
}

/** Why a body says nothing, in words. */
export class Unreadable {
  readonly words: string;

  constructor(words: string) {
    this.words = words;
  }
}

/** Takes the differences that a comparison finds. */
export interface Notes {
  /** `operation`, `method`, `path`, `path?status` or `status`. */
  note(place: string, expected: string | number, actual: string | number | undefined): void;
  noteInBody(place: Place, expected: JsonValue, actual: JsonValue | Unreadable | undefined): void;
  /** False once further differences of a body change nothing. */
  readonly wantsMore: boolean;
}

/** Values of parameters by their names; those of one name are joined. */
type Parameters = ReadonlyMap<string, string>;

const BODY: Place = { parent: undefined, name: 'body' };
const NONE: Parameters = new Map();
/** Longer numbers are the same only where their digits are: nobody computes with them. */
const MAX_DIGITS = 400;

/** An expectation that exchanges can be held against. */
export class Comparison {
  readonly #expected: Expectation;
  readonly #path: string | undefined;
  readonly #parameters: Parameters = NONE;
  /** Members of the expected objects, listed once. */
  readonly #names = new Map<JsonObject, readonly string[]>();
  /** Characters that were read, and values that were compared, since the beginning. */
  charactersRead = 0;
  valuesCompared = 0;

  constructor(expected: Expectation) {
    this.#expected = expected;
    if (expected.path === undefined) return;
    const [path, query] = split(expected.path);
    this.#path = /^\/v1(\/|$)/.test(path) ? path : `/v1${path}`;
    this.#parameters = parametersOf(query);
  }

  /** Notes the differences of an exchange. */
  compare({ operation, request, answer, cut }: Exchange, notes: Notes): void {
    const { operation: wantedOperation, method, status, body } = this.#expected;
    if (wantedOperation !== undefined && wantedOperation !== operation)
      notes.note('operation', wantedOperation, operation);
    if (method !== undefined && method !== request.method) notes.note('method', method, request.method);
    this.#compareTarget(request.target, notes);
    if (status !== undefined && status !== answer.status) notes.note('status', status, answer.status);
    if (body === undefined) return;
    const actual = cut?.request ? CUT : this.#read(request.body);
    if (actual instanceof Unreadable) notes.noteInBody(BODY, body, actual);
    else this.#compareValue(BODY, body, actual, notes);
  }

  #compareTarget(target: string, notes: Notes): void {
    if (this.#path === undefined) return;
    const [path, query] = split(target);
    if (path !== this.#path) notes.note('path', this.#path, path);
    if (this.#parameters.size === 0) return;
    this.charactersRead += query.length;
    const parameters = parametersOf(query);
    for (const [name, expected] of this.#parameters) {
      const actual = parameters.get(name);
      if (actual !== expected) notes.note(`path?${name}`, expected, actual);
    }
  }

  #read(body: string | undefined): JsonValue | Unreadable {
    if (body === undefined) return NO_BODY;
    this.charactersRead += body.length;
    try {
      return parseJson(body);
    } catch (error) {
      if (error instanceof JsonError) return NO_JSON;
      throw error;
    }
  }

  #compareValue(place: Place, wanted: JsonValue, actual: JsonValue | undefined, notes: Notes): void {
    this.valuesCompared += 1;
    if (isSame(wanted, actual)) return;
    if (Array.isArray(wanted) && Array.isArray(actual) && wanted.length === actual.length) {
      for (const [index, item] of wanted.entries()) {
        if (!notes.wantsMore) return;
        this.#compareValue({ parent: place, name: index }, item, actual[index], notes);
      }
    } else if (isObject(wanted) && isObject(actual)) {
      for (const name of this.#namesOf(wanted)) {
        if (!notes.wantsMore) return;
        const given = Object.hasOwn(actual, name) ? actual[name] : undefined;
        this.#compareValue({ parent: place, name }, wanted[name] as JsonValue, given, notes);
      }
    } else {
      notes.noteInBody(place, wanted, actual);
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

const CUT = new Unreadable('a body of which only the beginning was kept');
const NO_BODY = new Unreadable('no body');
const NO_JSON = new Unreadable('a body that is no JSON');

function split(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

function parametersOf(query: string): Parameters {
  if (query === '') return NONE;
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const before = parameters.get(name);
    parameters.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return parameters;
}

/** Numbers are compared by value: `1.50` is 1.5, and no long integer is rounded. */
function isSame(a: JsonValue, b: JsonValue | undefined): boolean {
  if (!(a instanceof OtherNumber && b instanceof OtherNumber)) return a === b;
  if (a.text === b.text) return true;
  if (Math.max(a.text.length, b.text.length) > MAX_DIGITS) return false;
  return Number(a.text) === Number(b.text) && Math.abs(Number(a.text)) < 2 ** 53;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof OtherNumber);
