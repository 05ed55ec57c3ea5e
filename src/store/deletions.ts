/**
 * Deletes files in the background, a few at a time: thousands of sandboxes may expire together, and as many concurrent
 * deletions would occupy the thread pool and memory that requests need.
 */

const AT_ONCE = 2;

export class Deletions {
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #workers = new Set<Promise<void>>();
  readonly #onLeftOver: (error: unknown) => void;

  /** @param onLeftOver called for each deletion that failed */
  constructor(onLeftOver: (error: unknown) => void) {
    this.#onLeftOver = onLeftOver;
  }

  /** Deletions run in no particular order. */
  add(deletion: () => Promise<void>): void {
    this.#waiting.push(deletion);
    if (this.#workers.size >= AT_ONCE) return;
    const worker = this.#work().finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  /** Resolves when nothing is left to delete. */
  async done(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers);
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) await next().catch(this.#onLeftOver);
  }
}
