/**
 * The way of exchanges to the referee and back, first in, first out. Nothing that was pushed goes unjudged while the
 * referee can be started: when its thread ends, it is started anew and gets again what it had not answered.
 */
import { isDoneWithin } from '../ending.ts';
import type { Exchange } from '../exchange.ts';
import type { Log } from '../log.ts';
import { encode } from './message.ts';
import { RefereeThread } from './referee-thread.ts';

/** Exchanges that wait for a verdict: about 20 ms of the referee's work. */
const MAX_WAITING = 1_024;
/** What the queue may hold. */
export interface QueueBounds {
  /** Characters of all inputs. A single exchange may be larger: nothing else is let in then. */
  readonly characters: number;
  /**
   * Characters of one input. Longer ones are not judged: a thread whose heap is too small for one large string takes the
   * whole process with it.
   */
  readonly input: number;
}

/**
 * Where memory is not short. With the default settings no exchange is too long then: a list of 100 pets with names of
 * 1 MiB stays below.
 */
const BOUNDS: QueueBounds = { characters: 8 * 1024 * 1024, input: 128 * 1024 * 1024 };
/** Exchanges in one message, which costs both threads as much as a few exchanges do. More at once come in gusts. */
const BATCH = 32;
/** Deaths in a row of a thread that had nothing to do: it cannot live. */
const MAX_IDLE_DEATHS = 3;

interface Entry {
  readonly exchange: Exchange;
  readonly head: string;
  /** What is posted: the head and the bodies. */
  readonly input: string;
}

export interface QueueOptions {
  /** The worker's file. */
  readonly referee: URL;
  readonly patienceMs: number;
  readonly bounds?: QueueBounds | undefined;
  readonly log: Log;
  readonly onVerdict: (exchange: Exchange, head: string, verdict: string) => void;
  readonly onUnjudged: (exchange: Exchange, reason: string) => void;
  /** The referee started once, and could not be started again. */
  readonly onFatal: (error: Error) => void;
}

export class RefereeQueue {
  /** Resolves when the referee has checked itself; rejects when it cannot start, or is closed before. */
  readonly ready: Promise<void>;

