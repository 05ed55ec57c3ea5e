/**
 * Sends the exchanges that this process answered to the request logs in Valkey, under the numbers that their requests
 * got. A number whose request takes long is marked as open, so that readers do not wait for it.
 */
import { stopwatch } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { Exchange } from '../../requests/exchange.ts';
import type { Command, ValkeyClient } from './client.ts';
import { ANSWERED, OPEN } from './found.ts';
import { requestLogKey } from './names.ts';

/** Request logs are forgotten when nothing was added for so long. */
export const KEPT_SECONDS = 24 * 3_600;

const MARK_EVERY_MS = 25;
/** A request is marked as open when it takes longer. */
const MARK_AFTER_MS = 50;
/** Approximate buffer limit while Valkey is unreachable, in bytes. */
const MAX_WAITING = 16 * 1024 * 1024;
const RETRY_MS = 100;
/** Exchanges of so many milliseconds share a command, unless somebody reads them sooner. */
const GATHER_MS = 10;
/** How often Valkey is told that a request log is still in use. */
const PROLONG_MS = 60_000;
const MAX_PROLONGED = 10_000;

interface Taken {
  readonly at: number;
  isMarked: boolean;
}

/** What has a number in a request log: an exchange, or an event as text. */
type Numbered = readonly [number: number, what: Exchange | string];

interface OutboxOptions {
  readonly valkey: ValkeyClient;
  readonly log: Log;
  readonly textOf: (exchange: Exchange) => string;
  /** Told that something was sent. */
  readonly onSent: (sandbox: string) => void;
}

export class Outbox {
  readonly #valkey: ValkeyClient;
  readonly #log: Log;
  readonly #textOf: OutboxOptions['textOf'];
  readonly #onSent: OutboxOptions['onSent'];
  readonly #taken = new Map<string, Map<number, Taken>>();
  #waiting = new Map<string, Numbered[]>();
  /** Memory of what waits, about. */
  #bytes = 0;
  #sending: Promise<void> | undefined;
  /** Whether Valkey took nothing the last time: it is full, or not reachable. */
  #isFailing = false;
  #due: NodeJS.Timeout | undefined;
  /** When each request log was prolonged. */
  readonly #prolonged = new Map<string, number>();
  readonly #marking: NodeJS.Timeout;

  constructor({ valkey, log, textOf, onSent }: OutboxOptions) {
    this.#valkey = valkey;
    this.#log = log;
    this.#textOf = textOf;
    this.#onSent = onSent;
    this.#marking = setInterval(() => this.#mark(), MARK_EVERY_MS).unref();
  }

  /** Requests of a sandbox have these numbers now. */
  take(sandbox: string, first: number, last: number): void {
    let taken = this.#taken.get(sandbox);
    if (!taken) {
      taken = new Map();
      this.#taken.set(sandbox, taken);
    }
    const at = stopwatch();
    for (let number = first; number <= last; number++) taken.set(number, { at, isMarked: false });
  }

  /** The request with a number was answered; its exchange follows with its verdict. */
  answered(sandbox: string, number: number): void {
    const taken = this.#taken.get(sandbox);
    const isMarked = taken?.get(number)?.isMarked;
    taken?.delete(number);
    if (taken?.size === 0) this.#taken.delete(sandbox);
    // Readers did not wait for it until now. They do from here on.
    if (isMarked) void this.#write(sandbox, 'HSET', [number, ANSWERED]).catch(() => undefined);
  }

  /** Adds what has a number. An exchange becomes text when it is sent: responses that follow do not wait for that. */
  add(sandbox: string, number: number, what: Exchange | string): void {
    if (this.#bytes > MAX_WAITING) {
      this.#log.error({ sandbox, number }, 'an exchange is lost: the store is not reachable for too long');
      return;
    }
    this.#bytes += bytesOf(what);
    const waiting = this.#waiting.get(sandbox);
    if (waiting) waiting.push([number, what]);
    else this.#waiting.set(sandbox, [[number, what]]);
    this.#sendSoon();
  }

  /** The sandbox has ended, and its request log: what is written to it from now on begins another one. */
  forget(sandbox: string): void {
    this.#prolonged.delete(sandbox);
  }

  /** Resolves when everything added before is sent, or can't be. */
  async flush(): Promise<void> {
    while (this.#waiting.size > 0 || this.#sending) {
      await this.#send();
      if (this.#isFailing) return;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#marking);
    await this.flush();
  }

  #sendSoon(): void {
    this.#due ??= setTimeout(() => void this.#send(), GATHER_MS).unref();
  }

  #send(): Promise<void> {
    clearTimeout(this.#due);
    this.#due = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      // What was added meanwhile.
      if (this.#waiting.size > 0) this.#sendSoon();
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#bytes = 0;
    await Promise.all([...waiting].map(([sandbox, all]) => this.#sendOne(sandbox, all)));
  }

  async #sendOne(sandbox: string, all: readonly Numbered[]): Promise<void> {
    const pairs = all.flatMap(([number, what]) => [number, typeof what === 'string' ? what : this.#textOf(what)]);
    try {
      await this.#write(sandbox, 'HSET', pairs);
      this.#isFailing = false;
      this.#onSent(sandbox);
    } catch {
      this.#isFailing = true;
      await new Promise((done) => setTimeout(done, RETRY_MS).unref());
      for (const each of all) this.add(sandbox, ...each);
    }
  }

  /** Writes to a request log, and keeps it for another while now and then. */
  async #write(sandbox: string, command: 'HSET' | 'HSETNX', pairs: readonly (string | number)[]): Promise<void> {
    const key = requestLogKey(sandbox);
    const now = stopwatch();
    const commands: Command[] = [[command, key, ...pairs]];
    if (now - (this.#prolonged.get(sandbox) ?? Number.NEGATIVE_INFINITY) >= PROLONG_MS) {
      if (this.#prolonged.size >= MAX_PROLONGED) this.#prolonged.clear();
      this.#prolonged.set(sandbox, now);
      commands.push(['EXPIRE', key, KEPT_SECONDS]);
    }
    await this.#valkey.all(commands);
  }

  #mark(): void {
    const now = stopwatch();
    for (const [sandbox, taken] of this.#taken) {
      for (const [number, each] of taken) {
        if (each.isMarked || now - each.at < MARK_AFTER_MS) continue;
        each.isMarked = true;
        // An exchange that was sent meanwhile stays.
        void this.#write(sandbox, 'HSETNX', [number, OPEN]).catch(() => {
          each.isMarked = false;
        });
      }
    }
  }
}

/** Memory of an exchange without its bodies, in bytes, about. */
const REST = 1_536;

const bytesOf = (what: Exchange | string): number =>
  typeof what === 'string' ? what.length : REST + (what.request.body?.length ?? 0) + what.response.body.length;
