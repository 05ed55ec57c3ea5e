/** Verifies that the client sent an expected request: searches the request log, and reports how the nearest requests differ. */
import { pathOfTarget, percentEncoded } from '../base/address.ts';
import { whyNotRecorded } from '../base/api/credential.ts';
import type { Exchange } from '../base/api/exchange.ts';
import { jsonBeginning } from '../base/api/request-text.ts';
import { operationAt } from '../base/api/specification.ts';
import { basePath, type OperationName, operations } from '../base/generated/facts.ts';
import type { JsonValue } from '../base/int64.ts';
import { shorten } from '../base/text.ts';
import { type BodyLocation, Comparison, type DifferenceList, type Expectation, Unreadable } from './comparison.ts';

/** One difference between a request and the expectation. */
interface Discrepancy {
  /** `operation`, `method`, `path`, `path?status`, `status`, `body/categoryId`. */
  readonly location: string;
  readonly expected: string;
  readonly actual: string;
}

/** A request and its distance from the expectation: 0 for a match. */
export interface Compared {
  readonly exchange: Exchange;
  readonly distance: number;
  /** Whether it could match: only its body is not known. */
  readonly isUnknown: boolean;
}

/** The differences of a request. */
interface Differences {
  /** The first differences. */
  readonly differences: readonly Discrepancy[];
  /** The number of further differences. */
  readonly more: number;
}

/** Differences reported per request. */
const MAX_DIFFERENCES = 20;
/** Characters shown of a value, a name or a place. */
const MAX_VERIFIED_TEXT = 200;

/** Compares exchanges with an expectation, in order. Yields after each. */
export function* compareAll(exchanges: readonly Exchange[], expected: Expectation): Generator<void, Compared[]> {
  const comparison = new Comparison(expected);
  const all: Compared[] = [];
  for (const exchange of exchanges) {
    const distance = new Distance();
    comparison.compare(exchange, distance);
    all.push({ exchange, distance: distance.value, isUnknown: distance.isUnknown && !distance.hasOthers });
    yield;
  }
  return all;
}

/** The nearest ones, nearest first. */
export const closest = (all: readonly Compared[], count: number): Compared[] =>
  [...all].sort((a, b) => a.distance - b.distance).slice(0, count);

/** The differences between an exchange and the expectation. */
export function differencesOf(exchange: Exchange, expected: Expectation): Differences {
  const noted = new NotedDifferences();
  new Comparison(expected).compare(exchange, noted);
  return noted;
}

/** Counts only: one wrong field in a body is nearer than another operation. */
class Distance implements DifferenceList {
  isUnknown = false;
  #inBody = 0;
  #others = 0;

  get value(): number {
    return this.#inBody + this.#others * (MAX_DIFFERENCES + 1);
  }

  get hasOthers(): boolean {
    return this.#others > 0;
  }

  get wantsMore(): boolean {
    return this.#inBody < MAX_DIFFERENCES;
  }

  note(): void {
    this.#others += 1;
  }

  noteInBody(): void {
    this.#inBody += 1;
  }
}

/** Describes the first differences, and counts the rest. */
class NotedDifferences implements DifferenceList, Differences {
  readonly differences: Discrepancy[] = [];
  readonly wantsMore = true;
  more = 0;

  note(location: string, expected: string | number, actual: string | number | undefined): void {
    if (this.#isFull()) return;
    this.differences.push({
      location: shortText(location),
      expected: shortText(String(expected)),
      actual: shortText(String(actual ?? 'none')),
    });
  }

  noteInBody(location: BodyLocation, expected: JsonValue, actual: JsonValue | Unreadable | undefined): void {
    if (this.#isFull()) return;
    this.differences.push({
      location: shortText(locationText(location)),
      expected: renderValue(expected),
      actual: actual instanceof Unreadable ? actual.reason : renderValue(actual),
    });
  }

  #isFull(): boolean {
    if (this.differences.length < MAX_DIFFERENCES) return false;
    this.more += 1;
    return true;
  }
}

function locationText({ parent, name }: BodyLocation): string {
  const own = shortText(String(name));
  return parent === undefined ? own : `${locationText(parent)}/${own}`;
}

/** A value as JSON, cut short. */
const renderValue = (value: JsonValue | undefined): string =>
  value === undefined ? 'none' : shortText(jsonBeginning(value, MAX_VERIFIED_TEXT));

const shortText = (text: string): string => shorten(text, MAX_VERIFIED_TEXT);

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
