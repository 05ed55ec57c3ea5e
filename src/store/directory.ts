/** What is in the folders of a data directory. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataFileError } from './data-file.ts';

/** What writes that never ended left behind: temporary files, to be cleared once everything was read. */
export type Leftovers = string[];

/**
 * The names in a folder; none when it is not there.
 *
 * @throws {DataFileError} when it is there and cannot be listed
 */
export function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new DataFileError(folder, (error as Error).message, { cause: error });
  }
}

/** The names of the JSON files in a folder. Hidden ones are none of ours. @throws {DataFileError} */
export function jsonFilesOf(folder: string, leftovers: Leftovers): string[] {
  const names: string[] = [];
  for (const name of namesIn(folder)) {
    if (/^\..*\.json\.tmp$/.test(name)) leftovers.push(join(folder, name));
    else if (name.endsWith('.json') && !name.startsWith('.')) names.push(name);
  }
  return names;
}

/** The numbers of a branch's files, in their order. @throws {DataFileError} for a file of another name */
export function numbersIn(folder: string, leftovers: Leftovers): number[] {
  const numbers = jsonFilesOf(folder, leftovers).map((name) => {
    const [, n] = /^([1-9]\d{0,8})\.json$/.exec(name) ?? [];
    if (n === undefined) throw new DataFileError(join(folder, name), 'the name must be a number, like 1.json');
    return Number(n);
  });
  return numbers.sort((a, b) => a - b);
}
