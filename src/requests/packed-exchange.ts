/**
 * Settled exchanges as bytes outside the heap. A request log keeps a thousand of them: as objects they would survive
 * every young collection, and collecting the old space pauses the server.
 */
import {
  type EffectTexts,
  type Exchange,
  effectOf,
  type Malformed,
  textsOfEffect,
  type Verdict,
} from '../api/exchange.ts';
import { operationNames } from '../generated/facts.ts';

/** The numbers of an exchange by their places. Absent ones are `NaN`. */
const AT = 0;
const STARTED = 1;
const DURATION = 2;
const RESPONDED = 3;
const DISCONNECTED = 4;
const DELAY = 5;
const STATUS = 6;
const OPERATION = 7;
const SENT_BYTES = 8;
const RESPONSE_BYTES = 9;
const FLAGS = 10;
/** Bytes of the text, characters of its head, and characters of the request's body, which follows. */
const TEXT_BYTES = 11;
const HEAD = 12;
const SENT = 13;
/** Bytes of all numbers. */
const NUMBERS = 14 * 8;

const ACCEPTED = 1;
const UNREAD = 2;
const HAS_BODY = 4;
const IS_CUT = 8;
const REQUEST_CUT = 16;
const RESPONSE_CUT = 32;

const SMALLEST_CHUNK = 1024;
const LARGEST_CHUNK = 64 * 1024;

/** Memory of several exchanges. */
interface Chunk {
  readonly bytes: Buffer;
  /** The same memory. */
  readonly numbers: Float64Array;
  /** Exchanges in it that are still in the request log. */
  kept: number;
}

/** The chunks of one request log: each is filled from its beginning, and freed with its last exchange. */
export class Chunks {
  /** Bytes of all chunks. */
  bytes = 0;
  #open: Chunk | undefined;
  #used = 0;
  /** The last one that was freed. */
  #spare: Chunk | undefined;

  /** Copies an exchange whose verdict is final. */
  pack(exchange: Exchange): PackedExchange {
    const head = JSON.stringify(headOf(exchange));
    const text = head + (exchange.request.body ?? '') + exchange.response.body;
    const length = Buffer.byteLength(text);
    const chunk = this.#chunkFor(NUMBERS + length);
    const offset = this.#used;
    chunk.bytes.write(text, offset + NUMBERS, length, 'utf8');
    // Numbers have places that 8 divides.
    this.#used = Math.ceil((offset + NUMBERS + length) / 8) * 8;
    chunk.kept += 1;
    const { numbers } = chunk;
    const first = offset / 8;
    numbers.set(numbersOf(exchange), first);
    numbers[first + TEXT_BYTES] = length;
    numbers[first + HEAD] = head.length;
    numbers[first + SENT] = exchange.request.body?.length ?? 0;
    return new PackedExchange(chunk, offset, exchange);
  }

