/** Parses `Authorization` (RFC 6750, section 2.1). */

import { partsOfTarget } from '../../base/address.ts';
import { isDamaged } from '../../base/api/api-key.ts';
import { isCredentialParameter, keyHeaderIn } from '../../base/api/credential.ts';
import { ApiError } from '../../base/api/errors.ts';
import type { IntendedDifference, UnmatchedReason } from '../../base/api/exchange.ts';
import type { KeyRecord } from '../../sandbox/store/record.ts';
import { type RequestParts, reject } from './open-exchange.ts';
import { timesSent } from './request-head.ts';

/** The kind of credential: none, malformed, or a bearer token. */
type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly why: string; readonly difference?: IntendedDifference }
  | { readonly kind: 'token'; readonly token: string };

/** `petsbx_…` (an ellipsis is bytes beyond ASCII here), `<API_KEY>`, `$KEY`, `{{key}}`. */
const PLACEHOLDER = /^bearer +(?:\w*[\u0080-\uffff]+|<[\w -]+>|\$\{?\w+\}?|\{\{?[\w -]+\}?\}) *$/i;

const NONE: Credential = { kind: 'none' };

/** The bearer token of a request. */
export function credentialOf(req: RequestParts): Credential {
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
  // The validator only requires that something follows the scheme.
  return /^bearer\s/i.test(header) ? { kind: 'malformed', why, difference: 'key-unknown' } : { kind: 'malformed', why };
}

/** Why a request without a bearer token opens no sandbox. */
export function whyUnmatched(req: RequestParts, credential: Credential): UnmatchedReason {
  if (isUnset(req.headers.authorization)) return 'unset-variable';
  if (credential.kind === 'malformed') return ofMalformed(credential);
  if (keyHeaderIn(req.headers) !== undefined) return 'key-in-header';
  return nameInQuery(req) === undefined ? 'no-credential' : 'key-in-query';
}

/** What languages and templates write for a key that was never set: `Bearer undefined`, `Bearer ${KEY}`, `Bearer`. */
const UNSET =
  /^bearer *(?:(?:undefined|null|none|nil|nan|\[object object\]|true|false|<[\w -]+>|\$\{?\w+\}?|\{\{?[\w .-]+\}?\}|%7b\w+%7d) *)?$/i;

/** Whether the client sent the name of a variable, or nothing, instead of its key. */
export const isUnset = (authorization: string | undefined): boolean =>
  authorization !== undefined && authorization.length <= 200 && UNSET.test(authorization);

function ofMalformed({ difference }: Credential & { readonly kind: 'malformed' }): UnmatchedReason {
  if (difference === 'authorization-twice') return 'authorization-twice';
  return difference === 'key-unknown' ? 'damaged-key' : 'not-bearer';
}

/** For the message: ` in \`Authorization\`; \`X-Api-Key\` is not read`; empty if no key was sent elsewhere. */
export function elsewhere(req: RequestParts): string {
  const header = keyHeaderIn(req.headers);
  if (header !== undefined) return ` in \`Authorization\`; \`${header}\` is not read`;
  const name = nameInQuery(req);
  return name === undefined ? '' : ` in \`Authorization\`; \`${name}\` in the query is not read`;
}

/** Not decoded: the address may be malformed, and clients do not encode these names. */
function nameInQuery({ exchange }: RequestParts): string | undefined {
  const { query = '' } = partsOfTarget(exchange.request.target);
  const names = query.split('&').map((pair) => pair.split('=', 1)[0] as string);
  return names.find(isCredentialParameter);
}

export const OTHER_KEY = 'the API key belongs to another sandbox than this address';

/** Why a key opens nothing. @param key the one that it was, if it is known */
export function whyShut(token: string, key: KeyRecord | undefined): string {
  if (key) return key.revokedAt === null ? 'the API key has expired' : 'the API key was revoked';
  if (isDamaged(token)) return 'the API key was mistyped or cut off';
  return 'the API key is unknown; its sandbox may have been ended';
}

/** 401 (RFC 6750, section 3). @param sent whether a credential came with the request @param wanted what to send */
export function unauthorized(
  { exchange }: RequestParts,
  why: string,
  wanted: string,
  { difference, sent = true }: { readonly difference?: IntendedDifference | undefined; readonly sent?: boolean },
): ApiError {
  reject(exchange, [{ location: 'header/authorization', message: why, ...(difference && { difference }) }]);
  const challenge = sent ? 'Bearer error="invalid_token"' : 'Bearer';
  return new ApiError('unauthorized', `${why}; send ${wanted}`, ['WWW-Authenticate', challenge]);
}
