/** Lists the folders of a data directory. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataFileError } from './data-file.ts';

/** Leftovers of interrupted writes: temporary files, to be deleted after everything was read. */
export type Leftovers = string[];

/**
 * The names in a folder; none if it does not exist.
 * @throws {DataFileError} if it exists and cannot be listed
 */
export function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new DataFileError(folder, (error as Error).message, { cause: error });
  }
}

/** The names of the JSON files in a folder. Hidden files are ignored. @throws {DataFileError} */
export function jsonFilesOf(folder: string, leftovers: Leftovers): string[] {
  const names: string[] = [];
  for (const name of namesIn(folder)) {
    if (/^\..*\.json\.tmp$/.test(name)) leftovers.push(join(folder, name));
    else if (name.endsWith('.json') && !name.startsWith('.')) names.push(name);
  }
  return names;
}

/** The numbers of a branch's files, in order. @throws {DataFileError} for a file with another name */
export function numbersIn(folder: string, leftovers: Leftovers): number[] {
  const numbers = jsonFilesOf(folder, leftovers).map((name) => {
    const [, n] = /^([1-9]\d{0,8})\.json$/.exec(name) ?? [];
    if (n === undefined) throw new DataFileError(join(folder, name), 'the name must be a number, like 1.json');
    return Number(n);
  });
  return numbers.sort((a, b) => a - b);
}
