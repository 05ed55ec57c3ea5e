/** Keys: issue, share, list, revoke. */
import type { Request } from 'express';
import { isoTime, isoTimeOrNull } from '../clock.ts';
import { isActive } from '../sandbox/sandbox.ts';
import type { Issued } from '../sandbox/sandboxes.ts';
import type { KeyRecord } from '../store/record.ts';
import { forbidden, unauthorized } from './authorize.ts';
import { type Call, type ControlContext, type Controls, done, json } from './control.ts';

export interface KeysOptions extends ControlContext {
  /** `admin`: new, shared and forked keys need the admin token. */
  readonly keyIssuing: 'open' | 'admin';
}

interface NewKey {
  readonly label?: string | null;
  readonly fixture?: string;
  readonly ttlSeconds?: number;
  readonly shared?: boolean;
}

export function keyControls({ sandboxes, store, clock, addressFor, keyIssuing }: KeysOptions): Controls {
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
      throw unauthorized(call.req, 'a shared key needs a key of the sandbox that it shall open', undefined, false);
    }
    const sandbox = call.sandbox();
    const by = call.key ?? { expiresAt: sandbox.record.expiresAt };
    return sandboxes.share(sandbox, by, ask);
  };

  return {
    createKey: async (call) => {
      if (keyIssuing === 'admin' && !call.admin) throw forbidden(call.req);
      const { label, fixture, ttlSeconds, shared } = call.body as NewKey;
      const ask = { label: label ?? undefined, ttlSeconds };
      const issued = shared ? await share(call, ask) : await sandboxes.create({ ...ask, fixture });
      const { id, ...rest } = await shown(call.req, issued);
      return json(201, { id, key: issued.secret, ...rest });
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
