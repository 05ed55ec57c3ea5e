/** Reads the request log of a sandbox from Valkey into that of this process, in the order of the numbers. */
import { stopwatch } from '../../core/clock.ts';
import type { Events, SandboxEvent } from '../../requests/events.ts';
import type { Exchange } from '../../requests/exchange.ts';
import { MAX_EXCHANGES } from '../../requests/request-log.ts';
import type { RequestLogs } from '../../requests/request-logs.ts';
import { type SavedTallies, savedTallies } from '../../requests/tallies.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ValkeyClient } from './client.ts';
import { exchangeOf } from './exchange-text.ts';
import { ANSWERED, type Found, isEvent, isMark, OPEN, range } from './found.ts';
import { headKey, requestLogKey, talliesKey } from './names.ts';
import { KEPT_SECONDS } from './outbox.ts';
import { FOLD } from './scripts.ts';

/** An exchange that is missing for so long was lost with the server that answered it, in milliseconds. */
const LOST_AFTER_MS = 15_000;
const LOOK_AGAIN_MS = 20;
/** Exchanges that are read at once. */
const PAGE = 200;
/** Counts are kept whenever so many exchanges were added. */
export const FOLD_EVERY = 500;

export class LogReader {
  readonly sandbox: Sandbox;
  readonly #valkey: ValkeyClient;
  readonly #requestLogs: RequestLogs;
  readonly #events: Events;
  readonly #kept: KeptCounts;
  /** Exchanges up to this number are in the request log of this process, but for the open ones. */
  #read = 0;
  #open = new Set<number>();
  /** When missing exchanges were looked for first. */
  readonly #missing = new Map<number, number>();
  #cleared = 0;
  #isBegun = false;
  #folded = 0;
  #reading: Promise<void> = Promise.resolve();
  /** Exchanges of this process that were not read yet: they need not come back from Valkey. */
  readonly #own = new Map<number, Exchange>();

  constructor(
    sandbox: Sandbox,
    { valkey, requestLogs, events }: { valkey: ValkeyClient; requestLogs: RequestLogs; events: Events },
  ) {
    this.sandbox = sandbox;
    this.#valkey = valkey;
    this.#requestLogs = requestLogs;
    this.#events = events;
    this.#kept = new KeptCounts(valkey, sandbox.id);
  }

  /** The number up to which the request log was read. */
  get position(): number {
    return this.#read;
  }

