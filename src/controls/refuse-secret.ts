/** Rejects secrets in texts that are stored and shown to others. */
import type { Request } from 'express';
import { refusal } from '../http/body.ts';
import type { Redact } from '../sandbox/redact.ts';

/** @throws {ApiError} `invalid_request` for a text with a key or the admin token in it */
export function refuseSecret(req: Request, place: string, text: string | undefined, redact: Redact): void {
  if (text === undefined || redact(text) === text) return;
  const message = 'must not contain a key or the admin token, because it is stored and shown; send other words';
  throw refusal(req, 'invalid_request', [{ place, message, difference: 'secret-inside' }]);
}
