/** Files of a data directory: parsed without losing a digit, written atomically through lowdb. */

import { readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { TextDecoder } from 'node:util';
import { LowSync } from 'lowdb';
import { DataFileSync } from 'lowdb/node';

const LEFT_AS_IT_IS = 'The file was left as it is; mend it, or move it away';

/** A file of the data directory that cannot be used, with the reason and a remedy, in one line. */
export class DataFileError extends Error {
  constructor(
    path: string,
    reason: string,
    { advice = LEFT_AS_IT_IS, ...options }: ErrorOptions & { readonly advice?: string } = {},
  ) {
    super(`${path}: ${inOneLine(reason)}. ${advice}`, options);
  }
}

/** A file or folder is missing although another one references it. */
export const missing = (path: string, reason: string): DataFileError =>
  new DataFileError(path, `is missing; ${reason}`, {
    advice: 'Nothing was changed; bring it back, or restore a copy of the directory',
  });

/** Parsers quote the text that they could not read, including line breaks. */
const inOneLine = (reason: string): string => reason.replaceAll(/[\s\p{Cc}]+/gu, ' ');

/** @throws {DataFileError} instead of what `work` throws */
export function orReject<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new DataFileError(path, (error as Error).message, { cause: error });
  }
}

/** @throws {DataFileError} also for invalid UTF-8: a lenient decoder would turn a damaged name into another name */
export const readTextFile = (path: string): string =>
  decodeFile(
    path,
    orReject(path, () => readFileSync(path)),
  );

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws {DataFileError} */
export function decodeFile(path: string, bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    throw new DataFileError(path, 'is not valid UTF-8', { cause: error });
  }
}

/** Writes a value as JSON, atomically: lowdb's adapter writes it under another name, and renames that. */
export function writeJsonFile<T extends object>(path: string, value: T): void {
  const stringify = (data: T): string => `${JSON.stringify(data)}\n`;
  try {
    // Files are read elsewhere: strictly, and without losing a digit.
    new LowSync(new DataFileSync<T>(path, { parse: JSON.parse, stringify }), value).write();
  } catch (error) {
    // On a full disk the partial file must not keep occupying space.
    rmSync(join(dirname(path), `.${basename(path)}.tmp`), { force: true });
    throw error;
  }
}
