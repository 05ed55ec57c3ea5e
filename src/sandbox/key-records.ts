/** The key records of one sandbox: limits on their number and lifetime. Pure functions. */

import { hashOf } from '../base/api/api-key.ts';
import { ApiError } from '../base/api/errors.ts';
import { newId } from '../base/ids.ts';
import { MAX_KEYS } from '../base/limits.ts';
import { isActive } from './sandbox.ts';
import type { KeyRecord } from './store/record.ts';

/** Revoked and expired keys are remembered up to this number, so that their use is recognized. */
const MAX_INACTIVE_KEYS = 100;

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
export function withKey(keys: readonly KeyRecord[], key: KeyRecord): readonly KeyRecord[] {
  const inactive = keys.filter((each) => !isActive(each, key.createdAt));
  if (keys.length - inactive.length >= MAX_KEYS) {
    throw new ApiError('limit_reached', `a sandbox has ${MAX_KEYS} keys at most; revoke one first`);
  }
  const forgotten = inactive.length >= MAX_INACTIVE_KEYS ? inactive[0] : undefined;
  return [...keys.filter((each) => each !== forgotten), key];
}

/** The expiry of something created now: after its lifetime, but no later than `latest`. `null` means never. */
export function expiryOf(now: number, ttlSeconds: number | null, latest: number | null): number | null {
  const own = ttlSeconds === null ? null : now + ttlSeconds * 1000;
  if (own === null) return latest;
  return latest === null ? own : Math.min(own, latest);
}
