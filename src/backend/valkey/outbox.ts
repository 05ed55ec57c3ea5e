/**
 * Writes to the streams of request logs what happened to the requests that this process received. Requests themselves
 * are entered by the script that confirms the state (`scripts.ts`).
 */
import type { Exchange } from '../../api/exchange.ts';
import { stopwatch } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../../core/real-globals.ts';
import type { Redact } from '../../requests/redact.ts';
import type { ValkeyClient } from './client.ts';
import { sharedTextOf } from './exchange-text.ts';
import { streamKeys } from './names.ts';
import type { StreamField } from './request-order.ts';
import { ADD } from './scripts.ts';

const LOOK_EVERY_MS = 25;
/** Readers do not wait for a request that takes longer. */
const HELD_AFTER_MS = 50;
/** How often this process gives a sign of requests that are still under way. */
const SIGN_EVERY_MS = 5_000;
/** Approximate buffer limit while Valkey is unreachable, in bytes. */
const MAX_WAITING = 16 * 1024 * 1024;
const RETRY_MS = 100;
/** Exchanges of so many milliseconds share an entry, unless somebody reads them sooner. */
const GATHER_MS = 10;
/** Fields of one entry. */
const BATCH = 100;

/** A request that was entered, and whose exchange is not in the stream. */
interface Open {
  readonly sandbox: string;
  signMs: number;
  isHeld: boolean;
  isAnswered: boolean;
}

type OutboxItem = readonly [field: StreamField, what: string | Exchange];

interface OutboxOptions {
  readonly valkey: ValkeyClient;
  readonly log: Log;
  readonly redact: Redact;
  /** Called after something was sent. */
  readonly onSent: (sandbox: string) => void;
}

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #open = new Map<string, Open>();
  #waiting = new Map<string, OutboxItem[]>();
  #bytes = 0;
  #sending: Promise<void> | undefined;
  /** Whether Valkey took nothing the last time: it is full, or not reachable. */
  #isFailing = false;
  #due: NodeJS.Timeout | undefined;
  readonly #looking: NodeJS.Timeout;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  /** Requests were entered into the stream of a sandbox. @param ids of their exchanges */
  entered(sandbox: string, ids: readonly string[]): void {
    const signMs = stopwatch();
    for (const id of ids) this.#open.set(id, { sandbox, signMs, isHeld: false, isAnswered: false });
  }

  /** The response to a request was sent; its exchange follows with its verdict. */
  answered({ id, sandbox }: Exchange): void {
    const open = this.#open.get(id);
    if (!open) return;
    if (sandbox === undefined) this.abandoned(id);
    open.isAnswered = true;
    if (!open.isHeld) return;
    // At once: the client may ask another server for its request now.
    this.add(open.sandbox, 'r', id);
    void this.#send();
  }

  /** A request was entered, and there will be no exchange of it. */
  abandoned(id: string): void {
    const open = this.#open.get(id);
    if (open && this.#open.delete(id)) this.add(open.sandbox, 'n', id);
  }

  /** The verdict of an exchange is final. @returns false for one that was not entered */
  settled(exchange: Exchange): boolean {
    const open = this.#open.get(exchange.id);
    if (!open) return false;
    this.#open.delete(exchange.id);
    this.add(open.sandbox, 'a', exchange);
    return true;
  }

  /** An exchange becomes text when it is sent: responses that follow do not wait for that. */
  add(sandbox: string, field: StreamField, what: string | Exchange): void {
    if (this.#bytes > MAX_WAITING) {
      this.#options.log.error({ sandbox }, 'an exchange is lost: the store is not reachable for too long');
      return;
    }
    this.#bytes += bytesOf(what);
    const waiting = this.#waiting.get(sandbox);
    if (waiting) waiting.push([field, what]);
    else this.#waiting.set(sandbox, [[field, what]]);
    this.#sendSoon();
  }

  /** Resolves when everything added before is sent, or can't be. */
  async flush(): Promise<void> {
    while (this.#waiting.size > 0 || this.#sending) {
      await this.#send();
      if (this.#isFailing) return;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
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
    this.#isFailing = false;
    await Promise.all([...waiting].map(([sandbox, items]) => this.#sendOne(sandbox, items)));
  }

  async #sendOne(sandbox: string, items: readonly OutboxItem[]): Promise<void> {
    const { valkey, redact, onSent } = this.#options;
    for (let at = 0; at < items.length; at += BATCH) {
      const fields = items
        .slice(at, at + BATCH)
        .flatMap(([field, what]) => [field, typeof what === 'string' ? what : sharedTextOf(what, redact)]);
      try {
        await valkey.run(ADD, streamKeys(sandbox), fields);
      } catch {
        this.#isFailing = true;
        await new Promise((done) => setTimeout(done, RETRY_MS).unref());
        for (const each of items.slice(at)) this.add(sandbox, ...each);
        return;
      }
    }
    onSent(sandbox);
  }

  #look(): void {
    const now = stopwatch();
    for (const [id, open] of this.#open) {
      const { sandbox, signMs, isHeld, isAnswered } = open;
      if (now - signMs < (isHeld || isAnswered ? SIGN_EVERY_MS : HELD_AFTER_MS)) continue;
      open.signMs = now;
      open.isHeld ||= !isAnswered;
      this.add(sandbox, isAnswered ? 'r' : 'o', id);
    }
  }
}

/** Approximate memory of an exchange without its bodies, in bytes. */
const REST = 1_536;

const bytesOf = (what: Exchange | string): number =>
  typeof what === 'string' ? what.length : REST + (what.request.body?.length ?? 0) + what.response.body.length;
