/** Says how far the drills have come: a line for each that is over, and on a terminal one for those under way. */
import { printable } from '../client/text.ts';

/** Back to the beginning of the line, which is cleared. */
const CLEAR = '\r\u001b[K';

export class DrillProgress {
  readonly #running = new Set<string>();
  readonly #total: number;
  readonly #to: NodeJS.WriteStream;
  #over = 0;

  constructor(total: number, to: NodeJS.WriteStream) {
    this.#total = total;
    this.#to = to;
  }

  begin(id: string): void {
    this.#running.add(id);
    this.#status();
  }

  /** @param printed what the client printed, where it may explain the lines */
  end(id: string, lines: readonly string[], printed: string): void {
    this.#running.delete(id);
    this.#over += 1;
    const quoted = printed
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => `    | ${line}`);
    this.#clear();
    for (const line of [...lines, ...quoted]) this.#to.write(`${printable(line)}\n`);
    this.#status();
  }

  close(): void {
    this.#clear();
  }

  #clear(): void {
    if (this.#to.isTTY) this.#to.write(CLEAR);
  }

  #status(): void {
    if (!this.#to.isTTY || this.#running.size === 0) return;
    const text = `${this.#over} of ${this.#total}, under way: ${[...this.#running].join(', ')}`;
    this.#to.write(`${CLEAR}${text.slice(0, (this.#to.columns ?? 80) - 1)}`);
  }
}
