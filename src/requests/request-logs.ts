/** The request logs and tallies of all sandboxes, under one common limit. An idle sandbox has none. */
import type { Exchange } from '../api/exchange.ts';
import type { Clock } from '../core/clock.ts';
import { Budget } from './allowance.ts';
import { redactAllOf } from './credentials.ts';
import type { Redact } from './redact.ts';
import { cutBodies, isLong, RequestLog } from './request-log.ts';
import { restoreTallies, type SavedTallies, Tallies } from './tallies.ts';

/** Trimming stops at this fraction of the limit, so that searching for the largest request logs is rare. */
const RELIEF = 7 / 8;

/** What a request log must know of its sandbox. */
export interface LoggedSandbox {
  readonly id: string;
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
  /** Whether the request logs are older than this process. */
  readonly isShared: boolean;
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
    this.#started = options.isShared ? 0 : options.clock.now();
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
    this.#store(exchange, history);
  }

  /** Counts a settled exchange; its full bodies are no longer needed. */
  settle(exchange: Exchange): void {
    const history = this.#historyOf(exchange);
    if (!history) return;
    history.tallies.count(exchange);
    this.#settle(exchange, history);
  }

  /**
   * Takes over the settled exchanges of a saved request log, the oldest first.
   * @param counts of them and of those before them; without it they are counted again
   */
  restore(sandbox: LoggedSandbox, exchanges: readonly Exchange[], dropped: number, counts?: SavedTallies): void {
    const history = this.of(sandbox);
    history.requestLog.restoreDropped(dropped);
    if (counts) {
      history.tallies.release();
      history.tallies = new Tallies(counts.since, this.#budget);
      restoreTallies(history.tallies, counts);
    } else history.tallies.dropped += dropped;
    for (const exchange of exchanges) {
      if (counts) {
        history.tallies.remember(exchange);
        this.#store(exchange, history);
        this.#settle(exchange, history);
      } else {
        this.record(exchange);
        this.settle(exchange);
      }
    }
  }

  /** Removes settled exchanges and their counts. @param at when it was cleared; now, if this process does it */
  clear(sandbox: LoggedSandbox, at = this.#options.clock.now()): void {
    const history = this.of(sandbox);
    const before = history.requestLog.bytes;
    history.requestLog.clear();
    this.#bytes += history.requestLog.bytes - before;
    history.tallies.release();
    history.tallies = new Tallies(at, this.#budget);
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
      requestLog: new RequestLog(sandbox.id, sandbox.record.label),
      tallies: new Tallies(since, this.#budget),
    };
    if (this.#options.find(sandbox.id) === sandbox) this.#bySandbox.set(sandbox.id, history);
    return history;
  }

  #store(exchange: Exchange, { requestLog }: History): void {
    const before = requestLog.bytes;
    requestLog.add(exchange);
    this.#grow(requestLog.bytes - before);
  }

  #settle(exchange: Exchange, { requestLog }: History): void {
    const before = requestLog.bytes;
    if (isLong(exchange)) cutBodies(exchange, redactAllOf(exchange, this.#options.redact));
    requestLog.settle(exchange);
    this.#grow(requestLog.bytes - before);
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
