/** Answers that break on the way, as networks and proxies break them: on request only. */
import type { Request, Response } from 'express';
import { NOTHING_SENT } from '../exchange.ts';
import { type Answer, closeInPart, headOf } from './answer.ts';

/** Sends the head of the whole answer and half of its body, then hangs up. */
export function truncateAnswer(req: Request, res: Response, answer: Answer): void {
  if (res.headersSent || res.destroyed) {
    req.exchange.abandon();
    return;
  }
  const { status, body } = answer;
  const half = halfOf(body);
  res.writeHead(status, headOf(req, answer));
  if (half.length > 0) res.write(half);
  else res.flushHeaders();
  // Once all that was written is on its way.
  res.socket?.destroySoon();
  const recorded = { status, contentType: answer.contentType ?? 'application/json', body: half.toString() };
  if (typeof body === 'string') req.exchange.close(recorded);
  else closeInPart(req, recorded, body);
}

/** Of a body in pieces the first half of the first pet is as good. */
function halfOf(body: Answer['body']): Buffer {
  const whole = Buffer.from(typeof body === 'string' ? body : body.slice(0, 2).join(''));
  return whole.subarray(0, whole.length >> 1);
}

/** Hangs up without a byte: in order (`empty`), or with a TCP reset. */
export function hangUp(req: Request, how: 'reset' | 'empty'): void {
  if (how === 'reset') req.socket.resetAndDestroy();
  else req.socket.destroy();
  req.exchange.close(NOTHING_SENT);
}
