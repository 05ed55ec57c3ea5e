/** Reads one entry of a HAR as an exchange. What is in the entry decides; what it lacks is named. */
import { isReadable, partsOfTarget, pathOfTarget, percentEncoded } from '../../base/address.ts';
import { otherHeadersIn, withoutCredential, withoutCredentials } from '../../base/api/credential.ts';
import { type Exchange, NO_EFFECT, type Problem } from '../../base/api/exchange.ts';
import { integerInPath, valuesInQuery } from '../../base/api/parameters.ts';
import { readNewPet } from '../../base/api/pet.ts';
import { operationAt, parameterOf, queryOf } from '../../base/api/specification.ts';
import { basePath, type OperationName, operations } from '../../base/generated/facts.ts';
import { parseIfJson } from '../../base/int64.ts';
import { isAndSent, quoted, shorten } from '../../base/text.ts';
import { type Fields, type Har, objectIn } from './har-source.ts';

/** What is shown of an entry's headers: a closed list, so that no cookie and no credential is read. */
const REQUEST_HEADERS = ['User-Agent', 'Idempotency-Key', 'Sandbox-Expect', 'Sandbox-Run', 'Sandbox-Source'];
const SMALL_HEADERS = new Set(REQUEST_HEADERS.map((name) => name.toLowerCase()));
const RESPONSE_HEADERS = ['Retry-After'];
const MAX_HEADER = 200;
/** Between entries without a time, so that none looks like a hasty retry. */
const UNKNOWN_PAUSE_MS = 1_000;

/** What is no request of the API: the reason in the counts. */
export const A_WEB_SOCKET = 'a WebSocket';

/** What an entry lacks for a verdict: on its request, or on its response alone. */
export interface Lack {
  readonly side: 'request' | 'response';
  /** As a clause. */
  readonly why: string;
}

/** For reports on a HAR: its exchange, and what the file lacks of it. */
export interface HarExchange {
  readonly exchange: Exchange;
  readonly lack?: Lack | undefined;
  /** The server accepted it without a credential: that was left out of the file. */
  readonly isWithoutCredential?: boolean;
}

/** What the rest of the file says. */
export interface HarContext {
  readonly attached: Har['attached'];
  /** Whether requests in it lack `Authorization` though they had a key. */
  readonly areKeysLeftOut: boolean;
}

/** A request of the API. */
export interface Located {
  readonly index: number;
  readonly fields: Fields;
  readonly method: string;
  /** Path and query as the API sees them. */
  readonly target: string;
}

/**
 * The exchange of an entry.
 * @param before when the one before it was over, for an entry without a time
 */
export function harExchangeOf(
  { index, fields: entry, method, target }: Located,
  { attached, areKeysLeftOut }: HarContext,
  before: number,
): HarExchange {
  const request = objectIn(entry, 'request') ?? {};
  const response = objectIn(entry, 'response') ?? {};
  const [sentHeaders, gotHeaders] = [headersIn(request), headersIn(response)];
  const { at, isTimeKnown, durationMs } = momentOf(entry, before);
  const status = statusIn(response);
  const respondedAt = at + durationMs;
  const operation = operationAt(method === 'HEAD' ? 'GET' : method, pathBelowBase(target));
  const takesBody = operation !== undefined && operations[operation].body !== null && method !== 'HEAD';
  const sent = takesBody ? requestBody(request, { headers: sentHeaders, status, attached }) : NO_BODY;
  const got = responseBody(response, { headers: gotHeaders, status, attached });
  const body = knownText(sent);
  const postType = mediaTypeIn(objectIn(request, 'postData'));
  const contentType = sentHeaders.get('content-type') ?? postType;
  const problems = operation === undefined ? [] : problemsIn(operation, target, body, contentType);
  const isTypeUnknown = body !== undefined && contentType === undefined && sentHeaders.size > 0;
  const authorization = sentHeaders.get('authorization');
  const isKeyUnknown = status === 401 && isWithoutKey(entry) && areKeysLeftOut;
  const isLeftOut = isKeyUnknown || isCredentialLeftOut(authorization, { isListed: hasHeaders(request), status });
  const exchange: Exchange = {
    ...{
      id: `entry ${index}`,
      sandbox: undefined,
      address: undefined,
      owner: '',
      specification: 'petstore',
      operation,
    },
    ...{ at, startedMs: at, durationMs, respondedAt, delayMs: 0, changes: NO_EFFECT },
    disconnectedAt: status === 0 ? respondedAt : undefined,
    ...{ injectedFault: undefined, verdict: undefined },
    requestHeaders: shownHeaders(sentHeaders, REQUEST_HEADERS),
    otherHeaders: isLeftOut ? undefined : otherHeadersOf(request),
    // Without a time, nobody knows whether a client waited.
    responseHeaders: isTimeKnown ? shownHeaders(gotHeaders, RESPONSE_HEADERS) : [],
    request: {
      ...{ method, target: withoutCredentials(target) },
      body,
      bodyUnread: sent === 'missing',
      bodyBytes: Math.max(Buffer.byteLength(body ?? ''), sizeIn(request, 'bodySize') ?? 0),
      authorization: isLeftOut ? 'Bearer …' : withoutCredential(authorization),
      contentType,
    },
    response: {
      status,
      contentType: gotHeaders.get('content-type') ?? mediaTypeIn(objectIn(response, 'content')) ?? typeFor(response),
      body: knownText(got) ?? '',
    },
    decision: problems.length > 0 ? { kind: 'rejected', problems } : { kind: 'undecided' },
  };
  const lacks: readonly (readonly [isLacking: boolean, lack: Lack])[] = [
    [isKeyUnknown, { side: 'request', why: NO_KEY }],
    [sent === 'missing', { side: 'request', why: 'the file lacks the body of the request' }],
    [isTypeUnknown, { side: 'request', why: NO_TYPE }],
    [status === 0, { side: 'response', why: 'the file has no response to it' }],
    [got === 'missing', { side: 'response', why: 'the file lacks the body of the response' }],
  ];
  return {
    exchange,
    lack: lacks.find(([isLacking]) => isLacking)?.[1],
    isWithoutCredential: isLeftOut && ![0, 401].includes(status),
  };
}

