/** Parses `Authorization` (RFC 6750, section 2.1). */
import type { Request } from 'express';
import type { Difference } from '../exchange.ts';
import { timesSent } from './times-sent.ts';

/** The kind of credential: none, malformed, or a bearer token. */
export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly why: string; readonly difference?: Difference }
  | { readonly kind: 'token'; readonly token: string };

/** `petsbx_…` (an ellipsis is bytes beyond ASCII here), `<API_KEY>`, `$KEY`, `{{key}}`. */
const PLACEHOLDER = /^bearer +(?:\w*[\u0080-\uffff]+|<[\w -]+>|\$\{?\w+\}?|\{\{?[\w -]+\}?\}) *$/i;

const NONE: Credential = { kind: 'none' };

/** The bearer token of a request. */
export function credentialOf(req: Request): Credential {
  const header = req.headers.authorization;
  if (header === undefined) return NONE;
  // Node keeps only the first of several: the raw list contains all.
  if (timesSent(req.rawHeaders, 'authorization') > 1) {
    return {
      kind: 'malformed',
      why: '`Authorization` was sent more than once; send it once',
      difference: 'authorization-twice',
    };
  }
  const token = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header)?.[1];
  if (token !== undefined && token.length <= 512) return { kind: 'token', token };
  const why = PLACEHOLDER.test(header)
    ? '`Authorization` has the placeholder of an example in place of a key'
    : '`Authorization` is not of the form `Bearer <API_KEY>`';
  // The referee only requires that something follows the scheme.
  return /^bearer\s/i.test(header) ? { kind: 'malformed', why, difference: 'key-unknown' } : { kind: 'malformed', why };
}
