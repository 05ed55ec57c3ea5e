/** Ids for people and programs: a prefix that names the kind, then letters and digits that need no escaping. */
import { customAlphabet } from 'nanoid';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const short = customAlphabet(ALPHABET, 16);
const long = customAlphabet(ALPHABET, 26);

/** The name of a server. Ids of sandboxes, keys and handles carry it, so a balancer knows where each is. */
export const SERVER_NAME = /^[a-z0-9]{1,8}$/;

/** What stands after the prefix of an id or a key: `a_`, or nothing for a server without a name. */
export const namePart = (server: string | undefined): string => (server === undefined ? '' : `${server}_`);

/** `sbx_…`, `key_…` and the like: 95 random bits, enough to make collisions negligible. @param server the name of its server */
export const newId = (prefix: 'sbx' | 'key' | 'flt' | 'pet', server?: string): string =>
  `${prefix}_${namePart(server)}${short()}`;

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

// Ids of requests as a narrow terminal shows them: a server counts its requests at the end of their ids.

/** `req_…0k`; any other id as it is. */
export const shortId = (id: string): string => id.replace(/^req_\w{9}0*(\w{2,7})$/, 'req_…$1');

/** Whether an id is the one that was shown, whole or short. */
export const isShownAs = (id: string, shown: string): boolean => id === shown || shortId(id) === shown;
