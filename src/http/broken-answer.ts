/** Answers that break on the way, as networks and proxies break them: on request only. */
import type { Request, Response } from 'express';
import { NOTHING_SENT } from '../exchange.ts';
import { type Answer, headOf } from './answer.ts';

/** Sends the head of the whole answer and half of its body, then hangs up. */
export function truncateAnswer(req: Request, res: Response, answer: Answer): void {
  if (res.headersSent || res.destroyed) return;
  const { status, body } = answer;
  const whole = Buffer.from(body);
  const half = whole.subarray(0, whole.length >> 1);
  res.writeHead(status, headOf(req, answer));
  if (half.length > 0) res.write(half);
  else res.flushHeaders();
  // Once all that was written is on its way.
  res.socket?.destroySoon();
  req.exchange.close({ status, contentType: answer.contentType ?? 'application/json', body: half.toString() });
}

/** Hangs up without a byte: in order (`empty`), or with a TCP reset. */
export function hangUp(req: Request, how: 'reset' | 'empty'): void {
  if (how === 'reset') req.socket.resetAndDestroy();
  else req.socket.destroy();
  req.exchange.close(NOTHING_SENT);
}
