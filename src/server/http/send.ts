/** The only place that sends responses, so that the record matches the bytes on the wire. */
import { pipeline } from 'node:stream/promises';
import type { RecordedResponse } from '../../base/api/exchange.ts';
import { NOTHING_SENT } from '../../base/api/exchange.ts';
import { stopwatch } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { clearTimeout, nextTick, setImmediate, setTimeout, sleep } from '../../base/real-globals.ts';
import { copyOf } from '../../base/text.ts';
import { type Capacity, LONG } from './capacity.ts';
import { carrierOf, readOn, whenOver } from './connection.ts';
import { logFieldsOf, type OpenExchange, type Recorder, type Request, type Response } from './open-exchange.ts';
import { type Body, bytesOf, charactersOfBody, contentTypeOf, type ResponseData, responseHeaders } from './response.ts';

/** Characters recorded of a body in chunks: more than the request log stores. */
const RECORDED = 32 * 1024;

export class Sender {
  readonly #recorder: Recorder;
  readonly #capacity: Capacity;
  readonly #log: Log;
  readonly #batch = new ResponseBatch(({ req, res, data }) => {
    if (req.complete || req.exchange.malformed) this.#write(req, res, data);
    // The rest of an incomplete request may be in transit: the next turn reads it, and it gets another response.
    else setImmediate(() => setImmediate(() => this.#write(req, res, data)));
  });

  /** @param log gets why a response broke off */
  constructor(recorder: Recorder, capacity: Capacity, log: Log) {
    this.#recorder = recorder;
    this.#capacity = capacity;
    this.#log = log;
  }

  /** Call it when a request arrives: see `ResponseBatch`. */
  expect(): void {
    this.#batch.expect();
  }

  /**
   * Sends a response and closes the exchange. If the client has disconnected, that is recorded.
   * The response is sent at the end of this turn of the event loop, together with the others of the turn. A long one is
   * sent when its turn comes and there is memory for it.
   */
  send(req: Request, res: Response, data: ResponseData): void {
    const { exchange } = req;
    if (data.broken === 'empty' || data.broken === 'reset') {
      this.#hangUp(req, data.broken);
      return;
    }
    const length = charactersOfBody(data.body);
    if (length <= LONG) {
      this.#batch.add({ req, res, data });
      return;
    }
    const sendInTurn = (): void => void this.#capacity.inTurn(exchange.owner, () => this.#write(req, res, data));
    // Not in the call of the parser, which has yet to say that the request is complete: until then it would be kept.
    void Promise.resolve(this.#capacity.reserve(exchange, length)).then(sendInTurn);
  }

  #write(req: Request, res: Response, data: ResponseData): void {
    const { exchange } = req;
    if (res.headersSent || res.destroyed) {
      this.#recorder.abandon(req);
      this.#capacity.release(exchange);
      data.stream?.cancel();
      return;
    }
    const { status, body } = data;
    if (exchange.lease) res.once('close', () => this.#capacity.release(exchange));
    if (!req.complete) readOn(req.socket);
    const head = responseHeaders(req, data);
    this.#recorder.beginResponse(exchange, head);
    res.writeHead(status, head);
    const recorded = data.broken === 'truncate' ? truncated(res, body) : this.#writeBody(req, res, data);
    if (typeof body !== 'string') exchange.truncated = { request: false, response: true, responseBytes: bytesOf(body) };
    const response = { status, contentType: contentTypeOf(data), body: recorded };
    if (req.complete || !isAwaited(exchange)) this.#recorder.close(exchange, response);
    else
      whenOver(req, () => {
        exchange.arrived = req.complete;
        this.#recorder.close(exchange, response);
      });
    data.stream?.begin(req, res);
  }

  /** @returns the text to record: a body that is too long for one string is recorded in part, and cannot be validated */
  #writeBody(req: Request, res: Response, { body, pace, pieces, stream }: ResponseData): string {
    const { owner } = req.exchange;
    const inTurn = (parts: Iterator<string | Buffer, void>) => () => this.#capacity.inTurn(owner, () => parts.next());
    if (req.method === 'HEAD') res.end();
    else if (pieces) void this.#writeLong(req, res, inTurn(pieces));
    else if (pace) {
      const parts = slowParts(body, pace);
      void this.#writeLong(req, res, () => parts.next());
    } else if (charactersOfBody(body) > LONG) void this.#writeLong(req, res, inTurn(chunksOf(body)));
    else if (!stream) res.end(typeof body === 'string' ? body : Buffer.concat(body.map((piece) => Buffer.from(piece))));
    return typeof body === 'string' ? body : beginningOfPieces(body);
  }

