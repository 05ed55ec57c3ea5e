/** Resets many sandboxes sequentially, yielding to the event loop, and counts them. */
import { ApiError } from '../core/errors.ts';
import type { Sandbox } from './sandbox.ts';
import type { Sandboxes } from './sandboxes.ts';
import { Turns } from './sweep.ts';

/**
 * Resets every sandbox that exists at the call. A failure does not prevent the other resets; sandboxes that end
 * meanwhile are skipped.
 * @param back resets one sandbox
 * @returns the number of sandboxes that were reset
 * @throws {ApiError} `storage_failed` if some were not, with the number that were
 */
export async function resetAll(sandboxes: Sandboxes, back: (sandbox: Sandbox) => Promise<void>): Promise<number> {
  const turns = new Turns();
  const errors: unknown[] = [];
  let done = 0;
  for (const sandbox of [...sandboxes.all()]) {
    await turns.pause();
    if (sandboxes.get(sandbox.id) !== sandbox) continue;
    await back(sandbox).then(
      () => done++,
      (error: unknown) => {
        if (sandboxes.get(sandbox.id) === sandbox) errors.push(error);
      },
    );
  }
  if (errors.length === 0) return done;
  throw new ApiError(
    'storage_failed',
    `${done} of ${done + errors.length} sandboxes were reset and stay so; the other ${errors.length} failed and are as they were; send the request again to reset those too`,
    [],
    { cause: errors[0] },
  );
}
