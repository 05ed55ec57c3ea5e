/**
 * The way of exchanges to the referee and back: first in, first out for each sandbox, and sandboxes in turn where much
 * is waiting. Nothing that was pushed goes unjudged while the referee can be started: when its thread ends, it is
 * started anew and gets again what it had not answered.
 */
import { isDoneWithin } from '../ending.ts';
import type { Exchange } from '../exchange.ts';
import type { Log } from '../log.ts';
import { RoundRobin } from '../round-robin.ts';
import { encode } from './message.ts';
import { RefereeThread } from './referee-thread.ts';
import { FairRoom } from './room.ts';

/** Exchanges that wait for a verdict: about 20 ms of the referee's work. */
const MAX_WAITING = 1_024;
/**
 * Of these, so many stand in line at the referee's thread, in an order that is settled: about 5 ms of its work. The
 * others are sorted by sandbox.
 */
const LINE = { places: 256, characters: 1024 * 1024 };
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
  /** The sandbox whose room it takes. */
  readonly owner: string;
  readonly head: string;
  /** What is posted: the head and the bodies. */
  readonly input: string;
  /** Those that wait until it has left the queue. */
  left: (() => void)[] | undefined;
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
  readonly #room: FairRoom;
  /** Oldest first; the first `thread.owed` of them have been posted. */
  readonly #line: Entry[] = [];
  #lineCharacters = 0;
  /** What the line has no room for. */
  readonly #behind = new RoundRobin<Entry>();
  /** How many of the oldest are posted one by one, because a thread ended while it had them. */
  #suspects = 0;
  #idleDeaths = 0;
  #thread: RefereeThread;
  #state: 'starting' | 'running' | 'restarting' | 'ended' = 'starting';
  #isFlushDue = false;
  #closing: Promise<void> | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#bounds = options.bounds ?? BOUNDS;
    this.#room = new FairRoom({ places: MAX_WAITING, characters: this.#bounds.characters });
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
    const { owner } = exchange;
    const entry: Entry = { exchange, owner, head, input, left: undefined };
    this.#room.take(owner, input.length);
    if (this.#behind.size === 0 && this.#hasLine()) this.#lineUp(entry);
    else this.#behind.push(owner, entry);
    if (this.#line.length - this.#thread.owed >= BATCH) this.#flush();
    else if (!this.#isFlushDue) {
      this.#isFlushDue = true;
      setImmediate(() => {
        this.#isFlushDue = false;
        this.#flush();
      });
    }
  }

  /** `undefined` when there is room for another exchange of this sandbox, which costs nothing; else a promise of some. */
  room(owner: string): Promise<void> | undefined {
    return this.#room.ask(owner);
  }

  /** Resolves when everything has left the queue that is in it now: of one sandbox, or of all. */
  async settled(sandbox?: string): Promise<void> {
    const last =
      sandbox === undefined
        ? [this.#line.at(-1), ...this.#behind.lasts()]
        : [this.#behind.last(sandbox) ?? this.#line.findLast(({ owner }) => owner === sandbox)];
    await Promise.all(last.map((entry) => entry && leaving(entry)));
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
    this.#leaveUnjudged('the server ended before the referee answered');
    await this.#thread.stop();
  }

  #hasLine(): boolean {
    return this.#line.length < LINE.places && this.#lineCharacters < LINE.characters;
  }

  #lineUp(entry: Entry): void {
    this.#line.push(entry);
    this.#lineCharacters += entry.input.length;
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
    while (this.#thread.owed < this.#line.length) {
      const isAlone = this.#suspects > 0;
      if (isAlone && this.#thread.owed > 0) return;
      const from = this.#thread.owed;
      this.#thread.post(this.#line.slice(from, from + (isAlone ? 1 : BATCH)).map(({ input }) => input));
    }
  }

  #takeVerdicts(verdicts: readonly string[]): void {
    this.#idleDeaths = 0;
    const entries = this.#take(verdicts.length);
    for (const [index, { exchange, head }] of entries.entries()) {
      this.#options.onVerdict(exchange, head, verdicts[index] ?? '');
    }
    this.#afterTaking(entries);
  }

  /** The oldest `count`, which leave the queue; others come up in their place. */
  #take(count: number): Entry[] {
    const entries = this.#line.splice(0, count);
    for (const { owner, input } of entries) {
      this.#lineCharacters -= input.length;
      this.#room.give(owner, input.length);
    }
    while (this.#behind.size > 0 && this.#hasLine()) this.#lineUp(this.#behind.shift() as Entry);
    this.#suspects = Math.max(0, this.#suspects - count);
    return entries;
  }

  #afterTaking(entries: readonly Entry[]): void {
    this.#room.wake(entries.length);
    for (const { left } of entries) for (const resolve of left ?? []) resolve();
    if (this.#suspects > 0 || this.#thread.owed < this.#line.length) this.#flush();
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
      const dead = this.#take(1);
      for (const { exchange } of dead) onUnjudged(exchange, `the referee ended over it: ${reason.message}`);
      this.#state = 'restarting';
      this.#thread = this.#start();
      this.#afterTaking(dead);
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
    this.#leaveUnjudged(error.message);
    if (hadStarted) this.#options.onFatal(error);
  }

  #leaveUnjudged(reason: string): void {
    while (this.#line.length > 0) {
      const entries = this.#take(this.#line.length);
      for (const { exchange } of entries) this.#options.onUnjudged(exchange, reason);
      this.#afterTaking(entries);
    }
  }
}

/** Resolves when the entry has left the queue. */
const leaving = (entry: Entry): Promise<void> =>
  new Promise((resolve) => {
    entry.left ??= [];
    entry.left.push(resolve);
  });
