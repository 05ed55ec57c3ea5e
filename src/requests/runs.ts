/**
 * Runs of a client: the requests of one `User-Agent` without a quiet time between them, so that "what did the last test
 * run do?" needs no mark in the client. A fold of the request log.
 */
import { type Exchange, isFromDashboard, requestHeader } from '../api/exchange.ts';
import { shorten } from '../core/text.ts';

/** After this many milliseconds without a request, a client's next one begins a run. */
export const QUIET_MS = 10_000;
/** Clients that are remembered: the name may be random. */
const MAX_CLIENTS = 100;
/** Characters of a run's name. */
const MAX_NAME = 60;

export class Runs {
  readonly #label: string | null;
  /** The latest run of each client, and when its last response was sent. */
  readonly #open = new Map<string, { readonly run: string; until: number }>();
  #count = 0;

  /** @param label of the sandbox: the name of the runs of clients that send none */
  constructor(label: string | null = null) {
    this.#label = label;
  }

  /** The run of the next exchange of the log, `node/3`; `undefined` for one of the dashboard, which is no client. */
  runOf(exchange: Exchange): string | undefined {
    if (isFromDashboard(exchange)) return undefined;
    const client = requestHeader(exchange, 'User-Agent') ?? '';
    const before = this.#open.get(client);
    if (before !== undefined && exchange.at - before.until < QUIET_MS) {
      before.until = Math.max(before.until, exchange.respondedAt);
      return before.run;
    }
    if (before === undefined && this.#open.size === MAX_CLIENTS) this.#forgetOldest();
    const run = `${runNameOf(client || (this.#label ?? ''))}/${++this.#count}`;
    this.#open.set(client, { run, until: exchange.respondedAt });
    return run;
  }

  /** Forgets the client that was silent for longest. */
  #forgetOldest(): void {
    const oldest = [...this.#open].reduce((first, each) => (each[1].until < first[1].until ? each : first));
    this.#open.delete(oldest[0]);
  }
}

/** `python-requests` of `python-requests/2.31.0`; without what a command line or a path would read differently. */
function runNameOf(text: string): string {
  const name = shorten(text.replace(/^(\S+?)\/.*$/s, '$1'), MAX_NAME).replaceAll(/[^\p{L}\p{N}._\u2026-]+/gu, '-');
  return name === '' || name === '-' ? 'client' : name;
}
