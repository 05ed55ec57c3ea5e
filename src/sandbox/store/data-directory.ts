/** The data directory: created or opened, restricted to its owner, and locked. */

import { chmodSync, constants, type Stats, statSync } from 'node:fs';
import { access, readdir, realpath, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { makeDirectory, withoutPath } from '../../base/files.ts';
import { SettingsError } from '../../base/settings/settings.ts';
import { fileName } from '../../base/text.ts';
import { type Lock, LockedError, lockDirectory } from './lock.ts';

/** Receives warnings about a directory that can be used nevertheless. */
export type Warn = (message: string, details?: object) => void;

/** A directory locked by this process. */
export interface DataDirectory extends Lock {
  /** Its real path. */
  readonly path: string;
}

/** Permission to read, write and search. */
const ALL_RIGHTS = constants.R_OK | constants.W_OK | constants.X_OK;

/**
 * Locks a directory for this process, creating it if it does not exist.
 * @throws {LockedError} if a running server uses it
 * @throws {SettingsError} if it cannot be created, written or locked
 */
export async function takeDirectory(directory: string, warn: Warn): Promise<DataDirectory> {
  const path = await usable(directory, warn).catch((cause: unknown) => {
    throw cause instanceof SettingsError ? cause : directoryUnusable(directory, cause);
  });
  try {
    return { path, ...(await lockDirectory(path)) };
  } catch (cause) {
    if (cause instanceof LockedError) throw cause;
    throw new SettingsError(
      `${path} cannot be locked (${(cause as Error).message}); choose a directory on a local disk with --data, or use --memory`,
      { cause },
    );
  }
}

/** The real path of a directory that can be read and written. */
async function usable(directory: string, warn: Warn): Promise<string> {
  await makeDirectory(resolve(directory), 0o700);
  const path = await realpath(directory);
  await access(path, ALL_RIGHTS);
  rejectForeign(path, await readdir(path));
  keepToOwner(path, statSync(path), warn);
  const { bavail } = await statfs(path);
  if (bavail === 0) warn(`the disk of ${path} is full: changes are rejected with 503 until there is room`);
  return path;
}

/** The error for an unusable directory, or something in it: it names the path, the reason and possible remedies. */
export function directoryUnusable(directory: string, cause: unknown): SettingsError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  const user = process.getuid === undefined ? 'its user' : `user ${process.getuid()}`;
  const remedies: Readonly<Record<string, string>> = {
    EACCES: `let ${user} read and write it, `,
    EPERM: `let ${user} read and write it, `,
    ENOSPC: 'make room on its disk, ',
  };
  return new SettingsError(
    `the data directory ${fileName(directory)} cannot be used (${withoutPath(cause as Error)}); ${remedies[code] ?? ''}choose another with --data, or use --memory`,
    { cause },
  );
}

/**
 * The content of a data directory whose first start is incomplete, and files that file systems put into a new volume.
 */
const OWN_NAMES = /^(?:\.|lost\+found$|lock-\d+\.sock$|ready-key\.json$|tls-(?:key|cert)\.pem$)/;

/**
 * A directory with other content keeps its files and its mode: `--data .` is a common mistake. @throws {SettingsError}
 */
function rejectForeign(path: string, names: readonly string[]): void {
  // Without `store.json`, the reader of the directory reports what is missing.
  if (['store.json', 'sandboxes', 'changes', 'added'].some((own) => names.includes(own))) return;
  const foreign = names.find((name) => !OWN_NAMES.test(name));
  if (foreign === undefined) return;
  throw new SettingsError(
    `${path} is not a data directory: it has no store.json, but contains ${JSON.stringify(foreign)}; choose an empty or a new directory with --data`,
  );
}

/**
 * Removes the permissions of others: the directory contains the ready key. Write permission of a group is intentional,
 * as in the image, where any user id belongs to group 0.
 */
function keepToOwner(path: string, { mode, uid }: Stats, warn: Warn): void {
  const groupMayWrite = (mode & 0o020) !== 0;
  const surplus = mode & (groupMayWrite ? 0o007 : 0o077);
  if (surplus === 0 || process.getuid === undefined) return;
  if (uid !== process.getuid()) {
    warn(`${path} belongs to user ${uid}, and others may use it too (mode ${inOctal(mode)}); its mode should be 0700`);
    return;
  }
  chmodSync(path, mode & 0o7777 & ~surplus);
  warn(`${path} was open to others (mode ${inOctal(mode)}); its mode is ${inOctal(mode & ~surplus)} now`);
}

const inOctal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');
