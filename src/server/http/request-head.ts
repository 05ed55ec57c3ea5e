/**
 * What the headers of a request say, read once for each connection: clients send the same ones with every request. Without
 * that, a get takes 13 % more processor time, and a list 30 % (in pairs, on Node 24).
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { otherHeadersIn, withoutCredential } from '../../base/api/credential.ts';
import { MAX_VALUE } from '../../base/api/request-text.ts';
import { copyOf, shorten } from '../../base/text.ts';

export interface RequestHead {
  readonly headers: IncomingHttpHeaders;
  /** Characters of all names and values. */
  readonly size: number;
  /** The request headers that are shown, as name, value, name, value. They may contain secrets. */
  readonly shown: readonly string[];
  /** The names of the others. */
  readonly others: readonly string[];
  /** `Authorization` without its secret. */
  readonly authorization: string | undefined;
  /** The hash of the API key, once it has opened a sandbox. */
  keyHash: string | undefined;
  /** Whether HTTP allows its headers, once that was checked. */
  isWellFormed: boolean;
}

/** As sent: name, value, name, value. */
type Raw = readonly string[];

interface Read {
  readonly raw: Raw;
  readonly httpVersion: string;
  readonly head: RequestHead;
}

/** Characters of headers that are remembered for a connection. */
const MAX_REMEMBERED_HEAD = 2_048;
const LAST = Symbol('the last headers of a connection');
type RememberingSocket = Socket & { [LAST]?: Read | undefined };

/** @param names of the headers that are shown */
export function headOf(req: IncomingMessage, names: readonly ShownName[]): RequestHead {
  const { rawHeaders: raw, httpVersion } = req;
  const socket = req.socket as RememberingSocket;
  const last = socket[LAST]?.httpVersion === httpVersion ? socket[LAST] : undefined;
  if (last && areSameHeaders(last.raw, raw)) {
    // Otherwise Node would read them again.
    req.headers = last.head.headers;
    return last.head;
  }
  const { headers } = req;
  const head =
    last && areSameHeaders(last.raw, raw, 'content-length')
      ? { ...last.head, headers, size: sizeOf(raw), shown: shownHeaders(headers, names) }
      : headFrom(headers, raw, names);
  socket[LAST] = head.size <= MAX_REMEMBERED_HEAD ? { raw, httpVersion, head } : undefined;
  return head;
}

const headFrom = (headers: IncomingHttpHeaders, raw: Raw, names: readonly ShownName[]): RequestHead => ({
  headers,
  size: sizeOf(raw),
  shown: shownHeaders(headers, names),
  others: otherHeadersIn(raw, new Set(names.map(([, small]) => small))),
  authorization: withoutCredential(headers.authorization),
  keyHash: undefined,
  isWellFormed: false,
});

/** On the wire, two bytes follow each name and each value. */
const sizeOf = (raw: Raw): number => raw.reduce((sum, { length }) => sum + length + 2, 0);

/** How often a header was sent: `headers` keeps only the first, or joins them. `name` is in lower case. */
export function timesSent(raw: Raw, name: string): number {
  let times = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const sent = raw[i] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) times++;
  }
  return times;
}

/** @param except the header whose value may differ, in lower case: each body has its own `Content-Length` */
function areSameHeaders(one: Raw, other: Raw, except?: string): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++)
    if (one[at] !== other[at] && (at % 2 === 0 || one[at - 1]?.toLowerCase() !== except)) return false;
  return true;
}

/**
 * The request headers that the request log shows, besides those of `--log-header`: a closed list, so that it never contains a
 * cookie or a credential. `Authorization` and `Content-Type` are part of `RecordedRequest`.
 */
const NAMES: readonly string[] = [
  'User-Agent',
  'Accept',
  'Content-Length',
  'Prefer',
  'Idempotency-Key',
  'Traceparent',
  'X-Request-Id',
  'X-Correlation-Id',
  'Sandbox-Fault',
  'Sandbox-Expect',
  'Sandbox-Run',
  'Sandbox-Source',
];

/** The name of a shown header, and as Node has it. */
export type ShownName = readonly [name: string, small: string];

/** The headers that are shown. @param more names besides the usual ones */
export const shownNames = (more: readonly string[]): readonly ShownName[] =>
  [...new Set([...NAMES, ...more])].map((name) => [name, name.toLowerCase()]);

/** As name, value, name, value. They may contain secrets. */
function shownHeaders(headers: IncomingHttpHeaders, names: readonly ShownName[]): readonly string[] {
  const shown: string[] = [];
  for (const [name, small] of names) {
    const value = headers[small]?.toString();
    if (value !== undefined) shown.push(name, value.length > MAX_VALUE ? copyOf(shorten(value, MAX_VALUE)) : value);
  }
  return shown;
}

/** A target with a host, and what follows it. */
export const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is;

/** `GET http://host/v1/pets` means `/v1/pets` (RFC 9112, section 3.2.2). */
export const originForm = (target: string): string => {
  if (target.startsWith('/')) return target;
  const path = ABSOLUTE.exec(target)?.[2];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
};

// Reads the request line of a request that Node's parser rejected, where the bytes in which it failed show it.

/** The beginning of a request, as far as it could be read. */
export interface RawRequest {
  /** `-` if it could not be read. */
  readonly method: string;
  /** Empty if it could not be read. */
  readonly target: string;
  /** What it says of its run, if that could be read. */
  readonly run?: string | undefined;
}

/** Nothing of it is known. */
export const UNREAD: RawRequest = { method: '-', target: '' };

/** Bytes that are read: Node gives at most 64 KiB at once. */
const MAX_PACKET_BYTES = 64 * 1024;
/** Characters kept of a target. */
export const MAX_TARGET = 2_000;

/** A request line: behind another request, its JSON body, or blanks. It has a path or a version, which a header does not. */
const LINE = /(?<=^|\n|[}\]"])[ \t]{0,8}([A-Za-z]{1,20}) (?= {0,8}[/*]|[^\r\n]{0,200} [A-Z]{1,9}\/\d)([^\r\n]*)/g;

const RUN = /^sandbox-run:[ \t]{0,8}([^\r\n]{1,100})/im;

/** @param at the byte at which the parser failed */
export function readRaw(packet: Buffer, at: number): RawRequest {
  const bytes = packet.subarray(0, MAX_PACKET_BYTES);
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const place = bytes.toString(encoding, 0, at).length;
  const text = bytes.toString(encoding);
  const line = [...text.matchAll(LINE)].findLast(({ index }) => index <= place);
  if (!line) return UNREAD;
  const [, method = '-', rest = ''] = line;
  const [, run] = RUN.exec(text.slice(line.index)) ?? [];
  return { method, run, target: shorten(rest.replace(/ [A-Z]+\/[\d.]*$/, '').trim(), MAX_TARGET) };
}
