/** The files of a data directory: read with every digit, written through lowdb, whole or not at all. */
import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LowSync, type SyncAdapter } from 'lowdb';
import { DataFileSync } from 'lowdb/node';
import { type JsonValue, parseJson } from '../int64.ts';

const LEFT_AS_IT_IS = 'The file was left as it is; mend it, or move it away';

/** A file of the data directory that cannot be used, with the reason and what to do, in one line. */
export class DataFileError extends Error {
  constructor(
    path: string,
    reason: string,
    { advice = LEFT_AS_IT_IS, ...options }: ErrorOptions & { readonly advice?: string } = {},
  ) {
    super(`${path}: ${inOneLine(reason)}. ${advice}`, options);
  }
}

/** A file or folder is missing that another one counts on. */
export const missing = (path: string, reason: string): DataFileError =>
  new DataFileError(path, `is missing; ${reason}`, {
    advice: 'Nothing was changed; bring it back, or restore the directory from a backup',
  });

/** Parsers quote the text that they could not read, line breaks included. */
const inOneLine = (reason: string): string => reason.replaceAll(/[\s\p{Cc}]+/gu, ' ');

/** @throws {DataFileError} */
export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new DataFileError(path, (error as Error).message, { cause: error });
  }
}

/** @throws {DataFileError} also for bytes that are no UTF-8: read leniently, a damaged name would be another name */
export const readText = (path: string): string => decode(path, readBytes(path));

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws {DataFileError} */
export function decode(path: string, bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    throw new DataFileError(path, 'is not valid UTF-8', { cause: error });
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
