/**
 * What Valkey runs in one step. No rule of the sandbox is here: a script compares versions, and acts or says that
 * the caller is behind. All keys of a call lie in one hash slot, and are declared.
 */
import { createHash } from 'node:crypto';

export interface Script {
  readonly lua: string;
  /** The name by which Valkey knows it: so two versions of the program can share one. */
  readonly sha: string;
}

const script = (lua: string): Script => ({ lua, sha: createHash('sha1').update(lua).digest('hex') });

/** Entries of a log in one response. */
export const PAGE = 1_000;

/**
 * Confirms that the caller has the newest state of a family, or sends what is new, and gives out numbers of the
 * request log.
 * KEYS: head, log. ARGV: sandbox, how many numbers, epoch, version.
 * Replies nothing for a family that has ended; else epoch, version, last number, and the entries that the caller lacks.
 */
export const ENTER = script(`
local epoch = redis.call('HGET', KEYS[1], 'epoch')
if not epoch then return false end
local number = 0
if ARGV[2] ~= '0' then number = redis.call('HINCRBY', KEYS[1], 'number:' .. ARGV[1], ARGV[2]) end
local version = redis.call('LLEN', KEYS[2])
if epoch ~= ARGV[3] then return {epoch, version, number, redis.call('LRANGE', KEYS[2], 0, ${PAGE - 1})} end
if version == tonumber(ARGV[4]) then return {epoch, version, number} end
return {epoch, version, number, redis.call('LRANGE', KEYS[2], ARGV[4], ARGV[4] + ${PAGE - 1})}
`);

/** The beginning of every script that changes a family: -1 if it has ended, 0 if the caller is behind. */
const IF_NEWEST = `
local epoch = redis.call('HGET', KEYS[1], 'epoch')
if not epoch then return -1 end
if epoch ~= ARGV[1] or redis.call('LLEN', KEYS[2]) ~= tonumber(ARGV[2]) then return 0 end
`;

/** Appends entries. KEYS: head, log. ARGV: epoch, version, entries. */
export const APPEND = script(`${IF_NEWEST}
for i = 3, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[i]) end
return 1
`);

/** Creates a family. KEYS: head, log. ARGV: entries. Replies 0 if there is one of that id. */
export const FOUND = script(`
if redis.call('HSETNX', KEYS[1], 'epoch', '1') == 0 then return 0 end
for i = 1, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[i]) end
return 1
`);

/** Ends a family. KEYS: head, log, everything else that it has. ARGV: epoch, version. */
export const END = script(`${IF_NEWEST}
redis.call('DEL', unpack(KEYS))
return 1
`);

/** Puts a shorter log in place of the present one. KEYS: head, log, the new log. ARGV: epoch, version, its length. */
export const COMPACT = script(`${IF_NEWEST}
if redis.call('LLEN', KEYS[3]) ~= tonumber(ARGV[3]) then return 0 end
redis.call('PERSIST', KEYS[3])
redis.call('RENAME', KEYS[3], KEYS[2])
redis.call('HINCRBY', KEYS[1], 'epoch', 1)
return 1
`);

/**
 * Keeps the counts of a request log up to a number, and forgets exchanges that are too old, if no later ones are kept.
 * KEYS: exchanges, counts. ARGV: the number, the counts, seconds to keep them, the numbers to forget.
 */
export const FOLD = script(`
local kept = redis.call('GET', KEYS[2])
if kept and tonumber(string.match(kept, '^%d+')) >= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[2], ARGV[1] .. ' ' .. ARGV[2], 'EX', ARGV[3])
for i = 4, #ARGV do redis.call('HDEL', KEYS[1], ARGV[i]) end
return 1
`);

/**
 * Clears a request log up to a number, unless another server cleared it further: clears that meet must not bring
 * exchanges back. KEYS: head, counts. ARGV: its field, the number, when.
 */
export const CLEAR = script(`
local cleared = redis.call('HGET', KEYS[1], ARGV[1])
if cleared and tonumber(string.match(cleared, '^%d+')) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
redis.call('DEL', KEYS[2])
return 1
`);

/** Takes a place for a sandbox. KEYS: last use. ARGV: the most, sandbox, time. Replies 0 if there is none. */
export const TAKE_PLACE = script(`
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[2])
return 1
`);

/** Adds to a bounded list, and counts what is evicted. KEYS: list, count. ARGV: the most, entries, the newest last. */
export const ADD_UNMATCHED = script(`
for i = 2, #ARGV do redis.call('LPUSH', KEYS[1], ARGV[i]) end
local over = redis.call('LLEN', KEYS[1]) - tonumber(ARGV[1])
if over <= 0 then return 0 end
redis.call('LTRIM', KEYS[1], 0, ARGV[1] - 1)
return redis.call('INCRBY', KEYS[2], over)
`);
