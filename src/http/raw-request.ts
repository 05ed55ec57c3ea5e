/** Reads what can be read of a request that Node's parser rejected, from the bytes in which it failed. */
import { isUtf8 } from 'node:buffer';

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
const MAX_TARGET = 2_000;
const MAX_HEADERS = 200;

/** A request line: behind another request, or behind its JSON body. It has a path or a version, which a header does not. */
const LINE = /(?<=^|\n|[}\]"])[A-Za-z]{1,20} {1,9}(?=[/*]|[^\r\n]{0,2100} [A-Z]{1,9}\/\d)[^\r\n]*/g;
/** One that nobody doubts. */
const WHOLE_LINE = /(?<=^|\n|[}\]"])[A-Z]{1,20} \/[!-~]* HTTP\/1\.[01]\r\n/g;

/**
 * The request in which the parser failed, and those behind it, which it did not read.
 * @param at the byte at which it failed
 */
export function readRaw(packet: Buffer, at: number): { readonly raw: RawRequest; readonly behind: RawRequest[] } {
  const bytes = packet.subarray(0, MAX_BYTES);
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const place = bytes.toString(encoding, 0, at).length;
  const lines = [...text.matchAll(LINE)].filter(({ index }) => index <= place);
  const start = lines.at(-1)?.index;
  if (start === undefined) return { raw: UNREAD, behind: [] };
  const end = endOfHead(text, start);
  const behind = [...text.slice(end).matchAll(WHOLE_LINE)].map(({ index }) => requestAt(text, end + index));
  return { raw: requestAt(text, start), behind };
}

const endOfHead = (text: string, start: number): number => {
  const end = text.indexOf('\r\n\r\n', start);
  return end < 0 ? text.length : end + 4;
};

function requestAt(text: string, start: number): RawRequest {
  const [line = '', ...fields] = text.slice(start, endOfHead(text, start)).split('\r\n');
  const [, method = '-', rest = ''] = /^([A-Za-z]+) +(.*)$/s.exec(line) ?? [];
  const target = rest.replace(/ +[A-Z]+\/[\d.]*$/, '').trim();
  return {
    method,
    target: target.slice(0, MAX_TARGET).replace(/[\ud800-\udbff]$/, ''),
    rawHeaders: fields.slice(0, MAX_HEADERS).flatMap(fieldIn),
  };
}

/** A name with blanks around it is none, but says whose value it is. */
function fieldIn(line: string): string[] {
  const colon = line.indexOf(':');
  return colon < 1 ? [] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}
