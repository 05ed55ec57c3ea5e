/** Long work in short turns: requests are served in between. */
import { stopwatch } from '../clock.ts';

/** How long one turn of the event loop may take: no request waits much longer for this work. */
const TURN_MS = 5;

export class Turns {
  #began = stopwatch();

  /** Call this between two steps: it waits for the next turn of the event loop once this one has taken its time. */
  async pause(): Promise<void> {
    if (stopwatch() - this.#began < TURN_MS) return;
    await new Promise(setImmediate);
    this.#began = stopwatch();
  }
}
