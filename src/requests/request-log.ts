/** The latest exchanges of one sandbox. */

import type { CutBodies, Exchange } from '../api/exchange.ts';
import { stopwatch } from '../core/clock.ts';
import { MAX_EXCHANGES, MAX_STORED_BODY } from '../core/limits.ts';
import { copyOf, counted, shorten } from '../core/text.ts';
import { isoTime } from '../core/time.ts';
import { givenName, Runs } from './runs.ts';

/** Memory of an exchange without its texts, in bytes. */
const EXCHANGE = 1_280;
/** Runs whose evicted exchanges are counted, besides those that have others left. */
const MAX_COUNTED_RUNS = 100;

/** Real time, and the same by the stopwatch, which tells apart what happened in one millisecond. */
interface LogBeginning {
  readonly at: number;
  readonly ms: number;
}

export class RequestLog {
  readonly sandbox: string;
  /** Number of the oldest stored exchange. Numbers only increase, also after a clear. */
  first = 0;
  /** Upper bound of its memory: characters count as two bytes, their maximum. */
  bytes = 0;
  /** Number of exchanges evicted since the last clear, or before the request log was saved. */
  dropped = 0;
  /** If exchanges before some time were lost with an earlier process: that time, in milliseconds since 1970. */
  wholeFrom: number | undefined;
  /** The last clear, or its beginning. */
  since: LogBeginning;
  readonly #label: string | null;
  /** The oldest first. They are plain data, and readers keep what they hold, whatever the log evicts meanwhile. */
  #exchanges: Exchange[] = [];
  #runs: Runs;
  readonly #evictedOfRuns = new Map<string, number>();

  /**
   * @param sandbox the id of the sandbox whose request log this is
   * @param since the creation of the sandbox, or the start of the server
   * @param label its label, which names its runs
   */
  constructor(sandbox: string, since: LogBeginning, label: string | null = null, wholeFrom?: number) {
    this.sandbox = sandbox;
    this.since = since;
    this.#label = label;
    this.wholeFrom = wholeFrom;
    this.#runs = new Runs(label);
  }

  /** Number of the next exchange. */
  get next(): number {
    return this.first + this.#exchanges.length;
  }

  /** At least so many exchanges are not in it. */
  get missing(): number {
    return this.dropped + (this.wholeFrom === undefined ? 0 : 1);
  }

  /** The next exchange of each client begins a run. */
  endRuns(): void {
    this.#runs.end();
  }

