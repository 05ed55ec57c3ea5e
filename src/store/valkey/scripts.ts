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

/** Lines of a log in one command. */
export const PAGE = 1_000;
/** Characters of the token before each line. */
export const TOKEN_LENGTH = 16;

/**
 * Confirms that the caller has the newest line of a log, or sends what is new, and gives out numbers of the request log.
 * KEYS: head, log. ARGV: how many numbers, the caller's last token, how many lines it has.
 * Replies nothing for a sandbox that has ended; else the last number, and where the caller is behind: the place of the
 * first line that follows, the number of all, and these lines; from the first on, if the caller's line is not there.
 */
export const ENTER = script(`
local last = redis.call('LINDEX', KEYS[2], -1)
if not last then return false end
local number = 0
if ARGV[1] ~= '0' then number = redis.call('HINCRBY', KEYS[1], 'number', ARGV[1]) end
if string.sub(last, 1, ${TOKEN_LENGTH}) == ARGV[2] then return {number} end
local from = 0
if ARGV[3] ~= '0' then
  local known = redis.call('LINDEX', KEYS[2], ARGV[3] - 1)
  if known and string.sub(known, 1, ${TOKEN_LENGTH}) == ARGV[2] then from = tonumber(ARGV[3]) end
end
return {number, from, redis.call('LLEN', KEYS[2]), redis.call('LRANGE', KEYS[2], from, from + ${PAGE - 1})}
`);

/** The beginning of every script that changes a log: -1 if it has ended, 0 if the caller is behind. */
const IF_NEWEST = `
local last = redis.call('LINDEX', KEYS[1], -1)
if not last then return -1 end
if string.sub(last, 1, ${TOKEN_LENGTH}) ~= ARGV[1] then return 0 end
`;

/** Appends lines. KEYS: log. ARGV: the caller's last token, lines. */
export const APPEND = script(`${IF_NEWEST}
for i = 2, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end
return 1
`);

/** Removes all of a sandbox. KEYS: log, and what else it has. ARGV: the caller's last token. */
export const REMOVE = script(`${IF_NEWEST}
redis.call('DEL', unpack(KEYS))
return 1
`);

/** Begins a log. KEYS: log. ARGV: lines. Replies 0 if there is one. */
export const BEGIN = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
for i = 1, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end
return 1
`);

/** Begins a log with a draft. KEYS: log, draft. Replies 0 if there is a log. */
export const BEGIN_LONG = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('PERSIST', KEYS[2])
redis.call('RENAME', KEYS[2], KEYS[1])
return 1
`);

/** Puts a draft in place of the present log. KEYS: log, draft. ARGV: the caller's last token, lines of the draft. */
export const COMPACT = script(`${IF_NEWEST}
if redis.call('LLEN', KEYS[2]) ~= tonumber(ARGV[2]) then return 0 end
redis.call('PERSIST', KEYS[2])
redis.call('RENAME', KEYS[2], KEYS[1])
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
 * exchanges back. KEYS: head, counts. ARGV: the number, when.
 */
export const CLEAR = script(`
local cleared = redis.call('HGET', KEYS[1], 'cleared')
if cleared and tonumber(string.match(cleared, '^%d+')) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'cleared', ARGV[1] .. ' ' .. ARGV[2])
redis.call('DEL', KEYS[2])
return 1
`);

/**
 * Marks a database as one of sandboxes. KEYS: installation. ARGV: the mark, 1 if the caller has used the database.
 * Replies with the mark that it has; empty for one that holds other data.
 */
export const ADMIT = script(`
local found = redis.call('GET', KEYS[1])
if found then return found end
if ARGV[2] ~= '1' and redis.call('DBSIZE') > 0 then return '' end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
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
