/** The sandbox itself: its properties, its deletion, and its reset; and all sandboxes, page by page. */
import { ApiError } from '../../base/api/errors.ts';
import { INT64_MAX } from '../../base/int64.ts';
import { isoTime, isoTimeOrNull } from '../../base/time.ts';
import { isActive, type Sandbox } from '../../sandbox/sandbox.ts';
import type { ResetTo } from '../../sandbox/sandboxes.ts';
import type { ResponseData } from '../http/response.ts';
import { forbidden } from './authorize.ts';
import { type ControlContext, type Controls, done, json, withGivenFixture } from './control.ts';

export function sandboxControls(context: ControlContext): Controls {
  const { sandboxes } = context;
  const shown = (sandbox: Sandbox): Promise<string> => shownSandbox(sandbox, context);

  return {
    getSandbox: async (call) => ({ status: 200, body: await shown(call.sandbox()) }),

    deleteSandbox: async (call) => {
      const sandbox = call.sandbox();
      if (sandbox.record.preconfigured) {
        throw new ApiError(
          'conflict',
          'the sandbox of a preconfigured key cannot be ended; take the key out of the settings, or reset it',
        );
      }
      sandboxes.end(sandbox);
      return done;
    },

    reset: async (call) => {
      const { snapshot, requestLog } = call.body as { snapshot?: string; requestLog?: boolean };
      const isForAll = call.query['scope'] === 'all';
      if (isForAll && !call.admin) throw forbidden(call.req);
      // Valid by the specification, which cannot express that a parameter and a field of the body exclude each other.
      if (isForAll && snapshot !== undefined)
        throw new ApiError('conflict', 'a snapshot belongs to one sandbox; leave body/snapshot out with scope=all');
      const own = isForAll ? undefined : call.sandbox();

      const reset = async (to: ResetTo): Promise<ResponseData> => {
        if (own) {
          await sandboxes.reset(own, to, { requestLog });
          return { status: 200, body: `{"sandboxes":1,"sandbox":${await shown(own)}}` };
        }
        return json(200, { sandboxes: await sandboxes.resetAll(to, { requestLog }) });
      };
      if (snapshot !== undefined) return reset({ snapshot });
      return withGivenFixture(call, (fixture) => reset(fixture === undefined ? 'again' : { fixture }));
    },

    listSandboxes: async ({ query }) => {
      const { limit = 100, after = '' } = query as { limit?: number; after?: string };
      // Sorted by id, so that a page continues the previous one even if sandboxes were created or deleted meanwhile.
      const later = [...sandboxes.all()].filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1));
      const page = later.slice(0, limit);
      const listed = (await Promise.all(page.map((sandbox) => shown(sandbox).catch(unlessGone)))).filter(
        (each) => each !== undefined,
      );
      const next = later.length > limit ? (page.at(-1)?.id ?? null) : null;
      const body = `{"sandboxes":[${listed.join(',')}],"total":${sandboxes.size},"next":${JSON.stringify(next)}}`;
      return { status: 200, body };
    },
  };
}

/** A sandbox as JSON text: `nextId` may exceed 53 bits, or be null when no int64 is left. */
async function shownSandbox(sandbox: Sandbox, { clock }: ControlContext): Promise<string> {
  const { record, journal } = sandbox;
  const { seeded, added, nextId } = journal.contents;
  const about = {
    id: sandbox.id,
    label: record.label,
    fixture: journal.state.seed.name,
    createdAt: isoTime(record.createdAt),
    expiresAt: isoTimeOrNull(record.expiresAt),
    preconfigured: record.preconfigured,
    pets: { fixture: seeded, added, total: seeded + added },
    keys: { active: record.keys.filter((key) => isActive(key, clock.now())).length },
    lastUsedAt: isoTime(sandbox.lastUsedAt),
    drill: record.drill?.drill ?? null,
    drillResults: record.drillResults.map(({ drill, startedAt, verdict }) => ({ drill, startedAt, verdict })),
  };
  return `${JSON.stringify(about).slice(0, -1)},"nextId":${nextId > INT64_MAX ? null : nextId}}`;
}

/** A sandbox may end, or not be written yet, while the page is built. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
}