  /** The exchange is no longer in the request log. */
  free({ chunk }: PackedExchange): void {
    chunk.kept -= 1;
    if (chunk.kept > 0) return;
    if (chunk === this.#open) this.#used = 0;
    else if (chunk.bytes.length === LARGEST_CHUNK && !this.#spare) this.#spare = chunk;
    else this.bytes -= chunk.bytes.length;
  }

  /** Frees all. */
  clear(): void {
    this.bytes = 0;
    this.#open = undefined;
    this.#used = 0;
    this.#spare = undefined;
  }

  #chunkFor(bytes: number): Chunk {
    const before = this.#open;
    if (before && before.bytes.length - this.#used >= bytes) return before;
    this.#open = bytes <= LARGEST_CHUNK && this.#spare ? this.#takeSpare() : this.#newChunk(bytes);
    this.#used = 0;
    // Freed while it was open.
    if (before?.kept === 0) this.bytes -= before.bytes.length;
    return this.#open;
  }

  #takeSpare(): Chunk {
    const spare = this.#spare as Chunk;
    this.#spare = undefined;
    return spare;
  }

  /** A sandbox with few requests takes little memory; one with many has few chunks. */
  #newChunk(bytes: number): Chunk {
    const usual = Math.min(LARGEST_CHUNK, Math.max(SMALLEST_CHUNK, 4 * (this.#open?.bytes.length ?? 0)));
    const memory = Buffer.allocUnsafeSlow(Math.ceil(Math.max(usual, bytes) / 8) * 8);
    this.bytes += memory.length;
    return { bytes: memory, numbers: new Float64Array(memory.buffer), kept: 0 };
  }
}

/** An exchange in a chunk. Its parts that are filtered by are read without its text. */
export class PackedExchange {
  readonly chunk: Chunk;
  readonly verdict: Verdict | undefined;
  readonly rules: Exchange['rules'];
  readonly run: Exchange['run'];
  readonly #offset: number;

  constructor(chunk: Chunk, offset: number, { verdict, rules, run }: Exchange) {
    this.chunk = chunk;
    this.verdict = verdict;
    this.rules = rules;
    this.run = run;
    this.#offset = offset;
  }

  get at(): number {
    return this.#number(AT);
  }

  get startedMs(): number {
    return this.#number(STARTED);
  }

  get status(): number {
    return this.#number(STATUS);
  }

  get operation(): string | undefined {
    return operationNames[this.#number(OPERATION)];
  }

  /** @param id as `idIn` writes it */
  hasId(id: Buffer): boolean {
    const from = this.#offset + NUMBERS;
    return this.chunk.bytes.compare(id, 0, id.length, from, from + id.length) === 0;
  }

  /** The exchange as it was, but why a rejected request was rejected. @param sandbox the one whose request log this is */
  unpack(sandbox: string): Exchange {
    const from = this.#offset + NUMBERS;
    const text = this.chunk.bytes.toString('utf8', from, from + this.#number(TEXT_BYTES));
    const sent = this.#number(HEAD);
    const received = sent + this.#number(SENT);
    const { rules, run, verdict } = this;
    const numbers = this.chunk.numbers.subarray(this.#offset / 8, this.#offset / 8 + TEXT_BYTES);
    const bodies = [text.slice(sent, received), text.slice(received)] as const;
    return exchangeFrom(numbers, JSON.parse(text.slice(0, sent)), bodies, { sandbox, rules, run, verdict });
  }

  #number(place: number): number {
    return this.chunk.numbers[this.#offset / 8 + place] as number;
  }
}

/** The beginning of an exchange's text. */
export const idIn = (id: string): Buffer => Buffer.from(`[${JSON.stringify(id)},`);

/** The numbers of an exchange that its text does not tell. */
export const numbersOf = (exchange: Exchange): number[] => [
  exchange.at,
  exchange.startedMs,
  exchange.durationMs,
  exchange.respondedAt,
  exchange.disconnectedAt ?? Number.NaN,
  exchange.delayMs,
  exchange.response.status,
  operationNames.indexOf(exchange.operation as (typeof operationNames)[number]),
  exchange.request.bodyBytes,
  exchange.truncated?.responseBytes ?? Number.NaN,
  flagsOf(exchange),
];

type Text = string | null | undefined;
/** JSON has null for what is undefined. */
type Head = readonly [
  ...[id: string, method: string, target: string, authorization: Text],
  ...[contentType: Text, responseType: Text, injectedFault: Text, changes: EffectTexts],
  malformed: Malformed | null | undefined,
  ...[requestHeaders: number, ...headers: string[]],
];

/** Its texts without the bodies. */
export const headOf = ({ request, response, ...exchange }: Exchange): Head => [
  exchange.id,
  request.method,
  request.target,
  request.authorization?.replace(HIDDEN, ONE_BYTE),
  request.contentType,
  response.contentType,
  exchange.injectedFault,
  textsOfEffect(exchange.changes),
  exchange.malformed,
  exchange.requestHeaders.length,
  ...exchange.requestHeaders,
  ...exchange.responseHeaders,
];

/** The inverse of `numbersOf` and `headOf`. @param rest what neither has */
export function exchangeFrom(
  numbers: { readonly [place: number]: number },
  [
    id,
    method,
    target,
    authorization,
    contentType,
    responseType,
    injectedFault,
    changes,
    malformed,
    count,
    ...headers
  ]: Head,
  [sent, received]: readonly [string, string],
  { sandbox, rules, run, verdict }: Pick<Exchange, 'rules' | 'run' | 'verdict'> & { readonly sandbox: string },
): Exchange {
  const number = (place: number): number => numbers[place] ?? Number.NaN;
  const flags = number(FLAGS);
  const disconnectedAt = number(DISCONNECTED);
  return {
    id,
    sandbox,
    owner: sandbox,
    operation: operationNames[number(OPERATION)],
    specification: 'petstore',
    at: number(AT),
    startedMs: number(STARTED),
    durationMs: number(DURATION),
    respondedAt: number(RESPONDED),
    disconnectedAt: Number.isNaN(disconnectedAt) ? undefined : disconnectedAt,
    delayMs: number(DELAY),
    changes: effectOf(changes),
    requestHeaders: headers.slice(0, count),
    responseHeaders: headers.slice(count),
    request: {
      method,
      target,
      authorization: authorization?.replace(ONE_BYTE, HIDDEN),
      contentType: contentType ?? undefined,
      bodyBytes: number(SENT_BYTES),
      body: flags & HAS_BODY ? sent : undefined,
      bodyUnread: (flags & UNREAD) > 0,
    },
    response: { status: number(STATUS), contentType: responseType ?? undefined, body: received },
    decision: { kind: flags & ACCEPTED ? 'accepted' : 'undecided' },
    malformed: malformed ?? undefined,
    injectedFault: injectedFault ?? undefined,
    rules,
    run,
    verdict,
    truncated:
      flags & IS_CUT
        ? {
            request: (flags & REQUEST_CUT) > 0,
            response: (flags & RESPONSE_CUT) > 0,
            responseBytes: number(RESPONSE_BYTES),
          }
        : undefined,
  };
}

/** The placeholder of a credential, and what stands for it: text of one byte a character is written fastest. */
const HIDDEN = '…';
const ONE_BYTE = '\n';

const flagsOf = ({ decision, request, truncated }: Exchange): number =>
  (decision.kind === 'accepted' ? ACCEPTED : 0) |
  (request.bodyUnread ? UNREAD : 0) |
  (request.body === undefined ? 0 : HAS_BODY) |
  (truncated ? IS_CUT : 0) |
  (truncated?.request ? REQUEST_CUT : 0) |
  (truncated?.response ? RESPONSE_CUT : 0);
