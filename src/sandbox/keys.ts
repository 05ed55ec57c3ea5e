/**
 * API keys: `petsbx_`, 26 random letters and digits, and a 7-character checksum. The prefix lets secret scanners
 * recognise a key; the checksum distinguishes a mistyped or truncated key from one that was never issued.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ApiError } from '../errors.ts';
import { newId, newSecret } from '../ids.ts';
import type { KeyRecord } from '../store/record.ts';
import { isActive } from './sandbox.ts';

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

/** The key records of one sandbox: limits on their number and lifetime. Pure functions. */
const MAX_KEYS = 100;
/** Revoked and expired keys are remembered up to this number, so that their use is recognized. */
const MAX_SPENT_KEYS = 100;

/** The record of a new key. */
export const keyRecordOf = (
  secret: string,
  about: Pick<KeyRecord, 'label' | 'createdAt' | 'expiresAt'>,
): KeyRecord => ({
  id: newId('key'),
  hash: hashOf(secret),
  label: about.label,
  createdAt: about.createdAt,
  expiresAt: about.expiresAt,
  revokedAt: null,
});

/**
 * Adds a key; the oldest revoked or expired key is removed if there are too many.
 * @throws {ApiError} `limit_reached` at 100 active keys
 */
export function withKey(
  keys: readonly KeyRecord[],
  key: KeyRecord,
): { keys: readonly KeyRecord[]; forgotten: KeyRecord | undefined } {
  const spent = keys.filter((each) => !isActive(each, key.createdAt));
  if (keys.length - spent.length >= MAX_KEYS) {
    throw new ApiError('limit_reached', `a sandbox has ${MAX_KEYS} keys at most; revoke one first`);
  }
  const forgotten = spent.length >= MAX_SPENT_KEYS ? spent[0] : undefined;
  return { keys: [...keys.filter((each) => each !== forgotten), key], forgotten };
}

/** The expiry of something created now: after its lifetime, but no later than `latest`. `null` means never. */
export function endOf(now: number, ttlSeconds: number | null, latest: number | null): number | null {
  const own = ttlSeconds === null ? null : now + ttlSeconds * 1000;
  if (own === null) return latest;
  return latest === null ? own : Math.min(own, latest);
}