  /** This process answered the request with this number, and has its verdict. */
  remember(number: number, exchange: Exchange): void {
    if (number <= this.#read || this.#own.size >= MAX_EXCHANGES) return;
    this.#own.set(number, exchange);
  }

  /** @param isWaiting whether to wait for exchanges whose requests have a number already */
  read(isWaiting: boolean): Promise<void> {
    const next = this.#reading.then(() => this.#readAll(isWaiting));
    this.#reading = next.catch(() => undefined);
    return next;
  }

  /** Keeps the counts in Valkey, if it is time. */
  async fold(redact: (value: unknown) => string): Promise<void> {
    if (this.#read >= this.#folded + FOLD_EVERY) await this.#keep(redact);
  }

  /** Writes the exchanges of a new sandbox, which the request log of this process has. */
  async adopt(texts: readonly string[], redact: (value: unknown) => string): Promise<void> {
    const { id } = this.sandbox;
    const key = requestLogKey(id);
    const pairs = texts.map((text, n) => [n + 1, text] as const);
    for (let at = 0; at < pairs.length; at += PAGE) {
      await this.#valkey.call('HSET', key, ...pairs.slice(at, at + PAGE).flat());
    }
    if (pairs.length > 0) await this.#valkey.call('EXPIRE', key, KEPT_SECONDS);
    this.#isBegun = true;
    this.#read = texts.length;
    await this.#keep(redact);
    await this.#valkey.call('HINCRBY', headKey(id), 'number', texts.length);
  }

  async #keep(redact: (value: unknown) => string): Promise<void> {
    const { requestLog, tallies } = this.#requestLogs.of(this.sandbox);
    const open = [...this.#open];
    const kept = { open, dropped: requestLog.dropped, lost: tallies.lost, tallies: savedTallies(tallies) };
    const since = this.#folded;
    this.#folded = this.#read;
    await this.#kept.write({ upTo: this.#read, since, open, text: redact(kept) });
  }

  async #readAll(isWaiting: boolean): Promise<void> {
    const { id } = this.sandbox;
    const found = await this.#valkey.call('HMGET', headKey(id), 'number', 'cleared');
    const [number, clearing] = found as (string | null)[];
    const last = Number(number ?? 0);
    const [cleared = 0, clearedAt = 0] = (clearing ?? '0 0').split(' ').map(Number);
    if (!this.#isBegun) await this.#begin(cleared, clearedAt);
    if (cleared > this.#cleared) await this.#readClear(cleared, clearedAt);
    for (;;) {
      const isAwaited = await this.#readOpen();
      await this.#readUpTo(last);
      if (!isWaiting || (this.#read >= last && !isAwaited)) return;
      await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
    }
  }

  /** Begins with the counts that were kept, and the exchanges that they count. */
  async #begin(cleared: number, clearedAt: number): Promise<void> {
    this.#isBegun = true;
    if (cleared > 0) this.#clear(cleared, clearedAt);
    await this.#adoptCounts(cleared);
  }

  /** Takes over the counts that were kept, if they go beyond a number. The request log goes on with what they count. */
  async #adoptCounts(beyond: number): Promise<void> {
    const kept = await this.#kept.read();
    if (!kept || kept.upTo <= beyond) return;
    const { upTo, open, dropped, lost, tallies } = kept;
    const first = Math.max(this.#cleared + 1, upTo - MAX_EXCHANGES + 1);
    const exchanges: Exchange[] = [];
    for (const [number, found] of await this.#fetch(range(first, upTo))) {
      if (found === null || isMark(found) || isEvent(found) || open.includes(number)) continue;
      exchanges.push(typeof found === 'string' ? exchangeOf(found, this.sandbox.id) : found);
    }
    this.#requestLogs.restore(this.sandbox, exchanges, 0, tallies);
    const history = this.#requestLogs.of(this.sandbox);
    history.requestLog.setTotal(dropped + exchanges.length);
    history.tallies.lost = lost;
    this.#open = new Set(open.filter((number) => number > this.#cleared));
    this.#read = upTo;
    this.#folded = upTo;
    for (const number of this.#own.keys()) if (number <= upTo) this.#own.delete(number);
    for (const number of this.#missing.keys()) if (number <= upTo) this.#missing.delete(number);
  }

  /** Another server cleared the request log: listeners get what preceded it. */
  async #readClear(number: number, at: number): Promise<void> {
    if (this.#read < number) {
      await this.#readUpTo(number);
      this.#events.wake(this.sandbox.id);
      await new Promise((done) => setImmediate(done));
    }
    this.#clear(number, at);
  }

  #clear(number: number, at: number): void {
    this.#cleared = number;
    // What this process read beyond it is read again: the server that cleared had not seen it, so it stays.
    this.#read = number;
    this.#folded = number;
    this.#open.clear();
    this.#requestLogs.clear(this.sandbox, at);
  }

  /** Requests that took long may have been answered. @returns whether the verdict of one is still to come */
  async #readOpen(): Promise<boolean> {
    let isAwaited = false;
    for (const [number, found] of await this.#fetch([...this.#open])) {
      const isComing = found === ANSWERED && this.#isAwaited(number, found);
      isAwaited ||= isComing;
      if (found === OPEN || isComing) continue;
      this.#open.delete(number);
      if (found !== null) await this.#take(number, found);
    }
    return isAwaited;
  }

  async #readUpTo(last: number): Promise<void> {
    while (this.#read < last) {
      const found = await this.#fetch(range(this.#read + 1, Math.min(last, this.#read + PAGE)));
      // The time of all that are missing begins now.
      for (const each of found) this.#isAwaited(...each);
      for (const [number, each] of found) {
        if (each === null && (await this.#kept.hasForgotten(number))) {
          await this.#adoptCounts(number);
          break;
        }
        if (this.#isAwaited(number, each)) return;
        if (each === null && (await this.#isForgotten())) {
          this.#read = last;
          return;
        }
        await this.#take(number, each);
        this.#read = number;
      }
    }
  }

  /** Whether an exchange is missing, and may still come. */
  #isAwaited(number: number, found: Found): boolean {
    if (found !== null && found !== ANSWERED) return false;
    const since = this.#missing.get(number) ?? stopwatch();
    this.#missing.set(number, since);
    return stopwatch() - since < LOST_AFTER_MS;
  }

  async #take(number: number, found: Found): Promise<void> {
    if (found === null || found === ANSWERED) this.#requestLogs.of(this.sandbox).tallies.lost += 1;
    else if (found === OPEN) this.#open.add(number);
    else if (isEvent(found)) {
      await this.#readOpen();
      this.#events.notify(this.sandbox, JSON.parse(found) as SandboxEvent);
    } else this.#add(found);
    this.#missing.delete(number);
  }

  /** Whether Valkey forgot the whole request log, after a long time without requests. */
  async #isForgotten(): Promise<boolean> {
    return (await this.#valkey.call('EXISTS', requestLogKey(this.sandbox.id))) === 0;
  }

  #add(found: string | Exchange): void {
    const exchange = typeof found === 'string' ? exchangeOf(found, this.sandbox.id) : found;
    this.#requestLogs.record(exchange);
    this.#requestLogs.settle(exchange);
  }

  async #fetch(numbers: readonly number[]): Promise<(readonly [number: number, found: Found])[]> {
    const key = requestLogKey(this.sandbox.id);
    const missing = numbers.filter((number) => !this.#own.has(number));
    const texts = new Map<number, string | null>();
    for (let at = 0; at < missing.length; at += PAGE) {
      const page = missing.slice(at, at + PAGE);
      const found = (await this.#valkey.call('HMGET', key, ...page)) as (string | null)[];
      for (const [n, number] of page.entries()) texts.set(number, found[n] ?? null);
    }
    return numbers.map((number) => {
      const own = this.#own.get(number);
      this.#own.delete(number);
      return [number, own ?? texts.get(number) ?? null] as const;
    });
  }
}

/** Counts of all exchanges up to a number, but those that were open then. */
interface Kept {
  readonly upTo: number;
  readonly open: readonly number[];
  readonly dropped: number;
  readonly lost: number;
  readonly tallies: SavedTallies;
}

class KeptCounts {
  readonly #valkey: ValkeyClient;
  readonly #sandbox: string;

  constructor(valkey: ValkeyClient, sandbox: string) {
    this.#valkey = valkey;
    this.#sandbox = sandbox;
  }

  async read(): Promise<Kept | undefined> {
    const text = (await this.#valkey.call('GET', talliesKey(this.#sandbox))) as string | null;
    if (text === null) return undefined;
    const at = text.indexOf(' ');
    return { upTo: Number(text.slice(0, at)), ...(JSON.parse(text.slice(at + 1)) as Omit<Kept, 'upTo'>) };
  }

  /** Whether a server has forgotten the exchange with a number, because it counted it and keeps later ones. */
  async hasForgotten(number: number): Promise<boolean> {
    const beginning = (await this.#valkey.call('GETRANGE', talliesKey(this.#sandbox), 0, 15)) as string;
    return Number.parseInt(beginning, 10) - MAX_EXCHANGES >= number;
  }

  /**
   * Writes counts up to a number, and forgets older exchanges but the open ones, unless later counts are kept.
   * @param counts `since`: up to where they were written before; `text`: the other members of `Kept` as JSON
   */
  async write({ upTo, since, open, text }: WrittenCounts): Promise<void> {
    const last = upTo - MAX_EXCHANGES;
    const old = Array.from({ length: Math.max(0, last - since + MAX_EXCHANGES) }, (_, n) => last - n);
    const forgotten = old.filter((number) => number > 0 && !open.includes(number));
    const keys = [requestLogKey(this.#sandbox), talliesKey(this.#sandbox)];
    await this.#valkey.run(FOLD, keys, [upTo, text, KEPT_SECONDS, ...forgotten]);
  }
}

interface WrittenCounts {
  readonly upTo: number;
  readonly since: number;
  readonly open: readonly number[];
  readonly text: string;
}
