/** V8 flags of the program. They are not set when the sandbox runs as a library in another program's process. */
import { setFlagsFromString } from 'node:v8';
import type { MemoryPlan } from '../memory-plan.ts';

/**
 * Keeps the heaps small, at little cost in time. Call it before the server starts, because the referee's thread is
 * created with these flags. The main thread's young generation is limited by a flag of Node's command line.
 */
export function keepHeapsSmall({ tight }: Pick<MemoryPlan, 'tight'>): void {
  // By default V8 lets the old generation grow to several times its size before a collection.
  setFlagsFromString(`--heap-growing-percent=${tight ? 20 : 50}`);
  // The young generation stays at its initial 2 MiB: its limit is fixed when Node starts, but its growth is not.
  if (tight) setFlagsFromString('--semi-space-growth-factor=1');
  // Node's flag overrides a thread's resource limits, and the referee needs far less than the main thread.
  setFlagsFromString('--max-semi-space-size=0');
  // For the referee, which releases the memory that only its start needed.
  setFlagsFromString('--expose-gc');
}
