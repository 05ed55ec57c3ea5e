/** A cache of descriptors of growing files; the least recently used is closed first. */
import { closeSync, openSync } from 'node:fs';

export class OpenFiles {
  /** By path; the most recently used last. */
  readonly #open = new Map<string, number>();
  readonly #most: number;

  /** @param most the maximum number of open descriptors */
  constructor(most: number) {
    this.#most = most;
  }

  /** A descriptor of an existing file, for reading and writing. */
  open(path: string): number {
    const known = this.#open.get(path);
    this.#open.delete(path);
    const file = known ?? openSync(path, 'r+');
    this.#open.set(path, file);
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= this.#most) break;
      this.close(oldest);
    }
    return file;
  }

  close(path: string): void {
    const file = this.#open.get(path);
    this.#open.delete(path);
    if (file !== undefined) closeSync(file);
  }

  closeAll(): void {
    for (const path of [...this.#open.keys()]) this.close(path);
  }
}
