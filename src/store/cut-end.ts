/** Repairs log files with a truncated end. */
import { decode } from './data-file.ts';

/** The last line of a log file. */
export const CLOSING = '\n]}\n';

/** A file whose end was truncated. */
export interface Mended {
  /** Its content without the truncated end. */
  readonly text: string;
  /** The end that was removed. */
  readonly removed: Buffer;
}

/**
 * The file without its truncated end; `undefined` for a complete file, and for one that is damaged elsewhere.
 * A kill truncates the last write: only text that ends with a line break is a complete line, and the last bytes of the
 * overwritten closing line may remain. A power failure may leave zeros at the end.
 */
export function withoutCutEnd(bytes: Buffer): Mended | undefined {
  if (isWhole(bytes)) return undefined;
  const written = withoutZeros(bytes);
  if (written.length < bytes.length && isWhole(written)) return mendedAt(bytes, written.length, '');
  let end = written.lastIndexOf(LINE_BREAK);
  if (/^\n[,\]][{}]$/.test(written.toString('latin1', Math.max(0, end - 3), Math.max(0, end)))) end -= 3;
  return end < 0 ? undefined : mendedAt(bytes, end, CLOSING);
}

const LINE_BREAK = 0x0a;

function mendedAt(bytes: Buffer, end: number, closing: string): Mended | undefined {
  const text = Buffer.concat([bytes.subarray(0, end), Buffer.from(closing)]);
  return isWhole(text) ? { text: text.toString(), removed: bytes.subarray(end) } : undefined;
}

function withoutZeros(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}

/** Whether the bytes are a JSON text. */
function isWhole(bytes: Buffer): boolean {
  try {
    JSON.parse(decode('', bytes));
    return true;
  } catch {
    return false;
  }
}
