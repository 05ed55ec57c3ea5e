/** Keys that a sandbox gets beside its first, and keys that are revoked. */
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import type { KeyRecord } from '../store/record.ts';
import { withKey } from './key-records.ts';
import { isActive, type Sandbox } from './sandbox.ts';

/** Writes a change of the record of a sandbox. */
type Write = (sandbox: Sandbox, change: (record: Sandbox['record']) => Sandbox['record']) => Promise<void>;

/** @returns the key that was forgotten for it, if one was @throws {ApiError} `limit_reached`, `storage_failed` */
export async function addKey(sandbox: Sandbox, key: KeyRecord, write: Write): Promise<KeyRecord | undefined> {
  let forgotten: KeyRecord | undefined;
  await write(sandbox, (record) => {
    const next = withKey(record.keys, key);
    forgotten = next.forgotten;
    return { ...record, keys: next.keys };
  });
  return forgotten;
}

/**
 * @returns the time of the revocation
 * @throws {ApiError} `not_found`; `conflict` for a fixed key, which only the settings can remove; `storage_failed`
 */
export async function revokeKey(sandbox: Sandbox, keyId: string, clock: Clock, write: Write): Promise<number> {
  const now = clock.now();
  const key = sandbox.record.keys.find((each) => each.id === keyId && isActive(each, now));
  if (!key) throw new ApiError('not_found', `this sandbox has no active key ${keyId}; GET /_sandbox/keys lists them`);
  if (sandbox.record.fixed && key.expiresAt === null && key === sandbox.record.keys[0]) {
    throw new ApiError('conflict', 'a fixed key cannot be revoked; take it out of the settings instead');
  }
  await write(sandbox, (record) => ({
    ...record,
    keys: record.keys.map((each) => (each.id === keyId ? { ...each, revokedAt: now } : each)),
  }));
  return now;
}
