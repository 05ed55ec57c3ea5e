/**
 * Shuts down everything that was started, in reverse order, within a time limit that holds even if a step hangs.
 */

import { stopwatch } from './clock.ts';
import { AbortController, sleep } from './real-globals.ts';

/** The time limit of a shutdown. The program is killed shortly after (`cli/signals.ts`). */
const END_MS = 4_500;
/** Each step gets at least this long, even if earlier steps used all of the time. */
const LEAST_MS = 50;

interface ShutdownStep {
  readonly what: string;
  readonly end: (leftMs: number) => Promise<unknown>;
}

export class Shutdown {
  readonly #steps: ShutdownStep[] = [];
  #ended: Promise<void> | undefined;

  /**
   * Adds a step, which runs before all steps added so far. @param end receives the time it may take, in milliseconds
   */
  add(what: string, end: (leftMs: number) => Promise<unknown>): void {
    this.#steps.unshift({ what, end });
  }

  get hasBegun(): boolean {
    return this.#ended !== undefined;
  }

  /**
   * Runs all steps once; every caller awaits the same shutdown. A step that fails or hangs does not prevent the others.
   * @throws {Error} naming all failed steps, with the first failure as its cause
   */
  run(): Promise<void> {
    this.#ended ??= this.#runAll();
    return this.#ended;
  }

  async #runAll(): Promise<void> {
    const began = stopwatch();
    const failed: { what: string; cause: unknown }[] = [];
    for (const { what, end } of this.#steps) {
      const leftMs = Math.max(LEAST_MS, END_MS - (stopwatch() - began));
      try {
        if (!(await isDoneWithin(end(leftMs), leftMs))) throw new Error(`timed out after ${Math.round(leftMs)} ms`);
      } catch (cause) {
        failed.push({ what, cause });
      }
    }
    if (failed.length === 0) return;
    const names = failed.map(({ what }) => what).join(', ');
    throw new Error(`shutdown did not complete cleanly: ${names}`, { cause: failed[0]?.cause });
  }
}

/** Whether `work` settles within this time; otherwise it continues unobserved. @throws if `work` rejects in time */
export async function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController();
  const { signal } = over;
  const late = sleep(ms, signal).then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    over.abort();
  }
}
