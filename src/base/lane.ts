/**
 * For clients on a shared server: long work, such as parsing a body of 1 MiB or building a report, blocks the event loop for
 * milliseconds. So there is one piece of it in each turn of the event loop, owners (usually sandboxes) in turn, and what is
 * short goes on in between.
 */
import { setImmediate } from './real-globals.ts';
import { RoundRobin } from './round-robin.ts';

export class Lane {
  readonly #waiting = new RoundRobin<() => void>();
  /** A piece runs, or another one has run in this turn of the event loop. */
  #isTaken = false;

  /** Runs a piece of work when its turn comes. It must not wait for a client, nor for another piece. */
  async run<T>(owner: string, work: () => T | Promise<T>): Promise<T> {
    if (this.#isTaken) await new Promise<void>((begin) => this.#waiting.push(owner, begin));
    this.#isTaken = true;
    try {
      return await work();
    } finally {
      setImmediate(this.#next);
    }
  }

  readonly #next = (): void => {
    const begin = this.#waiting.shift();
    if (begin) begin();
    else this.#isTaken = false;
  };
}
