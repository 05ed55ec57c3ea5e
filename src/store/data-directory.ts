/** The data directory as a whole: made or found, for its owner only, on a file system that suits, and locked. */
import { chmodSync, constants, type Stats, statSync } from 'node:fs';
import { access, mkdir, readdir, realpath, statfs } from 'node:fs/promises';
import { SettingsError } from '../config.ts';
import { type Lock, LockedError, lockDirectory } from './lock.ts';

/** Told what is not as it should be with the directory, although it can be used. */
export type Warn = (message: string) => void;

/** A directory that this process has taken. */
export interface DataDirectory extends Lock {
  /** Its real path. */
  readonly path: string;
}

/** To read, to write and to search. */
const ALL_RIGHTS = constants.R_OK | constants.W_OK | constants.X_OK;

/**
 * Takes a directory for this process alone, making it where there is none.
 *
 * @throws {LockedError} when a running server has it
 * @throws {SettingsError} when there can be no such directory, or it cannot be written or locked
 */
export async function takeDirectory(directory: string, warn: Warn): Promise<DataDirectory> {
  const path = await usable(directory, warn).catch((cause: unknown) => {
    throw cause instanceof SettingsError ? cause : unusable(directory, cause);
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

/** The real path of a directory that may be read and written. */
async function usable(directory: string, warn: Warn): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = await realpath(directory);
  await access(path, ALL_RIGHTS);
  refuseForeign(path, await readdir(path));
  keepToOwner(path, statSync(path), warn);
  const network = process.platform === 'linux' ? networkFileSystem((await statfs(path)).type) : undefined;
  if (network !== undefined) {
    warn(
      `${path} is on a network file system (${network}): the lock holds on this machine only; make sure that no server on another machine uses the directory`,
    );
  }
  return path;
}

/** The error for a directory, or something in it, that cannot be used: it names the path, the reason and the ways out. */
export function unusable(directory: string, cause: unknown): SettingsError {
  const user = process.getuid === undefined ? 'its user' : `user ${process.getuid()}`;
  return new SettingsError(
    `the data directory ${directory} cannot be used (${(cause as Error).message}); let ${user} read and write it, choose another with --data, or use --memory`,
    { cause },
  );
}

/** What a data directory holds before its first start is over, and what file systems put into a new volume. */
const OWN_NAMES = /^(?:\.|lost\+found$|lock-\d+\.sock$|ready-key\.json$)/;

/** A directory of something else keeps its files and its mode: `--data .` is a common slip. @throws {SettingsError} */
function refuseForeign(path: string, names: readonly string[]): void {
  // Without `store.json`, the reader of the directory says what is missing.
  if (['store.json', 'sandboxes', 'added'].some((own) => names.includes(own))) return;
  const foreign = names.find((name) => !OWN_NAMES.test(name));
  if (foreign === undefined) return;
  throw new SettingsError(
    `${path} is no data directory: it has no store.json, but holds ${JSON.stringify(foreign)}; choose an empty or a new directory with --data`,
  );
}

/**
 * Takes the rights of others away: the directory holds the ready key. A group that may write was given that right on
 * purpose, as in the image, where any user id belongs to group 0.
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

/** File systems that several machines may share, by the type that statfs(2) gives on Linux. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x7461636f, 'OCFS2'],
  [0x01161970, 'GFS2'],
  [0x65735546, 'FUSE'],
]);

/** The name of a file system that may be shared between machines; `undefined` for a local one. */
export const networkFileSystem = (type: number): string | undefined =>
  // statfs(2) gives a signed number where `long` has 32 bits.
  NETWORK_FILE_SYSTEMS.get(type >>> 0);
