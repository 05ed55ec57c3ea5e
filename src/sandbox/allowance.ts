/** How much may be remembered: by one sandbox, and by all of them together. */

/** Bytes that all sandboxes share. */
export class Budget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** @param bytes negative ones are given back */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

/** One sandbox's part of a budget. */
export class Allowance {
  readonly #budget: Budget;
  readonly #most: number;
  #taken = 0;

  constructor(budget: Budget, most: number) {
    this.#budget = budget;
    this.#most = most;
  }

  /** False, with nothing taken, where the sandbox or all of them together have no more. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#most || !this.#budget.take(bytes)) return false;
    this.#taken += bytes;
    return true;
  }

  /** Gives everything back. */
  release(): void {
    this.#budget.take(-this.#taken);
    this.#taken = 0;
  }
}
