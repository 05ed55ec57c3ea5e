/** The latest exchanges of one sandbox. */

import type { CutBodies, Exchange, Verdict } from '../api/exchange.ts';
import { MAX_EXCHANGES, MAX_STORED_BODY } from '../core/limits.ts';
import { copyOf, shorten } from '../core/text.ts';
import { isoTime } from '../core/time.ts';
import { bytesBefore, Chunks, PackedExchange } from './packed-exchange.ts';
import { givenName, Runs } from './runs.ts';

/** Memory of an exchange without its texts until it is settled, in bytes. */
const PENDING = 1_536;
/** Memory of a settled exchange outside its chunk, in bytes. */
const SETTLED = 160;
/** Findings of a verdict that other exchanges are likely to share. */
const SHARED_FINDINGS = 2;
/** Runs whose evicted exchanges are counted, besides those that have others left. */
const MAX_COUNTED_RUNS = 100;

/** For filters, which read no text: what a packed exchange and one that isn't settled both have. */
export interface ExchangeFacts {
  readonly at: number;
  readonly operation: string | undefined;
  readonly run?: string | undefined;
  readonly status: number;
  readonly verdict: Verdict | undefined;
}

export class RequestLog {
  readonly sandbox: string;
  /** Settled exchanges are packed. */
  #exchanges: (Exchange | PackedExchange)[] = [];
  readonly #chunks = new Chunks();
  readonly #label: string | null;
  #runs: Runs;
  #first = 0;
  /** Of what lies outside the chunks. */
  #outside = 0;
  #dropped = 0;
  readonly #evictedOfRuns = new Map<string, number>();
  #wholeFrom: number | undefined;

  /**
   * @param sandbox the id of the sandbox whose request log this is
   * @param label its label, which names its runs
   * @param wholeFrom when it began, in milliseconds since 1970, if the sandbox is older
   */
  constructor(sandbox: string, label: string | null = null, wholeFrom?: number) {
    this.sandbox = sandbox;
    this.#label = label;
    this.#wholeFrom = wholeFrom;
    this.#runs = new Runs(label);
  }

  /** Number of the oldest stored exchange. Numbers only increase, also after a clear. */
  get first(): number {
    return this.#first;
  }

  /** Number of the next exchange. */
  get next(): number {
    return this.#first + this.#exchanges.length;
  }

  /** Upper bound of its memory: characters outside chunks count as two bytes, their maximum. */
  get bytes(): number {
    return this.#chunks.bytes + this.#outside;
  }

  /** Number of exchanges evicted since the last clear. */
  get dropped(): number {
    return this.#dropped;
  }

  /** If exchanges before some time were lost with an earlier process: that time, in milliseconds since 1970. */
  get wholeFrom(): number | undefined {
    return this.#wholeFrom;
  }

  /** At least so many exchanges are not in it. */
  get missing(): number {
    return this.#dropped + (this.#wholeFrom === undefined ? 0 : 1);
  }

  /** Counts exchanges that were evicted before the request log was saved. */
  restoreDropped(count: number): void {
    this.#dropped += count;
  }

  /** All exchanges since the last clear. */
  get total(): number {
    return this.#dropped + this.#exchanges.length;
  }

  /** The next exchange of each client begins a run. */
  endRuns(): void {
    this.#runs.end();
  }

