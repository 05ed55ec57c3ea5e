/**
 * The file of a journal: JSON lines. It grows with plain system calls, so a create costs the same however long its file is. The
 * whole file is written when it is made, and when most of it no longer counts. There is no fsync, on purpose: a power failure may lose the last seconds of disposable test
 * data, and otherwise every create would wait for the disk.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Weight, weightOfState } from './bounds.ts';
import { DataFileError, decodeFile, orReject } from './data-file.ts';
import { fixtureNameIn, piecesOfLine, readEntry, withFixture } from './entries.ts';
import type { Fixture } from './fixture.ts';
import type { OpenFiles } from './open-files.ts';
import { apply, entriesOf, type State } from './state.ts';

const LINE_BREAK = 0x0a;
const BRACE = 0x7b;
/** Bytes that are read at once, and characters that are written at once. */
const SLICE = 1024 * 1024;
const SLICE_WRITTEN = 256 * 1024;
/** Shorter files are never rewritten. */
const LEAST = 64 * 1024;
/** The longest file that is rewritten while the server runs: it holds the event loop for some milliseconds. */
const MOST_WHILE_SERVING = 2 * 1024 * 1024;

/** What the journals of a directory share. */
export interface JournalFileOptions {
  readonly files: OpenFiles;
  /** Counts a write. @throws {ApiError} `storage_failed` instead of what `write` throws */
  readonly write: <T>(write: () => T) => T;
}

export class JournalFile {
  readonly path: string;
  /** The bytes after its last whole line: a kill cut off a write. They are still in the file. */
  torn: Buffer = Buffer.alloc(0);
  readonly #options: JournalFileOptions;
  /** Of its whole lines. */
  #bytes = 0;
  /** Of the file that it is. */
  #inode: number | undefined;
  /** Whether a failed write may have left bytes after them. */
  #isDirty = false;
  /** When it is to be looked at again: it has doubled since. */
  #due = LEAST;

  constructor(path: string, options: JournalFileOptions) {
    this.path = path;
    this.#options = options;
  }

  /** The state that it leads to; nothing is changed. @throws {DataFileError} naming file and line */
  async load(fixtureNamed: (name: string) => Promise<Fixture>): Promise<State> {
    let state: State | undefined;
    let number = 0;
    for (const line of this.#lines()) {
      number++;
      const written = this.#at(number, () => readEntry(line));
      const name = fixtureNameIn(written);
      const entry = withFixture(written, name === undefined ? undefined : await fixtureNamed(name));
      state = this.#at(number, () => apply(state, entry));
    }
    this.#due = Math.max(LEAST, 2 * this.#bytes);
    if (!state) throw new DataFileError(this.path, 'must begin with a line {"begin":…}');
    return state;
  }

