/** Ends the sandboxes that are over, in short turns: thousands may expire in the same moment. */
import type { Sandbox } from './sandbox.ts';
import { Turns } from './turns.ts';

/** How a sweep went. */
export interface Swept {
  /** How many sandboxes could not be ended; the next sweep tries again. */
  readonly failed: number;
  /** Why the first of them could not. */
  readonly error: unknown;
}

export interface SweepOptions {
  /** Looked through in this order; those that end meanwhile are passed over. */
  readonly all: readonly Sandbox[];
  readonly isOver: (sandbox: Sandbox) => boolean;
  readonly end: (sandbox: Sandbox) => Promise<void>;
  /** True once the server stops. */
  readonly isStopped: () => boolean;
}

/** Never rejects: one sandbox that cannot be ended holds up none of the others. */
export async function sweep({ all, isOver, end, isStopped }: SweepOptions): Promise<Swept> {
  const turns = new Turns();
  let failed = 0;
  let error: unknown;
  for (const sandbox of all) {
    await turns.pause();
    if (isStopped()) break;
    if (!isOver(sandbox)) continue;
    await end(sandbox).catch((reason: unknown) => {
      if (failed === 0) error = reason;
      failed++;
    });
  }
  return { failed, error };
}
