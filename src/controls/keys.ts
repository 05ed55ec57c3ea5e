/** Keys: issue, share, list, revoke; and forks, which come with a key. */
import type { Request } from 'express';
import { isoTime, isoTimeOrNull } from '../clock.ts';
import type { Answer } from '../http/answer.ts';
import type { Issued } from '../sandbox/doors.ts';
import type { Redact } from '../sandbox/redact.ts';
import { isActive } from '../sandbox/sandbox.ts';
import type { KeyRecord } from '../store/record.ts';
import { forbidden, unauthorized } from './authorize.ts';
import { type Call, type ControlContext, type Controls, done, json } from './control.ts';
import { refuseSecret } from './refuse-secret.ts';

export interface KeysOptions extends ControlContext {
  /** `admin`: new, shared and forked keys need the admin token. */
  readonly keyIssuing: 'open' | 'admin';
  readonly redact: Redact;
}

interface NewKey {
  readonly label?: string;
  readonly fixture?: string;
  readonly ttlSeconds?: number;
  readonly shared?: boolean;
}

export function keyControls({ sandboxes, store, clock, addressFor, keyIssuing, redact }: KeysOptions): Controls {
  const shown = async (req: Request, { sandbox, key }: { sandbox: { id: string }; key: KeyRecord }) => ({
    id: key.id,
    sandbox: sandbox.id,
    label: key.label,
    fixture: store.fixtureOf(sandbox.id),
    createdAt: isoTime(key.createdAt),
    expiresAt: isoTimeOrNull(key.expiresAt),
    baseUrl: `${addressFor(req)}/v1`,
  });

  const share = async (
    call: Call,
    ask: { label?: string | undefined; ttlSeconds?: number | undefined },
  ): Promise<Issued> => {
    if (!call.key && !call.admin) {
      const why = 'a shared key needs a key of the sandbox that it shall open';
      // The document cannot say that one member of the body asks for a key.
      throw unauthorized(call.req, why, 'key-unknown', call.req.headers.authorization !== undefined);
    }
    const sandbox = call.sandbox();
    const by = call.key ?? { expiresAt: sandbox.record.expiresAt };
    return sandboxes.share(sandbox, by, ask);
  };

  const refuseUnlessMayIssue = (call: Call): void => {
    if (keyIssuing === 'admin' && !call.admin) throw forbidden(call.req);
  };

  /** The only time that the key itself is shown. */
  const issued = async (call: Call, made: Issued): Promise<Answer> => {
    const { id, ...rest } = await shown(call.req, made);
    return json(201, { id, key: made.secret, ...rest });
  };

  return {
    createKey: async (call) => {
      refuseUnlessMayIssue(call);
      const { label, fixture, ttlSeconds, shared } = call.body as NewKey;
      refuseSecret(call.req, 'body/label', label, redact);
      const ask = { label, ttlSeconds };
      return issued(call, shared ? await share(call, ask) : await sandboxes.create({ ...ask, fixture }));
    },

    fork: async (call) => {
      refuseUnlessMayIssue(call);
      const { label, ttlSeconds } = call.body as NewKey;
      refuseSecret(call.req, 'body/label', label, redact);
      return issued(call, await sandboxes.fork(call.sandbox(), { label, ttlSeconds }));
    },

    listKeys: async (call) => {
      const sandbox = call.sandbox();
      const keys = sandbox.record.keys.filter((key) => isActive(key, clock.now()));
      return json(200, { keys: await Promise.all(keys.map((key) => shown(call.req, { sandbox, key }))) });
    },

    revokeKey: async (call) => {
      await sandboxes.revoke(call.sandbox(), call.params['keyId'] as string);
      return done;
    },
  };
}
