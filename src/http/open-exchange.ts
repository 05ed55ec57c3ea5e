/**
 * An exchange while its request is in flight. It is created when the request's head has arrived, is filled in during
 * processing, and is closed exactly once by the response.
 */
import type { Request } from 'express';
import {
  type CutBodies,
  type Decision,
  type Effect,
  type Exchange,
  type Malformed,
  NO_EFFECT,
  NOTHING_SENT,
  type Problem,
  type RecordedRequest,
  type RecordedResponse,
  type SpecificationName,
  type UnmatchedReason,
  type Verdict,
} from '../api/exchange.ts';
import { type Clock, stopwatch } from '../core/clock.ts';
import { nextTick, setImmediate } from '../core/real-globals.ts';
import { shorten } from '../core/text.ts';
import { isoTime } from '../core/time.ts';
import { redactOwn } from '../requests/own-credentials.ts';
import type { Redact } from '../requests/redact.ts';
import type { BodyMemory, Hold, Holder } from './body-memory.ts';
import { type CpuQueue, LIGHT } from './cpu-queue.ts';
import type { RequestHead } from './request-head.ts';

const UNDECIDED: Decision = { kind: 'undecided' };
const ACCEPTED: Decision = { kind: 'accepted' };
const NO_RESPONSE: RecordedResponse = { status: 0, contentType: undefined, body: '' };
const NO_HEADERS: readonly string[] = [];

declare global {
  // biome-ignore lint/style/noNamespace: Express's only way to extend its request type
  namespace Express {
    interface Request {
      exchange: OpenExchange;
    }
  }
}

/** What most steps read of a request: one that came over no connection has it as well. */
export type RequestParts = Pick<Request, 'exchange' | 'method' | 'headers' | 'rawHeaders' | 'params'>;

/** The environment of exchanges. */
export interface Surroundings {
  readonly clock: Clock;
  /** Resolves when there is room for one more exchange of this owner; `undefined` if there is already. */
  readonly capacity: (owner: string) => Promise<void> | undefined;
  readonly cpu: CpuQueue;
  /** Memory for large bodies. */
  readonly memory: BodyMemory;
  /** Sends responses in batches. */
  readonly responses: ResponseBatch;
  /** Receives each exchange once it is closed. */
  readonly done: (exchange: Exchange) => void;
  /** Receives those that are not closed: their requests got no response here. */
  readonly abandoned: (exchange: Exchange) => void;
}

