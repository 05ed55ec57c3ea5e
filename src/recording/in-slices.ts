/** Runs long work in slices of a few milliseconds, so that other work comes between them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stopwatch } from '../core/clock.ts';

const SLICE_MS = 8;

/** Runs a slice, now or when its turn comes. */
export type Turn = <T>(slice: () => T) => Promise<T>;

const afterOthers: Turn = async (slice) => {
  await nextTurn();
  return slice();
};

/** @param work yields where it may pause, each millisecond or so */
export async function inSlices<T>(work: Generator<void, T>, turn: Turn = afterOthers): Promise<T> {
  for (;;) {
    const step = await turn(() => {
      const until = stopwatch() + SLICE_MS;
      for (;;) {
        const next = work.next();
        if (next.done || stopwatch() >= until) return next;
      }
    });
    if (step.done) return step.value;
  }
}
