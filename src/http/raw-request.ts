/** Reads what can be read of a request that Node's parser rejected, from the bytes in which it failed. */
import { isUtf8 } from 'node:buffer';
import { shorten } from '../core/text.ts';

/** As far as it could be read. */
export interface RawRequest {
  /** `-` if it could not be read. */
  readonly method: string;
  /** Empty if it could not be read. */
  readonly target: string;
  /** Name, value, name, value, as sent. */
  readonly rawHeaders: readonly string[];
}

/** Nothing of it is known. */
export const UNREAD: RawRequest = { method: '-', target: '', rawHeaders: [] };

/** Bytes that are read: Node gives at most 64 KiB at once. */
const MAX_BYTES = 64 * 1024;
/** Characters kept of a target, and headers that are read. */
export const MAX_TARGET = 2_000;
const MAX_HEADERS = 200;
/** Characters of a request line that may go on in the next packet. */
const MAX_LINE = 2_200;

/** A request line: behind another request, or behind its JSON body. It has a path or a version, which a header does not. */
const LINE = /(?<=^|\n|[}\]"])[A-Za-z]{1,20} {1,9}(?=[/*]|[^\r\n]{0,2100} [A-Z]{1,9}\/\d)[^\r\n]*/g;
/** One that nobody doubts. */
const WHOLE_LINE = /(?<=^|\n|[}\]"])[A-Z]{1,20} \/[!-~]* HTTP\/1\.[01]\r\n/g;

/** A request in which the parser failed. */
export interface FailedRequest {
  readonly raw: RawRequest;
  /** What came behind its head, as far as that is known to end. */
  readonly behind: string;
  /** Whether the end of its head has arrived. */
  readonly isWhole: boolean;
}

/** @param at the byte at which the parser failed */
export function readRaw(packet: Buffer, at: number): FailedRequest {
  const bytes = packet.subarray(0, MAX_BYTES);
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const place = bytes.toString(encoding, 0, at).length;
  const lines = [...text.matchAll(LINE)].filter(({ index }) => index <= place);
  const start = lines.at(-1)?.index;
  if (start === undefined) return { raw: UNREAD, behind: '', isWhole: true };
  const end = endOfHead(text, start);
  const isWhole = end !== undefined || bytes.length === MAX_BYTES;
  return { raw: requestAt(text, start), behind: end === undefined ? '' : text.slice(end), isWhole };
}

/**
 * The requests behind one that asks for another protocol: Node's parser drops the rest of its packet, as if it were in that
 * protocol.
 */
export function behindUpgrade(packet: Buffer): RawRequest[] {
  const text = packet.toString('latin1');
  const name = /\r\nupgrade:/i.exec(text);
  const end = name ? endOfHead(text, name.index) : undefined;
  if (end === undefined) return [];
  const unparsed = new UnparsedRequests();
  return [...unparsed.add(text.slice(end)), ...unparsed.end()];
}

/** Finds the requests in text that is not parsed any more, packet by packet. */
export class UnparsedRequests {
  /** A head that may go on in the next packet, or the line that it begins with. */
  #rest = '';
  #isHead = false;

  /** Those whose heads have arrived. */
  add(text: string): RawRequest[] {
    const before = this.#rest.length;
    const all = this.#rest + text;
    this.#rest = all;
    if (this.#isHead && all.length < MAX_BYTES && endOfHead(all, Math.max(0, before - 3)) === undefined) return [];
    const lines = [...all.matchAll(WHOLE_LINE)].map(({ index }) => index);
    const last = lines.at(-1);
    this.#isHead = last !== undefined && endOfHead(all, last) === undefined && all.length - last < MAX_BYTES;
    const found = this.#isHead ? lines.slice(0, -1) : lines;
    this.#rest = this.#isHead ? all.slice(last) : all.slice(Math.max(0, all.lastIndexOf('\n'), all.length - MAX_LINE));
    return found.map((start) => requestAt(all, start));
  }

  /** The one whose head did not arrive completely, if any. */
  end(): RawRequest[] {
    return this.#isHead ? [requestAt(this.#rest, 0)] : [];
  }
}

function endOfHead(text: string, start: number): number | undefined {
  const end = text.indexOf('\r\n\r\n', start);
  return end < 0 ? undefined : end + 4;
}

function requestAt(text: string, start: number): RawRequest {
  const [line = '', ...fields] = text.slice(start, endOfHead(text, start)).split('\r\n');
  const [, method = '-', rest = ''] = /^([A-Za-z]+) +(.*)$/s.exec(line) ?? [];
  const target = rest.replace(/ +[A-Z]+\/[\d.]*$/, '').trim();
  return {
    method,
    target: shorten(target, MAX_TARGET).replace(/[\ud800-\udbff](?=\u2026$)/, ''),
    rawHeaders: fields.slice(0, MAX_HEADERS).flatMap(fieldIn),
  };
}

/** A name with blanks around it is none, but says whose value it is. */
function fieldIn(line: string): string[] {
  const colon = line.indexOf(':');
  return colon < 1 ? [] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}
