/** The sandbox itself: what it is and holds, its end, and its way back to the start. */
import { isoTime, isoTimeOrNull } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { INT64_MAX } from '../int64.ts';
import { resetAll } from '../sandbox/reset-all.ts';
import { isActive, type Sandbox } from '../sandbox/sandbox.ts';
import { forbidden } from './authorize.ts';
import { type ControlContext, type Controls, done, json } from './control.ts';

export interface SandboxControlsOptions extends ControlContext {
  /** Clears a sandbox's journal. */
  readonly clearJournal: (sandbox: Sandbox) => Promise<void>;
}

export function sandboxControls({ sandboxes, store, clock, clearJournal }: SandboxControlsOptions): Controls {
  const shown = (sandbox: Sandbox): Promise<string> => shownSandbox(sandbox, { store, clock });

  return {
    getSandbox: async (call) => ({ status: 200, body: await shown(call.sandbox()) }),

    deleteSandbox: async (call) => {
      const sandbox = call.sandbox();
      if (sandbox.record.fixed) {
        throw new ApiError(
          'conflict',
          'the sandbox of a fixed key cannot be ended; take the key out of the settings, or reset it',
        );
      }
      await sandboxes.end(sandbox);
      return done;
    },

    reset: async (call) => {
      const { fixture, snapshot, journal } = call.body as { fixture?: string; snapshot?: string; journal?: boolean };
      const back = async (sandbox: Sandbox) => {
        await sandboxes.reset(
          sandbox,
          snapshot === undefined ? { fixture: fixture ?? store.fixtureOf(sandbox.id) } : { snapshot },
        );
        if (journal) await clearJournal(sandbox);
      };
      if (call.query['scope'] === 'all') {
        if (!call.admin) throw forbidden(call.req);
        // Valid by the document, which cannot say that a parameter and a member of the body exclude each other.
        if (snapshot !== undefined)
          throw new ApiError('conflict', 'a snapshot belongs to one sandbox; leave body/snapshot out with scope=all');
        if (fixture !== undefined) sandboxes.refuseUnknownFixture(fixture);
        return json(200, { sandboxes: await resetAll(sandboxes, back) });
      }
      const sandbox = call.sandbox();
      await back(sandbox);
      return { status: 200, body: `{"sandboxes":1,"sandbox":${await shown(sandbox)}}` };
    },
  };
}

/** A sandbox as JSON text: `nextId` may lie beyond 53 bits, or be null when no int64 is left. */
export async function shownSandbox(
  sandbox: Sandbox,
  { store, clock }: Pick<ControlContext, 'store' | 'clock'>,
): Promise<string> {
  const { record } = sandbox;
  const { fixture, seeded, added, nextId } = await store.describe(sandbox.id);
  const about = {
    id: sandbox.id,
    label: record.label,
    fixture,
    createdAt: isoTime(record.createdAt),
    expiresAt: isoTimeOrNull(record.expiresAt),
    fixed: record.fixed,
    pets: { fixture: seeded, added, total: seeded + added },
    keys: { active: record.keys.filter((key) => isActive(key, clock.now())).length },
    lastUsedAt: isoTime(sandbox.lastUsedAt),
  };
  return `${JSON.stringify(about).slice(0, -1)},"nextId":${nextId > INT64_MAX ? null : nextId}}`;
}
