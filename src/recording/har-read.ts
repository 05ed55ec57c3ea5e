/** The exchanges of an HTTP Archive that any browser, proxy or test recorded. */

import { isInt64, parseJson, readDecimal } from '../core/int64.ts';
import { readNewPet } from '../core/pet.ts';
import { parameterOf } from '../core/specification.ts';
import { shorten } from '../core/text.ts';
import { basePath, type OperationName, operationNames, operations } from '../generated/facts.ts';
import { type Exchange, NO_EFFECT, type Problem } from '../requests/exchange.ts';
import { withoutCredential } from '../validator/credential.ts';
import { entriesIn, HarError } from './har-entries.ts';

/** What is shown of an entry's headers: a closed list, so that no cookie and no credential is read. */
const REQUEST_HEADERS = ['User-Agent', 'Idempotency-Key', 'Sandbox-Expect'];
const RESPONSE_HEADERS = ['Retry-After'];
const MAX_HEADER = 200;
/** Credentials that are remembered, so that a report never shows one that was sent elsewhere as well. */
const MAX_CREDENTIALS = 100;
const CREDENTIAL = 'Bearer …';

/** A path of each operation, behind a base path that ends as the API's does. */
const ROUTES = operationNames.map((name) => ({
  name,
  method: operations[name].method.toUpperCase(),
  path: new RegExp(`^${operations[name].path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

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
    const request = fieldsIn(piece.entry, 'request', at);
    const url = urlOf(textIn(request, 'url', `${at}.request`), `${at}.request.url`);
    counts.base ??= baseIn(url);
    const target = counts.base === undefined ? undefined : targetOf(url, counts.base);
    if (target === undefined) counts.others += 1;
    else yield exchangeOf(piece.entry as Fields, { at, request, target, id: `entry ${piece.index}` }, counts);
  }
}

function fieldsIn(owner: unknown, name: string, at: string): Fields {
  const value = typeof owner === 'object' && owner !== null ? (owner as Fields)[name] : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new HarError(`${at}.${name}: must be an object`);
  return value as Fields;
}

function textIn(owner: Fields, name: string, at: string): string {
  const value = owner[name];
  if (typeof value !== 'string') throw new HarError(`${at}.${name}: must be a string`);
  return value;
}

function urlOf(text: string, at: string): URL {
  if (!URL.canParse(text)) throw new HarError(`${at}: must be an absolute URL`);
  return new URL(text);
}

/** The address before the path of an operation, if that ends in the API's base path. */
function baseIn({ origin, pathname }: URL): string | undefined {
  const end = pathname.indexOf(`${basePath}/`);
  if (end < 0) return undefined;
  const rest = pathname.slice(end + basePath.length);
  return ROUTES.some(({ path }) => path.test(rest)) ? origin + pathname.slice(0, end + basePath.length) : undefined;
}

/** Path and query as the API sees them; `undefined` for another address. */
function targetOf({ origin, pathname, search }: URL, base: string): string | undefined {
  const address = origin + pathname;
  if (address !== base && !address.startsWith(`${base}/`)) return undefined;
  return basePath + address.slice(base.length) + search;
}

interface Place {
  readonly at: string;
  readonly request: Fields;
  readonly target: string;
  readonly id: string;
}

function exchangeOf(entry: Fields, { at, request, target, id }: Place, counts: HarCounts): HarExchange {
  const response = fieldsIn(entry, 'response', at);
  const method = textIn(request, 'method', `${at}.request`).toUpperCase();
  if (!/^[A-Z]{1,20}$/.test(method)) throw new HarError(`${at}.request.method: must be a method of HTTP`);
  const status = typeof response['status'] === 'number' && response['status'] > 0 ? response['status'] : 0;
  const sent = bodyIn(request['postData']);
  const sentBytes = Math.max(sent?.length ?? 0, numberIn(request, 'bodySize'));
  const content = response['content'];
  const got = bodyIn(content);
  const hasGot = got !== undefined || numberIn(content, 'size') <= 0;
  const time = Date.parse(String(entry['startedDateTime']));
  if (Number.isNaN(time)) throw new HarError(`${at}.startedDateTime: must be a time`);
  const headers = headersIn(request);
  const operation = operationOf(method, target);
  const problems = sent === undefined && method === 'POST' ? [] : beyondInt64(operation, target, sent);
  const durationMs = Math.max(0, numberIn(entry, 'time'));
  const lacks = sent === undefined && sentBytes > 0 ? 'request' : hasGot && status !== 304 ? undefined : 'response';
  return {
    lacks,
    exchange: {
      ...{
        id,
        sandbox: undefined,
        owner: '',
        operation,
        specification: 'petstore',
        at: time,
        startedMs: time,
        durationMs,
      },
      respondedAt: time + durationMs,
      // No response was recorded: the client left, or the connection broke.
      disconnectedAt: status === 0 ? time + durationMs : undefined,
      ...{ delayMs: 0, changes: NO_EFFECT, injectedFault: undefined, verdict: undefined },
      requestHeaders: shownHeaders(headers, REQUEST_HEADERS),
      responseHeaders: shownHeaders(headersIn(response), RESPONSE_HEADERS),
      request: {
        ...{ method, target, bodyBytes: sentBytes, body: sent, bodyUnread: sent === undefined && sentBytes > 0 },
        authorization: authorizationOf(headers.get('authorization'), status, counts),
        contentType: headers.get('content-type') ?? (sent === undefined ? undefined : mediaTypeIn(request['postData'])),
      },
      response: {
        status,
        contentType: headersIn(response).get('content-type') ?? mediaTypeIn(content),
        body: got ?? '',
      },
      decision: problems.length > 0 ? { kind: 'rejected', problems } : { kind: 'undecided' },
    },
  };
}

const operationOf = (method: string, target: string): OperationName | undefined => {
  const path = (target.split('?', 1)[0] as string).slice(basePath.length);
  return ROUTES.find((route) => route.method === (method === 'HEAD' ? 'GET' : method) && route.path.test(path))?.name;
};

function numberIn(owner: unknown, name: string): number {
  const value = typeof owner === 'object' && owner !== null ? (owner as Fields)[name] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** A body stays text, so that its integers keep their digits. */
function bodyIn(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  const { text, encoding } = part as Fields;
  if (typeof text !== 'string') return undefined;
  return encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
}

function mediaTypeIn(part: unknown): string | undefined {
  const type = typeof part === 'object' && part !== null ? (part as Fields)['mimeType'] : undefined;
  return typeof type === 'string' && type !== '' && type !== 'x-unknown' ? oneLine(type) : undefined;
}

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
    return CREDENTIAL;
  }
  const [, secret = sent ?? ''] = /^\S+\s+(.+)$/.exec(sent ?? '') ?? [];
  if (secret.length >= 8 && counts.credentials.size < MAX_CREDENTIALS && /^[\x21-\x7e]+$/.test(secret))
    counts.credentials.add(secret);
  return withoutCredential(sent);
}

/** Integers beyond int64, which the validator cannot tell from others. */
function beyondInt64(
  operation: OperationName | undefined,
  target: string,
  body: string | undefined,
): readonly Problem[] {
  if (operation === undefined) return [];
  const template = `${basePath}${operations[operation].path}`.split('/');
  const path = (target.split('?', 1)[0] as string).split('/');
  const inPath = template.flatMap((part, index): Problem[] => {
    const value = part.startsWith('{') ? readDecimal(path[index] ?? '') : undefined;
    if (value === undefined || isInt64(value)) return [];
    const { name } = parameterOf(operation, `path/${part.slice(1, -1)}`);
    return [
      {
        location: `path/${name}`,
        message: `must be an int64; got ${shorten(String(value), 40)}`,
        difference: 'int64-range',
      },
    ];
  });
  return [...inPath, ...(body === undefined || operations[operation].body === null ? [] : beyondInt64InBody(body))];
}

function beyondInt64InBody(body: string): readonly Problem[] {
  try {
    const reading = readNewPet(parseJson(body), 'body');
    return reading.ok ? [] : reading.problems.filter(({ difference }) => difference === 'int64-range');
  } catch {
    // What is no JSON is the validator's finding.
    return [];
  }
}
