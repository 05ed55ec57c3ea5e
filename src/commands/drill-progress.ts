/** Says how far the drills are: a line for each that is over, and on a terminal one for those that run. */
import { printable } from '../client/text.ts';
import { StatusLine } from './status-line.ts';

export class DrillProgress {
  readonly #running = new Set<string>();
  readonly #total: number;
  readonly #to: NodeJS.WriteStream;
  readonly #line: StatusLine;
  #over = 0;

  constructor(total: number, environment: NodeJS.ProcessEnv, to: NodeJS.WriteStream = process.stderr) {
    this.#total = total;
    this.#to = to;
    this.#line = new StatusLine(environment, to);
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
    this.#line.clear();
    for (const line of [...lines, ...quoted]) this.#to.write(`${printable(line)}\n`);
    this.#status();
  }

  close(): void {
    this.#line.clear();
  }

  #status(): void {
    if (this.#running.size === 0) return;
    this.#line.show(`${this.#over} of ${this.#total} drills done; running: ${[...this.#running].join(', ')}`);
  }
}
