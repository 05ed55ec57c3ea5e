import { stopwatch } from './clock.ts';

/** The maximum time of one turn of the event loop: requests wait little longer for this work. */
const TURN_MS = 5;

/** Lets other work of the server come between the steps of one that is long. */
export class Turns {
  #began = stopwatch();

  /** Call this between two steps: it waits for the next turn of the event loop when this turn's time is used up. */
  async pause(): Promise<void> {
    if (stopwatch() - this.#began < TURN_MS) return;
    await new Promise(setImmediate);
    this.#began = stopwatch();
  }
}
