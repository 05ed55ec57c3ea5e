/** Has V8 collect garbage sooner than it would by itself, where memory is short. */
import { runInNewContext } from 'node:vm';
import type { MemoryPlan } from './memory-plan.ts';

/**
 * To be told of bytes outside of V8's heap that nobody needs any more. V8 takes no notice of them, and so does not know
 * that it is worth its while to collect.
 */
export function collectorOf({ tight, givenUp }: Pick<MemoryPlan, 'tight' | 'givenUp'>): (bytes: number) => void {
  let given = 0;
  return (bytes) => {
    given += bytes;
    if (!tight || given < givenUp) return;
    given = 0;
    // Exposed to contexts made after `keepHeapsSmall` (commands/serve.ts); in a library V8 goes by its own rules.
    const collect: typeof globalThis.gc = runInNewContext('globalThis.gc');
    // In a task of its own: who gives something up has it in hand until then.
    void collect?.({ type: 'major', execution: 'async' });
  };
}
