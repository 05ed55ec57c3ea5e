/** Verifies that the client sent an expected request: searches the request log, and reports how the nearest requests differ. */
import { partsOfTarget, pathOfTarget, percentEncoded } from '../base/address.ts';
import { whyNotRecorded } from '../base/api/credential.ts';
import type { Exchange } from '../base/api/exchange.ts';
import { jsonBeginning } from '../base/api/request-text.ts';
import { operationAt } from '../base/api/specification.ts';
import { basePath, type OperationName, operations } from '../base/generated/facts.ts';
import { isObject, type JsonObject, type JsonValue, NumberLiteral, parseIfJson } from '../base/int64.ts';
import { shorten } from '../base/text.ts';

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

/** A request and its distance from the expectation: 0 for a match. */
export interface Compared {
  readonly exchange: Exchange;
  readonly distance: number;
  /** Whether it could match: only its body is not known. */
  readonly isUnknown: boolean;
}

/** A difference as it is found; its texts are made where it is reported. */
interface Difference {
  /** `operation`, `method`, `path`, `path?status`, `status`, `body/categoryId`. */
  readonly location: string;
  readonly expected: JsonValue | number | undefined;
  readonly actual: JsonValue | number | Unreadable | undefined;
  readonly isInBody?: boolean;
}

/** Why a body cannot be compared. */
class Unreadable {
  constructor(readonly reason: string) {}
}
const CUT = new Unreadable('a body that is not stored as a whole');
const NO_BODY = new Unreadable('no body');
const NO_JSON = new Unreadable('a body that is not JSON');

/** Differences reported per request. */
const MAX_DIFFERENCES = 20;
/** Characters shown of a value, a name or a place. */
const MAX_VERIFIED_TEXT = 200;
/** Longer numbers are equal only if their digits are: converting them would be slow. */
const MAX_COMPARED_DIGITS = 400;

/** Compares exchanges with an expectation, in order. Yields after each. */
export function* compareAll(exchanges: readonly Exchange[], expected: Expectation): Generator<void, Compared[]> {
  const compare = comparison(expected);
  const all: Compared[] = [];
  for (const exchange of exchanges) {
    all.push({ exchange, ...distanceIn(compare(exchange)) });
    yield;
  }
  return all;
}

/** The nearest ones, nearest first. */
export const closest = (all: readonly Compared[], count: number): Compared[] =>
  [...all].sort((a, b) => a.distance - b.distance).slice(0, count);

/** One wrong field in a body is nearer than another operation. */
function distanceIn(differences: Iterable<Difference>): Pick<Compared, 'distance' | 'isUnknown'> {
  let [inBody, others, isCut] = [0, 0, false];
  for (const { actual, isInBody } of differences) {
    isCut ||= actual === CUT;
    if (!isInBody) others += 1;
    else if (++inBody === MAX_DIFFERENCES) break;
  }
  return { distance: inBody + others * (MAX_DIFFERENCES + 1), isUnknown: isCut && others === 0 };
}

/** The first differences between an exchange and the expectation, and the number of further ones. */
export function differencesOf(exchange: Exchange, expected: Expectation) {
  const all = [...comparison(expected)(exchange)];
  const differences = all.slice(0, MAX_DIFFERENCES).map(({ location, expected: wanted, actual, isInBody }) => ({
    location: shortText(location),
    expected: shortText(isInBody ? valueText(wanted) : String(wanted)),
    actual: shortText(isInBody ? valueText(actual) : String(actual ?? 'none')),
  }));
  return { differences, more: all.length - differences.length };
}

/** A value as JSON, cut short. */
function valueText(value: Difference['actual']): string {
  if (value instanceof Unreadable) return value.reason;
  return value === undefined ? 'none' : jsonBeginning(value as JsonValue, MAX_VERIFIED_TEXT);
}

const shortText = (text: string): string => shorten(text, MAX_VERIFIED_TEXT);

