/**
 * The log of a sandbox in Valkey: a list of lines, each an entry behind a token of its own. The token of the last line
 * is the version of the state: it cannot be guessed, so a store that came back older is never taken for the newest.
 */
import { ApiError } from '../../api/errors.ts';
import { stopwatch } from '../../core/clock.ts';
import { newSecret } from '../../core/ids.ts';
import { type EntryReader, entryText } from '../../store/entries.ts';
import type { KeyRecord } from '../../store/record.ts';
import { apply, entriesOf, type State } from '../../store/state.ts';
import type { EntryLog, Timeline } from '../../store/timeline.ts';
import type { ValkeyClient } from './client.ts';
import type { KeyIndex } from './key-index.ts';
import { checkpointKey, draftKey, logKey, streamKeys, wholeKey } from './names.ts';
import { APPEND, ENTER, PAGE, REMOVE, REPLACE, TOKEN_LENGTH } from './scripts.ts';
import { notConfirmed } from './valkey-errors.ts';

/** A log is rewritten when it is this much larger than its sandbox, and has doubled since the last time. */
const LONG = { times: 2, characters: 64 * 1024 };
/** A draft that nobody finishes is forgotten. */
const DRAFT_SECONDS = 60;

/** What Valkey replies to `ENTER`: the lines that the caller lacks, and the number of all. */
type Entered = readonly [entry: string, from?: number, total?: number, lines?: readonly string[]];

/** How far a log was read. */
interface Position {
  readonly tip: string;
  readonly length: number;
  readonly characters: number;
}

const BEFORE_ALL: Position = { tip: '', length: 0, characters: 0 };

/** What the logs of a store share. */
export interface ValkeyLogOptions {
  readonly valkey: ValkeyClient;
  readonly keys: KeyIndex;
  readonly reader: EntryReader;
  /** Called when this process has removed a sandbox. */
  readonly onRemoved: (id: string) => Promise<void>;
}

export class ValkeyLog implements EntryLog {
  readonly isInMemory = false;
  readonly id: string;
  #at: Position;
  /** Characters when it was last read or rewritten. */
  #begunWith: number;
  /** The keys that lead to the sandbox. */
  #known: readonly KeyRecord[];
  /** The last entry of the request log that this process knows of: the store must not have lost it. */
  #entry = '';
  readonly #options: ValkeyLogOptions;

  private constructor(id: string, known: readonly KeyRecord[], at: Position, options: ValkeyLogOptions) {
    this.id = id;
    this.#known = known;
    this.#at = at;
    this.#begunWith = at.characters;
    this.#options = options;
  }

  /** The log of a sandbox, and its state; `undefined` if there is none. @throws {ApiError} `storage_failed` */
  static async open(id: string, options: ValkeyLogOptions): Promise<readonly [State, ValkeyLog] | undefined> {
    const read = await readAll(id, options);
    return read && [read.state, new ValkeyLog(id, read.state.record.keys, read.at, options)];
  }

