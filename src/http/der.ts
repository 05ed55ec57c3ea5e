/** Values in DER (ITU-T X.690): a tag, a length, and the content. As much of it as a certificate needs. */

/** A length below 128 is one byte; a longer one is preceded by how many bytes it has. */
function lengthOf(content: Buffer): Buffer {
  if (content.length < 0x80) return Buffer.of(content.length);
  const hex = content.length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes]);
}

function value(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), lengthOf(content), content]);
}

export const sequence = (...parts: readonly Buffer[]): Buffer => value(0x30, ...parts);
export const set = (...parts: readonly Buffer[]): Buffer => value(0x31, ...parts);
export const octets = (bytes: Buffer): Buffer => value(0x04, bytes);
export const text = (characters: string): Buffer => value(0x0c, Buffer.from(characters, 'utf8'));
export const TRUE: Buffer = value(0x01, Buffer.of(0xff));

/** A positive integer. @param bytes without a sign: the highest bit is not set */
export const integer = (bytes: Buffer): Buffer => value(0x02, bytes);

/** @param unused how many bits at the end do not count */
export const bits = (bytes: Buffer, unused = 0): Buffer => value(0x03, Buffer.of(unused), bytes);

/** A value whose meaning depends on where it stands: `[n] IMPLICIT`, of a simple type. */
export const context = (n: number, bytes: Buffer): Buffer => value(0x80 | n, bytes);

/** A whole value within another: `[n] EXPLICIT`. */
export const explicit = (n: number, part: Buffer): Buffer => value(0xa0 | n, part);

/** An object identifier, written with dots. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return value(0x06, Buffer.from([40 * first + second, ...others].flatMap(inSevens)));
}

/** Seven bits a byte, the highest first; all bytes but the last have their highest bit set. */
function inSevens(n: number): number[] {
  const bytes = [n & 0x7f];
  for (let rest = n >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

/** A time to the second, in UTC. RFC 5280 wants two digits of the year until 2049, and four from then on. */
export function time(at: Date): Buffer {
  const digits = `${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  return at.getUTCFullYear() < 2050 ? value(0x17, Buffer.from(digits.slice(2))) : value(0x18, Buffer.from(digits));
}
