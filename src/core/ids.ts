/** Ids for people and programs: a prefix that names the kind, then letters and digits that need no escaping. */
import { customAlphabet } from 'nanoid';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const short = customAlphabet(ALPHABET, 16);
const long = customAlphabet(ALPHABET, 26);

/** `sbx_…`, `key_…` and the like: 95 random bits, enough to make collisions negligible. */
export const newId = (prefix: 'sbx' | 'key' | 'brn' | 'flt' | 'pet'): string => `${prefix}_${short()}`;

/** Characters that a sandbox's id shares with those of its forks, so that a family is found by any of its ids. */
const OF_FAMILY = 8;
const ofMember = customAlphabet(ALPHABET, 16 - OF_FAMILY);

/** The id of a fork of this sandbox, of the same form as every id. */
export const newForkId = (of: string): string => `sbx_${familyOf(of)}${ofMember()}`;

/** The part that the ids of a sandbox and its forks share. */
export const familyOf = (id: string): string => id.slice('sbx_'.length, 'sbx_'.length + OF_FAMILY);

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
