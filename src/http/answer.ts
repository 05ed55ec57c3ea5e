/** The one place where answers go out, so that what is recorded is what went over the wire. */
import type { Request, Response } from 'express';
import { type ApiError, errorBody } from '../errors.ts';
import type { RecordedAnswer } from '../exchange.ts';
import type { Redact } from '../sandbox/redact.ts';
import { readOn } from './connection.ts';
import { LIGHT } from './heavy-lane.ts';
import { LARGE } from './in-flight.ts';
import { sendInPieces } from './large-answer.ts';

const JSON_TYPE = 'application/json';

/** Characters that are recorded of a body in pieces: more than the journal keeps. */
const RECORDED = 32 * 1024;

/** The text of a response, or the pieces of one that is too long to be one text. */
export type Body = string | readonly string[];

/** What an operation answers. `body` is JSON text unless `contentType` says otherwise. */
export interface Answer {
  readonly status: number;
  /** Empty for 204. */
  readonly body: Body;
  readonly contentType?: string;
  /** Further headers, as name, value, name, value. */
  readonly headers?: readonly string[];
}

/** On every answer that is no static file: nothing may be cached, nothing may be guessed. */
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
 * Sends an answer and closes the exchange. What cannot be sent any more, because the client left, is not recorded.
 *
 * It leaves at the end of this turn of the event loop, together with the others of the turn: each by itself would wake
 * a client that has just gone to sleep, which costs more than the answer. A long one leaves when its turn comes, and there
 * is room for it.
 */
export function answer(req: Request, res: Response, whole: Answer): void {
  const length = charactersOf(whole.body);
  if (length <= LIGHT) {
    setImmediate(send, req, res, whole);
    return;
  }
  const sendInTurn = (): void => void req.exchange.inTurn(length, () => send(req, res, whole));
  const waiting = req.exchange.roomFor(length);
  if (waiting) void waiting.then(sendInTurn);
  else sendInTurn();
}

function send(req: Request, res: Response, whole: Answer): void {
  const { exchange } = req;
  if (res.headersSent || res.destroyed) {
    exchange.abandon();
    return;
  }
  const { status, body, contentType = JSON_TYPE } = whole;
  if (!req.complete) readOn(req.socket);
  res.writeHead(status, headOf(req, whole));
  if (isLarge(body) && req.method !== 'HEAD') sendLarge(req, res, body);
  else res.end(typeof body === 'string' ? body : undefined);
  if (typeof body === 'string') exchange.close({ status, contentType: status === 204 ? undefined : contentType, body });
  else closeInPart(req, { status, contentType, body: beginningOf(body) }, body);
}

const isLarge = (body: Body): boolean => typeof body !== 'string' || body.length >= LARGE;

const charactersOf = (body: Body): number =>
  typeof body === 'string' ? body.length : body.reduce((sum, { length }) => sum + length, 0);

export const bytesOf = (body: Body): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);

/** The room that the exchange holds is needed until the last piece is sent. */
function sendLarge({ exchange }: Request, res: Response, body: Body): void {
  const { hold, room } = exchange;
  if (hold) hold.users += 1;
  sendInPieces(res, body, room.patienceMs, () => hold && room.free(hold));
}

/** What is too long to be one text is recorded by its beginning, and cannot be judged. */
export function closeInPart({ exchange }: Request, recorded: RecordedAnswer, body: Body): void {
  exchange.cut = { request: false, answer: true, answerBytes: bytesOf(body) };
  exchange.close(recorded);
}

/** A copy through bytes: a slice of a string keeps the whole of it in memory. */
function beginningOf(pieces: readonly string[]): string {
  let text = '';
  for (const piece of pieces) {
    if (text.length >= RECORDED) break;
    text += piece.slice(0, RECORDED);
  }
  return Buffer.from(text.slice(0, RECORDED), 'utf16le').toString('utf16le');
}

/** All headers of an answer, as name, value, name, value. */
export function headOf(
  { exchange }: Request,
  { status, body, contentType = JSON_TYPE, headers = NONE }: Answer,
): string[] {
  const all = commonHeaders(exchange.id);
  if (status !== 204) all.push('Content-Type', contentType, 'Content-Length', String(bytesOf(body)));
  return all.concat(exchange.headers as string[], headers as string[]);
}

/** The response that an error becomes. Its message may quote the request: secrets are taken out. */
export const errorAnswer = ({ code, message, status, headers }: ApiError, redact: Redact): Answer => ({
  status,
  body: errorBody(code, redact(message), status),
  headers,
});
