/** Determines the caller of a control: a key's holder, the admin, or anyone. */
import { hashOf, keyOfHandle, sameSecret } from '../../base/api/api-key.ts';
import type { Who } from '../../base/api/control-operations.ts';
import { ApiError } from '../../base/api/errors.ts';
import { isActive, type Sandbox } from '../../sandbox/sandbox.ts';
import type { KeyRecord } from '../../sandbox/store/record.ts';
import { credentialOf, OTHER_KEY, unauthorized, whyShut } from '../http/credential.ts';
import { type RequestParts, reject } from '../http/open-exchange.ts';
import { rejectMisdirected, sandboxAt } from '../http/sandbox-at.ts';
import type { ControlContext } from './control.ts';

/** The caller of a request. */
export interface Caller {
  readonly admin: boolean;
  readonly sandbox: Sandbox | undefined;
  readonly key: KeyRecord | undefined;
}

const NOBODY: Caller = { admin: false, sandbox: undefined, key: undefined };

/**
 * @throws {ApiError} `not_found` for an address of no sandbox, `unauthorized` for a missing or invalid key or one of another
 * sandbox than the address, `forbidden` if the control is for the admin only, `misdirected_request`
 */
export function authorize(req: RequestParts, who: Who, context: ControlContext): Caller {
  const { settings, sandboxes, clock, adminToken } = context;
  const addressed = sandboxAt(req, { sandboxes, name: settings.name });
  const credential = credentialOf(req);
  if (credential.kind === 'none') {
    if (who === 'open') return NOBODY;
    const why = who === 'admin' ? 'the admin token is missing' : 'no key was sent';
    throw unauthorized(req, why, WANTED[who], { sent: false });
  }
  if (credential.kind === 'malformed') {
    if (who === 'open') return NOBODY;
    throw unauthorized(req, credential.why, WANTED[who], credential);
  }
  if (sameSecret(credential.token, adminToken)) return { ...NOBODY, admin: true };
  const opened = sandboxes.open(hashOf(keyOfHandle(credential.token) ?? credential.token));
  const now = clock.now();
  const isElsewhere = opened !== undefined && addressed !== undefined && opened.sandbox !== addressed;
  if (opened && !isElsewhere && isActive(opened.key, now)) {
    if (who === 'admin') throw forbidden(req);
    opened.sandbox.use(now);
    return { admin: false, sandbox: opened.sandbox, key: opened.key };
  }
  if (!opened && !addressed) rejectMisdirected(req, credential.token, settings.name);
  if (who === 'open') return NOBODY;
  const why = isElsewhere ? OTHER_KEY : whyShut(credential.token, opened?.key);
  throw unauthorized(req, why, WANTED[who], { difference: 'key-unknown' });
}

const KEY = '`Authorization: Bearer <KEY>`, with a key from POST /_sandbox/keys';
/** What to send instead. */
export const WANTED: Readonly<Record<Who, string>> = {
  open: KEY,
  key: KEY,
  admin: '`Authorization: Bearer <ADMIN_TOKEN>`, with the SANDBOX_ADMIN_TOKEN that the server was started with',
};

/** 403 for a control that only the admin may use. */
export function forbidden(
  req: RequestParts,
  why = 'the admin token is needed: the SANDBOX_ADMIN_TOKEN that the server was started with, or else the one that --log-level debug shows on a terminal',
): ApiError {
  reject(req.exchange, [{ location: 'header/authorization', message: why, difference: 'key-unknown' }]);
  return new ApiError('forbidden', why);
}
