/** The one place where answers go out, so that what is recorded is what went over the wire. */
import type { Request, Response } from 'express';
import { type ApiError, errorBody } from '../errors.ts';
import { LIGHT } from './heavy-lane.ts';

const JSON_TYPE = 'application/json';

/** What an operation answers. `body` is JSON text unless `contentType` says otherwise. */
export interface Answer {
  readonly status: number;
  /** Empty for 204. */
  readonly body: string;
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
 * a client that has just gone to sleep, which costs more than the answer. A long one leaves when its turn comes.
 */
export function answer(req: Request, res: Response, whole: Answer): void {
  if (whole.body.length <= LIGHT) setImmediate(send, req, res, whole);
  else void req.exchange.inTurn(whole.body.length, () => send(req, res, whole));
}

function send(req: Request, res: Response, whole: Answer): void {
  if (res.headersSent || res.destroyed) return;
  const { status, body, contentType = JSON_TYPE } = whole;
  res.writeHead(status, headOf(req, whole));
  res.end(body);
  req.exchange.close({ status, contentType: status === 204 ? undefined : contentType, body });
}

/** All headers of an answer, as name, value, name, value. */
export function headOf(
  { exchange }: Request,
  { status, body, contentType = JSON_TYPE, headers = NONE }: Answer,
): string[] {
  const all = commonHeaders(exchange.id);
  if (status !== 204) all.push('Content-Type', contentType, 'Content-Length', String(Buffer.byteLength(body)));
  return all.concat(exchange.headers as string[], headers as string[]);
}

/** The answer that an error becomes. */
export const errorAnswer = ({ code, message, status, headers }: ApiError): Answer => ({
  status,
  body: errorBody(code, message, status),
  headers,
});