  /** The runs of its exchanges, in the order in which they began. */
  runs(): readonly string[] {
    return [...new Set(this.#exchanges.flatMap(({ run }) => run ?? []))];
  }

  /** How many exchanges of a run were evicted. */
  evictedOf(run: string): number {
    return this.#evictedOfRuns.get(run) ?? 0;
  }

  /** All exchanges, the oldest first. */
  all(): readonly Exchange[] {
    return [...this.#exchanges];
  }

  /** Those whose verdict is final, the oldest first. */
  settled(): readonly Exchange[] {
    return this.#exchanges.filter(isData);
  }

  /** The exchange with a number; `undefined` if it is not stored. */
  at(number: number): Exchange | undefined {
    return this.#exchanges[number - this.first];
  }

  /** The number of an exchange by its id; `undefined` if it is not stored. */
  numberOf(id: string): number | undefined {
    const index = this.#exchanges.findIndex((each) => each.id === id);
    return index < 0 ? undefined : this.first + index;
  }

  /** Stores the exchange itself: its verdict is added later. */
  add(exchange: Exchange): void {
    if (this.#exchanges.length === MAX_EXCHANGES) this.dropOldest();
    exchange.run = this.#runs.runOf(exchange);
    exchange.place = this.next;
    this.#exchanges.push(exchange);
    this.bytes += weightOf(exchange);
  }

  /** Stores an exchange as data once its verdict is final. @param hide see `cutBodies` */
  settle(exchange: Exchange, hide: (text: string) => string = (text) => text): void {
    const index = (exchange.place ?? -1) - this.first;
    if (this.#exchanges[index] !== exchange) return;
    const settled = dataOf(exchange);
    if (isLong(settled)) cutBodies(settled, hide);
    this.bytes += weightOf(settled) - weightOf(exchange);
    this.#exchanges[index] = settled;
  }

  /** Evicts the oldest exchanges until the request log takes at most `bytes`. */
  shrinkTo(bytes: number): void {
    while (this.bytes > bytes && this.#exchanges.length > 0) this.dropOldest();
  }

  dropOldest(): void {
    const oldest = this.#exchanges.shift();
    if (!oldest) return;
    this.bytes -= weightOf(oldest);
    this.first += 1;
    this.dropped += 1;
    if (oldest.run !== undefined) this.#countEvicted(oldest.run);
  }

  /** A run that has nothing left in the log needs no count. */
  #countEvicted(run: string): void {
    this.#evictedOfRuns.set(run, this.evictedOf(run) + 1);
    if (this.#evictedOfRuns.size <= MAX_COUNTED_RUNS) return;
    const kept = new Set(this.runs());
    for (const each of this.#evictedOfRuns.keys()) if (!kept.has(each)) this.#evictedOfRuns.delete(each);
  }

  /** Removes settled exchanges. Pending ones are at the validator; they count as received after the clear. @param at real time */
  clear(at: number): void {
    this.since = { at, ms: stopwatch() };
    const pending = this.#exchanges.filter((each) => !isData(each));
    this.first = this.next;
    this.#exchanges = [];
    this.bytes = 0;
    this.dropped = 0;
    this.wholeFrom = undefined;
    this.#runs = new Runs(this.#label);
    this.#evictedOfRuns.clear();
    for (const exchange of pending) this.add(exchange);
  }
}

/**
 * Why a log, or a run in it, is not whole; nothing if it is.
 * @param dropped how many of its requests were evicted
 * @param run its requests in the log: a restart ends a run, unless its client gave it a name
 */
export const lossIn = (
  { wholeFrom }: Pick<RequestLog, 'wholeFrom'>,
  dropped: number,
  run?: readonly Exchange[],
): readonly string[] => [
  ...(dropped === 0
    ? []
    : [`${counted(dropped, 'older request')} left the request log; clear it before a test, or ask for one run`]),
  ...(wholeFrom === undefined || (run?.length && run.every((each) => givenName(each) === undefined))
    ? []
    : [
        `requests before ${isoTime(wholeFrom)} are unknown: the server was restarted, and its request log with it; clear the log before a test`,
      ]),
];

/** An exchange without what only serves its request, such as the headers with its credential. */
function dataOf(exchange: Exchange): Exchange {
  const { head: _, headers: __, lease: ___, endDelay: ____, place: _____, ...data } = exchange as OfRequest;
  return data;
}
type OfRequest = Exchange & Partial<Record<'head' | 'headers' | 'lease' | 'endDelay', unknown>>;

const isData = ({ place }: Exchange): boolean => place === undefined;

function weightOf({ request, response, requestHeaders, otherHeaders, verdict, decision, place }: Exchange): number {
  // A pending one has none yet.
  const { violations = [], warnings = [] } = (place === undefined && verdict) || {};
  let characters = request.target.length + Math.min(request.body?.length ?? 0, MAX_STORED_BODY);
  characters += Math.min(response.body.length, MAX_STORED_BODY);
  for (const text of requestHeaders) characters += text.length;
  if (otherHeaders) for (const text of otherHeaders) characters += text.length;
  if (decision.kind === 'rejected') for (const { message } of decision.problems) characters += message.length;
  // Few findings are shared with other exchanges.
  if (violations.length + warnings.length > SHARED_FINDINGS)
    for (const { location, message } of [...violations, ...warnings])
      characters += 100 + location.length + message.length;
  return EXCHANGE + 2 * characters;
}

/** Findings of a verdict that other exchanges are likely to share. */
const SHARED_FINDINGS = 2;

/** True if a body is longer than the stored part. */
export const isLong = ({ request, response }: Exchange): boolean =>
  response.body.length > MAX_STORED_BODY || (request.body !== undefined && request.body.length > MAX_STORED_BODY);

/**
 * Cuts the bodies of an exchange to the stored length. Call it only for a settled exchange: the validator needs whole
 * bodies.
 * @param hide redacts a text, so that no secret is cut in two and shown in part
 */
export function cutBodies(exchange: Exchange, hide: (text: string) => string): void {
  const { request, response } = exchange;
  const truncated: CutBodies = {
    request: request.body !== undefined && request.body.length > MAX_STORED_BODY,
    response: response.body.length > MAX_STORED_BODY,
    responseBytes: exchange.truncated?.responseBytes ?? Buffer.byteLength(response.body),
  };
  if (truncated.request) exchange.request = { ...request, body: beginningOfBody(request.body as string, hide) };
  if (truncated.response) exchange.response = { ...response, body: beginningOfBody(response.body, hide) };
  exchange.truncated = truncated;
}

function beginningOfBody(text: string, hide: (text: string) => string): string {
  // Marked as cut, so that `hide` recognizes a secret that is cut with it. Half a character is left out.
  const beginning = hide(shorten(text, MAX_STORED_BODY)).slice(0, -1);
  return copyOf(beginning.replace(/[\ud800-\udbff]$/, ''));
}
