/**
 * Runs of a client: the requests of one `User-Agent` without a quiet time between them, or those that name their run with
 * `Sandbox-Run`. So "what did the last test run do?" needs no mark in the client. Runs are a fold of the request log.
 */
import { type Exchange, isFromDashboard, requestHeader } from '../api/exchange.ts';
import { stopwatch } from '../core/clock.ts';
import { shorten } from '../core/text.ts';

/** After this many milliseconds without a request, a client's next one begins a run. */
export const QUIET_MS = 10_000;
/** Clients and names that are remembered: both may be random. */
const MAX_CLIENTS = 100;
/** Characters of a run's name, without its number. */
const MAX_RUN_NAME = 60;

export class Runs {
  readonly #label: string | null;
  /** The latest run of each client, since when, by the stopwatch, and when its last response was sent. */
  readonly #open = new Map<string, { readonly run: string; readonly sinceMs: number; until: number }>();
  /** How many runs have a name. */
  readonly #numbers = new Map<string, number>();
  /** Runs that began before this time, by the stopwatch, have no later requests. */
  #endMs = Number.NEGATIVE_INFINITY;

  /** @param label of the sandbox: the name of the runs of clients that send none */
  constructor(label: string | null = null) {
    this.#label = label;
  }

  /** The run of the next exchange of the log, `suite, run 2`; `undefined` for one of the dashboard, which is no client. */
  runOf(exchange: Exchange): string | undefined {
    if (isFromDashboard(exchange)) return undefined;
    return givenName(exchange) ?? this.#unnamedRunOf(exchange);
  }

  /** The next request of each client begins a run. */
  end(): void {
    this.#endMs = stopwatch();
  }

  #unnamedRunOf(exchange: Exchange): string {
    const client = clientOf(exchange);
    const before = this.#open.get(client);
    if (before !== undefined && this.#goesOn(before, exchange)) {
      before.until = Math.max(before.until, exchange.respondedAt);
      return before.run;
    }
    if (before === undefined && this.#open.size === MAX_CLIENTS) this.#forgetOldest();
    const run =
      exchange.run ?? this.#newRun(nameIn((client || (this.#label ?? '')).replace(/^(\S+?)\/.*$/s, '$1')) || ANY);
    if (exchange.run !== undefined) this.#keepNumber(exchange.run);
    this.#open.set(client, { run, sinceMs: exchange.startedMs, until: exchange.respondedAt });
    return run;
  }

  /** Whether an exchange is of the latest run of its client. One of a recording has its run. */
  #goesOn({ run, sinceMs, until }: { run: string; sinceMs: number; until: number }, exchange: Exchange): boolean {
    if (exchange.run !== undefined) return exchange.run === run;
    // What was under way when a run was begun is of the one before.
    const isOver = sinceMs < this.#endMs && exchange.startedMs >= this.#endMs;
    return !isOver && exchange.at - until < QUIET_MS;
  }

  /** No later run gets the name of one that a recording has. */
  #keepNumber(run: string): void {
    const [, name, number] = /^(.*), run (\d{1,9})$/s.exec(run) ?? [];
    if (name === undefined || (this.#numbers.size >= MAX_CLIENTS && !this.#numbers.has(name))) return;
    this.#numbers.set(name, Math.max(this.#numbers.get(name) ?? 0, Number(number)));
  }

  #newRun(wanted: string): string {
    const name = this.#numbers.has(wanted) || this.#numbers.size < MAX_CLIENTS ? wanted : ANY;
    const number = (this.#numbers.get(name) ?? 0) + 1;
    this.#numbers.set(name, number);
    return `${name}, run ${number}`;
  }

  /** Forgets the client that was silent for longest. */
  #forgetOldest(): void {
    const oldest = [...this.#open].reduce((first, each) => (each[1].until < first[1].until ? each : first));
    this.#open.delete(oldest[0]);
  }
}

/** The name that the client gave to the run of a request. Such a run continues under its name, whatever happens meanwhile. */
export function givenName(exchange: Exchange): string | undefined {
  const given = requestHeader(exchange, 'Sandbox-Run');
  if (given === undefined) return undefined;
  const name = nameIn(given);
  return name === '' || RESERVED.has(name) ? undefined : name;
}

/** Clients with the same one are the same client, as far as a server can tell. */
export const clientOf = (exchange: Exchange): string => requestHeader(exchange, 'User-Agent') ?? '';

/** The name of clients that have none. */
const ANY = 'client';

/** What `run` means in a query, besides the name of a run. */
export const LAST = 'last';
export const ALL = 'all';
const RESERVED: ReadonlySet<string> = new Set([LAST, ALL]);

/** In one line, without what a terminal or a page would read differently. */
const nameIn = (text: string): string =>
  shorten(text.trim(), MAX_RUN_NAME)
    .replaceAll(/[^\p{L}\p{N}._\u2026,:#()+ -]+/gu, '-')
    .replace(/^-+$/, '');
