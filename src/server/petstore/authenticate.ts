/** Opens the sandbox of a request's key, or throws 401 (RFC 6750, section 3). */

import { hashOf, isDamaged } from '../../base/api/api-key.ts';
import type { ApiError } from '../../base/api/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { isActive, type Opened, type Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import {
  credentialOf,
  elsewhere,
  isUnset,
  OTHER_KEY,
  unauthorized,
  whyShut,
  whyUnmatched,
} from '../http/credential.ts';
import type { RequestParts } from '../http/open-exchange.ts';
import { rejectMisdirected, sandboxAt } from '../http/sandbox-at.ts';

const WANTED = '`Authorization: Bearer <API_KEY>`, with a key from POST /_sandbox/keys';

export interface AuthenticateOptions {
  /** The name of this server, if it has one. */
  readonly name: string | undefined;
  readonly sandboxes: Sandboxes;
  readonly clock: Clock;
}

/**
 * Creates the step that finds the sandbox of a request and checks its key. What comes to the address of a sandbox is its own,
 * whatever the key. It throws `unauthorized`, `misdirected_request`, or `not_found` for an address of no sandbox
 * (`ApiError`).
 */
export function authenticator({ name, sandboxes, clock }: AuthenticateOptions): (req: RequestParts) => Sandbox {
  return (req) => {
    const { exchange } = req;
    const { head } = exchange;
    const addressed = sandboxAt(req, { sandboxes, name });
    if (addressed) {
      exchange.sandbox = addressed.id;
      exchange.owner = addressed.id;
    }
    const hash = head.keyHash ?? hashOf(tokenOf(req));
    const found = sandboxes.open(hash);
    if (!found) {
      // At the address of a sandbox, any other key is a wrong one.
      if (!addressed) rejectMisdirected(req, tokenOf(req), name);
      throw unknownKey(req);
    }
    head.keyHash = hash;
    if (addressed && found.sandbox !== addressed)
      throw unauthorized(req, OTHER_KEY, WANTED, { difference: 'key-unknown' });
    return entered(req, found, clock.now());
  };
}

function unknownKey(req: RequestParts): ApiError {
  const token = tokenOf(req);
  const isVariable = isUnset(req.headers.authorization);
  req.exchange.unmatched = isVariable ? 'unset-variable' : isDamaged(token) ? 'damaged-key' : 'unknown-key';
  return unauthorized(req, isVariable ? UNSET_KEY : whyShut(token, undefined), WANTED, { difference: 'key-unknown' });
}

/** @throws {ApiError} `unauthorized` if there is none, or it is malformed */
function tokenOf(req: RequestParts): string {
  const credential = credentialOf(req);
  if (credential.kind === 'token') return credential.token;
  req.exchange.unmatched = whyUnmatched(req, credential);
  if (credential.kind === 'malformed') throw unauthorized(req, credential.why, WANTED, credential);
  throw unauthorized(req, `no API key was sent${elsewhere(req)}`, WANTED, { sent: false });
}

function entered(req: RequestParts, { sandbox, key }: Opened, now: number): Sandbox {
  // An expired or revoked key also identifies the sandbox: the report counts the request.
  req.exchange.sandbox = sandbox.id;
  req.exchange.owner = sandbox.id;
  if (!isActive(key, now)) {
    throw unauthorized(req, whyShut(tokenOf(req), key), WANTED, { difference: 'key-unknown' });
  }
  sandbox.use(now);
  return sandbox;
}

const UNSET_KEY = 'the client sent the name of a variable, or nothing, in place of the API key: set the variable first';
