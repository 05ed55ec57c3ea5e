/** What a fault does to a request: it delays it, and answers in the operation's stead or breaks its answer. */
import { STATUS_CODES } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { ApiError, errorBody } from '../errors.ts';
import { NOTHING_SENT } from '../exchange.ts';
import { type Answer, answer, errorAnswer } from '../http/answer.ts';
import { type BodyLimits, ClientGone, recordBody } from '../http/body.ts';
import { hangUp, truncateAnswer } from '../http/broken-answer.ts';
import { type Fault, faultInWords, replacesAnswer } from '../sandbox/faults.ts';
import type { Redact } from '../sandbox/redact.ts';

export interface InjectOptions {
  readonly limits: BodyLimits;
  /** Aborted when the server stops: nobody is kept waiting then. */
  readonly stopping: AbortSignal;
  /** The methods of this path, for a 405. */
  readonly allow: string;
  readonly redact: Redact;
}

/**
 * Answers a request under a fault. `operate` does all that remains of the operation, and throws what it refuses.
 *
 * @throws {ClientGone} when the client leaves during a delay
 */
export async function inject(
  req: Request,
  res: Response,
  fault: Fault,
  { limits, stopping, allow, redact }: InjectOptions,
  operate: () => Promise<Answer>,
): Promise<void> {
  if (fault.when === 'before') {
    await delay(req, res, fault, stopping);
    if (!replacesAnswer(fault)) return answer(req, res, await operate());
    await recordBody(req, limits);
    return send(req, res, fault, substitute(fault, allow));
  }
  const lost = await operate().catch((error: unknown) => refusal(error, redact));
  await delay(req, res, fault, stopping);
  if (!replacesAnswer(fault)) return answer(req, res, lost);
  return send(req, res, fault, fault.status === undefined ? lost : substitute(fault, allow));
}

async function send(req: Request, res: Response, fault: Fault, whole: Answer): Promise<void> {
  req.exchange.injected = faultInWords(fault);
  if (fault.connection === undefined) answer(req, res, whole);
  else if (fault.connection === 'truncate')
    await req.exchange.inTurn(whole.body.length, () => truncateAnswer(req, res, whole));
  else hangUp(req, fault.connection);
}

/** An Error body, with what belongs to its status (RFC 9110, section 15). */
function substitute({ status = 503, retryAfter }: Fault, allow: string): Answer {
  const headers: string[] = [];
  if (status === 401) headers.push('WWW-Authenticate', 'Bearer error="invalid_token"');
  if (status === 405) headers.push('Allow', allow);
  if (status === 407) headers.push('Proxy-Authenticate', 'Bearer');
  if (status === 426) headers.push('Upgrade', 'TLS/1.2');
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter));
  const name = STATUS_CODES[status];
  const message = `a fault that was asked for answered in place of the operation: ${status}${name ? ` ${name}` : ''}`;
  return { status, headers, body: errorBody('injected_fault', message, status) };
}

/** A refusal is an answer too, and can be lost; what is a bug of ours, or was logged at all times, goes its own way. */
function refusal(error: unknown, redact: Redact): Answer {
  if (error instanceof ApiError && error.cause === undefined) return errorAnswer(error, redact);
  throw error;
}

/** A timer and nothing else: it ends when the client leaves, and is cut short when the server stops. */
async function delay(req: Request, res: Response, fault: Fault, stopping: AbortSignal): Promise<void> {
  if (fault.delayMs === undefined || stopping.aborted) return;
  const over = new AbortController();
  const end = (): void => over.abort();
  res.once('close', end);
  req.socket.once('end', end);
  stopping.addEventListener('abort', end);
  await after(fault.delayMs, undefined, { signal: over.signal }).catch(() => undefined);
  res.off('close', end);
  req.socket.off('end', end);
  stopping.removeEventListener('abort', end);
  if (!res.destroyed && !req.socket.readableEnded) return;
  req.exchange.injected = faultInWords(fault);
  req.exchange.close(NOTHING_SENT);
  throw new ClientGone();
}
