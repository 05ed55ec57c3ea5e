/**
 * Sends exchanges to the validator and returns verdicts. Every queued exchange is validated as long as the validator can be
 * started: when its thread ends, it is restarted and gets its pending exchanges again.
 */

import type { Exchange } from '../api/exchange.ts';
import { FairBudget, RoundRobin } from '../core/fair-budget.ts';
import type { Log } from '../core/log.ts';
import { clearTimeout, setTimeout } from '../core/real-globals.ts';
import { isDoneWithin } from '../core/shutdown.ts';
import { charactersOfInput, encodeInput } from './message.ts';
import { ValidatorThread, type ValidatorWorker } from './worker-thread.ts';

/** The maximum number of queued exchanges: about 20 ms of the validator's work. */
const MAX_WAITING = 1_024;
/** The limits of the queue. */
export interface QueueBounds {
  /** Characters of all inputs. A single exchange may be larger: then no other is admitted. */
  readonly characters: number;
  /**
   * Characters of one input. Longer ones are not validated: a worker whose heap is too small for one large string crashes
   * the whole process.
   */
  readonly input: number;
}

/**
 * Exchanges in one message; a message costs both threads as much as a few exchanges. Larger messages would arrive in
 * bursts.
 */
const BATCH = 32;
/** How long a message waits to be full. Readers of verdicts do not wait for that: `settled` posts at once. */
const BATCH_MS = 2;
/** The delay before the next attempt to start where the system has no more files or memory: others may give some back. */
const RETRY_MS = 1_000;
const SCARCE = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ERR_WORKER_INIT_FAILED']);
const lacksResources = (error: Error): boolean => SCARCE.has((error as NodeJS.ErrnoException).code ?? '');

/** The bounds of what a thread has at once: about 5 ms of its work. The others wait by sandbox in turn. */
const POSTED = { places: 256, characters: 1024 * 1024 };

/** Consecutive failures of an idle thread, after which it is not restarted. */
const MAX_IDLE_DEATHS = 3;

/** A queued exchange. It stores no text of its own: its input is built when it is posted. */
interface WaitingExchange {
  readonly exchange: Exchange;
  /** Of its input, as counted by `charactersOfInput`. */
  readonly characters: number;
}

interface QueueOptions {
  /** Starts a worker. */
  readonly start: () => ValidatorWorker;
  readonly timeoutMs: number;
  readonly bounds: QueueBounds;
  readonly log: Log;
  readonly onVerdict: (exchange: Exchange, verdict: string) => void;
  readonly onNotValidated: (exchange: Exchange, reason: string) => void;
  /** The validator started once, and could not be restarted. */
  readonly onFatal: (error: Error) => void;
}

export class ValidatorQueue {
  /** Resolves when the validator has checked itself; rejects if it cannot start, or is closed first. */
  readonly ready: Promise<void>;