/** Compares exchanges with an expectation, whose address is read once for all of them. */
function comparison({ path: given, body, responseBody, ...others }: Expectation) {
  const { path = '', query = '' } = given === undefined ? {} : partsOfTarget(given);
  // One outside of the base path is meant as it is.
  const paths = [path.startsWith(`${basePath}/`) || path === basePath ? path : `${basePath}${path}`, path];
  const wanted = parametersOf(query);
  const names: NamesByObject = new Map();
  return function* differencesIn({ operation, request, response, truncated }: Exchange): Generator<Difference, void> {
    const found = { operation, method: request.method, status: response.status };
    for (const location of ['operation', 'method'] as const)
      yield* differing(location, others[location], found[location]);
    if (given !== undefined) {
      const target = partsOfTarget(request.target);
      if (!paths.includes(target.path)) yield { location: 'path', expected: paths[0], actual: target.path };
      const sent = wanted.size === 0 ? wanted : parametersOf(target.query ?? '');
      for (const [name, value] of wanted) yield* differing(`path?${name}`, value, sent.get(name));
    }
    yield* differing('status', others.status, found.status);
    yield* differingBody('body', body, sentBody(request.body, truncated?.request || request.bodyUnread), names);
    yield* differingBody('responseBody', responseBody, sentBody(response.body, truncated?.response), names);
  };
}

function* differing<T extends string | number>(
  location: string,
  expected?: T,
  actual?: T,
): Generator<Difference, void> {
  if (expected !== undefined && expected !== actual) yield { location, expected, actual };
}

const sentBody = (text: string | undefined, isCut: boolean | undefined): string | Unreadable =>
  isCut ? CUT : text || NO_BODY;

/** The names of the expected objects, which are listed once: there may be thousands in one. */
type NamesByObject = Map<JsonObject, readonly string[]>;

function* differingBody(
  location: string,
  expected: JsonValue | undefined,
  text: string | Unreadable,
  names: NamesByObject,
): Generator<Difference, void> {
  if (expected === undefined) return;
  const value = text instanceof Unreadable ? text : parseIfJson(text);
  const actual = value === undefined ? NO_JSON : value;
  if (actual instanceof Unreadable) yield { location, expected, actual, isInBody: true };
  else yield* differingValue(location, expected, actual, names);
}

function* differingValue(
  location: string,
  expected: JsonValue,
  actual: JsonValue | undefined,
  names: NamesByObject,
): Generator<Difference, void> {
  if (isSameJson(expected, actual)) return;
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, item] of expected.entries())
      yield* differingValue(`${location}/${index}`, item, actual[index], names);
  } else if (isObject(expected) && isObject(actual)) {
    const members = names.get(expected) ?? Object.keys(expected);
    names.set(expected, members);
    for (const name of members) {
      const given = Object.hasOwn(actual, name) ? actual[name] : undefined;
      yield* differingValue(`${location}/${name}`, expected[name] as JsonValue, given, names);
    }
  } else yield { location, expected, actual, isInBody: true };
}

/** Numbers are compared by value: `1.50` equals 1.5, and long integers are not rounded. */
function isSameJson(a: JsonValue, b: JsonValue | undefined): boolean {
  if (!(a instanceof NumberLiteral && b instanceof NumberLiteral)) return a === b;
  if (a.text === b.text) return true;
  if (Math.max(a.text.length, b.text.length) > MAX_COMPARED_DIGITS) return false;
  return Number(a.text) === Number(b.text) && Math.abs(Number(a.text)) < 2 ** 53;
}

/** Parameter values by name; repeated parameters are joined. */
function parametersOf(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(`?${query}`)) {
    const before = parameters.get(name);
    parameters.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return parameters;
}

// Finds expectations that no request can meet: a verification with one says nothing about the client.

/** Why no request can match, as `location: message`; `undefined` if one can. */
export function whyImpossible({ operation, method, path }: Expectation): string | undefined {
  const described = operation === undefined ? undefined : operations[operation as OperationName];
  const own = described?.method.toUpperCase();
  if (own !== undefined && method !== undefined && method !== own && !(own === 'GET' && method === 'HEAD'))
    return `method: ${operation} is ${own}, so no request of it is ${method}; leave one of the two out`;
  if (path === undefined) return undefined;
  const bare = pathOfTarget(path);
  const odd = /[^!-~]|[#{}]/u.exec(path)?.[0];
  if (odd === '{' || odd === '}')
    return `path: ${bare} is a template, and no request has one; send an id in place of the braces, or an operation in place of the path`;
  if (odd !== undefined)
    return `path: no request has ${JSON.stringify(odd)} in its path as sent; encode it as ${percentEncoded(odd)}`;
  const hidden = whyNotRecorded(path);
  if (hidden) return `body/path: ${hidden}`;
  if (described === undefined || own === undefined) return undefined;
  const below = bare.startsWith(`${basePath}/`) ? bare.slice(basePath.length) : bare;
  if (operationAt(own, below) === operation) return undefined;
  return `path: ${operation} is ${own} ${basePath}${described.path}, so no request of it has the path ${bare}; leave one of the two out`;
}
