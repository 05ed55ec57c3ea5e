/** Content negotiation by `Accept-Encoding` (RFC 9110, section 12.5.3). */
import type { Request } from 'express';

export type Encoding = 'br' | 'gzip';

/** The smallest first. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/** The smallest encoding that the client accepts by its name; `undefined` to send the bytes as they are. */
export function encodingFor({ headers }: Request): Encoding | undefined {
  const accepted = headers['accept-encoding'] ?? '';
  const refused = /;\s*q=0(?:\.0*)?\s*$/;
  const names = String(accepted)
    .split(',')
    .filter((each) => !refused.test(each))
    .map((each) => each.split(';')[0]?.trim().toLowerCase());
  return ENCODINGS.find((name) => names.includes(name));
}
