/** One line on a terminal that says how far a command is. Elsewhere, and in CI, nothing is written. */
import { printable } from '../client/text.ts';
import { stopwatch } from '../core/clock.ts';

/** Moves to the beginning of the line, and clears it. */
const CLEAR = '\r\u001b[K';
const EVERY_MS = 1_000;

export class StatusLine {
  readonly #to: NodeJS.WriteStream;
  readonly #isLive: boolean;
  #isShown = false;

  /** @param environment `CI` and `TERM=dumb` turn it off */
  constructor(environment: NodeJS.ProcessEnv, to: NodeJS.WriteStream = process.stderr) {
    this.#to = to;
    this.#isLive = to.isTTY === true && !environment['CI'] && environment['TERM'] !== 'dumb';
  }

  /** Replaces the line. */
  show(text: string): void {
    if (!this.#isLive) return;
    this.#to.write(`${CLEAR}${printable(text).slice(0, (this.#to.columns ?? 80) - 1)}`);
    this.#isShown = true;
  }

  clear(): void {
    if (this.#isShown) this.#to.write(CLEAR);
    this.#isShown = false;
  }

  /** Shows a text and the seconds that have passed, until the work is done. Short work shows nothing. */
  async during<Result>(text: string, work: Promise<Result>): Promise<Result> {
    if (!this.#isLive) return work;
    const began = stopwatch();
    const timer = setInterval(() => this.show(`${text}, ${Math.round((stopwatch() - began) / 1000)} s`), EVERY_MS);
    try {
      return await work;
    } finally {
      clearInterval(timer);
      this.clear();
    }
  }
}
