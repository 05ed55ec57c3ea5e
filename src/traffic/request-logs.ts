/**
 * The request logs of all sandboxes, under one common limit. An idle sandbox has none. Listeners of a sandbox are
 * notified in the order of its log.
 */
import type { Exchange } from '../base/api/exchange.ts';
import type { SandboxEvent } from '../base/api/sandbox-event.ts';
import type { Clock } from '../base/clock.ts';
import { isoTime } from '../base/time.ts';
import type { Events } from './events.ts';
import type { Redact } from './redact.ts';
import { type LogRemains, RequestLog } from './request-log.ts';

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
}

export class RequestLogs {
  readonly #bySandbox = new Map<string, RequestLog>();
  readonly #options: RequestLogOptions;
  readonly #started: number;
  #bytes = 0;

  constructor(options: RequestLogOptions) {
    this.#options = options;
    this.#started = options.clock.now();
  }

  /** Bytes of all request logs, as they report them. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The request log of a sandbox, which may be empty. */
  of(sandbox: LoggedSandbox): RequestLog {
    return this.#bySandbox.get(sandbox.id) ?? this.#begin(sandbox);
  }

  /** Adds an exchange after its response, if it belongs to a sandbox; control requests belong to none. */
  record(exchange: Exchange): void {
    this.#change(this.#logOf(exchange), (log) => log.add(exchange));
  }

  /** Its verdict is final; its full bodies are no longer needed. */
  settle(exchange: Exchange): void {
    const log = this.#logOf(exchange);
    if (!log) return;
    this.#change(log, () => log.settle(exchange, this.#options.redact));
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

  /** Takes over a request log from a recording. @param exchanges settled, the oldest first */
  restore(sandbox: LoggedSandbox, exchanges: readonly Exchange[], { dropped, isRunBegun }: LogRemains): void {
    const log = this.of(sandbox);
    for (const { run, broken, ...counts } of dropped) log.addDropped(run ?? undefined, counts, broken);
    for (const exchange of exchanges) {
      this.record(exchange);
      this.settle(exchange);
    }
    if (isRunBegun) log.beginRun();
  }

  /** Removes the exchanges that preceded the call, and their counts. */
  async clear(sandbox: LoggedSandbox): Promise<void> {
    await this.whenValidated(sandbox.id);
    const { clock, events, find } = this.#options;
    // The sandbox may have been deleted meanwhile. Its request log is gone and must not be recreated.
    if (find(sandbox.id) !== sandbox) return;
    this.#change(this.of(sandbox), (log) => log.clear(clock.now()));
    events.notify(sandbox, { event: 'cleared', data: { at: isoTime(clock.now()) } });
  }

  /** The sandbox was deleted. */
  end(sandbox: LoggedSandbox): void {
    this.#bytes -= this.#bySandbox.get(sandbox.id)?.bytes ?? 0;
    this.#bySandbox.delete(sandbox.id);
  }

  #logOf({ sandbox: id }: Exchange): RequestLog | undefined {
    const log = id === undefined ? undefined : this.#bySandbox.get(id);
    // A response may follow the end of its sandbox.
    const sandbox = log || id === undefined ? undefined : this.#options.find(id);
    return log ?? (sandbox && this.#begin(sandbox));
  }

  #begin(sandbox: LoggedSandbox): RequestLog {
    const { createdAt, label } = sandbox.record;
    const since = { at: Math.max(this.#started, createdAt), ms: sandbox.openedMs };
    const log = new RequestLog(sandbox.id, since, label, createdAt < this.#started ? this.#started : undefined);
    if (this.#options.find(sandbox.id) === sandbox) this.#bySandbox.set(sandbox.id, log);
    return log;
  }

  #change(log: RequestLog | undefined, change: (log: RequestLog) => void): void {
    if (!log) return;
    const before = log.bytes;
    change(log);
    this.#bytes += log.bytes - before;
    if (this.#bytes > this.#options.maxBytes) this.#relieve();
  }

  /** Trims the largest request log again and again, until all together are within the limit. */
  #relieve(): void {
    const requestLogs = [...this.#bySandbox.values()];
    while (this.#bytes > this.#options.maxBytes * RELIEF) {
      const largest = requestLogs.reduce((most, each) => (each.bytes > most.bytes ? each : most));
      const before = largest.bytes;
      largest.shrinkTo((before * 3) / 4);
      this.#bytes += largest.bytes - before;
    }
  }
}
