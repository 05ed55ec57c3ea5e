/** Deliberately broken responses, like those of failing networks and proxies. */
import type { Request, Response } from 'express';
import { NOTHING_SENT } from '../api/exchange.ts';
import { carrierOf } from './connection.ts';
import { closeInPart, type ResponseData, responseHeaders } from './response.ts';

/** Sends the head of the complete response and half of its body, then closes the connection. */
export function truncateResponse(req: Request, res: Response, response: ResponseData): void {
  if (res.headersSent || res.destroyed) {
    req.exchange.abandon();
    return;
  }
  const { status, body } = response;
  const half = halfOf(body);
  const head = responseHeaders(req, response);
  req.exchange.beginResponse(head);
  res.writeHead(status, head);
  if (half.length > 0) res.write(half);
  else res.flushHeaders();
  // After all written bytes were sent.
  res.socket?.destroySoon();
  const recorded = { status, contentType: response.contentType ?? 'application/json', body: half.toString() };
  if (typeof body === 'string') req.exchange.close(recorded);
  else closeInPart(req, recorded, body);
}

/** Of a body in chunks, half of the first pets suffices. */
function halfOf(body: ResponseData['body']): Buffer {
  const whole = Buffer.from(typeof body === 'string' ? body : body.slice(0, 2).join(''));
  return whole.subarray(0, whole.length >> 1);
}

/** Closes the connection without a byte: orderly (`empty`), or with a TCP reset. */
export function hangUp(req: Request, how: 'reset' | 'empty'): void {
  req.exchange.beginResponse([]);
  if (how === 'reset') carrierOf(req.socket).resetAndDestroy();
  else req.socket.destroy();
  req.exchange.close(NOTHING_SENT);
}
