/**
 * The order of a request log that several servers write: a pure fold over the entries of its stream, so every server
 * that reads the stream comes to the same. Exchanges are in the order in which their requests arrived. One that takes
 * long is held back, so that the others do not wait for it, and follows when it is answered.
 */
import type { SandboxEvent } from '../../requests/events.ts';
import type { Exchange } from '../../requests/exchange.ts';

/** Fields of the stream. Ids are those of exchanges, separated by spaces. */
export type Field =
  /** Ids: requests arrived. */
  | 'q'
  /** Ids: they are still under way; nobody waits for them. */
  | 'o'
  /** Ids: they are answered, and their verdicts follow. */
  | 'r'
  /** An exchange with its verdict, as text. */
  | 'a'
  /** Ids: they turned out to belong to no request log. */
  | 'n'
  /** Ids: no server has given a sign of them for too long. */
  | 'x'
  /** An event as JSON. */
  | 'e'
  /** The request log is cleared, at this time. */
  | 'c'
  /** How many exchanges preceded a recording. */
  | 'd';

/** What a field leads to. */
export type Outcome =
  | { readonly exchange: Exchange }
  | { readonly event: SandboxEvent }
  | { readonly clearedAt: number }
  | { readonly lost: number }
  | { readonly dropped: number };

interface Pending {
  /** The last sign of it, by the time of the store, in milliseconds. */
  seenMs: number;
  /** It arrived before the request log was cleared. */
  isCleared: boolean;
  outcome?: Outcome;
}

/** A pending request as data; `text` is its exchange, if it is answered. */
export interface SavedPending extends Omit<Pending, 'outcome'> {
  readonly id: string;
  readonly isHeld: boolean;
  readonly text?: string;
}

/** How the order turns exchanges into text, and back. */
export interface ExchangeCodec {
  read(id: string, text: string): Exchange;
  write(exchange: Exchange): string;
}

/** Of an exchange as text: it begins with its id. */
const idOf = (text: string): string => text.slice('{"id":"'.length, text.indexOf('"', '{"id":"'.length));

export class RequestOrder {
  /** In order. Nothing is in the request log before all that precedes it. */
  readonly #line = new Map<string, Pending>();
  readonly #held = new Map<string, Pending>();
  readonly #codec: ExchangeCodec;
  #events = 0;

  constructor(codec: ExchangeCodec, saved: readonly SavedPending[] = []) {
    this.#codec = codec;
    for (const { id, isHeld, text, ...pending } of saved) {
      const outcome = text === undefined ? {} : { outcome: { exchange: codec.read(id, text) } };
      (isHeld ? this.#held : this.#line).set(id, { ...pending, ...outcome });
    }
  }

  /** What a field of an entry leads to. @param ms when it was written, by the time of the store */
  *apply(field: Field, value: string, ms: number): Generator<Outcome> {
    const ids = value.split(' ');
    if (field === 'q') for (const id of ids) this.#line.set(id, { seenMs: ms, isCleared: false });
    if (field === 'o') for (const id of ids) this.#hold(id, ms);
    if (field === 'r') for (const id of ids) this.#resume(id, ms);
    if (field === 'a') this.#answer(value, ms);
    if (field === 'n') for (const id of ids) this.#take(id);
    if (field === 'x') {
      const lost = ids.map((id) => this.#take(id)).filter((each) => each?.isCleared === false).length;
      if (lost > 0) yield { lost };
    }
    if (field === 'e') this.#line.set(`event ${++this.#events}`, settled(ms, { event: JSON.parse(value) }));
    if (field === 'd') yield { dropped: Number(value) };
    if (field === 'c') yield* this.#clear(Number(value));
    yield* this.#ready();
  }

  /** What the request log does not have yet, but for what is held back. */
  get waiting(): readonly string[] {
    return [...this.#line.keys()];
  }

  get isHolding(): boolean {
    return this.#held.size > 0;
  }

  isWaiting(id: string): boolean {
    return this.#line.has(id);
  }

  /** Requests without an answer, of which there was no sign since a time. */
  silentSince(ms: number): readonly string[] {
    return [...this.#line, ...this.#held]
      .filter(([, { seenMs, outcome }]) => !outcome && seenMs < ms)
      .map(([id]) => id);
  }

  saved(): readonly SavedPending[] {
    const savedOf = (isHeld: boolean, [id, { outcome, ...pending }]: [string, Pending]): readonly SavedPending[] => {
      if (!outcome) return [{ id, isHeld, ...pending }];
      return 'exchange' in outcome ? [{ id, isHeld, ...pending, text: this.#codec.write(outcome.exchange) }] : [];
    };
    const line = [...this.#line].flatMap((each) => savedOf(false, each));
    return [...line, ...[...this.#held].flatMap((each) => savedOf(true, each))];
  }

  #hold(id: string, ms: number): void {
    const pending = this.#take(id);
    if (pending) this.#held.set(id, { ...pending, seenMs: ms });
  }

  #resume(id: string, ms: number): void {
    const pending = this.#line.get(id);
    if (pending) pending.seenMs = ms;
    const held = this.#held.get(id);
    if (!held) return;
    this.#held.delete(id);
    this.#line.set(id, { ...held, seenMs: ms });
  }

  /** One that is not pending was answered before, or is lost for all. */
  #answer(text: string, ms: number): void {
    const id = idOf(text);
    this.#resume(id, ms);
    const pending = this.#line.get(id);
    if (pending && !pending.outcome) pending.outcome = { exchange: this.#codec.read(id, text) };
  }

  /** Removes a request without an answer. */
  #take(id: string): Pending | undefined {
    const pending = this.#line.get(id) ?? this.#held.get(id);
    if (!pending || pending.outcome) return undefined;
    this.#line.delete(id);
    this.#held.delete(id);
    return pending;
  }

  /** What was answered before goes with it. What is under way is counted when it is answered. */
  *#clear(clearedAt: number): Generator<Outcome> {
    for (const [id, pending] of this.#line) {
      pending.isCleared = true;
      if (!pending.outcome) continue;
      this.#line.delete(id);
      yield pending.outcome;
    }
    for (const pending of this.#held.values()) pending.isCleared = true;
    yield { clearedAt };
  }

  *#ready(): Generator<Outcome> {
    for (const [id, { outcome }] of this.#line) {
      if (!outcome) return;
      this.#line.delete(id);
      yield outcome;
    }
  }
}

const settled = (seenMs: number, outcome: Outcome): Pending => ({ seenMs, isCleared: false, outcome });
