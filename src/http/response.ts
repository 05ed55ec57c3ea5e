/** The only place that sends responses, so that the record matches the bytes on the wire. */

import type { Request, Response } from 'express';
import { type ApiError, errorBody } from '../api/errors.ts';
import type { RecordedResponse } from '../api/exchange.ts';
import { type AbortSignal, clearInterval, setImmediate, setInterval } from '../core/real-globals.ts';
import { copyOf } from '../core/text.ts';
import type { Redact } from '../requests/redact.ts';
import { LARGE } from './body-memory.ts';
import { readOn } from './connection.ts';
import { LIGHT } from './cpu-queue.ts';
import { SlowReaderLimit } from './slow-reader.ts';

const JSON_TYPE = 'application/json';

/** How a body is compressed (`Content-Encoding`). */
export type Encoding = 'br' | 'gzip';

/** Characters recorded of a body in chunks: more than the request log stores. */
const RECORDED = 32 * 1024;

/** The text of a response, or the chunks of a longer one: strings, or their bytes in UTF-8. */
export type Body = string | readonly (string | Buffer)[];

/** The response of an operation. `body` is JSON text unless `contentType` is set. */
export interface ResponseData {
  readonly status: number;
  /** Empty for 204. */
  readonly body: Body;
  readonly contentType?: string;
  /** Additional headers, as name, value, name, value. */
  readonly headers?: readonly string[];
  /** The body as it is sent, if it is compressed. The record and the validator get `body`. */
  readonly encoded?: { readonly encoding: Encoding; readonly bytes: Buffer };
  /** Set by a fault: how slowly the body is sent. The rest follows at once when the server stops. */
  readonly pace?: { readonly bytesPerSecond: number; readonly stopping: AbortSignal };
}

/** On every response except static files: no caching, no content sniffing. */
export const commonHeaders = (requestId: string): string[] => [
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
  'Sandbox-Request-Id',
  requestId,
];

const NONE: readonly string[] = [];

/**
 * Sends a response and closes the exchange. If the client has disconnected, that is recorded.
 * The response is sent at the end of this turn of the event loop, together with the others of the turn (see
 * `ResponseBatch`). A long one is sent when its turn comes and there is room for it.
 */
export function respond(req: Request, res: Response, data: ResponseData): void {
  const length = charactersOf(data.body);
  if (length <= LIGHT) {
    req.exchange.responses.add(() => {
      if (req.complete) send(req, res, data);
      // The rest of an incomplete request may be in transit: the next turn reads it, and it gets another response.
      else setImmediate(() => setImmediate(send, req, res, data));
    });
    return;
  }
  const sendInTurn = (): void => void req.exchange.inTurn(length, () => send(req, res, data));
  const waiting = req.exchange.memoryFor(length);
  if (waiting) void waiting.then(sendInTurn);
  else sendInTurn();
}

function send(req: Request, res: Response, data: ResponseData): void {
  const { exchange } = req;
  if (res.headersSent || res.destroyed) {
    exchange.abandon();
    return;
  }
  const { status, body, contentType = JSON_TYPE, encoded, pace } = data;
  if (!req.complete) readOn(req.socket);
  const head = responseHeaders(req, data);
  exchange.beginResponse(head);
  res.writeHead(status, head);
  if (pace && req.method !== 'HEAD') sendSlowly(req, res, body, pace);
  else if (isLarge(body) && req.method !== 'HEAD') sendLarge(req, res, encoded ? [encoded.bytes] : body);
  else if (encoded) res.end(encoded.bytes);
  else res.end(typeof body === 'string' ? body : undefined);
  if (typeof body === 'string') exchange.close({ status, contentType: status === 204 ? undefined : contentType, body });
  else closeInPart(req, { status, contentType, body: beginningOf(body) }, body);
}

const isLarge = (body: Body): boolean => typeof body !== 'string' || body.length >= LARGE;

export const charactersOf = (body: Body): number =>
  typeof body === 'string' ? body.length : body.reduce((sum, { length }) => sum + length, 0);

const bytesOf = (body: Body): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);

/** The time between two parts of a slow body, and the longest time for all of them, in milliseconds. */
const PART_MS = 100;
const SLOWEST_MS = 60_000;

