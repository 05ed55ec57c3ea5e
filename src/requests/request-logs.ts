/**
 * The request logs and tallies of all sandboxes, under one common limit. An idle sandbox has none. Listeners of a sandbox are
 * notified in the order of its log.
 */
import type { Exchange } from '../api/exchange.ts';
import type { Clock } from '../core/clock.ts';
import { isoTime } from '../core/time.ts';
import { Budget } from './allowance.ts';
import type { Events, SandboxEvent } from './events.ts';
import type { Redact } from './redact.ts';
import { cutBodies, isLong, RequestLog } from './request-log.ts';
import { Tallies } from './tallies.ts';

/** Trimming stops at this fraction of the limit, so that searching for the largest request logs is rare. */
const RELIEF = 7 / 8;

/** What a request log must know of its sandbox. */
export interface LoggedSandbox {
  readonly id: string;
  /** When it was created, or loaded at a start, by the stopwatch. */
  readonly openedMs: number;
  /** `createdAt` in milliseconds since 1970. */
  readonly record: { readonly createdAt: number; readonly label: string | null };
}

/** What happened in one sandbox. */
export interface History {
  readonly requestLog: RequestLog;
  /** Replaced on every clear. */
  tallies: Tallies;
}

interface RequestLogOptions {
  readonly clock: Clock;
  readonly redact: Redact;
  readonly events: Events;
  /** Resolves when the validator has validated everything that was answered in a sandbox. */
  readonly validated: (id: string) => Promise<void>;
  /** Finds an existing sandbox by its id. */
  readonly find: (id: string) => LoggedSandbox | undefined;
  /** Bytes of all request logs together. */
  readonly maxBytes: number;
  /** Bytes of the findings of all tallies together. */
  readonly maxFindingsBytes: number;
}

export class RequestLogs {
  readonly #bySandbox = new Map<string, History>();
  readonly #budget: Budget;
  readonly #options: RequestLogOptions;
  readonly #started: number;
  #bytes = 0;

  constructor(options: RequestLogOptions) {
    this.#options = options;
    this.#budget = new Budget(options.maxFindingsBytes);
    this.#started = options.clock.now();
  }

  /** Bytes of all request logs, as they report them. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The history of a sandbox, which may be empty. */
  of(sandbox: LoggedSandbox): History {
    return this.#bySandbox.get(sandbox.id) ?? this.#begin(sandbox);
  }

  known({ id }: LoggedSandbox): History | undefined {
    return this.#bySandbox.get(id);
  }

  /** Adds an exchange after its response, if it belongs to a sandbox; control requests belong to none. */
  record(exchange: Exchange): void {
    const history = this.#historyOf(exchange);
    if (!history) return;
    history.tallies.watch(exchange);
    const { requestLog } = history;
    const before = requestLog.bytes;
    requestLog.add(exchange);
    this.#grow(requestLog.bytes - before);
  }

  /** Counts a settled exchange; its full bodies are no longer needed. */
  settle(exchange: Exchange): void {
    const history = this.#historyOf(exchange);
    if (!history) return;
    history.tallies.count(exchange);
    const { requestLog } = history;
    const before = requestLog.bytes;
    if (isLong(exchange)) cutBodies(exchange, this.#options.redact);
    requestLog.settle(exchange);
    this.#grow(requestLog.bytes - before);
    this.#options.events.wake(exchange.sandbox);
  }

  /** Resolves when the request log of a sandbox has every exchange answered before the call, with its verdict. */
  whenValidated(id: string): Promise<void> {
    return this.#options.validated(id);
  }

  /** Notifies the listeners of a sandbox, after the exchanges that preceded the event. */
  notify(sandbox: LoggedSandbox, event: SandboxEvent): void {
    void this.whenValidated(sandbox.id).then(() => this.#options.events.notify(sandbox, event));
  }

  /** Takes over the settled exchanges of a recording, the oldest first. @param dropped how many preceded them */
  restore(sandbox: LoggedSandbox, exchanges: readonly Exchange[], dropped: number): void {
    const { requestLog, tallies } = this.of(sandbox);
    requestLog.restoreDropped(dropped);
    tallies.dropped += dropped;
    for (const exchange of exchanges) {
      this.record(exchange);
      this.settle(exchange);
    }
  }

  /** Removes the exchanges that preceded the call, and their counts. */
  async clear(sandbox: LoggedSandbox): Promise<void> {
    await this.whenValidated(sandbox.id);
    const { clock, events, find } = this.#options;
    // The sandbox may have been deleted meanwhile. Its request log is gone and must not be recreated.
    if (find(sandbox.id) !== sandbox) return;
    const history = this.of(sandbox);
    const before = history.requestLog.bytes;
    history.requestLog.clear();
    this.#bytes += history.requestLog.bytes - before;
    history.tallies.release();
    history.tallies = new Tallies(clock.now(), this.#budget);
    events.notify(sandbox, { event: 'cleared', data: { at: isoTime(clock.now()) } });
  }

  /** The sandbox was deleted. */
  end(sandbox: LoggedSandbox): void {
    const history = this.#bySandbox.get(sandbox.id);
    if (!history) return;
    this.#bySandbox.delete(sandbox.id);
    this.#bytes -= history.requestLog.bytes;
    history.tallies.release();
  }

  #historyOf({ sandbox: id }: Exchange): History | undefined {
    if (id === undefined) return undefined;
    const history = this.#bySandbox.get(id);
    if (history) return history;
    // A response may follow the end of its sandbox.
    const sandbox = this.#options.find(id);
    return sandbox && this.#begin(sandbox);
  }

  #begin(sandbox: LoggedSandbox): History {
    const since = Math.max(this.#started, sandbox.record.createdAt);
    const history: History = {
      requestLog: new RequestLog(
        sandbox.id,
        sandbox.record.label,
        sandbox.record.createdAt < this.#started ? this.#started : undefined,
      ),
      tallies: new Tallies(since, this.#budget, sandbox.openedMs),
    };
    if (this.#options.find(sandbox.id) === sandbox) this.#bySandbox.set(sandbox.id, history);
    return history;
  }

  #grow(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#options.maxBytes) this.#relieve();
  }

  /** Trims the largest request logs to about equal size until all together are within the limit. */
  #relieve(): void {
    const { maxBytes } = this.#options;
    const enough = maxBytes * RELIEF;
    const requestLogs = [...this.#bySandbox.values()].map(({ requestLog }) => requestLog);
    const height = heightThatFrees(this.#bytes - enough, requestLogs, maxBytes);
    for (const requestLog of requestLogs) {
      // Whole exchanges are evicted, so the limit may be reached early.
      if (this.#bytes <= enough) return;
      const before = requestLog.bytes;
      requestLog.shrinkTo(height);
      this.#bytes += requestLog.bytes - before;
    }
  }
}

/** The size in bytes to which request logs must be trimmed to free this many bytes; found by bisection. */
function heightThatFrees(bytes: number, requestLogs: readonly RequestLog[], most: number): number {
  let low = 0;
  let high = most;
  while (high - low > 1_024) {
    const middle = (low + high) / 2;
    let freed = 0;
    for (const requestLog of requestLogs) freed += Math.max(0, requestLog.bytes - middle);
    if (freed >= bytes) low = middle;
    else high = middle;
  }
  return low;
}