/** What programs write instead of a credential, without its scheme. */
const REDACTED = /redact|remov|sanitiz|mask|hidden|filtered|\*{3}|\u2026|^[x.\u2022]+$/i;

/**
 * Whether a credential was sent that is not in the file. Browsers leave it out, and other programs put a word in its place.
 * Without such a word, a 401 says that none was sent, if the file has those of other requests.
 */
function isCredentialLeftOut(
  authorization: string | undefined,
  { isListed, status }: { readonly isListed: boolean; readonly status: number },
): boolean {
  if (authorization !== undefined && !/^\s*(?:bearer\s*)?$/i.test(authorization))
    return REDACTED.test(authorization) && !/^(?:bearer|basic|digest)\s/i.test(authorization);
  return status !== 401 || !isListed;
}

const NO_KEY =
  'the file has no Authorization header of it, which many programs leave out, so nobody knows whether it had a key';

/** Whether the headers of a request are in the file, and `Authorization` is not among them. */
export function isWithoutKey(entry: Fields): boolean {
  const request = objectIn(entry, 'request') ?? {};
  return hasHeaders(request) && !headersIn(request).has('authorization');
}

const NO_TYPE =
  'the file has no Content-Type among its headers; unless the file lacks it, the client must send application/json';

const hasHeaders = ({ headers }: Fields): boolean => typeof headers === 'object' && headers !== null;

/** The names of headers that are not shown. What leaves out keys may leave out others, so they are not known then. */
const otherHeadersOf = (request: Fields): readonly string[] | undefined =>
  hasHeaders(request) ? otherHeadersIn(pairsOf(request['headers']).flat(), SMALL_HEADERS) : undefined;

/** Without headers in the file, nobody knows the type. */
const typeFor = (response: Fields): string | undefined => (hasHeaders(response) ? undefined : 'application/json');

const knownText = (body: HarBody): string | undefined => (body === 'missing' ? undefined : body.text);

/** Why an entry is no request of the client to the API, if so. */
export function skippedAs(entry: Fields): string | undefined {
  const response = objectIn(entry, 'response') ?? {};
  if (isOfBrowser(objectIn(entry, 'request') ?? {}, response)) return 'a redirect within the browser';
  // mitmproxy and Charles write its address with `https:`.
  if (response['status'] === 101 || entry['_resourceType'] === 'websocket') return A_WEB_SOCKET;
  return undefined;
}

/** A redirect to https by HTTP Strict Transport Security. The next entry has the request that was sent. */
const isOfBrowser = (request: Fields, response: Fields): boolean =>
  response['statusText'] === 'Internal Redirect' ||
  headersIn(response).has('non-authoritative-reason') ||
  (response['status'] === 307 && response['redirectURL'] === String(request['url']).replace(/^(?:http:)?/i, 'https:'));

