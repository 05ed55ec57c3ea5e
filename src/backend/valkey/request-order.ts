/**
 * The order of a request log that several servers write: a pure fold over the entries of its stream, so every server
 * that reads the stream comes to the same. Exchanges are in the order in which their requests arrived. One that takes
 * long is held back, so that the others do not wait for it, and follows when it is answered.
 */
import type { Exchange } from '../../api/exchange.ts';
import { idInText } from '../../api/exchange-text.ts';
import type { SandboxEvent } from '../../requests/events.ts';

/** Fields of the stream. Ids are those of exchanges, separated by spaces. */
export type StreamField =
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
export type StreamOutcome =
  | { readonly exchange: Exchange }
  | { readonly event: SandboxEvent }
  | { readonly clearedAt: number }
  | { readonly lost: number }
  | { readonly dropped: number };

interface Pending {
  /** The last sign of it, by the time of the store, in milliseconds. */
  seenMs: number;
  /** Nobody waits for it. */
  isHeld: boolean;
  /** It arrived before the request log was cleared. */
  isCleared: boolean;
  outcome?: StreamOutcome | undefined;
}

/** A pending request as data; `text` is its exchange, if it is answered. */
export interface SavedPending extends Omit<Pending, 'outcome'> {
  readonly id: string;
  readonly text?: string;
}

/** How the order turns exchanges into text, and back. */
interface ExchangeCodec {
  read(id: string, text: string): Exchange;
  write(exchange: Exchange): string;
}

/** Of an exchange as text: it begins with its id. */

export class RequestOrder {
  /** In order. Nothing is in the request log before all that precedes it, but for what is held back. */
  readonly #pending = new Map<string, Pending>();
  readonly #codec: ExchangeCodec;
  #events = 0;

  constructor(codec: ExchangeCodec, saved: readonly SavedPending[] = []) {
    this.#codec = codec;
    for (const { id, text, ...pending } of saved) {
      const outcome = text === undefined ? undefined : { exchange: codec.read(id, text) };
      this.#pending.set(id, { ...pending, outcome });
    }
  }

  /** What a field of an entry leads to. @param ms when it was written, by the time of the store */
  *apply(field: StreamField, value: string, ms: number): Generator<StreamOutcome> {
    const ids = value.split(' ');
    if (field === 'q') for (const id of ids) this.#add(id, ms);
    if (field === 'o') for (const id of ids) this.#sign(id, ms, true);
    if (field === 'r') for (const id of ids) this.#sign(id, ms, false);
    if (field === 'a') this.#answer(value, ms);
    if (field === 'n') for (const id of ids) this.#take(id);
    if (field === 'x') {
      const lost = ids.map((id) => this.#take(id)).filter((each) => each?.isCleared === false).length;
      if (lost > 0) yield { lost };
    }
    if (field === 'e') this.#add(`event ${++this.#events}`, ms, { event: JSON.parse(value) });
    if (field === 'd') yield { dropped: Number(value) };
    if (field === 'c') yield* this.#clear(Number(value));
    yield* this.#ready();
  }

  /** What the request log does not have yet, but for what is held back. */
  get waiting(): readonly string[] {
    return [...this.#pending].flatMap(([id, { isHeld }]) => (isHeld ? [] : [id]));
  }

  get isHolding(): boolean {
    return [...this.#pending.values()].some(({ isHeld }) => isHeld);
  }

  isWaiting(id: string): boolean {
    return this.#pending.get(id)?.isHeld === false;
  }

  /** Requests without an answer, of which there was no sign since a time. */
  silentSince(ms: number): readonly string[] {
    return [...this.#pending].filter(([, { seenMs, outcome }]) => !outcome && seenMs < ms).map(([id]) => id);
  }

  saved(): readonly SavedPending[] {
    return [...this.#pending].flatMap(([id, { outcome, ...pending }]) => {
      if (!outcome) return [{ id, ...pending }];
      return 'exchange' in outcome ? [{ id, ...pending, text: this.#codec.write(outcome.exchange) }] : [];
    });
  }

  #add(id: string, seenMs: number, outcome?: StreamOutcome): void {
    this.#pending.set(id, { seenMs, isHeld: false, isCleared: false, outcome });
  }

  /** One that is held back, or no longer is, goes to the end. */
  #sign(id: string, seenMs: number, isHeld: boolean): void {
    const pending = this.#pending.get(id);
    if (!pending || pending.outcome) return;
    if (isHeld || pending.isHeld) {
      this.#pending.delete(id);
      this.#pending.set(id, pending);
    }
    Object.assign(pending, { seenMs, isHeld });
  }

  /** One that is not pending was answered before, or is lost for all. */
  #answer(text: string, ms: number): void {
    const id = idInText(text);
    this.#sign(id, ms, false);
    const pending = this.#pending.get(id);
    if (pending) pending.outcome ??= { exchange: this.#codec.read(id, text) };
  }

  /** Removes a request without an answer. */
  #take(id: string): Pending | undefined {
    const pending = this.#pending.get(id);
    if (!pending || pending.outcome) return undefined;
    this.#pending.delete(id);
    return pending;
  }

  /** Earlier responses are discarded with it. Requests that are under way count when they get their response. */
  *#clear(clearedAt: number): Generator<StreamOutcome> {
    for (const [id, pending] of this.#pending) {
      pending.isCleared = true;
      if (!pending.outcome) continue;
      this.#pending.delete(id);
      yield pending.outcome;
    }
    yield { clearedAt };
  }

  *#ready(): Generator<StreamOutcome> {
    for (const [id, { isHeld, outcome }] of this.#pending) {
      if (isHeld) continue;
      if (!outcome) return;
      this.#pending.delete(id);
      yield outcome;
    }
  }
}
