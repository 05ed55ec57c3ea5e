/**
 * Sends exchanges to the validator and returns verdicts. When its thread ends, it is restarted, and gets its exchanges again.
 * Exchanges of a message that ends two threads are not validated.
 */

import type { Exchange } from '../../base/api/exchange.ts';
import { ByteBudget } from '../../base/byte-budget.ts';
import { RoundRobin } from '../../base/lane.ts';
import type { Log } from '../../base/log.ts';
import { clearTimeout, setTimeout } from '../../base/real-globals.ts';
import { isDoneWithin } from '../../base/shutdown.ts';
import { charactersOfInput, encodeInput } from './message.ts';
import { ValidatorThread, type ValidatorWorker } from './worker-thread.ts';

/** The maximum number of queued exchanges: about 20 ms of the validator's work. */
const MAX_QUEUED = 1_024;
/** The limits of the queue. */
export interface QueueBounds {
  /** Characters of all inputs. From there on, requests wait. */
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
/** How long a message waits to be full. Readers of verdicts do not wait for that: `whenValidated` posts at once. */
const BATCH_MS = 2;
/** Characters of what a thread has at once, so that few texts are in memory twice: about 5 ms of its work. */
const MAX_POSTED = 1024 * 1024;

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
  /** Resolves when the validator has started; rejects if it cannot start, or is closed first. */
  readonly ready: Promise<void>;

  readonly #options: QueueOptions;
  #resolveReady: () => void = () => undefined;
  #rejectReady: (error: Error) => void = () => undefined;
  /** In their order; the first `thread.pending` of them have been posted. */
  readonly #line: WaitingExchange[] = [];
  /** Characters of all, with the least that each counts as; and of those that have been posted. */
  readonly #budget: ByteBudget;
  #posted = 0;
  /** Requests that wait for room: owners take turns. */
  readonly #waiting = new RoundRobin<{ readonly owner: string; readonly begin: () => void }>();
  /** Called when an exchange has left the queue. */
  readonly #leaving = new Map<Exchange, (() => void)[]>();
  /** A thread has ended, and no verdict has come since. */
  #isSecondTry = false;
  #thread: ValidatorThread;
  #state: 'starting' | 'running' | 'restarting' | 'ended' = 'starting';
  #flushDue: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#budget = new ByteBudget(options.bounds.characters);
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
    const waiting = { exchange, characters };
    this.#line.push(waiting);
    this.#count(waiting, 1);
    this.#flushSoon();
  }

  /**
   * `undefined` if there is room for another exchange of this owner, of at most half of the queue for one; otherwise a promise
   * that resolves when there is.
   */
  capacity(owner: string): Promise<void> | undefined {
    if (this.#budget.hasRoom(owner)) return undefined;
    return new Promise((begin) => this.#waiting.push(owner, { owner, begin }));
  }

  /** @param sign 1 for an exchange that came, -1 for one that has left */
  #count({ exchange: { owner }, characters }: WaitingExchange, sign: 1 | -1): void {
    this.#budget.count(owner, sign * (characters + this.#options.bounds.characters / MAX_QUEUED));
  }

  /** Lets as many in as have left: not all of them bring an exchange at once, or any. */
  #admit(left: number): void {
    const most = this.#line.length === 0 ? this.#waiting.size : left;
    for (let count = 0; count < most; count += 1)
      this.#waiting.shift(({ owner }) => this.#budget.hasRoom(owner))?.begin();
  }

  /** Resolves when everything queued now has left the queue: of one sandbox, or of all. */
  async whenValidated(sandbox?: string): Promise<void> {
    const last = this.#line.findLast(({ exchange }) => sandbox === undefined || exchange.owner === sandbox);
    this.#flush();
    if (last) await this.#left(last.exchange);
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
    if (withinMs === undefined) await this.whenValidated();
    else await isDoneWithin(this.whenValidated(), withinMs);
    this.#rejectReady(new Error('the validator was closed before its validator was ready'));
    this.#state = 'ended';
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
    const unposted = this.#line.length - this.#thread.pending;
    if (unposted >= BATCH) this.#flush();
    else if (unposted > 0) this.#flushDue ??= setTimeout(() => this.#flush(), BATCH_MS);
  }

  #flush(): void {
    clearTimeout(this.#flushDue);
    this.#flushDue = undefined;
    if (this.#state !== 'running') return;
    for (let message = this.#nextMessage(); message.length > 0; message = this.#nextMessage())
      this.#thread.post(message);
  }

  /** The oldest inputs that have not been posted, as many as fit. */
  #nextMessage(): string[] {
    const inputs: string[] = [];
    const from = this.#thread.pending;
    while (inputs.length < BATCH && this.#posted < MAX_POSTED) {
      const next = this.#line[from + inputs.length];
      if (!next) break;
      this.#posted += next.characters;
      inputs.push(encodeInput(next.exchange));
    }
    return inputs;
  }

  #takeVerdicts(verdicts: readonly string[]): void {
    this.#isSecondTry = false;
    const batch = this.#take(verdicts.length);
    for (const { characters } of batch) this.#posted -= characters;
    for (const [index, { exchange }] of batch.entries()) this.#options.onVerdict(exchange, verdicts[index] ?? '');
    this.#afterTaking(batch);
  }

  /** Removes the oldest `count` from the queue. */
  #take(count: number): readonly WaitingExchange[] {
    const batch = this.#line.splice(0, count);
    for (const each of batch) this.#count(each, -1);
    return batch;
  }

  #afterTaking(batch: readonly WaitingExchange[]): void {
    this.#admit(batch.length);
    if (this.#leaving.size > 0) {
      // Callers waiting for the others would otherwise wait for a full message.
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
    if (this.#state !== 'running' || (this.#isSecondTry && pending === 0)) {
      this.#giveUp(reason);
      return;
    }
    const { log, onNotValidated } = this.#options;
    log.warn({ reason: reason.message, pending }, 'the validator ended and is restarted');
    // Where a second thread ends with the same message, one of its exchanges is the cause, and would be again.
    const dead = this.#take(this.#isSecondTry ? Math.min(pending, BATCH) : 0);
    this.#isSecondTry = !this.#isSecondTry;
    for (const { exchange } of dead) onNotValidated(exchange, `the validator ended twice over it: ${reason.message}`);
    this.#posted = 0;
    this.#state = 'restarting';
    this.#thread = this.#start();
    this.#afterTaking(dead);
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
    const batch = this.#take(this.#line.length);
    for (const { exchange } of batch) this.#options.onNotValidated(exchange, reason);
    this.#afterTaking(batch);
  }
}