function momentOf(entry: Fields, before: number): { at: number; isTimeKnown: boolean; durationMs: number } {
  const started = entry['startedDateTime'];
  const time = typeof started === 'number' ? started : Date.parse(String(started));
  const duration = entry['time'];
  return {
    at: Number.isFinite(new Date(time).getTime()) ? time : before + UNKNOWN_PAUSE_MS,
    isTimeKnown: Number.isFinite(time),
    durationMs: Number.isFinite(duration) ? Math.max(0, duration as number) : 0,
  };
}

/** 0: there was no response, because the client left or the connection broke. */
function statusIn(response: Fields): number {
  const status = Number(response['status'] ?? 0);
  return Number.isInteger(status) && status >= 100 && status <= 999 ? status : 0;
}

const pathBelowBase = (target: string): string => pathOfTarget(target).slice(basePath.length);

/** Insomnia writes the query into a list alone. If the URL has one as well, that counts. */
export function withListedQuery(target: string, list: unknown): string {
  const pairs = pairsIn(list).map((pair) => pair.map(percentEncoded).join('='));
  const { path, query = '' } = partsOfTarget(target);
  return query === '' && pairs.length > 0 ? `${path}?${pairs.join('&')}` : target;
}

type Pair = readonly [name: string, value: string];

/** The pairs of a list, or of an object. */
const pairsOf = (list: unknown): readonly Pair[] =>
  typeof list === 'object' && list !== null && !Array.isArray(list)
    ? Object.entries(list).map(([name, value]) => [name, String(value ?? '')] as const)
    : pairsIn(list);

function pairsIn(list: unknown): Pair[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((each: unknown) => {
    const { name, value } = (each ?? {}) as Fields;
    return typeof name === 'string' ? [[name, String(value ?? '')] as const] : [];
  });
}

const mediaTypeIn = (owner: Fields | undefined): string | undefined => {
  const type = owner?.['mimeType'];
  return typeof type === 'string' && type !== '' && type !== 'x-unknown' ? oneLine(type) : undefined;
};

/** Values of headers by their names in small letters. Of repeated ones, the first counts, as on a server. */
const headersIn = ({ headers }: Fields): ReadonlyMap<string, string> =>
  new Map(
    pairsOf(headers)
      .map(([name, value]) => [name.toLowerCase(), oneLine(value)] as const)
      .reverse(),
  );

const oneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ');

const shownHeaders = (headers: ReadonlyMap<string, string>, names: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const value = headers.get(name.toLowerCase());
    return value === undefined ? [] : [name, shorten(value, MAX_HEADER)];
  });

/** What breaks the specification, as the service says it: of it, `agree` takes what the validator cannot tell. */
function problemsIn(
  operation: OperationName,
  target: string,
  body: string | undefined,
  contentType: string | undefined,
) {
  const problems: Problem[] = [];
  const values = pathBelowBase(target).split('/');
  for (const [index, part] of operations[operation].path.split('/').entries())
    if (part.startsWith('{'))
      integerInPath(percentDecoded(values[index] ?? ''), parameterOf(operation, `path/${part.slice(1, -1)}`), problems);
  if (isReadable(target)) valuesInQuery(target, queryOf(operation), problems);
  if (body === undefined) return problems;
  if (contentType !== undefined && !/^\s*application\/json\s*(?:;|$)/i.test(contentType)) {
    const message = isAndSent('application/json', quoted(contentType, 80));
    problems.push({ location: 'header/content-type', message, difference: 'media-type' });
  }
  // A body that isn't JSON is the validator's finding.
  const sent = parseIfJson(body);
  const reading = sent === undefined ? undefined : readNewPet(sent, 'body');
  return reading === undefined || reading.ok ? problems : [...problems, ...reading.problems];
}

const percentDecoded = (part: string): string => (isReadable(part) ? decodeURIComponent(part) : part);

// The bodies of an entry of a HAR: their text, or that the file lacks it.

/** The text of a body, `undefined` for none; or that there was one which the file lacks. */
type HarBody = { readonly text: string | undefined } | 'missing';

/** What an entry says besides the text of a body. */
interface Surroundings {
  readonly headers: ReadonlyMap<string, string>;
  /** What the status says: a 2xx that there was a body, a 400 that it may have been left out. */
  readonly status: number;
  readonly attached: (name: string) => string | undefined;
}

const NO_BODY: HarBody = { text: undefined };

/**
 * The body of a request for an operation that takes one. Chromium leaves out blobs, streams, and the bodies of cloned
 * requests; Playwright leaves out all of them on request.
 */
