/** Ids for people and programs: a prefix that says what it names, and letters and digits that need no escaping. */
import { customAlphabet } from 'nanoid';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const short = customAlphabet(ALPHABET, 16);
const long = customAlphabet(ALPHABET, 26);

/** `sbx_…`, `key_…`, `req_…` and the like: 95 random bits, enough that two never meet. */
export const newId = (prefix: 'sbx' | 'key' | 'req' | 'brn' | 'flt'): string => `${prefix}_${short()}`;

/** 26 letters and digits: 154 random bits from the operating system, for what must not be guessed. */
export const newSecret = (): string => long();
