/** Tells a HAR from other files by its name and its beginning: on the command line, and in the browser. */

/** Bytes that decide. */
export const BEGINNING_BYTES = 512;
/** gzip, and a zip archive. */
const PACKED = ['\x1f\x8b', 'PK'];
/** Most begin like this; a program may have added fields before the log, and then the name decides. */
const LOG = /^\s*\{\s*"log"\s*:/;

/** @param beginning the first bytes of the file, `BEGINNING_BYTES` or fewer */
export function isHar(name: string, beginning: Uint8Array): boolean {
  const text = String.fromCharCode(...beginning.subarray(0, BEGINNING_BYTES));
  if (PACKED.some((each) => text.startsWith(each))) return true;
  // A byte order mark, and the zeros of UTF-16, aren't part of the text.
  return (
    /\.har(?:\.\w+)?$/i.test(name) ||
    LOG.test(text.replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').replaceAll('\0', ''))
  );
}