/** A part is sent whether the one before was taken or not. The exchange's room is released when all are sent. */
function sendSlowly(
  { exchange }: Request,
  res: Response,
  body: Body,
  { bytesPerSecond, stopping }: NonNullable<ResponseData['pace']>,
): void {
  const { hold, memory } = exchange;
  if (hold) hold.users += 1;
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.concat(body.map((each) => Buffer.from(each)));
  const size = Math.ceil(Math.max((bytesPerSecond * PART_MS) / 1000, (bytes.length * PART_MS) / SLOWEST_MS));
  const reader = new SlowReaderLimit(res, SLOWEST_MS + memory.slowReaderMs);
  let sent = 0;
  const timer = setInterval(sendPart, PART_MS);
  stopping.addEventListener('abort', sendRest);
  res.once('close', () => {
    clearInterval(timer);
    stopping.removeEventListener('abort', sendRest);
    reader.end();
    if (hold) memory.free(hold);
  });
  sendPart();
  if (stopping.aborted) sendRest();

  function sendPart(): void {
    res.write(bytes.subarray(sent, sent + size));
    sent += size;
    if (sent >= bytes.length) sendRest();
  }
  function sendRest(): void {
    clearInterval(timer);
    res.end(bytes.subarray(sent));
  }
}

/** A body that is too long for one string is recorded in part, and cannot be validated. */
export function closeInPart({ exchange }: Request, recorded: RecordedResponse, body: Body): void {
  exchange.truncated = { request: false, response: true, responseBytes: bytesOf(body) };
  exchange.close(recorded);
}

function beginningOf(pieces: readonly (string | Buffer)[]): string {
  let text = '';
  for (const piece of pieces) {
    if (text.length >= RECORDED) break;
    // One UTF-16 code unit takes at most three bytes.
    text += (typeof piece === 'string' ? piece : piece.toString('utf8', 0, 3 * RECORDED)).slice(0, RECORDED);
  }
  return copyOf(text.slice(0, RECORDED));
}

/** All headers of a response, as name, value, name, value. */
export function responseHeaders(
  { exchange }: Request,
  { status, body, contentType = JSON_TYPE, headers = NONE, encoded }: ResponseData,
): string[] {
  const all = commonHeaders(exchange.id);
  const bytes = encoded ? encoded.bytes.length : bytesOf(body);
  if (status !== 204) all.push('Content-Type', contentType, 'Content-Length', String(bytes));
  if (encoded) all.push('Content-Encoding', encoded.encoding);
  for (const text of exchange.headers) all.push(text);
  for (const text of headers) all.push(text);
  return all;
}

/** The response for an error. Its message may quote the request, so secrets are redacted. */
export const errorResponse = ({ code, message, status, headers }: ApiError, redact: Redact): ResponseData => ({
  status,
  body: errorBody(code, redact(message), status),
  headers,
});

/** Characters or bytes of one chunk. */
const PIECE = 256 * 1024;

/** The chunks of a body, in order: of one string, or of strings that are never joined. */
function* piecesOf(body: Body): Generator<string | Buffer> {
  for (const text of typeof body === 'string' ? [body] : body) {
    for (let from = 0; from < text.length; ) {
      const to = typeof text === 'string' ? endOfPiece(text, from) : from + PIECE;
      yield typeof text === 'string' ? text.slice(from, to) : text.subarray(from, to);
      from = to;
    }
  }
}

/** Never splits a surrogate pair. */
function endOfPiece(text: string, from: number): number {
  const to = Math.min(from + PIECE, text.length);
  const last = text.charCodeAt(to - 1);
  return to < text.length && last >= 0xd800 && last <= 0xdbff ? to + 1 : to;
}

/**
 * Sends a large body in chunks, each after the previous one was sent: so the socket never buffers the whole body. A reader
 * that is too slow is disconnected, so that it cannot occupy memory indefinitely. The exchange's room is released when
 * everything was sent or the connection is closed.
 */
function sendLarge({ exchange }: Request, res: Response, body: Body): void {
  const { hold, memory } = exchange;
  if (hold) hold.users += 1;
  const pieces = piecesOf(body);
  const reader = new SlowReaderLimit(res, memory.slowReaderMs);
  let written = 0;
  const write = (): void => {
    reader.taken(written);
    written = 0;
    let waits = false;
    while (!waits) {
      const next = pieces.next();
      if (next.done) {
        res.end();
        return;
      }
      written += next.value.length;
      waits = !res.write(next.value);
    }
  };
  res.on('drain', write);
  res.once('close', () => {
    reader.end();
    if (hold) memory.free(hold);
  });
  write();
}
