/** What the program asks of V8. It is not asked where the sandbox is a library in somebody else's process. */
import { setFlagsFromString } from 'node:v8';
import type { MemoryPlan } from '../memory-plan.ts';

/**
 * Keeps the heaps small, at little cost in time. To be called before the server starts, because the referee's thread is
 * made with these flags. The young heap of the main thread is bounded by the flag that Node is started with.
 */
export function keepHeapsSmall({ tight }: Pick<MemoryPlan, 'tight'>): void {
  // V8 would let the old heap grow to several times its size before it looks through it.
  setFlagsFromString(`--heap-growing-percent=${tight ? 20 : 50}`);
  // The young heap stays as small as it begins, at 2 MiB: its bound can only be set when Node starts, but not its growth.
  if (tight) setFlagsFromString('--semi-space-growth-factor=1');
  // Node's flag beats the bounds that a thread is given, and the referee needs far less than the main thread.
  setFlagsFromString('--max-semi-space-size=0');
  // For the referee, which gives back what only its start needed.
  setFlagsFromString('--expose-gc');
}
