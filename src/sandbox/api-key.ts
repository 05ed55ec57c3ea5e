/**
 * API keys: `petsbx_`, 26 random letters and digits, and a 7-character checksum. The prefix lets secret scanners
 * recognise a key; the checksum distinguishes a mistyped or truncated key from one that was never issued.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { newSecret } from '../core/ids.ts';

const PREFIX = 'petsbx_';
const KEY = /^petsbx_([0-9A-Za-z]{26})([0-9a-z]{7})$/;

/** Text with the shape of a key, anywhere. */
export const KEY_SHAPE = /petsbx_[0-9A-Za-z]+/g;

/** A credential of RFC 6750, section 2.1, short enough for any header. */
export const TOKEN = /^[A-Za-z0-9\-._~+/]{1,512}=*$/;

/** A new random key with 154 bits; not yet assigned. */
export function newKey(): string {
  const secret = newSecret();
  return `${PREFIX}${secret}${checkOf(secret)}`;
}

/** True for text that starts like a key but has a wrong checksum. */
export function isDamaged(key: string): boolean {
  if (!key.startsWith(PREFIX)) return false;
  const parts = KEY.exec(key);
  return !parts || checkOf(parts[1] as string) !== parts[2];
}

/** The stored form of a key: its SHA-256, as hex. A key has too many random bits for a guess of the hash. */
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Compares secrets in constant time. */
export const sameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

const checkOf = (secret: string): string => crc32(secret).toString(36).padStart(7, '0');
