/** The exchanges of an HTTP Archive that any browser, proxy or test recorded. */

import { withoutCredential } from '../api/credential.ts';
import { type Exchange, NO_EFFECT, type Problem } from '../api/exchange.ts';
import { readNewPet } from '../api/pet.ts';
import { operationAt } from '../api/specification.ts';
import { isInt64, parseIfJson, readDecimal } from '../core/int64.ts';
import { shorten } from '../core/text.ts';
import { basePath, type OperationName, operations } from '../generated/facts.ts';
import { entriesIn, HarError } from './har-entries.ts';

/** What is shown of an entry's headers: a closed list, so that no cookie and no credential is read. */
const REQUEST_HEADERS = ['User-Agent', 'Idempotency-Key', 'Sandbox-Expect'];
const RESPONSE_HEADERS = ['Retry-After'];
const MAX_HEADER = 200;
/** Credentials that are remembered, so that a report never shows one that was sent elsewhere as well. */
const MAX_CREDENTIALS = 100;

/** Counts of what a HAR contains beside the exchanges. */
export class HarCounts {
  /** The base address, given or recognized. */
  base: string | undefined;
  /** Entries of other addresses. */
  others = 0;
  /** Entries that are too large to be read. */
  tooLarge = 0;
  /** Entries without a credential that a server accepted all the same: it was left out of the file. */
  withoutCredential = 0;
  readonly credentials = new Set<string>();
}

/** An exchange of a HAR. */
export interface HarExchange {
  readonly exchange: Exchange;
  /** What of it the file lacks, so that no verdict is possible: of the request, or of the response alone. */
  readonly lacks: 'request' | 'response' | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The exchanges of the API; the counts are complete at the end.
 * @param counts with the base address, if it is given
 * @throws {HarError}
 */
export async function* exchangesIn(chunks: AsyncIterable<Buffer>, counts: HarCounts): AsyncGenerator<HarExchange> {
  for await (const piece of entriesIn(chunks)) {
    if ('isTooLarge' in piece) {
      counts.tooLarge += 1;
      continue;
    }
    const at = `log.entries[${piece.index}]`;
    const entry = piece.entry as Fields;
    const request = fieldsIn(entry, 'request', at);
    const url = urlOf(textIn(request, 'url', `${at}.request`), `${at}.request.url`);
    const method = textIn(request, 'method', `${at}.request`).toUpperCase();
    if (!/^[A-Z]{1,20}$/.test(method)) throw new HarError(`${at}.request.method: must be a method of HTTP`);
    counts.base ??= baseIn(method, url);
    const target = counts.base === undefined ? undefined : targetOf(url, counts.base);
    if (target === undefined) counts.others += 1;
    // A browser asks by itself before it sends the request of a page.
    else if (method !== 'OPTIONS') yield exchangeOf(entry, { at, method, target, id: `entry ${piece.index}` }, counts);
  }
}

function fieldsIn(owner: Fields, name: string, at: string): Fields {
  const value = objectIn(owner, name);
  if (value === undefined) throw new HarError(`${at}.${name}: must be an object`);
  return value;
}

function objectIn(owner: Fields, name: string): Fields | undefined {
  const value = owner[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function textIn(owner: Fields, name: string, at: string): string {
  const value = owner[name];
  if (typeof value !== 'string') throw new HarError(`${at}.${name}: must be a string`);
  return value;
}

const numberIn = (owner: Fields, name: string): number => (Number.isFinite(owner[name]) ? (owner[name] as number) : 0);

function urlOf(text: string, at: string): URL {
  if (!URL.canParse(text)) throw new HarError(`${at}: must be an absolute URL`);
  return new URL(text);
}

/** The address before the path of an operation, if that ends in the API's base path. */
function baseIn(method: string, { origin, pathname }: URL): string | undefined {
  const end = pathname.indexOf(`${basePath}/`) + basePath.length;
  if (end < basePath.length || operationAt(method, pathname.slice(end)) === undefined) return undefined;
  return origin + pathname.slice(0, end);
}

/** Path and query as the API sees them; `undefined` for another address. */
function targetOf({ origin, pathname, search }: URL, base: string): string | undefined {
  const address = origin + pathname;
  if (address !== base && !address.startsWith(`${base}/`)) return undefined;
  return basePath + address.slice(base.length) + search;
}

interface Place {
  readonly at: string;
  readonly method: string;
  readonly target: string;
  readonly id: string;
}

function exchangeOf(entry: Fields, { at, method, target, id }: Place, counts: HarCounts): HarExchange {
  const request = fieldsIn(entry, 'request', at);
  const response = fieldsIn(entry, 'response', at);
  const postData = objectIn(request, 'postData');
  const content = objectIn(response, 'content') ?? {};
  const [sentHeaders, gotHeaders] = [headersIn(request), headersIn(response)];
  const [sent, got] = [bodyIn(postData ?? {}), bodyIn(content)];
  const path = (target.split('?', 1)[0] as string).slice(basePath.length);
  const operation = operationAt(method === 'HEAD' ? 'GET' : method, path);
  // No response was recorded: the client left, or the connection broke.
  const status = Math.max(0, numberIn(response, 'status'));
  const time = Date.parse(String(entry['startedDateTime']));
  if (Number.isNaN(time)) throw new HarError(`${at}.startedDateTime: must be a time`);
  const respondedAt = time + Math.max(0, numberIn(entry, 'time'));
  const lacksRequest = sent === undefined && (postData !== undefined || numberIn(request, 'bodySize') > 0);
  const lacksResponse = status === 304 || (got === undefined && numberIn(content, 'size') !== 0);
  const problems = operation === undefined ? [] : beyondInt64(operation, path, sent);
  return {
    lacks: lacksRequest ? 'request' : lacksResponse ? 'response' : undefined,
    exchange: {
      ...{ id, sandbox: undefined, owner: '', operation, specification: 'petstore' },
      ...{ at: time, startedMs: time, durationMs: respondedAt - time, respondedAt },
      disconnectedAt: status === 0 ? respondedAt : undefined,
      ...{ delayMs: 0, changes: NO_EFFECT, injectedFault: undefined, verdict: undefined },
      requestHeaders: shownHeaders(sentHeaders, REQUEST_HEADERS),
      responseHeaders: shownHeaders(gotHeaders, RESPONSE_HEADERS),
      request: {
        ...{ method, target, body: sent, bodyUnread: lacksRequest },
        bodyBytes: Math.max(sent?.length ?? 0, numberIn(request, 'bodySize')),
        authorization: authorizationOf(sentHeaders.get('authorization'), status, counts),
        contentType: sentHeaders.get('content-type') ?? mediaTypeIn(postData ?? {}),
      },
      response: { status, contentType: gotHeaders.get('content-type') ?? mediaTypeIn(content), body: got ?? '' },
      decision: problems.length > 0 ? { kind: 'rejected', problems } : { kind: 'undecided' },
    },
  };
}

/** A body stays text, so that its integers keep their digits. */
function bodyIn({ text, encoding }: Fields): string | undefined {
  if (typeof text !== 'string') return undefined;
  return encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
}

const mediaTypeIn = ({ mimeType: type }: Fields): string | undefined =>
  typeof type === 'string' && type !== '' && type !== 'x-unknown' ? oneLine(type) : undefined;

/** Values of headers by their names in small letters. */
function headersIn({ headers }: Fields): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const each of Array.isArray(headers) ? headers : []) {
    const { name, value } = (each ?? {}) as Fields;
    if (typeof name === 'string' && typeof value === 'string') found.set(name.toLowerCase(), oneLine(value));
  }
  return found;
}

const oneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ');

const shownHeaders = (headers: ReadonlyMap<string, string>, names: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const value = headers.get(name.toLowerCase());
    return value === undefined ? [] : [name, shorten(value, MAX_HEADER)];
  });

