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
 * Confirms that the caller has the newest line of a log, or sends what is new, and enters requests into the request log.
 * A full store does not stop requests that only read: then the mark is removed that says that the request log is whole,
 * and so it is where the caller knows of an entry that the store has lost.
 * KEYS: log, requests, mark. ARGV: ids of exchanges, the caller's last token, how many lines it has, the last entry that
 * it knows of. Replies nothing for a sandbox that has ended; else the last entry that the caller now knows of, and where it
 * is behind: the place of the first line that follows, the number of all, and these lines; from the first on, if the
 * caller's line is not there.
 */
export const ENTER = script(`
local last = redis.call('LINDEX', KEYS[1], -1)
if not last then return false end
local entry = ARGV[4]
if entry ~= '' and #redis.call('XRANGE', KEYS[2], entry, entry) == 0 then
  local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
  local function ms(id) return tonumber(string.match(id, '^%d+')) end
  if not first or ms(first[1]) < ms(entry) then
    redis.call('DEL', KEYS[3])
    entry = ''
  end
end
if ARGV[1] ~= '' then
  entry = redis.pcall('XADD', KEYS[2], '*', 'q', ARGV[1])
  if type(entry) == 'table' then
    if not string.find(entry.err, 'OOM', 1, true) then return entry end
    redis.call('DEL', KEYS[3])
    entry = ''
  end
end
if string.sub(last, 1, ${TOKEN_LENGTH}) == ARGV[2] then return {entry} end
local from = 0
if ARGV[3] ~= '0' then
  local known = redis.call('LINDEX', KEYS[1], ARGV[3] - 1)
  if known and string.sub(known, 1, ${TOKEN_LENGTH}) == ARGV[2] then from = tonumber(ARGV[3]) end
end
return {entry, from, redis.call('LLEN', KEYS[1]), redis.call('LRANGE', KEYS[1], from, from + ${PAGE - 1})}
`);

/** The beginning of every script that changes a log: 0 if the caller is behind. One without lines has an empty token. */
const IF_NEWEST = `
local last = redis.call('LINDEX', KEYS[1], -1) or ''
if string.sub(last, 1, ${TOKEN_LENGTH}) ~= ARGV[1] then return 0 end
`;

/** The request log of a new sandbox is whole. */
const WHOLE_IF_NEW = "if last == '' then redis.call('SET', KEYS[2], 1) end";

/** Appends lines. KEYS: log, mark. ARGV: the caller's last token, lines. */
export const APPEND = script(`${IF_NEWEST}${WHOLE_IF_NEW}
for i = 2, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end
return 1
`);

/** Replaces the current log with a draft. KEYS: log, mark, draft. ARGV: the caller's last token, lines of the draft. */
export const REPLACE = script(`${IF_NEWEST}
if redis.call('LLEN', KEYS[3]) ~= tonumber(ARGV[2]) then return 0 end
${WHOLE_IF_NEW}
redis.call('PERSIST', KEYS[3])
redis.call('RENAME', KEYS[3], KEYS[1])
return 1
`);

/** Removes all of a sandbox, unless the caller is behind. KEYS: log, and what else it has. ARGV: the caller's last token. */
export const REMOVE = script(`
local last = redis.call('LINDEX', KEYS[1], -1)
if last and string.sub(last, 1, ${TOKEN_LENGTH}) ~= ARGV[1] then return 0 end
redis.call('DEL', unpack(KEYS))
return 1
`);

/** The beginning of scripts for request logs: what is written late finds its sandbox gone. */
const IF_THERE = "if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end";

/**
 * Adds an entry to a request log. KEYS: log, requests, mark. ARGV: fields and values. A full store cannot take it: that
 * requests are lost is then said by the mark.
 */
export const ADD = script(`${IF_THERE}
local added = redis.pcall('XADD', KEYS[2], '*', unpack(ARGV))
if type(added) == 'string' then return 1 end
if ARGV[1] ~= 'x' or not string.find(added.err, 'OOM', 1, true) then return added end
redis.call('DEL', KEYS[3])
return 0
`);

/** Clears a request log, which is whole again. KEYS: log, requests, mark. ARGV: when. */
export const CLEAR = script(`${IF_THERE}
redis.call('XADD', KEYS[2], '*', 'c', ARGV[1])
redis.call('SET', KEYS[3], 1)
return 1
`);

/**
 * Reads what is new in a request log. KEYS: requests, checkpoint, mark. ARGV: the last entry that the caller has, or
 * nothing to begin with the checkpoint; how many entries. Replies the time in milliseconds, whether the request log is
 * whole, the checkpoint or its beginning, and the entries.
 */
export const READ = script(`
local time = redis.call('TIME')
local kept = ''
local from = '-'
if ARGV[1] == '' then kept = redis.call('GET', KEYS[2]) or ''
else
  kept = redis.call('GETRANGE', KEYS[2], 0, 63)
  from = '(' .. ARGV[1]
end
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return {now, redis.call('EXISTS', KEYS[3]), kept, redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', ARGV[2])}
`);

/**
 * Keeps a checkpoint, unless a newer one is kept, and forgets the entries before those that it needs.
 * KEYS: log, requests, checkpoint. ARGV: how many exchanges it counts, the first entry that it needs, the checkpoint.
 */
export const KEEP = script(`${IF_THERE}
local kept = redis.call('GETRANGE', KEYS[3], 0, 63)
if kept ~= '' and tonumber(string.match(kept, '^%d+')) >= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[3], ARGV[1] .. ' ' .. ARGV[2] .. ' ' .. ARGV[3])
redis.call('XTRIM', KEYS[2], 'MINID', ARGV[2])
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
