/** Open descriptors of files: a server also needs one for each connection, and the system usually grants 1,024. */
import { closeSync, openSync } from 'node:fs';

const MOST = 64;

/** A cache of descriptors; the least recently used is closed first. */
export class OpenFiles {
  /** By path; the most recently used last. */
  readonly #open = new Map<string, number>();

  /** A descriptor of an existing file, for reading and writing. */
  open(path: string): number {
    const known = this.#open.get(path);
    this.#open.delete(path);
    const file = known ?? openSync(path, 'r+');
    this.#open.set(path, file);
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= MOST) break;
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
