/** The last exchanges of one sandbox: a ring, so that one more costs the same however many there are. */
import { type CutBodies, type Exchange, isSettled, type RecordedRequest } from '../exchange.ts';

/** A journal keeps this many exchanges; then the oldest makes room. */
export const MAX_EXCHANGES = 1_000;
/** Characters that are kept of a body. */
export const MAX_BODY = 16 * 1024;

/** What an exchange weighs beside its texts, in bytes; a verdict of two findings is covered. */
const OVERHEAD = 1_024;
const COVERED_FINDINGS = 2;

export class Journal {
  /** Exchange number n is in slot n modulo the ring's size. */
  readonly #exchanges: (Exchange | undefined)[] = [];
  readonly #weights: number[] = [];
  #first = 0;
  #next = 0;
  #bytes = 0;
  #dropped = 0;

  /** Number of the oldest exchange that is kept. Numbers only grow, also over a clear. */
  get first(): number {
    return this.#first;
  }

  /** Number that the next exchange gets. */
  get next(): number {
    return this.#next;
  }

  /** Upper bound of what it holds: characters count as two bytes, as they may take in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many exchanges had to make room for others since the last clear. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The exchange of a number; `undefined` for one that is not kept. */
  at(number: number): Exchange | undefined {
    return number >= this.#first && number < this.#next ? this.#exchanges[number % MAX_EXCHANGES] : undefined;
  }

  /** Keeps the exchange itself, no copy: its verdict is joined to it later. Long bodies are cut once it is settled. */
  add(exchange: Exchange): void {
    if (this.#next - this.#first === MAX_EXCHANGES) this.dropOldest();
    const slot = this.#next % MAX_EXCHANGES;
    const weight = weigh(exchange);
    this.#exchanges[slot] = exchange;
    this.#weights[slot] = weight;
    this.#bytes += weight;
    this.#next += 1;
  }

  /** Counts a verdict that holds more than the usual. */
  weighVerdict(exchange: Exchange): void {
    const { violations = [], warnings = [] } = exchange.verdict ?? {};
    if (violations.length + warnings.length <= COVERED_FINDINGS) return;
    for (let number = this.#next - 1; number >= this.#first; number -= 1) {
      const slot = number % MAX_EXCHANGES;
      if (this.#exchanges[slot] !== exchange) continue;
      let weight = 0;
      for (const { place, message } of violations) weight += 200 + 2 * (place.length + message.length);
      for (const { place, message } of warnings) weight += 200 + 2 * (place.length + message.length);
      this.#weights[slot] = (this.#weights[slot] ?? 0) + weight;
      this.#bytes += weight;
      return;
    }
  }

  /** Drops the oldest until it holds no more than `bytes`. */
  shrinkTo(bytes: number): void {
    while (this.#bytes > bytes && this.#first < this.#next) this.dropOldest();
  }

  /** Drops the oldest exchange. */
  dropOldest(): void {
    this.#forget(this.#first % MAX_EXCHANGES);
    this.#first += 1;
    this.#dropped += 1;
  }

  /** Forgets what is settled. What the referee still has came at the same time, and counts as after the clear. */
  clear(): void {
    const pending = [...this.#numbers()]
      .map((number) => this.at(number) as Exchange)
      .filter((each) => !isSettled(each));
    this.#exchanges.length = 0;
    this.#weights.length = 0;
    this.#bytes = 0;
    this.#dropped = 0;
    this.#first = this.#next;
    for (const exchange of pending) this.add(exchange);
  }

  /** All that is kept, the newest first. */
  *newestFirst(): Generator<Exchange> {
    for (let number = this.#next - 1; number >= this.#first; number -= 1) yield this.at(number) as Exchange;
  }

  /** The number of an exchange by its id; `undefined` when it is not kept. */
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

function weigh({ request, answer }: Exchange): number {
  const bodies = Math.min(request.body?.length ?? 0, MAX_BODY) + Math.min(answer.body.length, MAX_BODY);
  return OVERHEAD + 2 * (request.target.length + bodies);
}

/** True when a body is longer than what is kept of one. */
export const isLong = ({ request, answer }: Exchange): boolean =>
  answer.body.length > MAX_BODY || (request.body !== undefined && request.body.length > MAX_BODY);

/**
 * Cuts the bodies of an exchange to what is kept of them. The referee needs them whole: only for one that is settled.
 *
 * @param hide takes secrets out of a text, so that none is cut in two and shows in part
 */
export function cutBodies(exchange: Exchange, hide: (text: string) => string): void {
  const { request, answer } = exchange;
  const cut: CutBodies = {
    request: request.body !== undefined && request.body.length > MAX_BODY,
    answer: answer.body.length > MAX_BODY,
    answerBytes: exchange.cut?.answerBytes ?? Buffer.byteLength(answer.body),
  };
  // An exchange is read-only to all but those who fill it in.
  const open = exchange as { request: RecordedRequest; answer: Exchange['answer'] };
  if (cut.request) open.request = { ...request, body: beginningOf(request.body as string, hide) };
  if (cut.answer) open.answer = { ...answer, body: beginningOf(answer.body, hide) };
  exchange.cut = cut;
}

/** A copy through bytes: a slice of a string keeps the whole of it in memory. */
function beginningOf(text: string, hide: (text: string) => string): string {
  // Marked as cut, so that `hide` finds a secret that is cut with it.
  const beginning = hide(`${text.slice(0, MAX_BODY)}…`).slice(0, -1);
  return Buffer.from(beginning, 'utf16le').toString('utf16le');
}
