/**
 * Sign-in codes: each opens the dashboard once, within an hour, with its key. A link may contain a code
 * where it must never contain a key: a used code is worth nothing. Codes are in memory, so they end with the server.
 */

import { hashOf } from '../base/api/api-key.ts';
import type { Clock } from '../base/clock.ts';
import { newSecret } from '../base/ids.ts';

/** How long a code can be used, in milliseconds. */
export const CODE_LIFE_MS = 3_600_000;
/** Codes of one sandbox. A further one takes the place of its oldest. */
const MAX_OF_ONE = 8;
/** Codes of a server. A further one takes the place of the oldest. */
const MAX_CODES = 1_000;

interface IssuedCode {
  readonly sandbox: string;
  readonly key: string;
  readonly expiresAt: number;
}

export class SignInCodes {
  readonly #clock: Clock;
  /** By the hash of a code, oldest first: how long a search takes tells nothing about a code. */
  readonly #byHash = new Map<string, IssuedCode>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param sandbox the one that the key opens @returns the code, and when it expires in milliseconds since 1970 */
  issue(sandbox: string, key: string): { readonly code: string; readonly expiresAt: number } {
    this.#dropExpired();
    const own = [...this.#byHash].flatMap(([hash, each]) => (each.sandbox === sandbox ? [hash] : []));
    if (own.length >= MAX_OF_ONE) this.#byHash.delete(own[0] as string);
    for (const oldest of this.#byHash.keys()) {
      if (this.#byHash.size < MAX_CODES) break;
      this.#byHash.delete(oldest);
    }
    const code = newSecret();
    const expiresAt = this.#clock.now() + CODE_LIFE_MS;
    this.#byHash.set(hashOf(code), { sandbox, key, expiresAt });
    return { code, expiresAt };
  }

  /** The key of a code, which is used up. `undefined` if the code is used, expired or unknown. */
  redeem(code: string): string | undefined {
    this.#dropExpired();
    const hash = hashOf(code);
    const found = this.#byHash.get(hash);
    this.#byHash.delete(hash);
    return found?.key;
  }

  #dropExpired(): void {
    const now = this.#clock.now();
    for (const [hash, { expiresAt }] of this.#byHash) if (expiresAt <= now) this.#byHash.delete(hash);
  }
}

/** The dashboard's address that signs in with a code. Browsers keep what follows `#` to themselves. */
export const signInLink = (server: string, code: string): string => `${server}/#/sign-in/${code}`;
