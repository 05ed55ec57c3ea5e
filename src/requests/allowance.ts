/** Memory budgets: for one sandbox, and for all of them together. */

/** Bytes shared by all sandboxes. */
export class Budget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** @param bytes negative to release */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

/** One sandbox's share of a budget. */
export class Allowance {
  readonly #budget: Budget;
  readonly #most: number;
  #taken = 0;

  constructor(budget: Budget, most: number) {
    this.#budget = budget;
    this.#most = most;
  }

  /** False, without any effect, if the sandbox or the shared budget is exhausted. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#most || !this.#budget.take(bytes)) return false;
    this.#taken += bytes;
    return true;
  }

  /** Releases everything. */
  release(): void {
    this.#budget.take(-this.#taken);
    this.#taken = 0;
  }
}
