/** Whether the client sent what it should have: asks the journal, and says of the nearest requests how they differ. */
import type { Exchange } from '../exchange.ts';
import { JsonError, type JsonObject, type JsonValue, OtherNumber, parseJson } from '../int64.ts';
import { shorten } from '../wording.ts';

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

/** One point in which a request is not as expected. */
export interface Discrepancy {
  /** `operation`, `method`, `path`, `path?status`, `status`, `body/categoryId`. */
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
}

/** A request, and what keeps it from being the expected one. */
export interface Compared {
  readonly exchange: Exchange;
  readonly differences: readonly Discrepancy[];
}

/** Of one body, this many differences are told. */
const MAX_DIFFERENCES = 20;
const MAX_SHOWN = 200;
/** Characters of bodies that are parsed before others get their turn. */
const PARSED_AT_ONCE = 128 * 1024;

/** Holds exchanges against an expectation, in their order. */
export async function compareAll(exchanges: readonly Exchange[], expected: Expectation): Promise<Compared[]> {
  const all: Compared[] = [];
  let parsed = 0;
  for (const exchange of exchanges) {
    all.push({ exchange, differences: compare(exchange, expected) });
    if (expected.body !== undefined) parsed += exchange.request.body?.length ?? 0;
    if (parsed < PARSED_AT_ONCE) continue;
    parsed = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return all;
}

/** The few that come nearest, the nearest first. */
export function nearest(all: readonly Compared[], count: number): Compared[] {
  // One wrong field in a body is nearer than another operation.
  const distance = ({ differences }: Compared): number =>
    differences.reduce((sum, { place }) => sum + (place.startsWith('body') ? 1 : MAX_DIFFERENCES + 1), 0);
  return [...all].sort((a, b) => distance(a) - distance(b)).slice(0, count);
}

function compare({ operation, request, answer, cut }: Exchange, expected: Expectation): Discrepancy[] {
  const differences: Discrepancy[] = [];
  const same = (place: string, wanted: string | number | undefined, actual: string | number | undefined): void => {
    if (wanted === undefined || wanted === actual) return;
    differences.push({ place, expected: short(String(wanted)), actual: short(String(actual ?? 'none')) });
  };
  same('operation', expected.operation, operation);
  same('method', expected.method, request.method);
  if (expected.path !== undefined) comparePath(expected.path, request.target, differences);
  same('status', expected.status, answer.status);
  if (expected.body !== undefined) {
    const reading = cut?.request ? 'a body of which only the beginning was kept' : readBody(request.body);
    if (typeof reading === 'string')
      differences.push({ place: 'body', expected: inWords(expected.body), actual: reading });
    else compareValue('body', expected.body, reading.value, differences);
  }
  return differences;
}

function comparePath(wanted: string, target: string, differences: Discrepancy[]): void {
  const [wantedPath, wantedQuery] = split(wanted);
  const [path, query] = split(target);
  if (withVersion(wantedPath) !== path) {
    differences.push({ place: 'path', expected: short(withVersion(wantedPath)), actual: short(path) });
  }
  for (const name of new Set(wantedQuery.keys())) {
    const [expected, actual] = [wantedQuery, query].map((each) => each.getAll(name).join(', ')) as [string, string];
    if (query.has(name) && expected === actual) continue;
    const shown = query.has(name) ? short(actual) : 'none';
    differences.push({ place: `path?${short(name)}`, expected: short(expected), actual: shown });
  }
}

function split(target: string): [path: string, query: URLSearchParams] {
  const mark = target.indexOf('?');
  return mark < 0
    ? [target, new URLSearchParams()]
    : [target.slice(0, mark), new URLSearchParams(target.slice(mark + 1))];
}

const withVersion = (path: string): string => (/^\/v1(\/|$)/.test(path) ? path : `/v1${path}`);

/** What the body says, or in words why it says nothing. */
function readBody(body: string | undefined): { readonly value: JsonValue } | string {
  if (body === undefined) return 'no body';
  try {
    return { value: parseJson(body) };
  } catch (error) {
    if (error instanceof JsonError) return 'a body that is no JSON';
    throw error;
  }
}

function compareValue(place: string, wanted: JsonValue, actual: JsonValue | undefined, found: Discrepancy[]): void {
  if (found.length >= MAX_DIFFERENCES || isSame(wanted, actual)) return;
  if (Array.isArray(wanted) && Array.isArray(actual) && wanted.length === actual.length) {
    for (const [index, item] of wanted.entries()) compareValue(`${place}/${index}`, item, actual[index], found);
  } else if (isObject(wanted) && isObject(actual)) {
    for (const [name, member] of Object.entries(wanted)) {
      const given = Object.hasOwn(actual, name) ? actual[name] : undefined;
      compareValue(`${place}/${short(name)}`, member, given, found);
    }
  } else {
    found.push({ place, expected: inWords(wanted), actual: inWords(actual) });
  }
}

/** Numbers are compared by value: `1.50` is 1.5, and no long integer is rounded. */
function isSame(a: JsonValue, b: JsonValue | undefined): boolean {
  if (!(a instanceof OtherNumber && b instanceof OtherNumber)) return a === b;
  return a.text === b.text || (Number(a.text) === Number(b.text) && Math.abs(Number(a.text)) < 2 ** 53);
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof OtherNumber);

/** A value as JSON, cut short. */
function inWords(value: JsonValue | undefined): string {
  if (value === undefined) return 'none';
  const text = JSON.stringify(value, (_name, member) => {
    if (typeof member === 'bigint') return `${NUMBER}${member}`;
    return member instanceof OtherNumber ? `${NUMBER}${member.text}` : member;
  });
  // `JSON.stringify` has no way to write a number by its digits.
  return short(text.replaceAll(new RegExp(`"${NUMBER}([^"]*)"`, 'g'), '$1'));
}

const NUMBER = '\uE000';

const short = (text: string): string => shorten(text, MAX_SHOWN);
