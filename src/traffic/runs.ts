/**
 * Runs of a client: the requests of one `User-Agent` without a quiet time between them, or those that name their run with
 * `Sandbox-Run`. So "what did the last test run do?" needs no mark in the client. Runs are a fold of the request log.
 */
import { type Exchange, isFromDashboard, requestHeader } from '../base/api/exchange.ts';
import { stopwatch } from '../base/clock.ts';
import { shorten } from '../base/text.ts';

/** After this many milliseconds without a request, a client's next one begins a run. A watcher runs tests again at once. */
export const QUIET_MS = 5_000;
/** The same for a run that the client named. */
const NAMED_QUIET_MS = 60_000;
/** Clients and names that are remembered: both may be random. */
const MAX_CLIENTS = 100;
/** Characters of a run's name, without its number. */
const MAX_RUN_NAME = 60;

export class Runs {
  readonly #label: string | null;
  /** What all requests without a name of their own belong to. */
  named: string | undefined;
  /** The latest run of each client and of each name, since when, by the stopwatch, and when its last response was sent. */
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
    if (isFromDashboard(exchange) || isHeadUnread(exchange)) return undefined;
    const given = givenName(exchange);
    if (given === undefined && this.named !== undefined && exchange.run === undefined) return this.named;
    return this.#runOf(exchange, given);
  }

  /** The next request of each client begins a run. @param name of a run that has all requests until the next one begins */
  end(name?: string): void {
    this.#endMs = stopwatch();
    this.named = name === undefined ? undefined : runName(name);
  }

  /** The runs that a request may be of, whose head could not be read: those that go on, and the one that it seems to name. */
  mayBeOf(exchange: Exchange): ReadonlySet<string> {
    const given = givenName(exchange);
    const open = [...this.#open].filter(([client, { until }]) => {
      return exchange.at - until < (client.startsWith('named ') ? NAMED_QUIET_MS : QUIET_MS);
    });
    const runs = open.map(([, { run }]) => run);
    const named = given === undefined ? this.named : (this.#open.get(`named ${given}`)?.run ?? given);
    return new Set(named === undefined ? runs : [...runs, named]);
  }

  #runOf(exchange: Exchange, given: string | undefined): string {
    const client = given === undefined ? `of ${clientOf(exchange)}` : `named ${given}`;
    const before = this.#open.get(client);
    if (before !== undefined && this.#goesOn(before, exchange, given !== undefined)) {
      before.until = Math.max(before.until, exchange.respondedAt);
      return before.run;
    }
    if (before === undefined && this.#open.size === MAX_CLIENTS) this.#forgetOldest();
    const run = exchange.run ?? (given === undefined ? this.#newRun(this.#nameOf(exchange)) : this.#newGivenRun(given));
    if (exchange.run !== undefined) this.#keepNumber(exchange.run);
    this.#open.set(client, { run, sinceMs: exchange.startedMs, until: exchange.respondedAt });
    return run;
  }

  #nameOf(exchange: Exchange): string {
    return nameIn((clientOf(exchange) || (this.#label ?? '')).replace(/^(\S+?)\/.*$/s, '$1')) || ANY;
  }

  /** Whether an exchange is of the latest run of its client or name. One of a recording has its run. */
  #goesOn(
    { run, sinceMs, until }: { run: string; sinceMs: number; until: number },
    exchange: Exchange,
    isNamed: boolean,
  ): boolean {
    if (exchange.run !== undefined) return exchange.run === run;
    if (isNamed) return exchange.at - until < NAMED_QUIET_MS;
    // What was under way when a run was begun is of the one before.
    const isOver = sinceMs < this.#endMs && exchange.startedMs >= this.#endMs;
    return !isOver && exchange.at - until < QUIET_MS;
  }

  /** No later run gets the name of one that a recording has. */
  #keepNumber(run: string): void {
    const [, name = run, number = '1'] = /^(.*), run (\d{1,9})$/s.exec(run) ?? [];
    if (this.#numbers.size >= MAX_CLIENTS && !this.#numbers.has(name)) return;
    this.#numbers.set(name, Math.max(this.#numbers.get(name) ?? 0, Number(number)));
  }

  #newRun(wanted: string): string {
    const name = this.#numbers.has(wanted) || this.#numbers.size < MAX_CLIENTS ? wanted : ANY;
    const number = (this.#numbers.get(name) ?? 0) + 1;
    this.#numbers.set(name, number);
    return `${name}, run ${number}`;
  }

  /** `nightly`; the next one of that name is `nightly, run 2`. */
  #newGivenRun(name: string): string {
    if (this.#numbers.size >= MAX_CLIENTS && !this.#numbers.has(name)) return name;
    return this.#newRun(name).replace(/, run 1$/, '');
  }

  /** Forgets the client that was silent for longest. */
  #forgetOldest(): void {
    const oldest = [...this.#open].reduce((first, each) => (each[1].until < first[1].until ? each : first));
    this.#open.delete(oldest[0]);
  }
}

/** Whether a request was rejected before its headers were read. */
export const isHeadUnread = ({ malformed, otherHeaders }: Exchange): boolean =>
  malformed !== undefined && otherHeaders === undefined;

/** The name that the client gave to the run of a request. */
export function givenName(exchange: Exchange): string | undefined {
  const given = requestHeader(exchange, 'Sandbox-Run');
  return given === undefined ? undefined : runName(given);
}

function runName(given: string): string | undefined {
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
