/**
 * For clients that wait for memory: ends a response whose reader is too slow, because what it hasn't read is held in the
 * memory that they share.
 */

import { stopwatch } from '../core/clock.ts';
import { clearTimeout, setTimeout } from '../core/real-globals.ts';
import type { Response } from './open-exchange.ts';

/** Bytes a second: the slowest reader that is waited for, over the whole of a response. */
export const SLOWEST = 64 * 1024;

/**
 * Measures a reader over the whole response. What it takes gains it the time of these bytes at the slowest rate, so a little
 * now and then does not suffice.
 */
export class SlowReaderLimit {
  readonly #res: Response;
  readonly #ms: number;
  #until: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param ms how long it may be slower than that @see BodyMemoryOptions */
  constructor(res: Response, ms: number) {
    this.#res = res;
    this.#ms = ms;
    this.#until = stopwatch() + ms;
    this.#wait();
  }

  /** The reader took so many bytes. */
  taken(bytes: number): void {
    // At most as much time as at the start: what the system took in at once is no credit for later.
    this.#until = Math.min(this.#until + (1000 * bytes) / SLOWEST, stopwatch() + this.#ms);
    this.#wait();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#res.destroy(), this.#until - stopwatch()).unref();
  }
}
