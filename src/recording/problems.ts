/** What is wrong with a file: every problem by its place, the first twenty described. */
const SHOWN = 20;

/** A text that is no recording; each line of `message` says where and what was expected. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

export class Complaints {
  readonly #lines: string[] = [];
  #count = 0;

  get none(): boolean {
    return this.#count === 0;
  }

  /** @param place like `requestLog/exchanges[3]/status` @param problem a clause, like `must be an integer` */
  add(location: string, problem: string): void {
    this.#count++;
    if (this.#lines.length < SHOWN) this.#lines.push(`${location} ${problem}`);
  }

  /** One line for each problem. */
  text(): string {
    const more = this.#count - this.#lines.length;
    return [...this.#lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
  }
}
