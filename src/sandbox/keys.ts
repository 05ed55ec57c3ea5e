/**
 * API keys: `petsbx_`, 26 random letters and digits, and 7 that check them. The prefix lets secret scanners recognise a
 * key; the check tells a key that was mistyped or cut off from one that was never issued.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { newSecret } from '../ids.ts';

const PREFIX = 'petsbx_';
const KEY = /^petsbx_([0-9A-Za-z]{26})([0-9a-z]{7})$/;

/** Text that has the shape of a key, anywhere. */
export const KEY_SHAPE = /petsbx_[0-9A-Za-z]+/g;

/** A credential of RFC 6750, section 2.1, of a length that a header holds with ease. */
export const TOKEN = /^[A-Za-z0-9\-._~+/]{1,512}=*$/;

/** A key that opens nothing yet: 154 random bits. */
export function newKey(): string {
  const secret = newSecret();
  return `${PREFIX}${secret}${checkOf(secret)}`;
}

/** True for text that begins like a key but cannot be one: the check does not fit. */
export function isDamaged(key: string): boolean {
  if (!key.startsWith(PREFIX)) return false;
  const parts = KEY.exec(key);
  return !parts || checkOf(parts[1] as string) !== parts[2];
}

/** What is kept of a key: its SHA-256, as hex. A key has too many random bits for the hash to be guessed. */
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const REMEMBERED_KEYS = 1_000;

/** `hashOf`, for those who ask for the same few keys all the time: it remembers the last ones in memory. */
export function rememberedHashes(): (key: string) => string {
  const hashes = new Map<string, string>();
  return (key) => {
    const known = hashes.get(key);
    if (known !== undefined) return known;
    if (hashes.size >= REMEMBERED_KEYS) hashes.clear();
    const hash = hashOf(key);
    hashes.set(key, hash);
    return hash;
  };
}

/** Compares secrets without telling by the time it takes where they differ. */
export const sameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

const checkOf = (secret: string): string => crc32(secret).toString(36).padStart(7, '0');