export class OpenExchange implements Exchange, Holder {
  readonly id: string;
  readonly at: number;
  readonly request: { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] };
  specification: SpecificationName = 'petstore';
  operation: string | undefined = undefined;
  sandbox: string | undefined = undefined;
  unmatched: UnmatchedReason | undefined = undefined;
  owner = '';
  decision: Decision = UNDECIDED;
  malformed: Malformed | undefined = undefined;
  injectedFault: string | undefined = undefined;
  rules: Exchange['rules'] = undefined;
  response: RecordedResponse = NO_RESPONSE;
  durationMs = 0;
  respondedAt = 0;
  disconnectedAt: number | undefined = undefined;
  delayMs = 0;
  changes: Effect = NO_EFFECT;
  readonly head: RequestHead;
  readonly requestHeaders: readonly string[];
  responseHeaders: readonly string[] = NO_HEADERS;
  verdict: Verdict | undefined = undefined;
  truncated: CutBodies | undefined = undefined;
  place: number | undefined = undefined;
  hold: Hold | undefined = undefined;
  /** Headers of every response to this request, as name, value, name, value. */
  headers: readonly string[] = [];
  /** Memory for its large bodies. */
  readonly memory: BodyMemory;
  readonly responses: ResponseBatch;
  readonly startedMs = stopwatch();
  readonly #surroundings: Surroundings;

  constructor(id: string, request: RecordedRequest, head: RequestHead, surroundings: Surroundings) {
    this.id = id;
    this.at = surroundings.clock.now();
    this.head = head;
    this.requestHeaders = head.shown;
    this.memory = surroundings.memory;
    this.responses = surroundings.responses;
    this.request = request;
    this.#surroundings = surroundings;
  }

  /**
   * Sets the owner of the request, which may be anonymous.
   * @returns a promise to await first: when the validator falls behind, requests wait instead of going not validated
   */
  belongTo(owner: string): Promise<void> | undefined {
    this.owner = owner;
    this.#surroundings.cpu.saw(owner);
    return this.#surroundings.capacity(owner);
  }

  /** Runs possibly heavy work when its turn comes, see `CpuQueue.run`. */
  inTurn<T>(weight: number, work: () => T | Promise<T>): Promise<T> {
    return this.#surroundings.cpu.run(this.owner, weight, work);
  }

  /** Like `inTurn`, for a request with a body of this size. The validator gets the body too, so it needs room. */
  async inTurnWithBody<T>(bytes: number, work: () => T | Promise<T>): Promise<T> {
    if (bytes > LIGHT) await this.#surroundings.capacity(this.owner);
    return this.inTurn(bytes, work);
  }

  /**
   * An exchange for a call of the control API that is a part of this request: it is neither recorded nor validated, and
   * what this exchange has of the memory for large bodies is its own, so it never waits for what the caller holds.
   */
  part(method: string, target: string): OpenExchange {
    const part = unrecorded(this.id, method, target, this.#surroundings);
    part.hold = this.hold;
    return part;
  }

  /** The service accepts the request as sent. */
  accept(): void {
    this.decision = ACCEPTED;
  }

  /** The service rejects the request, for these reasons. */
  reject(problems: readonly Problem[]): void {
    this.decision = { kind: 'rejected', problems };
  }

  /** The response is about to be sent, with these headers. Call it before the first byte. */
  beginResponse(headers: readonly string[]): void {
    this.responseHeaders = headers;
    this.#stamp();
  }

  /** The response was sent: from now on only the verdict changes. */
  close(response: RecordedResponse): void {
    if (this.response !== NO_RESPONSE) return;
    if (this.respondedAt === 0) this.#stamp();
    this.response = response;
    this.#surroundings.done(this);
  }

  /** The client disconnected before its response. Changes made by the request are recorded. */
  clientLeft(): void {
    this.disconnectedAt ??= this.#surroundings.clock.now();
    this.close(NOTHING_SENT);
  }

  #stamp(): void {
    this.respondedAt = this.#surroundings.clock.now();
    this.durationMs = stopwatch() - this.startedMs;
  }

  get redact(): Redact | undefined {
    return redactOwn(this.#unknownCredentials, this.request.target);
  }

  /** A key of a sandbox, or of the admin, is redacted wherever it is. */
  get #unknownCredentials(): readonly string[] {
    const { credentials } = this.head;
    const isKnown = this.owner !== '' || this.sandbox !== undefined;
    if (!isKnown || !credentials.includes('authorization')) return credentials;
    if (credentials.length === 2) return NO_HEADERS;
    return credentials.filter((_, at) => credentials[at - (at % 2)] !== 'authorization');
  }

  /** Takes room for a response. @returns `undefined` if there is room, or none is needed; otherwise a promise */
  memoryFor(characters: number): Promise<void> | undefined {
    return this.memory.forResponse(this, characters);
  }

  /**
   * No response can be sent any more. A disconnected client is recorded, and what it asked of the control API is not: its
   * room is released.
   */
  abandon(): void {
    if (this.response !== NO_RESPONSE) return;
    if (this.specification === 'petstore') this.clientLeft();
    else {
      this.memory.leave(this);
      this.#surroundings.abandoned(this);
    }
  }

  /** For logs: the kind of request, without its content. */
  get summary(): object {
    const { method, target } = this.request;
    const shown = shorten(target, 200);
    return {
      request: this.id,
      at: isoTime(this.at),
      method,
      target: this.redact?.(shown) ?? shown,
      status: this.response.status,
    };
  }
}

const NO_HEAD: RequestHead = { headers: {}, credentials: [], shown: [], authorization: undefined, keyHash: undefined };

/** An exchange for a call from within this process, which is neither recorded nor validated. */
export function unrecorded(id: string, method: string, target: string, surroundings: Surroundings): OpenExchange {
  const nothing = {
    authorization: undefined,
    contentType: undefined,
    bodyBytes: 0,
    body: undefined,
    bodyUnread: false,
  };
  const quiet = { ...surroundings, done: () => undefined, abandoned: () => undefined };
  return new OpenExchange(id, { method, target, ...nothing }, { ...NO_HEAD }, quiet);
}

/**
 * Sends responses in batches: all that are ready at the end of a turn of the event loop are sent together. Sending each
 * one separately would wake a client that has just gone to sleep, which costs more than the response.
 */
export class ResponseBatch {
  #ready: (() => void)[] = [];
  /** Whether `#sendAll` is scheduled. */
  #isDue = false;

  /** Called when a request arrives: its response is sent at the end of this turn, if it is ready by then. */
  expect(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(this.#sendAll);
  }

  /**
   * Called when a response is ready. A response that missed the end of its turn because it waited for a write is sent
   * together with the others that waited for the same write.
   */
  add(send: () => void): void {
    this.#ready.push(send);
    if (this.#isDue) return;
    this.#isDue = true;
    nextTick(this.#sendAll);
  }

  readonly #sendAll = (): void => {
    this.#isDue = false;
    const ready = this.#ready;
    this.#ready = [];
    for (const send of ready) send();
  };
}
