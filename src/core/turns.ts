/** Lets other work of the server come between the parts of long work: one tenant does not freeze the others. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stopwatch } from './clock.ts';

/** The maximum time of one turn of the event loop: requests wait little longer for this work. */
const TURN_MS = 5;

/** Lets other work of the server come between the steps of one that is long. */
export class Turns {
  #began = stopwatch();

  /** Call this between two steps: it waits for the next turn of the event loop when this turn's time is used up. */
  async pause(): Promise<void> {
    if (stopwatch() - this.#began < TURN_MS) return;
    await nextTurn();
    this.#began = stopwatch();
  }
}

/** Runs a slice, now or when its turn comes. */
export type Turn = <T>(slice: () => T) => Promise<T>;

const afterOthers: Turn = async (slice) => {
  await nextTurn();
  return slice();
};

/** Runs work in slices. @param work yields where it may pause, each millisecond or so */
export async function inSlices<T>(work: Generator<void, T>, turn: Turn = afterOthers): Promise<T> {
  for (;;) {
    const step = await turn(() => {
      const until = stopwatch() + TURN_MS;
      for (;;) {
        const next = work.next();
        if (next.done || stopwatch() >= until) return next;
      }
    });
    if (step.done) return step.value;
  }
}
