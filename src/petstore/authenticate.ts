/** Opens the sandbox of a request's key, or answers 401 (interface.md, Authentication; RFC 6750, section 3). */
import type { Request } from 'express';
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import type { Difference } from '../exchange.ts';
import { credentialOf } from '../http/credential.ts';
import type { Opened } from '../sandbox/doors.ts';
import { isDamaged, rememberedHashes } from '../sandbox/keys.ts';
import { isActive, type Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';

export interface AuthenticateOptions {
  readonly sandboxes: Sandboxes;
  readonly clock: Clock;
}

/** Makes the step that finds the sandbox which a request's key opens; it throws `unauthorized` (`ApiError`). */
export function authenticator({ sandboxes, clock }: AuthenticateOptions): (req: Request) => Sandbox {
  const hashOf = rememberedHashes();
  return (req) => {
    const credential = credentialOf(req);
    if (credential.kind === 'none') throw unauthorized(req, 'no API key was sent', undefined, false);
    if (credential.kind === 'malformed') {
      throw unauthorized(req, credential.why, credential.difference, true);
    }
    const opened = sandboxes.open(hashOf(credential.token));
    if (!opened) throw unauthorized(req, whyUnknown(credential.token), 'key-unknown', true);
    return entered(req, opened, clock.now());
  };
}

function entered(req: Request, { sandbox, key }: Opened, now: number): Sandbox {
  // Also an expired or revoked key says whose request it was: the report counts it.
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