  #at<T>(line: number, work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw new DataFileError(this.path, `line ${line}: ${(cause as Error).message}`, { cause });
    }
  }

  /**
   * Writes the shortest journal of a state, and may pause in between. It is written under another name, and renamed: after a kill
   * all of it is there, or nothing.
   */
  *write(state: State): Generator<void, void> {
    const draft = join(dirname(this.path), `.${basename(this.path)}.tmp`);
    let bytes = 0;
    try {
      for (const text of slicesOf(state)) {
        if (bytes > 0) yield;
        writeFileSync(draft, text, { flag: bytes === 0 ? 'w' : 'a' });
        bytes += Buffer.byteLength(text);
      }
      // The descriptor leads to the file that is replaced.
      this.#options.files.close(this.path);
      renameSync(draft, this.path);
    } finally {
      // On a full disk the partial file must not keep occupying space.
      rmSync(draft, { force: true });
    }
    this.#inode = undefined;
    this.#bytes = bytes;
    this.#due = Math.max(LEAST, 2 * bytes);
  }

  /** Appends lines, all or none. @throws {ApiError} `storage_failed` */
  append(lines: readonly string[]): void {
    this.#options.write(() => this.#append(Buffer.from(`${lines.join('\n')}\n`)));
  }

  /** Rewrites a file that has doubled since and is mostly obsolete, if that is quick. */
  compactIfDue(state: State, weight: Weight): void {
    if (this.#bytes < this.#due) return;
    this.#due = 2 * this.#bytes;
    if (isMostlyObsolete(this.#bytes, weight) && weight.pets < MOST_WHILE_SERVING) this.#compact(state);
  }

  /** @throws {ApiError} `storage_failed` */
  remove(): void {
    this.#options.write(() => {
      this.#options.files.close(this.path);
      rmSync(this.path, { force: true });
    });
  }

  /** The server stops: rewrites a file that is mostly obsolete. */
  close(state: State): void {
    if (this.#bytes >= LEAST && isMostlyObsolete(this.#bytes, weightOfState(state))) this.#compact(state);
  }

  /** A longer file is as good as a shorter one: if this fails, the next time will do. */
  #compact(state: State): void {
    try {
      this.#options.write(() => {
        this.#opened();
        for (const _ of this.write(state));
      });
    } catch {
      // It was counted.
    }
  }

  #append(bytes: Buffer): void {
    const file = this.#opened();
    // What a failed write left must not be read at the next start.
    if (this.#isDirty) ftruncateSync(file, this.#bytes);
    this.#isDirty = true;
    try {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(file, bytes, done, bytes.length - done, this.#bytes + done);
      }
    } catch (error) {
      ftruncateSync(file, this.#bytes);
      this.#isDirty = false;
      throw error;
    }
    this.#isDirty = false;
    this.#bytes += bytes.length;
  }

  /** A descriptor of the file, as it was left. @throws {Error} if it is not */
  #opened(): number {
    const file = this.#options.files.open(this.path);
    this.#rejectOther(file);
    // The disk was full when the server started.
    if (this.torn.length > 0) this.moveTorn();
    return file;
  }

  /**
   * Moves the line that a kill cut off to a file next to it. @returns its path
   * @throws what the file system throws, such as `ENOSPC`: then the line is still in it, and nothing is next to it
   */
  moveTorn(): string {
    let n = 1;
    while (existsSync(`${this.path}.removed-${n}`)) n++;
    const movedTo = `${this.path}.removed-${n}`;
    try {
      writeFileSync(movedTo, this.torn, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      rmSync(movedTo, { force: true });
      throw error;
    }
    // The copy comes first: a kill in between leaves both.
    truncateSync(this.path, this.#bytes);
    this.torn = Buffer.alloc(0);
    return movedTo;
  }

  /**
   * Nothing is written to a file that took the place of this one, nothing to one that the next start does not read, and nothing
   * to one that somebody else wrote to: what is appended would stand behind something else, or behind nothing.
   */
  #rejectOther(file: number): void {
    this.#inode ??= fstatSync(file).ino;
    const found = statSync(this.path, { throwIfNoEntry: false });
    if (found?.ino !== this.#inode) {
      this.#options.files.close(this.path);
      throw new Error(`${this.path} was removed or replaced while the server runs; put it back`);
    }
    const bytes = this.#bytes + this.torn.length;
    if (found.size === bytes || (this.#isDirty && found.size > bytes)) return;
    const change = `it has ${found.size} bytes, and ${bytes} were written`;
    throw new Error(
      `${this.path} was changed while the server runs: ${change}; put it back as it was, or start the server again to use it as it is`,
    );
  }

  /** Its whole lines, read in slices: a start needs no more memory than a running server. @throws {DataFileError} */
  *#lines(): Generator<string, void> {
    const file = orReject(this.path, () => openSync(this.path, 'r'));
    // One buffer for all slices; what a slice ends with comes before the next one.
    let buffer = Buffer.allocUnsafe(Math.min(SLICE, fstatSync(file).size + 1));
    let kept = 0;
    try {
      for (let isMore = true; isMore; ) {
        if (kept === buffer.length) buffer = Buffer.concat([buffer], 2 * buffer.length);
        const read = orReject(this.path, () => readSync(file, buffer, kept, buffer.length - kept, null));
        const filled = kept + read;
        // A short file is read by one call: the buffer has room for a byte more.
        isMore = filled === buffer.length;
        const end = buffer.subarray(0, filled).lastIndexOf(LINE_BREAK) + 1;
        if (end > 0) yield* decodeFile(this.path, buffer.subarray(0, end - 1)).split('\n');
        this.#bytes += end;
        buffer.copy(buffer, 0, end, filled);
        kept = filled - end;
      }
    } finally {
      closeSync(file);
    }
    this.torn = Buffer.from(buffer.subarray(0, kept));
    // A line that was cut begins as every line does; a power failure may leave zeros. Anything else is damage.
    if (this.torn[0] !== BRACE && this.torn.some((byte) => byte !== 0)) {
      throw new DataFileError(this.path, 'its last line is no entry and has no end');
    }
  }
}

/** The text of the shortest journal of a state. */
function* slicesOf(state: State): Generator<string, void> {
  let text = '';
  for (const entry of entriesOf(state))
    for (const piece of piecesOfLine(entry)) {
      text += piece;
      if (text.length < SLICE_WRITTEN) continue;
      yield text;
      text = '';
    }
  if (text !== '') yield text;
}

const isMostlyObsolete = (bytes: number, { pets, head }: Weight): boolean => bytes > 2 * (pets + head);
