/**
 * How slow this machine is right now. A limit in the tests only ends what hangs, so every limit goes through here and
 * grows with the load. Set SANDBOX_TEST_SLOW to use a factor of your own.
 */
import { availableParallelism, loadavg } from 'node:os';

const set = process.env['SANDBOX_TEST_SLOW'];

/** Runnable tasks per processor, and one more, because the load may rise after it was read. */
const factor = set ? Number(set) : 1 + Math.ceil((loadavg()[0] ?? 0) / availableParallelism());

/** A limit that this machine can keep. @param ms enough for a quiet machine */
export const limit = (ms: number): number => Math.ceil(ms * factor);

/** The limits of a Vitest configuration; a test that needs longer says so itself. @param ms of a test or a hook */
export const limits = (ms: number) => ({
  testTimeout: limit(ms),
  hookTimeout: limit(ms),
  expect: { poll: { timeout: limit(5_000) } },
});