/** Browsers leave credentials out of a HAR: where a server did not answer 401, one was sent. */
function authorizationOf(sent: string | undefined, status: number, counts: HarCounts): string | undefined {
  if (sent === undefined && status !== 401 && status !== 0) {
    counts.withoutCredential += 1;
    return 'Bearer …';
  }
  const secret = sent?.replace(/^\S+\s+/, '') ?? '';
  if (secret.length >= 8 && counts.credentials.size < MAX_CREDENTIALS && /^[\x21-\x7e]+$/.test(secret))
    counts.credentials.add(secret);
  return withoutCredential(sent);
}

/** Integers beyond int64, which the validator cannot tell from others. */
function beyondInt64(operation: OperationName, path: string, body: string | undefined): readonly Problem[] {
  const values = path.split('/');
  const inPath = operations[operation].path.split('/').flatMap((part, index): Problem[] => {
    const value = part.startsWith('{') ? readDecimal(values[index] ?? '') : undefined;
    if (value === undefined || isInt64(value)) return [];
    const message = `must be an int64; got ${shorten(String(value), 40)}`;
    return [{ location: `path/${part.slice(1, -1)}`, message, difference: 'int64-range' }];
  });
  // What is no JSON is the validator's finding.
  const sent = body === undefined || operations[operation].body === null ? undefined : parseIfJson(body);
  const reading = sent === undefined ? undefined : readNewPet(sent, 'body');
  if (!reading || reading.ok) return inPath;
  return [...inPath, ...reading.problems.filter(({ difference }) => difference === 'int64-range')];
}
