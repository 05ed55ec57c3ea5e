/**
 * Runs of a client: the requests of one `User-Agent` without a quiet time between them, so that "what did the last test
 * run do?" needs no mark in the client. A fold of the request log: each server that reads the log finds the same runs.
 */
import { type Exchange, requestHeader } from '../api/exchange.ts';
import { shorten } from '../core/text.ts';
import { isFromDashboard } from './intent.ts';

/** After this many milliseconds without a request, a client's next one begins a run. */
export const QUIET_MS = 10_000;
/** Clients that are remembered: the name may be random. */
const MAX_CLIENTS = 100;
/** Characters of a run's name. */
const MAX_NAME = 60;

export class Runs {
  readonly #label: string | null;
  /** The latest run of each client, the least recently used first, and when its last response was sent. */
  readonly #open = new Map<string, { readonly run: string; readonly until: number }>();
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
    const goesOn = before !== undefined && exchange.at - before.until < QUIET_MS;
    const run = goesOn ? before.run : `${runNameOf(client || (this.#label ?? ''))}/${++this.#count}`;
    this.#open.delete(client);
    this.#open.set(client, { run, until: Math.max(before?.until ?? 0, exchange.respondedAt) });
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= MAX_CLIENTS) break;
      this.#open.delete(oldest);
    }
    return run;
  }
}

/** `python-requests` of `python-requests/2.31.0`; without what a command line or a path would read differently. */
function runNameOf(text: string): string {
  const name = shorten(text.replace(/(?<=^\S+)\/.*$/s, ''), MAX_NAME).replaceAll(/[^\p{L}\p{N}._…-]+/gu, '-');
  return name === '' || name === '-' ? 'client' : name;
}
