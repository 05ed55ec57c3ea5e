/** Puts many sandboxes back, one after another and in short turns; says how many went back. */
import { ApiError } from '../errors.ts';
import type { Sandbox } from './sandbox.ts';
import type { Sandboxes } from './sandboxes.ts';
import { Turns } from './turns.ts';

/**
 * Puts back every sandbox that is there at the call. One that fails does not keep the others from going back; one that
 * ends meanwhile is passed over.
 *
 * @param back puts one back
 * @returns how many went back
 * @throws {ApiError} `storage_failed` where some did not, saying how many did
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
