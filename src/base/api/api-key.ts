/**
 * API keys: `petsbx_`, the name of the server if it has one (`a_`), 26 letters and digits, and a 7-character checksum of what is
 * before it. The prefix lets secret scanners recognize a key; the checksum distinguishes a mistyped or truncated key from one that was never issued. A handle, `petsbh_…`,
 * stands for a key on the control API only, so that a coding agent can show it where a key must not be shown. The key is
 * derived from the handle, which cannot be computed from the key: so no handle is stored.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { namePart, newSecret } from '../ids.ts';
import { HANDLE_PREFIX, KEY_PREFIX, PREFIXES, serverOf } from './credential.ts';

/** A credential of RFC 6750, section 2.1, short enough for any header. */
export const TOKEN = /^[A-Za-z0-9\-._~+/]{1,512}=*$/;

/** A new random handle with 154 bits, and its key; not yet assigned. @param server the name of the server, if it has one */
export function newPair(server?: string): { readonly handle: string; readonly secret: string } {
  const handle = withCheck(HANDLE_PREFIX, namePart(server) + newSecret());
  return { handle, secret: keyOfHandle(handle) as string };
}

/** The key of a handle, with 134 bits; `undefined` for any other text. */
export function keyOfHandle(handle: string): string | undefined {
  if (!handle.startsWith(HANDLE_PREFIX) || isDamaged(handle)) return undefined;
  const digits = BigInt(`0x${hashOf(handle)}`)
    .toString(36)
    .padStart(SECRET_LENGTH, '0');
  return withCheck(KEY_PREFIX, namePart(serverOf(handle)) + digits.slice(-SECRET_LENGTH));
}

/** A new random key with 154 bits, without a handle; not yet assigned. */
export const newKey = (server?: string): string => withCheck(KEY_PREFIX, namePart(server) + newSecret());

/** True for text that starts like a key or a handle but has a wrong checksum. */
export function isDamaged(key: string): boolean {
  const prefix = PREFIXES.find((each) => key.startsWith(each));
  if (prefix === undefined) return false;
  const secret = key.slice(prefix.length, -CHECK_LENGTH);
  return secret.length < SECRET_LENGTH || withCheck(prefix, secret) !== key;
}

/** The stored form of a key: its SHA-256, as hex. A key has too many random bits for a guess of the hash. */
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Compares secrets in constant time. */
export const sameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

const SECRET_LENGTH = 26;
const CHECK_LENGTH = 7;
const withCheck = (prefix: string, secret: string): string => `${prefix}${secret}${checkOf(secret)}`;
const checkOf = (secret: string): string => crc32(secret).toString(36).padStart(CHECK_LENGTH, '0');
