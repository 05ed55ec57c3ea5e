/** The end of a server: everything that was begun ends, the last first, within a bound that holds whatever hangs. */
import { setTimeout as after } from 'node:timers/promises';
import { stopwatch } from './clock.ts';

/** How long an end may take in all. The program is killed shortly after (`commands/stopping.ts`). */
export const END_MS = 4_500;
/** Each step gets at least this long, even when those before it took all the time. */
const LEAST_MS = 50;

interface Step {
  readonly what: string;
  readonly end: (leftMs: number) => Promise<unknown>;
}

export class Ending {
  readonly #steps: Step[] = [];
  #ended: Promise<void> | undefined;

  /** Adds something that ends before all that was added until now. @param end is told how long it may take */
  add(what: string, end: (leftMs: number) => Promise<unknown>): void {
    this.#steps.unshift({ what, end });
  }

  get hasBegun(): boolean {
    return this.#ended !== undefined;
  }

  /**
   * Ends everything, once; everyone who calls waits for the same end. A step that fails or hangs keeps none from its end.
   *
   * @throws {Error} with the first failure as its cause, naming all that did not end
   */
  end(): Promise<void> {
    this.#ended ??= this.#endAll();
    return this.#ended;
  }

  async #endAll(): Promise<void> {
    const began = stopwatch();
    const failed: { what: string; cause: unknown }[] = [];
    for (const { what, end } of this.#steps) {
      const leftMs = Math.max(LEAST_MS, END_MS - (stopwatch() - began));
      try {
        if (!(await isDoneWithin(end(leftMs), leftMs))) throw new Error(`it took over ${Math.round(leftMs)} ms`);
      } catch (cause) {
        failed.push({ what, cause });
      }
    }
    if (failed.length === 0) return;
    const names = failed.map(({ what }) => what).join(', ');
    throw new Error(`the server did not end in order: ${names}`, { cause: failed[0]?.cause });
  }
}

/** Whether something is done in this time; what is not goes on by itself. @throws what it throws in time */
export async function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController();
  const { signal } = over;
  const late = after(ms, false, { signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    over.abort();
  }
}
