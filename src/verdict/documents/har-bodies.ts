/** The bodies of an entry of a HAR: their text, or that the file lacks it. */
import { type Fields, objectIn } from './har-source.ts';

/** The text of a body, `undefined` for none; or that there was one which the file lacks. */
export type HarBody = { readonly text: string | undefined } | 'missing';

/** What an entry says besides the text of a body. */
interface Surroundings {
  readonly headers: ReadonlyMap<string, string>;
  /** What the status says: a 2xx that there was a body, a 400 that it may have been left out. */
  readonly status: number;
  readonly attached: (name: string) => string | undefined;
}

const NONE: HarBody = { text: undefined };

/**
 * The body of a request for an operation that takes one. Chromium leaves out blobs, streams, and the bodies of cloned
 * requests; Playwright leaves out all of them on request.
 */
export function requestBody(request: Fields, around: Surroundings): HarBody {
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
  if (text === '' && request['bodySize'] === undefined) return NONE;
  // Chromium writes the size 0 for what it left out, too.
  const isSaidToBeNone = postData === undefined ? status === 400 : sizeIn(request, 'bodySize') === 0;
  return isSaidToBeNone || lengthIn(headers) === 0 ? NONE : 'missing';
}

/** Whether the body is there in another form: as a list, or in a file that is not at hand. */
const hasOther = (postData: Fields | undefined): boolean =>
  typeof postData?.['_file'] === 'string' || (Array.isArray(postData?.['params']) && postData['params'].length > 0);

/** A status without a body. */
const isWithoutBody = (status: number): boolean => status < 200 || [204, 205, 304].includes(status);

/** The body of a response. Browsers drop large ones, and have none that was in their cache. */
export function responseBody(response: Fields, around: Surroundings): HarBody {
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
  if (isWithoutBody(status)) return NONE;
  if ([size, ...onWire].some((each) => each !== undefined && each > 0)) return 'missing';
  return size === 0 || (text === '' && content?.['size'] === undefined) ? NONE : 'missing';
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
export const sizeIn = (owner: Fields, name: string): number | undefined => sizeOf(owner[name]);

/** Proxies join repeated headers: `30, 30`. */
const lengthIn = (headers: ReadonlyMap<string, string>): number | undefined =>
  sizeOf(headers.get('content-length')?.split(',', 1)[0]);

function sizeOf(value: unknown): number | undefined {
  const digits = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}
