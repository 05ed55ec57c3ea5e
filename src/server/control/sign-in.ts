/** Sign-in links to the dashboard: a key makes a code, and the dashboard exchanges the code for the key, once. */

import { hashOf, keyOfHandle } from '../../base/api/api-key.ts';
import { ApiError } from '../../base/api/errors.ts';
import { isoTime } from '../../base/time.ts';
import { isActive } from '../../sandbox/sandbox.ts';
import { signInLink } from '../../sandbox/sign-in-codes.ts';
import { credentialOf } from '../http/credential.ts';
import { forbidden } from './authorize.ts';
import { type ControlContext, type Controls, json } from './control.ts';

export function signInControls({ addressFor, clock, sandboxes, signInCodes }: ControlContext): Controls {
  return {
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

const noCode = (): ApiError =>
  new ApiError(
    'not_found',
    'this sign-in link was used, has expired, or its key is gone; `petstore-sandbox dashboard` prints another one',
  );
