/** Keys: issue, share, list, revoke; forks, which come with a key; and sign-in links to the dashboard, which stand for one. */

import { hashOf, keyOfHandle } from '../../base/api/api-key.ts';
import { ApiError } from '../../base/api/errors.ts';
import { ownCommand } from '../../base/own-command.ts';
import { isoTime, isoTimeOrNull } from '../../base/time.ts';
import { isActive, type Opened, type Sandbox } from '../../sandbox/sandbox.ts';
import type { Issued } from '../../sandbox/sandboxes.ts';
import { signInLink } from '../../sandbox/sign-in-codes.ts';
import { credentialOf, unauthorized } from '../http/credential.ts';
import type { RequestParts } from '../http/open-exchange.ts';
import type { ResponseData } from '../http/response.ts';
import { forbidden, WANTED } from './authorize.ts';
import { type ControlCall, type ControlContext, type Controls, done, json, withGivenFixture } from './control.ts';
import { rejectSecret } from './parse.ts';

interface NewKey {
  readonly label: string | undefined;
  readonly ttlSeconds: number | undefined;
  readonly shared: boolean | undefined;
}

/** @throws {ApiError} `forbidden` where new, shared and forked keys need the admin token */
export function rejectUnlessMayIssue(call: ControlCall, { settings }: ControlContext): void {
  if (settings.keyIssuing === 'admin' && !call.admin) throw forbidden(call.req);
}

/** The response for a new key. The key itself is shown only here. */
export function issuedKey(call: ControlCall, made: Issued, context: ControlContext): ResponseData {
  const { id, ...rest } = shownKey(call.req, made, context);
  return json(201, { id, key: made.secret, handle: made.handle, ...rest });
}

export function keyControls(context: ControlContext): Controls {
  const { addressFor, clock, redact, sandboxes, signInCodes } = context;
  const issued = (call: ControlCall, made: Issued): ResponseData => issuedKey(call, made, context);

  /** The members of a body that issues a key, where the caller may issue one. */
  const newKey = (call: ControlCall): NewKey => {
    rejectUnlessMayIssue(call, context);
    const { label, ttlSeconds, shared } = call.body as Partial<NewKey>;
    rejectSecret(call.req, 'body/label', label, redact);
    return { label, ttlSeconds, shared };
  };

  return {
    createKey: async (call) => {
      const { shared, ...request } = newKey(call);
      if (shared) return issued(call, await sandboxes.share(...shareable(call), request));
      return withGivenFixture(call, async (fixture) => issued(call, await sandboxes.create({ ...request, fixture })));
    },

    fork: async (call) => {
      const { label, ttlSeconds } = newKey(call);
      return issued(call, await sandboxes.fork(call.sandbox(), { label, ttlSeconds }));
    },

    listKeys: async (call) => {
      const sandbox = call.sandbox();
      const keys = sandbox.record.keys.filter((key) => isActive(key, clock.now()));
      const current = call.key?.id;
      return json(200, {
        keys: keys.map((key) => ({ ...shownKey(call.req, { sandbox, key }, context), current: key.id === current })),
      });
    },

    revokeKey: async (call) => {
      await sandboxes.revoke(call.sandbox(), call.params['keyId'] as string);
      return done;
    },

    createSignInCode: ({ req, key, sandbox }) => {
      const credential = credentialOf(req);
      if (!key || credential.kind !== 'token')
        throw forbidden(req, 'a sign-in code stands for a key; send a key of the sandbox, not the admin token');
      const { code, expiresAt } = signInCodes.issue(sandbox().id, keyOfHandle(credential.token) ?? credential.token);
      return json(201, {
        code,
        url: signInLink(`${addressFor(req)}/${sandbox().id}`, code),
        expiresAt: isoTime(expiresAt),
      });
    },

    signIn: async ({ body }) => {
      const key = signInCodes.redeem(String(body['code']));
      if (key === undefined) throw noCode();
      const opened = sandboxes.open(hashOf(key));
      // The key may have been revoked since.
      if (!opened || !isActive(opened.key, clock.now())) throw noCode();
      return json(200, { key, sandbox: opened.sandbox.id });
    },
  };
}

/** A key as the control API shows it: without its secret. */
const shownKey = (req: RequestParts, { sandbox, key }: Opened, { addressFor }: ControlContext) => ({
  id: key.id,
  sandbox: sandbox.id,
  label: key.label,
  fixture: sandbox.journal.state.seed.name,
  createdAt: isoTime(key.createdAt),
  expiresAt: isoTimeOrNull(key.expiresAt),
  baseUrl: `${addressFor(req)}/${sandbox.id}/v1`,
  sharedBaseUrl: `${addressFor(req)}/v1`,
});

/**
 * The sandbox that a shared key opens, and the longest that it may live.
 * @throws {ApiError} `unauthorized` if the caller has neither a key nor the admin token
 */
function shareable(call: ControlCall): [sandbox: Sandbox, by: { readonly expiresAt: number | null }] {
  if (!call.key && !call.admin) {
    const why = 'a shared key needs a key of the sandbox that it opens';
    // The specification cannot express that a member of the body requires a key.
    const sent = call.req.headers.authorization !== undefined;
    throw unauthorized(call.req, why, WANTED.key, { difference: 'key-unknown', sent });
  }
  const sandbox = call.sandbox();
  return [sandbox, call.key ?? { expiresAt: sandbox.record.expiresAt }];
}

const noCode = (): ApiError =>
  new ApiError(
    'not_found',
    `this sign-in link was used, has expired, or its key is gone; "${ownCommand('dashboard')}" prints another one`,
  );
