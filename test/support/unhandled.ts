/** Errors that nobody handled: Vitest fails the run for them, and this fails the test that saw them. */

class Unhandled {
  #seen: unknown[] = [];
  readonly #note = (error: unknown): void => void this.#seen.push(error);

  watch(): void {
    process.on('unhandledRejection', this.#note);
    process.on('uncaughtExceptionMonitor', this.#note);
  }

  /** Files that share a process each watch it in their turn. */
  stop(): void {
    process.off('unhandledRejection', this.#note);
    process.off('uncaughtExceptionMonitor', this.#note);
  }

  /** @throws an error with all that was seen since the last check */
  check(): void {
    const seen = this.#seen;
    this.#seen = [];
    if (seen.length > 0) throw new AggregateError(seen, `an error went unhandled: ${seen.map(String).join('; ')}`);
  }
}

export const unhandled = new Unhandled();
