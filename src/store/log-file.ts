/**
 * A log file. It grows in place (growing-file.ts): one line per call replaces the closing line, followed by a new one.
 *
 *     {"from":null,"changes":[
 *      {"added":{"id":13,"name":"Biscuit","categoryId":1}}
 *     ,{"added":{"id":14,"name":"Gravy","categoryId":1}},{"added":{"id":15,"name":"Toast","categoryId":2}}
 *     ]}
 *
 * The commas come first, so that existing lines stay unchanged. A kill may truncate a write: then the last line is
 * incomplete, and its changes were not acknowledged. The changes of one call are all present, or none.
 */
import type { JsonValue } from '../core/int64.ts';
import { type Change, readChange, textOf } from './change.ts';
import type { ChangeCount } from './counts.ts';
import { type Mended, withoutCutEnd } from './cut-end.ts';
import { DataFileError, decode, objectIn, parseText, readBytes, readOrReject, rejectUnknown } from './data-file.ts';
import type { PointFile } from './head.ts';

/** The changes of one call. */
export type ChangeLine = readonly Change[];

/** The maximum of changes in one line, so that a line stays readable. */
const MAX_LINE = 100;

/** A file with these changes, one line each, without its closing line. */
export const beginning = (from: PointFile | null, changes: readonly Change[]): string =>
  `{"from":${JSON.stringify(from)},"changes":[\n ${changes.map(textOf).join('\n,')}`;

/** Whether these calls can be appended as lines to an existing file. */
export const areLines = (calls: readonly ChangeLine[]): boolean => calls.every(({ length }) => length <= MAX_LINE);

/** Lines to append to an existing file. */
export const linesOf = (calls: readonly ChangeLine[]): string =>
  calls.map((changes) => `\n,${changes.map(textOf).join(',')}`).join('');

/** The content of a log file. */
export interface LogFile {
  readonly from: PointFile | null;
  readonly changes: readonly Change[];
  /** How to repair it, if its end is truncated. */
  readonly mended: Mended | undefined;
}

const FILE_MEMBERS = new Set(['from', 'changes']);

/**
 * Parses a log file strictly: data from a newer version or a manual mistake must not be lost unnoticed.
 * @param mayBeCut whether it was the growing file: the others were closed, and must be complete
 * @throws {DataFileError}
 */
export function readLogFile(path: string, mayBeCut: boolean): LogFile {
  const bytes = readBytes(path);
  const mended = mayBeCut ? withoutCutEnd(bytes) : undefined;
  const file = objectIn(parseText(path, mended?.text ?? decode(path, bytes)));
  const { from, changes } = file;
  if (!Array.isArray(changes)) throw new DataFileError(path, 'must be an object with "changes", an array');
  rejectUnknown(path, file, FILE_MEMBERS, '');
  // A file is created with a change, atomically: no kill leaves an empty one.
  if (changes.length === 0)
    throw new DataFileError(path, '"changes" is empty; every file contains at least one change');
  const read = changes.map((change, index) => readOrReject(path, readChange(change, `changes[${index}]`)));
  return { from: readPoint(path, from, 'changes'), changes: read, mended };
}

/**
 * Reads the starting point of a branch.
 * @param length the name of the member with the number of changes
 * @throws {DataFileError}
 */
function readPoint(path: string, from: JsonValue | undefined, length: string): PointFile | null {
  if (from === null) return null;
  const { branch, [length]: changes, ...others } = objectIn(from ?? null);
  const known = typeof branch === 'string' && /^brn_[A-Za-z0-9]{1,64}$/.test(branch);
  if (known && typeof changes === 'bigint' && changes > 0n && Object.keys(others).length === 0) {
    // A copy: a slice of a text keeps the whole text in memory.
    return { branch: Buffer.from(branch).toString('latin1'), changes: Number(changes) as ChangeCount };
  }
  throw new DataFileError(path, `"from" must be null or {"branch", "${length}"}`);
}
