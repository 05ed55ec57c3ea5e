/** Ends expired sandboxes, yielding to the event loop: thousands may expire at the same moment. */

import { Turns } from '../core/turns.ts';
import type { Sandbox } from './sandbox.ts';

/** The result of a sweep. */
export interface Swept {
  /** The number of sandboxes that could not be ended; the next sweep tries again. */
  readonly failed: number;
  /** The first error. */
  readonly error: unknown;
}

interface SweepOptions {
  /** Called first. */
  readonly prepare: (() => Promise<unknown>) | undefined;
  /** Visited in this order; sandboxes that end meanwhile are skipped. */
  readonly all: () => readonly Sandbox[];
  readonly isOver: (sandbox: Sandbox) => boolean;
  readonly end: (sandbox: Sandbox) => Promise<void>;
  /** True when the server stops. */
  readonly isStopped: () => boolean;
}

/** Never rejects: a sandbox that cannot be ended does not block the others. */
export async function sweep({ prepare, all, isOver, end, isStopped }: SweepOptions): Promise<Swept> {
  const turns = new Turns();
  let failed = 0;
  let error: unknown;
  try {
    await prepare?.();
  } catch (reason) {
    return { failed: 1, error: reason };
  }
  for (const sandbox of all()) {
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
