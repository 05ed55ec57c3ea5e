/** `GET /_sandbox/sandboxes`: all sandboxes, page by page. */
import { ApiError } from '../core/errors.ts';
import type { ControlContext, Controls } from './control.ts';
import { type ShownContext, shownSandbox } from './sandbox.ts';

export const sandboxesControls = (context: ControlContext & ShownContext): Controls => ({
  listSandboxes: async ({ query }) => {
    const { door, sandboxes } = context;
    await door.openAll();
    const { limit = 100, after = '' } = query as { limit?: number; after?: string };
    // Sorted by id, so that a page continues the previous one even if sandboxes were created or deleted meanwhile.
    const later = [...sandboxes.all()].filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1));
    const page = later.slice(0, limit);
    const shown = (await Promise.all(page.map((sandbox) => shownSandbox(sandbox, context).catch(unlessGone)))).filter(
      (each) => each !== undefined,
    );
    const next = later.length > limit ? (page.at(-1)?.id ?? null) : null;
    const body = `{"sandboxes":[${shown.join(',')}],"total":${sandboxes.size},"next":${JSON.stringify(next)}}`;
    return { status: 200, body };
  },
});

/** A sandbox may end, or not be written yet, while the page is built. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
}
