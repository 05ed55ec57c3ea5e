/**
 * The folder `journals/` of a data directory. It is filled at an orderly stop and emptied by the next start, so it
 * exists only while no server runs.
 */
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { namesIn } from './directory.ts';
import { layoutOf } from './layout.ts';
import { firstFree } from './tidy.ts';

export class JournalFiles {
  readonly #folder: string;
  readonly #lost: (name: string) => string;

  constructor(directory: string) {
    const layout = layoutOf(directory);
    this.#folder = layout.journals;
    this.#lost = layout.lost;
  }

  /** The names of everything in the folder. @throws {DataFileError} if it cannot be listed */
  names(): string[] {
    return namesIn(this.#folder);
  }

  /** @throws {Error} for anything but a file of at most so many bytes */
  read(name: string, maxBytes: number): Buffer {
    const path = join(this.#folder, name);
    // To open a pipe might never return.
    if (!lstatSync(path).isFile()) throw new Error('it is not a file');
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      if (size > maxBytes) throw new Error(`it has ${size} bytes, and ${maxBytes} are the most that is read`);
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  }

  /** Writes a file whole or not at all, for its owner only. */
  write(name: string, text: string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, name);
    const unfinished = join(this.#folder, `.${name}.tmp`);
    try {
      writeFileSync(unfinished, text, { mode: 0o600 });
      renameSync(unfinished, path);
    } catch (error) {
      // On a full disk the partial file must not keep occupying space.
      rmSync(unfinished, { force: true });
      throw error;
    }
  }

  /** Empties the folder. @returns where the files went that were to be kept; `undefined` without any */
  clear(toKeep: readonly string[]): string | undefined {
    const movedTo =
      toKeep.length === 0 ? undefined : firstFree((n) => this.#lost(n === 1 ? 'journals' : `journals-${n}`));
    if (movedTo !== undefined) {
      mkdirSync(movedTo, { recursive: true, mode: 0o700 });
      for (const name of toKeep) renameSync(join(this.#folder, name), join(movedTo, name));
    }
    rmSync(this.#folder, { recursive: true, force: true });
    return movedTo;
  }
}
