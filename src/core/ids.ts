/** Ids for people and programs: a prefix that names the kind, then letters and digits that need no escaping. */
import { customAlphabet } from 'nanoid';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const short = customAlphabet(ALPHABET, 16);
const long = customAlphabet(ALPHABET, 26);

/** `sbx_…`, `key_…` and the like: 95 random bits, enough to make collisions negligible. */
export const newId = (prefix: 'sbx' | 'key' | 'flt' | 'pet'): string => `${prefix}_${short()}`;

/**
 * A source of `req_…` ids: one random start and a counter. Every request needs an id, and drawing each at random would
 * cost more than finding a pet.
 */
export function requestIds(): () => string {
  const start = `req_${short().slice(0, 9)}`;
  let number = 0;
  return () => start + (number++).toString(36).padStart(7, '0');
}

/** 26 letters and digits: 154 random bits from the operating system, for secrets. */
export const newSecret = (): string => long();
