/** Resets one sandbox, or all of them one after another. */
import { ApiError } from '../core/errors.ts';
import { Turns } from '../core/turns.ts';
import type { Restart } from '../store/entries.ts';
import type { Histories } from './backend.ts';
import type { Sandbox } from './sandbox.ts';
import type { Sandboxes } from './sandboxes.ts';

interface ResetOptions {
  readonly to: Restart;
  /** Whether to clear the request log as well. */
  readonly requestLog: boolean | undefined;
  readonly histories: Pick<Histories, 'clear'>;
  /** Called before each reset, which ends the sandbox's drill. */
  readonly keepResult: (sandbox: Sandbox) => Promise<void>;
}

/** @throws {ApiError} `not_found` (no such fixture or snapshot), `storage_failed` */
export async function resetOne(
  sandboxes: Sandboxes,
  sandbox: Sandbox,
  { to, requestLog, histories, keepResult }: ResetOptions,
): Promise<void> {
  await keepResult(sandbox);
  await sandboxes.reset(sandbox, to);
  if (requestLog) await histories.clear(sandbox);
}

/**
 * Resets every sandbox that exists at the call, yielding to the event loop in between. A failure does not prevent the
 * other resets; sandboxes that end meanwhile are skipped.
 * @returns the number of sandboxes that were reset
 * @throws {ApiError} `storage_failed` if some were not, with the number that were
 */
export async function resetAll(sandboxes: Sandboxes, options: ResetOptions): Promise<number> {
  const turns = new Turns();
  const errors: unknown[] = [];
  let done = 0;
  for (const sandbox of [...sandboxes.all()]) {
    await turns.pause();
    if (sandboxes.get(sandbox.id) !== sandbox) continue;
    try {
      await resetOne(sandboxes, sandbox, options);
      done += 1;
    } catch (error) {
      if (sandboxes.get(sandbox.id) === sandbox) errors.push(error);
    }
  }
  if (errors.length === 0) return done;
  throw new ApiError(
    'storage_failed',
    `${done} of ${done + errors.length} sandboxes were reset and stay so; the other ${errors.length} failed and are as they were; send the request again to reset those too`,
    [],
    { cause: errors[0] },
  );
}
