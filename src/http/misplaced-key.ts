/** Detects keys outside `Authorization`: integrators often try these places first. */
import type { Request } from 'express';
import type { UnclaimedReason } from '../exchange.ts';
import type { Credential } from './credential.ts';

/** Names that APIs use for a key in a query. */
const IN_QUERY = new Set(['api_key', 'api-key', 'apikey', 'access_token', 'token', 'key']);

/** Why a request without a bearer token opens no sandbox. */
export function whyUnclaimed(req: Request, credential: Credential): UnclaimedReason {
  if (credential.kind === 'malformed') return ofMalformed(credential);
  if (req.headers['x-api-key'] !== undefined) return 'x-api-key';
  return nameInQuery(req) === undefined ? 'no-credential' : 'key-in-query';
}

function ofMalformed({ difference }: Credential & { readonly kind: 'malformed' }): UnclaimedReason {
  if (difference === 'authorization-twice') return 'authorization-twice';
  return difference === 'key-unknown' ? 'damaged-key' : 'not-bearer';
}

/** For the message: ` in \`Authorization\`; \`X-Api-Key\` is not read`; empty if no key was sent elsewhere. */
export function elsewhere(req: Request): string {
  if (req.headers['x-api-key'] !== undefined) return ' in `Authorization`; `X-Api-Key` is not read';
  const name = nameInQuery(req);
  return name === undefined ? '' : ` in \`Authorization\`; \`${name}\` in the query is not read`;
}

/** Not decoded: the address may be malformed, and clients do not encode these names. */
function nameInQuery({ exchange }: Request): string | undefined {
  const [, query = ''] = exchange.request.target.split('?', 2);
  const names = query.split('&').map((pair) => pair.split('=', 1)[0] as string);
  return names.find((name) => IN_QUERY.has(name.toLowerCase()));
}
