/** How many files and connections the system lets this process open. */
import { readFileSync } from 'node:fs';

/** For the log files of the store, the validator's thread, listening sockets, and files that are read for a request. */
const RESERVED = 128;

/** The limit of open files, which Node raises to the hard one at its start; `undefined` where the system does not tell. */
export function openFileLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    // There is no such file outside of Linux.
    return undefined;
  }
}

/** The connections that leave enough files for everything else. @param most those that there is memory for */
export const connectionsWithin = (most: number, files: number | undefined): number =>
  files === undefined ? most : Math.min(most, Math.max(Math.floor(files / 4), files - RESERVED));
