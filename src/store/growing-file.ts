/**
 * A log file that grows in place, with plain system calls: lowdb rewrites a whole file each time, and a create must
 * cost the same however long its file is. One write replaces the closing line with more lines and a new closing line.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { CLOSING } from './cut-end.ts';
import { writeWhole } from './data-file.ts';

/** A file is closed at this size, so that it can be opened in an editor. */
export const FULL = { changes: 1_000, bytes: 256 * 1024 };

export interface GrowingFile {
  readonly path: string;
  /** Bytes before its closing line. */
  readonly bytes: number;
  readonly changes: number;
}

/** Text to append to a file, and the number of changes in it. */
export interface More {
  readonly text: string;
  readonly changes: number;
}

export const isFull = ({ changes, bytes }: GrowingFile): boolean => changes >= FULL.changes || bytes >= FULL.bytes;

/** Creates a file, atomically. */
export function begin(path: string, { text, changes }: More): GrowingFile {
  writeWhole(path, text + CLOSING);
  return { path, bytes: Buffer.byteLength(text), changes };
}

/** Appends to a file. If it throws, the file is unchanged. */
export function grow({ path, bytes, changes }: GrowingFile, more: More, files: OpenFiles): GrowingFile {
  const file = files.open(path);
  try {
    writeAt(file, more.text + CLOSING, bytes);
    // After the write, so that a file that goes meanwhile is noticed too.
    if (fstatSync(file).nlink === 0) throw new Error(`${path} was removed or replaced while the server runs`);
  } catch (error) {
    putBack(file, bytes);
    throw error;
  }
  return { path, bytes: bytes + Buffer.byteLength(more.text), changes: changes + more.changes };
}

/** The space taken by a failed write stays allocated, so that the closing line can be written on a full disk. */
function putBack(file: number, bytes: number): void {
  ftruncateSync(file, bytes + CLOSING.length);
  writeAt(file, CLOSING, bytes);
}

/** Usually one system call; a disk that fills up accepts a part first, and then fails. */
function writeAt(file: number, text: string, at: number): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
}

/** A cache of descriptors of growing files; the least recently used is closed first. */
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
