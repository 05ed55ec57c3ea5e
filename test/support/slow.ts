/**
 * How slow this machine is right now. A limit in the tests only ends what hangs, so every limit goes through here and
 * grows with the load. Set SANDBOX_TEST_SLOW to use a factor of your own.
 */
import { availableParallelism, loadavg } from 'node:os';

/**
 * The factor for a machine with this load: runnable tasks per processor, and one more, because the load may rise after
 * it was read. `set` is the value of SANDBOX_TEST_SLOW.
 *
 * @throws {Error} when `set` is no number of at least 1
 */
export function slownessOf({ load, cores, set }: { load: number; cores: number; set?: string | undefined }): number {
  if (set === undefined || set === '') return 1 + Math.ceil(load / cores);
  const factor = Number(set);
  if (!(factor >= 1 && factor < 1000)) {
    throw new Error(`SANDBOX_TEST_SLOW must be a number from 1 to 999, such as 5; got ${JSON.stringify(set)}`);
  }
  return factor;
}

const factor = slownessOf({
  load: loadavg()[0] ?? 0,
  cores: availableParallelism(),
  set: process.env['SANDBOX_TEST_SLOW'],
});

/** A limit that this machine can keep. @param ms enough for a quiet machine */
export const limit = (ms: number): number => Math.ceil(ms * factor);

/** The limits of a Vitest configuration; a test that needs longer says so itself. @param ms of a test or a hook */
export const limits = (ms: number) => ({
  testTimeout: limit(ms),
  hookTimeout: limit(ms),
  expect: { poll: { timeout: limit(5_000) } },
});
