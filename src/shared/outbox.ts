/**
 * Sends the exchanges that this process answered to the journals in the engine, under the numbers that their requests
 * got. A number whose request takes long is marked as open, so that readers do not wait for it.
 */
import { stopwatch } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Command, Engine } from './engine.ts';
import { journalKey } from './keys.ts';

/** The mark of a request that has not been answered. */
export const OPEN = '-';
/** Journals are forgotten when nothing was added for so long. */
export const KEPT_SECONDS = 24 * 3_600;

const MARK_EVERY_MS = 25;
/** A request is marked as open when it takes longer. */
const MARK_AFTER_MS = 50;
/** Characters that wait for an engine that is not reachable. */
const MAX_WAITING = 16 * 1024 * 1024;
const RETRY_MS = 100;
/** Exchanges of so many milliseconds share a command, unless somebody reads them sooner. */
const GATHER_MS = 10;
/** How often the engine is told that a journal is still in use. */
const PROLONG_MS = 60_000;
const MAX_PROLONGED = 10_000;

interface Taken {
  readonly at: number;
  isMarked: boolean;
}

export class Outbox {
  readonly #engine: Engine;
  readonly #log: Log;
  /** Told that something was sent. */
  readonly #onSent: (sandbox: string) => void;
  readonly #taken = new Map<string, Map<number, Taken>>();
  #texts = new Map<string, (string | number)[]>();
  #characters = 0;
  #sending: Promise<void> | undefined;
  /** Whether the engine took nothing the last time: it is full, or not reachable. */
  #isFailing = false;
  #due: NodeJS.Timeout | undefined;
  /** When each journal was prolonged. */
  readonly #prolonged = new Map<string, number>();
  readonly #marking: NodeJS.Timeout;

  constructor(engine: Engine, log: Log, onSent: (sandbox: string) => void) {
    this.#engine = engine;
    this.#log = log;
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
    taken?.delete(number);
    if (taken?.size === 0) this.#taken.delete(sandbox);
  }

  /** The exchange with a number, as text. */
  add(sandbox: string, number: number, text: string): void {
    this.#put(sandbox, number, text);
  }

  /** Resolves when everything added before is sent, or can't be. */
  async flush(): Promise<void> {
    while (this.#texts.size > 0 || this.#sending) {
      await this.#send();
      if (this.#isFailing) return;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#marking);
    await this.flush();
  }

  #put(sandbox: string, number: number, text: string): void {
    if (this.#characters > MAX_WAITING) {
      this.#log.error({ sandbox, number }, 'an exchange is lost: the store is not reachable for too long');
      return;
    }
    this.#characters += text.length;
    const texts = this.#texts.get(sandbox);
    if (texts) texts.push(number, text);
    else this.#texts.set(sandbox, [number, text]);
    this.#sendSoon();
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
      if (this.#texts.size > 0) this.#sendSoon();
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    const texts = this.#texts;
    this.#texts = new Map();
    this.#characters = 0;
    await Promise.all([...texts].map(([sandbox, pairs]) => this.#sendOne(sandbox, pairs)));
  }

  async #sendOne(sandbox: string, pairs: (string | number)[]): Promise<void> {
    const key = journalKey(sandbox);
    try {
      await this.#engine.all([['HSET', key, ...pairs], ...this.#prolong(sandbox)]);
      this.#isFailing = false;
      this.#onSent(sandbox);
    } catch {
      this.#isFailing = true;
      await new Promise((done) => setTimeout(done, RETRY_MS).unref());
      for (let at = 0; at < pairs.length; at += 2) this.#put(sandbox, pairs[at] as number, pairs[at + 1] as string);
    }
  }

  /** The command that keeps a journal for another while, now and then. */
  #prolong(sandbox: string): Command[] {
    const now = stopwatch();
    if (now - (this.#prolonged.get(sandbox) ?? Number.NEGATIVE_INFINITY) < PROLONG_MS) return [];
    if (this.#prolonged.size >= MAX_PROLONGED) this.#prolonged.clear();
    this.#prolonged.set(sandbox, now);
    return [['EXPIRE', journalKey(sandbox), KEPT_SECONDS]];
  }

  #mark(): void {
    const now = stopwatch();
    for (const [sandbox, taken] of this.#taken) {
      for (const [number, each] of taken) {
        if (each.isMarked || now - each.at < MARK_AFTER_MS) continue;
        each.isMarked = true;
        // An exchange that was sent meanwhile stays.
        void this.#engine.call('HSETNX', journalKey(sandbox), number, OPEN).catch(() => {
          each.isMarked = false;
        });
      }
    }
  }
}
