/** The names of everything in Valkey. What belongs to one family lies in one hash slot. */
import { familyOf } from '../../core/ids.ts';

/** Epoch of the log, numbers of request logs. */
export const headKey = (family: string): string => `{${family}}:head`;
/** Every change of a family: see `entries.ts`. */
export const logKey = (family: string): string => `{${family}}:log`;
/** Where a shorter log is written before it replaces the present one. */
export const draftKey = (family: string, id: string): string => `{${family}}:draft:${id}`;
/** The exchanges of a sandbox by their numbers, each as JSON. */
export const requestLogKey = (sandbox: string): string => `{${familyOf(sandbox)}}:requests:${sandbox}`;
/** Counts of exchanges up to a number, as text: `<number> <JSON>`. */
export const talliesKey = (sandbox: string): string => `{${familyOf(sandbox)}}:tallies:${sandbox}`;
/** Events of a family, to all servers. */
export const channelOf = (family: string): string => `{${family}}:events`;
/** The sandbox of a key, by the hash of the key. It never changes. */
export const secretKey = (hash: string): string => `sandbox:key:${hash}`;
/** When each sandbox was used last: a sorted set. Its size is the number of sandboxes. */
export const USED = '{sandbox}:used';
/** When the last key of each sandbox expires: a sorted set. */
export const EXPIRES = '{sandbox}:expires';
/** Requests that belong to no sandbox, newest first. */
export const UNMATCHED = '{sandbox}:unmatched';
/** How many of them were evicted. */
export const UNMATCHED_DROPPED = '{sandbox}:unmatched:dropped';
/** Each of them, to all servers. */
export const UNMATCHED_CHANNEL = '{sandbox}:unmatched:events';
/** The text of a fixture, by its fingerprint. */
export const fixtureKey = (fingerprint: string): string => `sandbox:fixture:${fingerprint}`;
