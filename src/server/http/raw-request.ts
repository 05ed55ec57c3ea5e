/** Reads the request line of a request that Node's parser rejected, where the bytes in which it failed show it. */
import { isUtf8 } from 'node:buffer';
import { shorten } from '../../base/text.ts';

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
