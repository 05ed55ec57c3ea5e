/** The names of everything in Valkey. What belongs to one sandbox lies in one hash slot. */

/** The log of a sandbox: see `log.ts`. */
export const logKey = (sandbox: string): string => `{${sandbox}}:log`;
/** Where one attempt writes a log before it becomes the present one. */
export const draftKey = (sandbox: string, attempt: string): string => `{${sandbox}}:draft:${attempt}`;
/** The request log of a sandbox: a stream, see `request-order.ts`. */
export const requestLogKey = (sandbox: string): string => `{${sandbox}}:requests`;
/** The fold of the beginning of the stream: `<exchanges> <first entry that is needed> <JSON>`. */
export const checkpointKey = (sandbox: string): string => `{${sandbox}}:checkpoint`;
/** It is there unless requests are missing in the request log. */
export const wholeKey = (sandbox: string): string => `{${sandbox}}:whole`;
/** The keys of scripts that write to a request log. */
export const streamKeys = (sandbox: string): string[] => [logKey(sandbox), requestLogKey(sandbox), wholeKey(sandbox)];
/** Events of a sandbox, to all servers. */
export const channelOf = (sandbox: string): string => `{${sandbox}}:events`;
/** The sandbox of a key, by 128 bits of the hash of the key. It never changes. */
export const secretKey = (hash: string): string => `sandbox:key:${hash.slice(0, 32)}`;
/** When each sandbox was used last: a sorted set. Its size is the number of sandboxes. */
export const USED = '{sandbox}:used';
/** When the last key of each sandbox expires: a sorted set. */
export const EXPIRES = '{sandbox}:expires';
/** Requests that belong to no sandbox: a stream, whose entries are numbered. */
export const UNMATCHED = '{sandbox}:unmatched';
/** Each of them, to all servers. */
export const UNMATCHED_CHANNEL = '{sandbox}:unmatched:events';
/** The text of a fixture, by its fingerprint. */
export const fixtureKey = (fingerprint: string): string => `sandbox:fixture:${fingerprint}`;
/** The layout and the random id of what is in a database. */
export const INSTALLATION = '{sandbox}:installation';
