/** Opens the sandbox of a request's key, or throws 401 (RFC 6750, section 3). */
import type { Request } from 'express';
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import type { Difference } from '../exchange.ts';
import { credentialOf } from '../http/credential.ts';
import { elsewhere, whyUnclaimed } from '../http/misplaced-key.ts';
import { timesSent } from '../http/times-sent.ts';
import type { Opened } from '../sandbox/doors.ts';
import { hashOf, isDamaged } from '../sandbox/keys.ts';
import { isActive, type Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';

export interface AuthenticateOptions {
  readonly sandboxes: Sandboxes;
  readonly clock: Clock;
}

/** `Authorization` headers whose key hashes are cached: a client sends the same header every time. */
const MAX_REMEMBERED = 1_000;
const MAX_LENGTH = 600;

/** Creates the step that finds the sandbox of a request's key; it throws `unauthorized` (`ApiError`). */
export function authenticator({ sandboxes, clock }: AuthenticateOptions): (req: Request) => Sandbox {
  /** Keyed by the header as sent. */
  const hashes = new Map<string, string>();
  const remember = (header: string, hash: string): void => {
    if (header.length > MAX_LENGTH) return;
    if (hashes.size >= MAX_REMEMBERED) hashes.clear();
    hashes.set(header, hash);
  };
  return (req) => {
    const { authorization = '' } = req.headers;
    // If the header is repeated, Node keeps the first value, which may be cached.
    const known = timesSent(req.rawHeaders, 'authorization') === 1 ? hashes.get(authorization) : undefined;
    const opened = known === undefined ? undefined : sandboxes.open(known);
    if (opened) return entered(req, opened, clock.now());

    const credential = credentialOf(req);
    if (credential.kind !== 'token') {
      req.exchange.unclaimed = whyUnclaimed(req, credential);
      if (credential.kind === 'malformed') throw unauthorized(req, credential.why, credential.difference, true);
      throw unauthorized(req, `no API key was sent${elsewhere(req)}`, undefined, false);
    }
    const hash = hashOf(credential.token);
    const found = sandboxes.open(hash);
    if (!found) {
      req.exchange.unclaimed = isDamaged(credential.token) ? 'damaged-key' : 'unknown-key';
      throw unauthorized(req, whyUnknown(credential.token), 'key-unknown', true);
    }
    remember(authorization, hash);
    return entered(req, found, clock.now());
  };
}

function entered(req: Request, { sandbox, key }: Opened, now: number): Sandbox {
  // An expired or revoked key also identifies the sandbox: the report counts the request.
  req.exchange.sandbox = sandbox.id;
  if (!isActive(key, now)) {
    const why = key.revokedAt === null ? 'the API key has expired' : 'the API key was revoked';
    throw unauthorized(req, why, 'key-unknown', true);
  }
  sandbox.lastUsedAt = now;
  return sandbox;
}

const whyUnknown = (token: string): string =>
  isDamaged(token) ? 'the API key was mistyped or cut off' : 'the API key is unknown; its sandbox may have been ended';

function unauthorized(req: Request, why: string, difference: Difference | undefined, sent: boolean): ApiError {
  req.exchange.refuse([{ place: 'header/authorization', message: why, ...(difference && { difference }) }]);
  return new ApiError(
    'unauthorized',
    `${why}; send \`Authorization: Bearer <API_KEY>\`, with a key from POST /_sandbox/keys`,
    ['WWW-Authenticate', sent ? 'Bearer error="invalid_token"' : 'Bearer'],
  );
}
