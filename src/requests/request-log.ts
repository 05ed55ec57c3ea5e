/** The latest exchanges of one sandbox: a ring buffer, so that adding takes constant time. */

import type { Settings } from '../store/record.ts';
import type { Gone } from '../store/start.ts';
import { type CutBodies, type Exchange, isSettled, type RecordedRequest } from './exchange.ts';

/** The capacity of a request log; then the oldest exchange is evicted. */
export const MAX_EXCHANGES = 1_000;
/** Characters stored of a body. */
export const MAX_BODY = 16 * 1024;

/** Memory of an exchange without its texts, in bytes; includes a verdict with two findings. */
const OVERHEAD = 1_536;
const COVERED_FINDINGS = 2;
/** A counted fault rule, in characters. */
const RULE = 300;

export class RequestLog {
  /** Exchange number n is in slot n modulo the ring's size. */
  readonly #exchanges: (Exchange | undefined)[] = [];
  readonly #weights: number[] = [];
  #first = 0;
  #next = 0;
  #cleared = 0;
  #bytes = 0;
  #dropped = 0;
  #gone: Gone | undefined;

  /** Number of the oldest stored exchange. Numbers only increase, also after a clear. */
  get first(): number {
    return this.#first;
  }

  /** Exchanges before this number were cleared, not evicted. */
  get cleared(): number {
    return this.#cleared;
  }

  /** Number of the next exchange. */
  get next(): number {
    return this.#next;
  }

  /** Upper bound of its memory: characters count as two bytes, their maximum. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Number of exchanges evicted since the last clear. */
  get dropped(): number {
    return this.#dropped;
  }

  /** What is known of the exchanges that it no longer has. */
  get gone(): Gone | undefined {
    return this.#gone;
  }

  /** Counts exchanges that were evicted before the request log was saved. */
  restoreDropped(count: number): void {
    this.#dropped += count;
  }

  /** Counts as dropped what is missing from a number of exchanges since the last clear. */
  setTotal(count: number): void {
    this.#dropped = count - (this.#next - this.#first);
  }

  /** The exchange with a number; `undefined` if it is not stored. */
  at(number: number): Exchange | undefined {
    return number >= this.#first && number < this.#next ? this.#exchanges[number % MAX_EXCHANGES] : undefined;
  }

  /** Stores the exchange itself, not a copy: its verdict is added later. Long bodies are cut once it is settled. */
  add(exchange: Exchange): void {
    if (this.#next - this.#first === MAX_EXCHANGES) this.dropOldest();
    const slot = this.#next % MAX_EXCHANGES;
    const weight = weigh(exchange);
    this.#exchanges[slot] = exchange;
    this.#weights[slot] = weight;
    this.#bytes += weight;
    this.#next += 1;
  }

  /** Counts the additional memory of a large verdict. */
  weighVerdict(exchange: Exchange): void {
    const { violations = [], warnings = [] } = exchange.verdict ?? {};
    if (violations.length + warnings.length <= COVERED_FINDINGS) return;
    for (let number = this.#next - 1; number >= this.#first; number -= 1) {
      const slot = number % MAX_EXCHANGES;
      if (this.#exchanges[slot] !== exchange) continue;
      let weight = 0;
      for (const { location, message } of violations) weight += 200 + 2 * (location.length + message.length);
      for (const { location, message } of warnings) weight += 200 + 2 * (location.length + message.length);
      this.#weights[slot] = (this.#weights[slot] ?? 0) + weight;
      this.#bytes += weight;
      return;
    }
  }

  /** Evicts the oldest exchanges until the request log takes at most `bytes`. */
  shrinkTo(bytes: number): void {
    while (this.#bytes > bytes && this.#first < this.#next) this.dropOldest();
  }

  /** Evicts the oldest exchange. */
  dropOldest(): void {
    const oldest = this.at(this.#first);
    if (oldest) this.#gone = goneWith(this.#gone, oldest);
    this.#forget(this.#first % MAX_EXCHANGES);
    this.#first += 1;
    this.#dropped += 1;
  }

  /** Removes settled exchanges. Pending ones are at the validator; they count as received after the clear. */
  clear(): void {
    const all = [...this.#numbers()].map((number) => this.at(number) as Exchange);
    const pending = all.filter((each) => !isSettled(each));
    for (const each of all) if (isSettled(each)) this.#gone = goneWith(this.#gone, each);
    this.#exchanges.length = 0;
    this.#weights.length = 0;
    this.#bytes = 0;
    this.#dropped = 0;
    this.#first = this.#next;
    this.#cleared = this.#next;
    for (const exchange of pending) this.add(exchange);
  }

  /** All stored exchanges, newest first. */
  *newestFirst(): Generator<Exchange> {
    for (let number = this.#next - 1; number >= this.#first; number -= 1) yield this.at(number) as Exchange;
  }

  /** The number of an exchange by its id; `undefined` if it is not stored. */
  numberOf(id: string): number | undefined {
    for (const number of this.#numbers()) if (this.at(number)?.id === id) return number;
    return undefined;
  }

  *#numbers(): Generator<number> {
    for (let number = this.#first; number < this.#next; number += 1) yield number;
  }

  #forget(slot: number): void {
    this.#bytes -= this.#weights[slot] ?? 0;
    this.#exchanges[slot] = undefined;
  }
}

function goneWith(gone: Gone | undefined, { startedMs, rules }: Exchange): Gone {
  return {
    ms: Math.max(gone?.ms ?? 0, startedMs),
    faults: rules ? { ms: startedMs, rules: rules as Settings['faults'] } : gone?.faults,
  };
}

function weigh({ request, response, requestHeaders, rules }: Exchange): number {
  // Each counts in rules of its own.
  let headers = rules ? RULE + 4 * rules.length : 0;
  for (const text of requestHeaders) headers += text.length;
  const bodies = Math.min(request.body?.length ?? 0, MAX_BODY) + Math.min(response.body.length, MAX_BODY);
  return OVERHEAD + 2 * (request.target.length + headers + bodies);
}

/** True if a body is longer than the stored part. */
export const isLong = ({ request, response }: Exchange): boolean =>
  response.body.length > MAX_BODY || (request.body !== undefined && request.body.length > MAX_BODY);

/**
 * Cuts the bodies of an exchange to the stored length. Call it only for a settled exchange: the validator needs whole
 * bodies.
 * @param hide redacts a text, so that no secret is cut in two and shown in part
 */
export function cutBodies(exchange: Exchange, hide: (text: string) => string): void {
  const { request, response } = exchange;
  const truncated: CutBodies = {
    request: request.body !== undefined && request.body.length > MAX_BODY,
    response: response.body.length > MAX_BODY,
    responseBytes: exchange.truncated?.responseBytes ?? Buffer.byteLength(response.body),
  };
  // Exchanges are read-only except for those who fill them in.
  const open = exchange as { request: RecordedRequest; response: Exchange['response'] };
  if (truncated.request) open.request = { ...request, body: beginningOf(request.body as string, hide) };
  if (truncated.response) open.response = { ...response, body: beginningOf(response.body, hide) };
  exchange.truncated = truncated;
}

/** Copies through bytes: a slice of a string keeps the whole string in memory. */
function beginningOf(text: string, hide: (text: string) => string): string {
  // Marked as cut, so that `hide` recognizes a secret that is cut with it.
  const beginning = hide(`${text.slice(0, MAX_BODY)}…`).slice(0, -1);
  return Buffer.from(beginning, 'utf16le').toString('utf16le');
}