  readonly #options: QueueOptions;
  readonly #bounds: QueueBounds;
  #resolveReady: () => void = () => undefined;
  #rejectReady: (error: Error) => void = () => undefined;
  /** Oldest first; the first `thread.owed` of them have been posted. */
  readonly #waiting: Entry[] = [];
  #characters = 0;
  /** How many have left the queue since the beginning. */
  #done = 0;
  /** How many of the oldest are posted one by one, because a thread ended while it had them. */
  #suspects = 0;
  #idleDeaths = 0;
  #thread: RefereeThread;
  #state: 'starting' | 'running' | 'restarting' | 'ended' = 'starting';
  #isFlushDue = false;
  #closing: Promise<void> | undefined;
  readonly #wantRoom: (() => void)[] = [];
  #wantSettled: { readonly until: number; readonly resolve: () => void }[] = [];

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#bounds = options.bounds ?? BOUNDS;
    this.ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    // Whoever waits for it sees the rejection; it must not end a process in which nobody has begun to wait.
    this.ready.catch(() => undefined);
    this.#thread = this.#start();
  }

  /** @param head the exchange's `headOf` */
  push(exchange: Exchange, head: string): void {
    if (this.#state === 'ended') {
      this.#options.onUnjudged(exchange, 'the referee has ended');
      return;
    }
    const input = encode(head, exchange);
    // What was cut already was too long to be one text.
    if (exchange.cut || input.length > this.#bounds.input) {
      this.#options.onUnjudged(exchange, `it is larger than ${this.#bounds.input} characters`);
      return;
    }
    this.#waiting.push({ exchange, head, input });
    this.#characters += input.length;
    if (this.#waiting.length - this.#thread.owed >= BATCH) this.#flush();
    else if (!this.#isFlushDue) {
      this.#isFlushDue = true;
      setImmediate(() => {
        this.#isFlushDue = false;
        this.#flush();
      });
    }
  }

  /** `undefined` when there is room for another exchange, which costs nothing; else a promise of some. */
  room(): Promise<void> | undefined {
    return this.#isFull() ? new Promise((resolve) => this.#wantRoom.push(resolve)) : undefined;
  }

  /** Resolves when everything has left the queue that is in it now: of one sandbox, or of all. */
  settled(sandbox?: string): Promise<void> {
    const last =
      sandbox === undefined
        ? this.#waiting.length - 1
        : this.#waiting.findLastIndex(({ exchange }) => exchange.sandbox === sandbox);
    if (last < 0) return Promise.resolve();
    const until = this.#done + last + 1;
    return new Promise((resolve) => this.#wantSettled.push({ until, resolve }));
  }

  /** Waits for everything that was pushed, for so long at the most, then ends the thread. */
  close(withinMs?: number): Promise<void> {
    this.#closing ??= this.#close(withinMs);
    return this.#closing;
  }

  async #close(withinMs: number | undefined): Promise<void> {
    if (withinMs === undefined) await this.settled();
    else await isDoneWithin(this.settled(), withinMs);
    this.#rejectReady(new Error('the judge was closed before its referee was ready'));
    this.#state = 'ended';
    const left = this.#take(this.#waiting.length);
    for (const { exchange } of left) this.#options.onUnjudged(exchange, 'the server ended before the referee answered');
    this.#afterTaking(left.length);
    await this.#thread.stop();
  }

  #isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING || this.#characters >= this.#bounds.characters;
  }

  #start(): RefereeThread {
    return new RefereeThread(this.#options.referee, this.#options.patienceMs, {
      onReady: () => {
        this.#state = 'running';
        this.#resolveReady();
        this.#flush();
      },
      onVerdicts: (verdicts) => this.#takeVerdicts(verdicts),
      onDeath: (owed, reason) => this.#bury(owed, reason),
    });
  }

  #flush(): void {
    if (this.#state !== 'running') return;
    while (this.#thread.owed < this.#waiting.length) {
      const isAlone = this.#suspects > 0;
      if (isAlone && this.#thread.owed > 0) return;
      const from = this.#thread.owed;
      this.#thread.post(this.#waiting.slice(from, from + (isAlone ? 1 : BATCH)).map(({ input }) => input));
    }
  }

  #takeVerdicts(verdicts: readonly string[]): void {
    this.#idleDeaths = 0;
    for (const [index, { exchange, head }] of this.#take(verdicts.length).entries()) {
      this.#options.onVerdict(exchange, head, verdicts[index] ?? '');
    }
    this.#afterTaking(verdicts.length);
  }

  /** The oldest `count`, which leave the queue. */
  #take(count: number): Entry[] {
    const entries = this.#waiting.splice(0, count);
    for (const { input } of entries) this.#characters -= input.length;
    this.#suspects = Math.max(0, this.#suspects - count);
    return entries;
  }

  #afterTaking(count: number): void {
    this.#done += count;
    const isEmpty = this.#waiting.length === 0;
    for (let freed = 0; (freed < count || isEmpty) && !this.#isFull(); freed += 1) {
      const resolve = this.#wantRoom.shift();
      if (!resolve) break;
      resolve();
    }
    if (this.#wantSettled.length > 0) {
      const due = this.#wantSettled.filter(({ until }) => until <= this.#done);
      this.#wantSettled = this.#wantSettled.filter(({ until }) => until > this.#done);
      for (const { resolve } of due) resolve();
    }
    if (this.#suspects > 0 || this.#thread.owed < this.#waiting.length) this.#flush();
  }

  /** The thread ended by itself, with `owed` exchanges. */
  #bury(owed: number, reason: Error): void {
    if (this.#state === 'ended') return;
    this.#idleDeaths = owed === 0 ? this.#idleDeaths + 1 : 0;
    if (this.#state !== 'running' || this.#idleDeaths > MAX_IDLE_DEATHS) {
      this.#giveUp(reason);
      return;
    }
    const { log, onUnjudged } = this.#options;
    log.warn({ reason: reason.message, owed }, 'the referee ended and is started anew');
    if (this.#suspects > 0 && owed === 1) {
      // It was alone with this one, and has died of it before.
      for (const { exchange } of this.#take(1)) onUnjudged(exchange, `the referee ended over it: ${reason.message}`);
      this.#state = 'restarting';
      this.#thread = this.#start();
      this.#afterTaking(1);
      return;
    }
    this.#suspects = Math.max(this.#suspects, owed);
    this.#state = 'restarting';
    this.#thread = this.#start();
  }

  #giveUp(reason: Error): void {
    const error = new Error(`the referee cannot start: ${reason.message}`, { cause: reason });
    const hadStarted = this.#state !== 'starting';
    this.#state = 'ended';
    this.#rejectReady(error);
    const left = this.#take(this.#waiting.length);
    for (const { exchange } of left) this.#options.onUnjudged(exchange, error.message);
    this.#afterTaking(left.length);
    if (hadStarted) this.#options.onFatal(error);
  }
}
