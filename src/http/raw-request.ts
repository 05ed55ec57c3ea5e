/** Reads the request line of a request that Node's parser rejected, where the bytes in which it failed show it. */
import { isUtf8 } from 'node:buffer';
import { shorten } from '../core/text.ts';

/** The beginning of a request, as far as it could be read. */
export interface RawRequest {
  /** `-` if it could not be read. */
  readonly method: string;
  /** Empty if it could not be read. */
  readonly target: string;
}

/** Nothing of it is known. */
export const UNREAD: RawRequest = { method: '-', target: '' };

/** Bytes that are read: Node gives at most 64 KiB at once. */
const MAX_PACKET_BYTES = 64 * 1024;
/** Characters kept of a target. */
export const MAX_TARGET = 2_000;

/** A request line: behind another request, or behind its JSON body. It has a path or a version, which a header does not. */
const LINE = /(?<=^|\n|[}\]"])([A-Za-z]{1,20}) (?= {0,8}[/*]|[^\r\n]{0,200} [A-Z]{1,9}\/\d)([^\r\n]*)/g;

/** @param at the byte at which the parser failed */
export function readRaw(packet: Buffer, at: number): RawRequest {
  const bytes = packet.subarray(0, MAX_PACKET_BYTES);
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const place = bytes.toString(encoding, 0, at).length;
  const line = [...bytes.toString(encoding).matchAll(LINE)].findLast(({ index }) => index <= place);
  if (!line) return UNREAD;
  const [, method = '-', rest = ''] = line;
  return { method, target: shorten(rest.replace(/ [A-Z]+\/[\d.]*$/, '').trim(), MAX_TARGET) };
}