  readonly #options: QueueOptions;
  #resolveReady: () => void = () => undefined;
  #rejectReady: (error: Error) => void = () => undefined;
  readonly #budget: FairBudget;
  /** What each exchange takes of it besides its characters, so that few enough fit. */
  readonly #place: number;
  /** In the order in which a thread gets them; the first `thread.pending` of them have been posted. */
  readonly #line: WaitingExchange[] = [];
  /** Of the line. */
  #characters = 0;
  /** Those behind the line. */
  readonly #behind = new RoundRobin<WaitingExchange>();
  /** Called when an exchange has left the queue. */
  readonly #leaving = new Map<Exchange, (() => void)[]>();
  /** The number of the oldest exchanges that are posted one by one, because a thread ended while processing them. */
  #candidates = 0;
  #idleDeaths = 0;
  #thread: ValidatorThread;
  #state: 'starting' | 'running' | 'restarting' | 'ended' = 'starting';
  #flushDue: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#budget = new FairBudget(options.bounds.characters);
    this.#place = options.bounds.characters / MAX_WAITING;
    this.ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    // Callers that await it get the rejection; without any, it must not end the process.
    this.ready.catch(() => undefined);
    this.#thread = this.#start();
  }

  /** Whether its thread runs, and gives verdicts. */
  get isRunning(): boolean {
    return this.#state === 'running';
  }

  push(exchange: Exchange): void {
    if (this.#state === 'ended') {
      this.#options.onNotValidated(exchange, 'the validator has ended');
      return;
    }
    const characters = charactersOfInput(exchange);
    // A body that was cut was too long for one string.
    if (exchange.truncated || characters > this.#options.bounds.input) {
      this.#options.onNotValidated(exchange, `it is larger than ${this.#options.bounds.input} characters`);
      return;
    }
    this.#budget.take(exchange.owner, this.#place + characters);
    this.#behind.push(exchange.owner, { exchange, characters });
    this.#flushSoon();
  }

  /**
   * `undefined` if there is room for another exchange of this sandbox; otherwise a promise that resolves when there is.
   */
  capacity(owner: string): Promise<void> | undefined {
    return this.#budget.wait(owner, this.#place);
  }

  /** Resolves when everything queued now has left the queue: of one sandbox, or of all. */
  async settled(sandbox?: string): Promise<void> {
    const last = this.#last(sandbox);
    this.#flush();
    await Promise.all(last.map(({ exchange }) => this.#left(exchange)));
  }

  /** The last ones queued now, which leave after all others. */
  #last(sandbox: string | undefined): readonly WaitingExchange[] {
    if (sandbox === undefined) return [...this.#line.slice(-1), ...this.#behind.lasts()];
    const last = this.#behind.last(sandbox) ?? this.#line.findLast(({ exchange }) => exchange.owner === sandbox);
    return last ? [last] : [];
  }

  #left(exchange: Exchange): Promise<void> {
    return new Promise((resolve) => {
      this.#leaving.set(exchange, [...(this.#leaving.get(exchange) ?? []), resolve]);
    });
  }

  /** Waits for queued exchanges up to a time limit, then ends the thread. */
  close(withinMs?: number): Promise<void> {
    this.#closing ??= this.#close(withinMs);
    return this.#closing;
  }

  async #close(withinMs: number | undefined): Promise<void> {
    if (withinMs === undefined) await this.settled();
    else await isDoneWithin(this.settled(), withinMs);
    this.#rejectReady(new Error('the validator was closed before its validator was ready'));
    this.#state = 'ended';
    clearTimeout(this.#retry);
    this.#leaveNotValidated("the server ended before the validator's verdict");
    await this.#thread.stop();
  }

  #start(): ValidatorThread {
    return new ValidatorThread(this.#options.start(), this.#options.timeoutMs, {
      onReady: () => {
        this.#state = 'running';
        this.#resolveReady();
        this.#flush();
      },
      onVerdicts: (verdicts) => this.#takeVerdicts(verdicts),
      onDeath: (pending, reason) => this.#discard(pending, reason),
    });
  }

  /** Posts pending exchanges when a message is full, or has waited long enough. */
  #flushSoon(): void {
    const unposted = this.#line.length + this.#behind.size - this.#thread.pending;
    if (unposted >= BATCH || this.#candidates > 0) this.#flush();
    else if (unposted > 0) this.#flushDue ??= setTimeout(() => this.#flush(), BATCH_MS);
  }

  #flush(): void {
    clearTimeout(this.#flushDue);
    this.#flushDue = undefined;
    if (this.#state !== 'running') return;
    while (this.#thread.pending < this.#line.length || this.#lineUp()) {
      const isAlone = this.#candidates > 0;
      if (isAlone && this.#thread.pending > 0) return;
      const from = this.#thread.pending;
      const batch = this.#line.slice(from, from + (isAlone ? 1 : BATCH));
      this.#thread.post(batch.map(({ exchange }) => encodeInput(exchange)));
    }
  }

  /** Moves those behind the line up, as far as there is room. @returns whether any moved */
  #lineUp(): boolean {
    const before = this.#line.length;
    while (this.#line.length < POSTED.places && this.#characters < POSTED.characters) {
      const next = this.#behind.shift();
      if (!next) break;
      this.#line.push(next);
      this.#characters += next.characters;
    }
    return this.#line.length > before;
  }

  #takeVerdicts(verdicts: readonly string[]): void {
    this.#idleDeaths = 0;
    const batch = this.#take(verdicts.length);
    for (const [index, { exchange }] of batch.entries()) this.#options.onVerdict(exchange, verdicts[index] ?? '');
    this.#afterTaking(batch);
  }

  /** Removes the oldest `count` from the queue. */
  #take(count: number): readonly WaitingExchange[] {
    const batch = this.#line.splice(0, count);
    for (const { exchange, characters } of batch) {
      this.#characters -= characters;
      this.#budget.give(exchange.owner, this.#place + characters);
    }
    this.#candidates = Math.max(0, this.#candidates - count);
    return batch;
  }

  #afterTaking(batch: readonly WaitingExchange[]): void {
    this.#budget.admit(batch.length);
    if (this.#leaving.size > 0) {
      // Callers waiting for exchanges behind the line would otherwise wait for a full message.
      this.#flush();
      for (const { exchange } of batch) this.#tellLeft(exchange);
    } else this.#flushSoon();
  }

  #tellLeft(exchange: Exchange): void {
    for (const resolve of this.#leaving.get(exchange) ?? []) resolve();
    this.#leaving.delete(exchange);
  }

  /** The thread ended unexpectedly, with `pending` exchanges. */
  #discard(pending: number, reason: Error): void {
    if (this.#state === 'ended') return;
    if (this.#state !== 'running' && lacksResources(reason)) {
      this.#options.log.warn(
        { reason: reason.message },
        'the validator cannot start now; it is tried again in a second',
      );
      this.#retry = setTimeout(() => {
        this.#thread = this.#start();
      }, RETRY_MS).unref();
      return;
    }
    this.#idleDeaths = pending === 0 ? this.#idleDeaths + 1 : 0;
    if (this.#state !== 'running' || this.#idleDeaths > MAX_IDLE_DEATHS) {
      this.#giveUp(reason);
      return;
    }
    const { log, onNotValidated: onUnjudged } = this.#options;
    log.warn({ reason: reason.message, pending }, 'the validator ended and is restarted');
    if (this.#candidates > 0 && pending === 1) {
      // The thread processed only this exchange, and has failed on it before.
      const dead = this.#take(1);
      for (const { exchange } of dead) onUnjudged(exchange, `the validator crashed on it: ${reason.message}`);
      this.#state = 'restarting';
      this.#thread = this.#start();
      this.#afterTaking(dead);
      return;
    }
    this.#candidates = Math.max(this.#candidates, pending);
    this.#state = 'restarting';
    this.#thread = this.#start();
  }

  #giveUp(reason: Error): void {
    const error = new Error(`the validator cannot start: ${reason.message}`, { cause: reason });
    const hadStarted = this.#state !== 'starting';
    this.#state = 'ended';
    this.#rejectReady(error);
    this.#leaveNotValidated(error.message);
    if (hadStarted) this.#options.onFatal(error);
  }

  #leaveNotValidated(reason: string): void {
    while (this.#line.length > 0 || this.#lineUp()) {
      const batch = this.#take(this.#line.length);
      for (const { exchange } of batch) this.#options.onNotValidated(exchange, reason);
      this.#afterTaking(batch);
    }
  }
}
