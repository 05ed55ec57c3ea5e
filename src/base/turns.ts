/** For all other clients while a control works on thousands of sandboxes or requests: it works in slices, and theirs come between. */

import { stopwatch } from './clock.ts';
import { nextTurn } from './real-globals.ts';

/** The maximum time of one slice: requests wait little longer for this work. */
const SLICE_MS = 5;

/** Runs a slice, now or when its turn comes. */
export type RunSlice = <T>(slice: () => Promise<T>) => Promise<T>;

export const atOnce: RunSlice = (slice) => slice();

/** Runs work in slices, each in a turn of the event loop of its own. @param work yields where it may pause */
export async function inSlices<T>(work: Iterator<void, T> | AsyncIterator<void, T>, turn = atOnce): Promise<T> {
  for (;;) {
    const step = await turn(async () => {
      const until = stopwatch() + SLICE_MS;
      for (;;) {
        const next = await work.next();
        if (next.done || stopwatch() >= until) return next;
      }
    });
    if (step.done) return step.value;
    await nextTurn();
  }
}