  /**
   * Sends a body part by part: neither the whole nor a part that the client has not taken is in memory. If a part cannot be
   * made, the response breaks off, and the client sees that it is not whole. A client that takes too long is disconnected. The
   * time in which the server makes the parts, and other work, is not the client's.
   */
  async #writeLong(req: Request, res: Response, make: () => Promise<Part>): Promise<void> {
    let leftMs = this.#capacity.readingMs;
    let limit: NodeJS.Timeout | undefined;
    res.once('close', () => clearTimeout(limit));
    const made = async function* () {
      for (;;) {
        const next = await make();
        const from = stopwatch();
        limit = setTimeout(() => res.destroy(), leftMs).unref();
        if (next.done) return;
        yield next.value;
        clearTimeout(limit);
        leftMs -= stopwatch() - from;
      }
    };
    try {
      await pipeline(made, res);
    } catch (err) {
      if (!res.destroyed || !isLeft(err))
        this.#log.error({ err, ...logFieldsOf(req.exchange) }, 'a response broke off');
      res.destroy();
    }
  }

  /** Closes the connection without a byte. */
  #hangUp({ exchange, socket }: Request, how: 'reset' | 'empty'): void {
    this.#recorder.beginResponse(exchange, []);
    if (how === 'reset') carrierOf(socket).resetAndDestroy();
    else socket.destroy();
    this.#recorder.close(exchange, NOTHING_SENT);
    this.#capacity.release(exchange);
  }
}

type Part = IteratorResult<string | Buffer, void>;

interface ReadyResponse {
  readonly req: Request;
  readonly res: Response;
  readonly data: ResponseData;
}

/**
 * Sends responses in batches: all that are ready at the end of a turn of the event loop are sent together. Sending each
 * one separately would wake a client that has just gone to sleep, which costs more than the response: 58 % more
 * processor time for a get, 74 % for a list, 13 % for a create (32 connections, in pairs, on Node 24).
 */
class ResponseBatch {
  readonly #send: (each: ReadyResponse) => void;
  #ready: ReadyResponse[] = [];
  /** Whether `#sendAll` is scheduled. */
  #isDue = false;

  constructor(send: (each: ReadyResponse) => void) {
    this.#send = send;
  }

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
  add(response: ReadyResponse): void {
    this.#ready.push(response);
    if (this.#isDue) return;
    this.#isDue = true;
    nextTick(this.#sendAll);
  }

  readonly #sendAll = (): void => {
    this.#isDue = false;
    const ready = this.#ready;
    this.#ready = [];
    for (const each of ready) this.#send(each);
  };
}

/** The time between two parts of a slow body, and the longest time for all of them, in milliseconds. */
const PART_MS = 100;
const SLOWEST_MS = 60_000;

/** Whether the rest of a request belongs to it although it was answered: of a rejected one, nothing more is read. */
const isAwaited = ({ specification, operation, decision }: OpenExchange): boolean =>
  specification === 'petstore' && operation !== undefined && decision.kind !== 'rejected';

/** The parts of a body that a fault sends slowly; the rest at once when the server stops. */
async function* slowParts(body: Body, { bytesPerSecond, stopping }: NonNullable<ResponseData['pace']>) {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.concat(body.map((each) => Buffer.from(each)));
  const size = Math.ceil(Math.max((bytesPerSecond * PART_MS) / 1000, (bytes.length * PART_MS) / SLOWEST_MS));
  for (let sent = 0; sent < bytes.length; ) {
    const end = stopping.aborted ? bytes.length : sent + size;
    yield bytes.subarray(sent, end);
    sent = end;
    if (sent < bytes.length) await sleep(PART_MS, stopping).catch(() => undefined);
  }
}

/** Sends half of a body, then closes the connection. Of a body in chunks, half of the first pets suffices. @returns that half */
function truncated(res: Response, body: Body): RecordedResponse['body'] {
  const whole = Buffer.from(typeof body === 'string' ? body : body.slice(0, 2).join(''));
  const half = whole.subarray(0, whole.length >> 1);
  if (half.length > 0) res.write(half);
  else res.flushHeaders();
  // After all written bytes were sent.
  res.socket?.destroySoon();
  return half.toString();
}

function beginningOfPieces(pieces: readonly (string | Buffer)[]): string {
  let text = '';
  for (const piece of pieces) {
    if (text.length >= RECORDED) break;
    // One UTF-16 code unit takes at most three bytes.
    text += (typeof piece === 'string' ? piece : piece.toString('utf8', 0, 3 * RECORDED)).slice(0, RECORDED);
  }
  return copyOf(text.slice(0, RECORDED));
}

/** Characters or bytes of one chunk. */
const CHUNK = 256 * 1024;

/** The chunks of a body, in order: of one string, or of strings that are never joined. */
function* chunksOf(body: Body): Generator<string | Buffer> {
  for (const text of typeof body === 'string' ? [body] : body) {
    for (let from = 0; from < text.length; ) {
      const to = typeof text === 'string' ? endOfChunk(text, from) : from + CHUNK;
      yield typeof text === 'string' ? text.slice(from, to) : text.subarray(from, to);
      from = to;
    }
  }
}

/** Never splits a surrogate pair. */
function endOfChunk(text: string, from: number): number {
  const to = Math.min(from + CHUNK, text.length);
  const last = text.charCodeAt(to - 1);
  return to < text.length && last >= 0xd800 && last <= 0xdbff ? to + 1 : to;
}

/** Whether a client has left, or was disconnected. */
const isLeft = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
