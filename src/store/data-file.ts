/** The files of a data directory: read with every digit, written through lowdb, whole or not at all. */
import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LowSync, type SyncAdapter } from 'lowdb';
import { DataFileSync } from 'lowdb/node';
import { type JsonValue, parseJson } from '../int64.ts';

/** A file of the data directory that cannot be read, with the reason. */
export class DataFileError extends Error {
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`${path}: ${reason}. The file was left as it is; mend it, or move it away`, options);
  }
}

/** @throws {DataFileError} */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new DataFileError(path, (error as Error).message, { cause: error });
  }
}

/** @throws {DataFileError} */
export function parseText(path: string, text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new DataFileError(path, (error as Error).message, { cause: error });
  }
}

/** Writes one file whole: under another name, which is then renamed. */
export function writeWhole(path: string, text: string): void {
  try {
    new LowSync(new DataFileSync<string>(path, { parse: String, stringify: String }), text).write();
  } catch (error) {
    // On a full disk the part that did fit must not stay in the way.
    rmSync(join(dirname(path), `.${basename(path)}.tmp`), { force: true });
    throw error;
  }
}

/** The end of a file, from a place on: what lowdb writes there takes the place of what was there. */
export class Tail implements SyncAdapter<string> {
  readonly #path: string;
  readonly #at: number;
  readonly #before: string;

  /** @param at in bytes @param before what stands there now: it is put back where a write fails */
  constructor(path: string, at: number, before: string) {
    this.#path = path;
    this.#at = at;
    this.#before = before;
  }

  read(): string {
    return this.#before;
  }

  write(text: string): void {
    const file = openSync(this.#path, 'r+');
    try {
      writeAt(file, text, this.#at);
    } catch (error) {
      // What it took there stays its own: on a full disk nothing else would be left to put it back with.
      ftruncateSync(file, this.#at + Buffer.byteLength(this.#before));
      writeAt(file, this.#before, this.#at);
      throw error;
    } finally {
      closeSync(file);
    }
  }
}

/** One call to the system as a rule; a disk that fills up takes a part first, and then says no. */
function writeAt(file: number, text: string, at: number): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
}
