/** The keys of one sandbox: how many there may be, and how long each lasts. Pure. */
import { ApiError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { KeyRecord } from '../store/record.ts';
import { hashOf } from './keys.ts';
import { isActive } from './sandbox.ts';

const MAX_KEYS = 100;
/** Revoked and expired keys are remembered, so that their use is told apart; only so many. */
const MAX_SPENT_KEYS = 100;

/** What is kept of a key that was just made. */
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
 * The keys with one more; the oldest spent one makes room where too many are remembered.
 *
 * @throws {ApiError} `limit_reached` at 100 active ones
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

/** When something that is made now ends: after its time, but no later than `latest`. `null` is never. */
export function endOf(now: number, ttlSeconds: number | null, latest: number | null): number | null {
  const own = ttlSeconds === null ? null : now + ttlSeconds * 1000;
  if (own === null) return latest;
  return latest === null ? own : Math.min(own, latest);
}