function requestBody(request: Fields, around: Surroundings): HarBody {
  const { headers, status } = around;
  const postData = objectIn(request, 'postData');
  const sizes = [sizeIn(request, 'bodySize'), lengthIn(headers)];
  const text = postData && textIn(postData, around);
  if (text)
    return isPartOfBody(text, isEncoded(headers) ? [] : bytesOf(postData, sizes), request, headers)
      ? 'missing'
      : { text };
  const isSaidToBe =
    sizes.some((size) => size !== undefined && size > 0) ||
    headers.has('transfer-encoding') ||
    (status >= 200 && status < 300) ||
    hasOther(postData);
  if (isSaidToBe) return 'missing';
  if (text === '' && request['bodySize'] === undefined) return NO_BODY;
  // Chromium writes the size 0 for what it left out, too.
  const isSaidToBeNone = postData === undefined ? status === 400 : sizeIn(request, 'bodySize') === 0;
  return isSaidToBeNone || lengthIn(headers) === 0 ? NO_BODY : 'missing';
}

/** Whether the body is there in another form: as a list, or in a file that is not at hand. */
const hasOther = (postData: Fields | undefined): boolean =>
  typeof postData?.['_file'] === 'string' || (Array.isArray(postData?.['params']) && postData['params'].length > 0);

/** A status without a body. */
const isWithoutBody = (status: number): boolean => status < 200 || [204, 205, 304].includes(status);

/** The body of a response. Browsers drop large ones, and have none that was in their cache. */
function responseBody(response: Fields, around: Surroundings): HarBody {
  const { headers, status } = around;
  const content = objectIn(response, 'content');
  const size = content && sizeIn(content, 'size');
  const text = content && textIn(content, around);
  const onWire = [sizeIn(response, 'bodySize'), lengthIn(headers)];
  if (text) {
    // mitmproxy writes the compressed size twice. The size on the wire often includes more than the body.
    const wholeSizes = isEncoded(headers)
      ? [onWire.includes(size) ? undefined : size]
      : [size, lengthIn(headers), size === undefined ? sizeIn(response, 'bodySize') : undefined];
    return isPartOfBody(text, bytesOf(content, wholeSizes), response, headers) ? 'missing' : { text };
  }
  if (isWithoutBody(status)) return NO_BODY;
  if ([size, ...onWire].some((each) => each !== undefined && each > 0)) return 'missing';
  return size === 0 || (text === '' && content?.['size'] === undefined) ? NO_BODY : 'missing';
}

const isEncoded = (headers: ReadonlyMap<string, string>): boolean =>
  !/^\s*(?:identity\s*)?$/i.test(headers.get('content-encoding') ?? '');

/** The sizes that count the bytes of a body. Polly.JS counts the characters of its base64. */
const bytesOf = (holder: Fields | undefined, sizes: readonly (number | undefined)[]): readonly number[] =>
  sizes.filter(
    (size) => size !== undefined && !(isBase64(holder) && size === String(holder?.['text']).length),
  ) as number[];

const isBase64 = (holder: Fields | undefined): boolean => /^base64$/i.test(String(holder?.['encoding']));

/** A body stays text, so that its integers keep their digits. */
function textIn(holder: Fields, { attached }: Surroundings): string | undefined {
  const { text, _file: file } = holder;
  if (typeof text === 'string' && text !== '')
    return isBase64(holder) ? Buffer.from(text, 'base64').toString('utf8') : text;
  const found = typeof file === 'string' ? attached(file) : undefined;
  return found ?? (typeof text === 'string' ? text : undefined);
}

/** Whether a text is not the whole body, or what was compressed. @param sizes bytes of the whole body */
function isPartOfBody(
  text: string,
  sizes: readonly number[],
  message: Fields,
  headers: ReadonlyMap<string, string>,
): boolean {
  const missing = Math.max(0, ...sizes) - Buffer.byteLength(text);
  if (missing > 0 && missing !== BYTE_ORDER_MARK) return true;
  const isBroken = typeof message['_error'] === 'string' || typeof message['_failureText'] === 'string';
  return (isBroken || missing > 0 || (isEncoded(headers) && text.includes('\ufffd'))) && !isJsonText(text);
}

/** Bytes of a mark, which the text no longer has. */
const BYTE_ORDER_MARK = 3;

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A number of bytes; `undefined` if it is not known, for which programs write −1. */
const sizeIn = (owner: Fields, name: string): number | undefined => sizeOf(owner[name]);

/** Proxies join repeated headers: `30, 30`. */
const lengthIn = (headers: ReadonlyMap<string, string>): number | undefined =>
  sizeOf(headers.get('content-length')?.split(',', 1)[0]);

function sizeOf(value: unknown): number | undefined {
  const digits = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}