  /** @throws {ApiError} `storage_failed`, `limit_reached`; `conflict` for an id that is taken */
  static async create(state: State, options: ValkeyLogOptions): Promise<ValkeyLog> {
    const { id, keys } = state.record;
    const log = new ValkeyLog(id, keys, BEFORE_ALL, options);
    const lines = linesInTexts(Array.from(entriesOf(state), entryText));
    const began = await (lines.length <= PAGE ? log.#appended(lines) : log.#replaced(lines));
    if (!began) throw new ApiError('conflict', 'the id of the new sandbox is taken; try again');
    log.#begunWith = log.#at.characters;
    return log;
  }

  /**
   * Brings a sandbox up to date: whatever another server acknowledged before the call is in it afterward.
   * @param ids of exchanges to enter into its request log @returns false if they were not: the store is full, or the
   * sandbox has ended
   */
  async enter(timeline: Timeline, ids: readonly string[] = []): Promise<boolean> {
    timeline.usedAt = stopwatch();
    // Otherwise Valkey would send back what is being written.
    if (timeline.writing) await timeline.writing;
    const asked = this.#at;
    const reply = await this.#ask(ids, asked);
    if (!reply) {
      timeline.drop();
      return false;
    }
    const [entry, from = 0, total = 0, lines = []] = reply;
    if (lines.length === 0) return entry !== '';
    // Another call took over what is new while this one was under way: there may be more by now.
    if (asked !== this.#at) await this.enter(timeline);
    else if (from === asked.length) {
      timeline.rollback();
      const next = lines.reduce((state, line) => apply(state, entryIn(line, this.#options)), timeline.state);
      this.#at = after(asked, lines);
      this.#known = next.record.keys;
      timeline.take(next);
      if (this.#at.length < total) await this.enter(timeline);
    } else await this.#readAgain(timeline, asked);
    return entry !== '';
  }

  /** Has Valkey check that it still has the last entry that this process knows of: it may have come back older. */
  async check(timeline: Timeline): Promise<void> {
    if (this.#entry !== '') await this.enter(timeline);
  }

  /** What was entered last is checked by each call, and by `check`. A call that enters nothing may be overtaken. */
  async #ask(ids: readonly string[], at: Position): Promise<Entered | null> {
    const known = this.#entry;
    const reply = await ask(this.id, ids, at, this.#options, known);
    if (reply && (ids.length > 0 || this.#entry === known)) this.#entry = reply[0];
    return reply;
  }

  /** The log was rewritten, or the store came back with older data. */
  async #readAgain(timeline: Timeline, asked: Position): Promise<void> {
    const read = await readAll(this.id, this.#options);
    // Another call read it meanwhile, perhaps before the change that this one must have.
    if (asked !== this.#at) {
      await this.enter(timeline);
      return;
    }
    if (!read) {
      timeline.drop();
      return;
    }
    timeline.rollback();
    this.#at = read.at;
    this.#begunWith = read.at.characters;
    this.#known = read.state.record.keys;
    timeline.take(read.state);
  }

  append(texts: readonly string[]): Promise<boolean> {
    return this.#appended(linesInTexts(texts));
  }

  async catchUp(timeline: Timeline): Promise<void> {
    await this.enter(timeline);
  }

  /**
   * A new key leads to its sandbox before it is acknowledged.
   * @throws {ApiError} `storage_failed`: the log has the change, so it may have happened
   */
  settle(timeline: Timeline): Promise<void> | undefined {
    void this.#compact(timeline).catch(() => undefined);
    const { record } = timeline.state;
    if (record.keys === this.#known) return undefined;
    const before = { ...record, keys: this.#known };
    this.#known = record.keys;
    return this.#options.keys.follow(before, record).catch((error: unknown) => {
      throw notConfirmed(error);
    });
  }

  /** Rewrites a log that is mostly obsolete. If another server changes it meanwhile, it stays. */
  async #compact({ state, weight }: Timeline): Promise<void> {
    const asked = this.#at;
    const enough = Math.max(LONG.times * (weight.pets + weight.head), LONG.characters, 2 * this.#begunWith);
    if (asked.characters < enough) return;
    // Not tried again before the log has grown by as much.
    this.#begunWith = asked.characters;
    const lines = linesInTexts(Array.from(entriesOf(state), entryText));
    if (await this.#replaced(lines)) this.#begunWith = this.#at.characters;
  }

  async #appended(lines: readonly string[]): Promise<boolean> {
    const asked = this.#at;
    const keys = [logKey(this.id), wholeKey(this.id)];
    const isDone = (await this.#options.valkey.change(APPEND, keys, [asked.tip, ...lines])) === 1;
    if (isDone && asked === this.#at) this.#at = after(asked, lines);
    return isDone;
  }

  async #replaced(lines: readonly string[]): Promise<boolean> {
    const asked = this.#at;
    const keys = [logKey(this.id), wholeKey(this.id), await this.#writeDraft(lines)];
    const isDone = (await this.#options.valkey.change(REPLACE, keys, [asked.tip, lines.length])) === 1;
    if (isDone && asked === this.#at) this.#at = after(BEFORE_ALL, lines);
    return isDone;
  }

  /** Another server may add a key meanwhile: it is to be removed as well. */
  async remove(timeline: Timeline): Promise<void> {
    const { id } = this;
    const { valkey, keys, onRemoved } = this.#options;
    const all = [...streamKeys(id), checkpointKey(id)];
    while ((await valkey.run(REMOVE, all, [this.#at.tip])) === 0) await this.enter(timeline);
    await keys.remove(id, this.#known);
    await onRemoved(id);
    await valkey.confirm();
  }

  /** @returns the key of the draft: one for each attempt, because servers may write drafts at once */
  async #writeDraft(lines: readonly string[]): Promise<string> {
    const { valkey } = this.#options;
    const key = draftKey(this.id, newSecret().slice(0, TOKEN_LENGTH));
    for (let at = 0; at < lines.length; at += PAGE) {
      await valkey.call('RPUSH', key, ...lines.slice(at, at + PAGE));
      await valkey.call('EXPIRE', key, DRAFT_SECONDS);
    }
    return key;
  }
}

/** Lines, each with a token of its own. */
const linesInTexts = (texts: readonly string[]): string[] =>
  texts.map((text) => `${newSecret().slice(0, TOKEN_LENGTH)} ${text}`);

const after = ({ length, characters }: Position, lines: readonly string[]): Position => ({
  tip: (lines.at(-1) as string).slice(0, TOKEN_LENGTH),
  length: length + lines.length,
  characters: lines.reduce((sum, line) => sum + line.length, characters),
});

function ask(
  id: string,
  ids: readonly string[],
  { tip, length }: Position,
  { valkey }: ValkeyLogOptions,
  known = '',
): Promise<Entered | null> {
  return valkey.run(ENTER, streamKeys(id), [ids.join(' '), tip, length, known]) as Promise<Entered | null>;
}

async function readAll(id: string, options: ValkeyLogOptions): Promise<{ state: State; at: Position } | undefined> {
  let state: State | undefined;
  let at = BEFORE_ALL;
  for (;;) {
    const reply = await ask(id, [], at, options);
    if (!reply) return undefined;
    const [, from = 0, total = 0, lines = []] = reply;
    // Rewritten since the previous page.
    if (from !== at.length) [state, at] = [undefined, BEFORE_ALL];
    for (const line of lines) state = apply(state, entryIn(line, options));
    if (lines.length > 0) at = after(at, lines);
    if (lines.length === 0 || at.length >= total) return state && { state, at };
  }
}

/** @throws {ApiError} `storage_failed`: another server may be of a later version, during an update both run */
function entryIn(line: string, { reader }: ValkeyLogOptions) {
  try {
    return reader.read(line.slice(TOKEN_LENGTH + 1));
  } catch {
    throw new ApiError('storage_failed', 'a later version of the program wrote to this sandbox; update this server');
  }
}
