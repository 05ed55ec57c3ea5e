/**
 * Settled exchanges as bytes outside the heap. A request log keeps a thousand of them: as objects they would survive
 * every young collection, and collecting the old space pauses the server.
 */
import { type EffectTexts, type Exchange, effectFromTexts, textsOfEffect } from '../api/exchange.ts';
import { headOfMessages, type MessagesHead, messagesOf, partsOfText, withBodies } from '../api/exchange-text.ts';

const UNDECIDED = { kind: 'undecided' } as const;

/** What the text has of an exchange as it is, besides its messages. What it belongs to, and its verdict, are beside it. */
const FIELDS = [
  ...(['address', 'operation', 'injectedFault', 'malformed', 'truncated', 'disconnectedAt', 'delayMs'] as const),
  ...(['at', 'startedMs', 'durationMs', 'respondedAt', 'requestHeaders', 'otherHeaders', 'responseHeaders'] as const),
];

type Head = [id: string, messages: MessagesHead, isAccepted: boolean, changes: EffectTexts, ...fields: unknown[]];

/** Why a request was rejected is in its response. */
function textOf(exchange: Exchange): string {
  const { id, decision, changes, request, response } = exchange;
  const head: Head = [id, headOfMessages(exchange), decision.kind === 'accepted', textsOfEffect(changes)];
  for (const name of FIELDS) head.push(exchange[name]);
  return withBodies(JSON.stringify(head), request.body, response.body);
}

/** How the text of an exchange begins. */
export const bytesBefore = (id: string): Buffer => Buffer.from(`["${id}",`);

/** The inverse of `textOf`. JSON has null for what is undefined. */
function exchangeOf(text: string, sandbox: string): Exchange {
  const { head, sent, received } = partsOfText<Head>(text);
  const [id, messages, isAccepted, changes, ...fields] = head;
  return {
    ...(Object.fromEntries(FIELDS.map((name, at) => [name, fields[at] ?? undefined])) as unknown as Exchange),
    ...{ id, sandbox, owner: sandbox, specification: 'petstore', verdict: undefined },
    changes: effectFromTexts(changes),
    decision: isAccepted ? { kind: 'accepted' } : UNDECIDED,
    ...messagesOf(messages, sent, received),
  };
}

const SMALLEST_CHUNK = 1024;
const LARGEST_CHUNK = 64 * 1024;

/** Memory of several exchanges. */
interface ExchangeChunk {
  readonly bytes: Buffer;
  /** Exchanges in it that are still in the request log. */
  used: number;
  /** Somebody may read it even without the request log: it is never filled again. */
  isHeld: boolean;
}

/** The chunks of one request log: each is filled from its beginning, and freed with its last exchange. */
export class Chunks {
  /** Bytes of all chunks. */
  bytes = 0;
  #open: ExchangeChunk | undefined;
  #used = 0;

  /** Copies an exchange whose verdict is final. */
  pack(exchange: Exchange): PackedExchange {
    const text = textOf(exchange);
    const length = Buffer.byteLength(text);
    const chunk = this.#chunkFor(length);
    const offset = this.#used;
    chunk.bytes.write(text, offset, length, 'utf8');
    this.#used = offset + length;
    chunk.used += 1;
    return new PackedExchange(chunk, offset, length, exchange);
  }

  /** The exchange is no longer in the request log. */
  free({ chunk }: PackedExchange): void {
    chunk.used -= 1;
    if (chunk.used > 0) return;
    if (chunk === this.#open && !chunk.isHeld) this.#used = 0;
    else if (chunk === this.#open) this.#used = chunk.bytes.length;
    else this.bytes -= chunk.bytes.length;
  }

  /** Frees all. */
  clear(): void {
    this.bytes = 0;
    this.#open = undefined;
    this.#used = 0;
  }

  #chunkFor(bytes: number): ExchangeChunk {
    const before = this.#open;
    if (before && before.bytes.length - this.#used >= bytes) return before;
    this.#open = this.#newChunk(bytes);
    this.#used = 0;
    // Freed while it was open.
    if (before?.used === 0) this.bytes -= before.bytes.length;
    return this.#open;
  }

  /** A sandbox with few requests takes little memory; one with many has few chunks. */
  #newChunk(bytes: number): ExchangeChunk {
    const usual = Math.min(LARGEST_CHUNK, Math.max(SMALLEST_CHUNK, 4 * (this.#open?.bytes.length ?? 0)));
    const memory = Buffer.allocUnsafeSlow(Math.max(usual, bytes));
    this.bytes += memory.length;
    return { bytes: memory, used: 0, isHeld: false };
  }
}

/** For the request log, which has thousands: the fields of an exchange that are filtered by, and where its text is. */
export class PackedExchange {
  readonly chunk: ExchangeChunk;
  readonly at: number;
  readonly status: number;
  readonly operation: string | undefined;
  readonly verdict: Exchange['verdict'];
  readonly run: Exchange['run'];
  readonly #offset: number;
  readonly #length: number;

  constructor(chunk: ExchangeChunk, offset: number, length: number, exchange: Exchange) {
    this.chunk = chunk;
    this.at = exchange.at;
    this.status = exchange.response.status;
    this.operation = exchange.operation;
    this.verdict = exchange.verdict;
    this.run = exchange.run;
    this.#offset = offset;
    this.#length = length;
  }

  /** @param beginning of the text, see `bytesBefore` */
  hasBeginning(beginning: Buffer): boolean {
    const from = this.#offset;
    return this.chunk.bytes.compare(beginning, 0, beginning.length, from, from + beginning.length) === 0;
  }

  /** The exchange as it was, but why a rejected request was rejected. @param sandbox the one whose request log this is */
  unpack(sandbox: string): Exchange {
    const text = this.chunk.bytes.toString('utf8', this.#offset, this.#offset + this.#length);
    const { run, verdict } = this;
    return { ...exchangeOf(text, sandbox), run, verdict };
  }
}