  /** The runs of its exchanges, in the order in which they began. */
  runs(): readonly string[] {
    return [...new Set(this.#exchanges.flatMap(({ run }) => run ?? []))];
  }

  /** Of the runs that have lost any, how many exchanges were evicted. */
  get evictedOfRuns(): ReadonlyMap<string, number> {
    return this.#evictedOfRuns;
  }

  /** The exchange with a number; `undefined` if it is not stored. */
  at(number: number): Exchange | undefined {
    const exchange = this.#exchanges[number - this.#first];
    return exchange instanceof PackedExchange ? exchange.unpack(this.sandbox) : exchange;
  }

  /** Stores the exchange itself: its verdict is added later. */
  add(exchange: Exchange): void {
    if (this.#exchanges.length === MAX_EXCHANGES) this.dropOldest();
    exchange.run = this.#runs.runOf(exchange);
    exchange.place = this.next;
    this.#exchanges.push(exchange);
    this.#outside += exchangeWeight(exchange);
  }

  /** Packs an exchange whose verdict is final; it is not changed any more. */
  settle(exchange: Exchange): void {
    const index = (exchange.place ?? -1) - this.#first;
    if (this.#exchanges[index] !== exchange) return;
    this.#outside -= exchangeWeight(exchange);
    const packed = this.#chunks.pack(exchange);
    this.#exchanges[index] = packed;
    this.#outside += exchangeWeight(packed);
  }

  /** Evicts the oldest exchanges until the request log takes at most `bytes`. */
  shrinkTo(bytes: number): void {
    while (this.bytes > bytes && this.#exchanges.length > 0) this.dropOldest();
  }

  dropOldest(): void {
    const oldest = this.#exchanges.shift();
    if (!oldest) return;
    this.#outside -= exchangeWeight(oldest);
    if (oldest instanceof PackedExchange) this.#chunks.free(oldest);
    this.#first += 1;
    this.#dropped += 1;
    if (oldest.run !== undefined) this.#countEvicted(oldest.run);
  }

  /** A run that has nothing left in the log needs no count. */
  #countEvicted(run: string): void {
    this.#evictedOfRuns.set(run, (this.#evictedOfRuns.get(run) ?? 0) + 1);
    if (this.#evictedOfRuns.size <= MAX_COUNTED_RUNS) return;
    const kept = new Set(this.runs());
    for (const each of this.#evictedOfRuns.keys()) if (!kept.has(each)) this.#evictedOfRuns.delete(each);
  }

  /** Removes settled exchanges. Pending ones are at the validator; they count as received after the clear. */
  clear(): void {
    const pending = this.#exchanges.filter((each): each is Exchange => !(each instanceof PackedExchange));
    this.#first = this.next;
    this.#exchanges = [];
    this.#chunks.clear();
    this.#outside = 0;
    this.#dropped = 0;
    this.#wholeFrom = undefined;
    this.#runs = new Runs(this.#label);
    this.#evictedOfRuns.clear();
    for (const exchange of pending) this.add(exchange);
  }

  /** Its exchanges of now, to be read later. @param numbers newest first; those of all exchanges by default */
  hold(numbers?: readonly number[]): HeldLog {
    const all = numbers?.map((number) => this.#exchanges[number - this.#first]) ?? this.#exchanges.toReversed();
    const packed = all.filter((each) => each instanceof PackedExchange);
    return new HeldLog(this, packed);
  }

  /** The numbers of the exchanges to which something applies, newest first; no text is read. */
  numbersOf(applies: (facts: ExchangeFacts) => boolean): number[] {
    const found: number[] = [];
    for (let index = this.#exchanges.length - 1; index >= 0; index -= 1) {
      const exchange = this.#exchanges[index] as Exchange | PackedExchange;
      if (applies(exchange instanceof PackedExchange ? exchange : factsOf(exchange))) found.push(this.#first + index);
    }
    return found;
  }

  /** The number of an exchange by its id; `undefined` if it is not stored. */
  numberOf(id: string): number | undefined {
    const beginning = bytesBefore(id);
    const isIt = (each: Exchange | PackedExchange) =>
      each instanceof PackedExchange ? each.hasBeginning(beginning) : each.id === id;
    const index = this.#exchanges.findIndex(isIt);
    return index < 0 ? undefined : this.#first + index;
  }
}

/**
 * The exchanges of a request log at one moment, without those whose verdict is pending. They stay readable, whatever the log
 * evicts meanwhile; what they take is freed with this.
 */
export class HeldLog {
  readonly sandbox: string;
  /** The number of exchanges evicted until then. */
  readonly dropped: number;
  /** At least so many exchanges were not in it. */
  readonly missing: number;
  /** The same of each run that has lost any. */
  readonly evictedOfRuns: ReadonlyMap<string, number>;
  readonly #newestFirst: readonly PackedExchange[];

  constructor({ sandbox, dropped, missing, evictedOfRuns }: RequestLog, newestFirst: readonly PackedExchange[]) {
    this.sandbox = sandbox;
    this.dropped = dropped;
    this.missing = missing;
    this.evictedOfRuns = new Map(evictedOfRuns);
    this.#newestFirst = newestFirst;
    for (const { chunk } of newestFirst) chunk.isHeld = true;
  }

  /** To be read again: see `LogReader`. */
  hold(): this {
    return this;
  }

  /** Each is unpacked when it is asked for. */
  *newestFirst(): Generator<Exchange, void> {
    for (const each of this.#newestFirst) yield each.unpack(this.sandbox);
  }

  *oldestFirst(): Generator<Exchange, void> {
    for (const each of this.#newestFirst.toReversed()) yield each.unpack(this.sandbox);
  }
}

/**
 * Why a log, or a run in it, is not whole, though nothing was evicted; none if it is.
 * @param run its requests in the log: a restart ends a run, unless its client gave it a name
 */
export const lossIn = ({ wholeFrom }: Pick<RequestLog, 'wholeFrom'>, run?: readonly Exchange[]): readonly string[] =>
  wholeFrom === undefined || (run?.length && run.every((each) => givenName(each) === undefined))
    ? []
    : [
        `requests before ${isoTime(wholeFrom)} are unknown: the server was restarted, and its request log with it; clear the log before a test`,
      ];

const factsOf = ({ at, operation, run, response: { status }, verdict }: Exchange): ExchangeFacts => ({
  at,
  operation,
  run,
  status,
  verdict,
});

/** Bytes outside the chunks. */
function exchangeWeight(exchange: Exchange | PackedExchange): number {
  if (exchange instanceof PackedExchange) return SETTLED + weightOfVerdict(exchange.verdict);
  const { request, response, requestHeaders } = exchange;
  let characters = request.target.length;
  for (const text of [...requestHeaders, ...(exchange.otherHeaders ?? [])]) characters += text.length;
  characters += Math.min(request.body?.length ?? 0, MAX_STORED_BODY) + Math.min(response.body.length, MAX_STORED_BODY);
  return PENDING + 2 * characters;
}

/** Only of a large one. */
function weightOfVerdict(verdict: Verdict | undefined): number {
  const { violations = [], warnings = [] } = verdict ?? {};
  if (violations.length + warnings.length <= SHARED_FINDINGS) return 0;
  let weight = 0;
  for (const { location, message } of [...violations, ...warnings])
    weight += 200 + 2 * (location.length + message.length);
  return weight;
}

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
