/**
 * One server per data directory. The lock is a socket in the directory that the server listens on: the operating system
 * closes it when the process ends for any reason, so stale locks need no timeout, and it works between containers that
 * share a volume. A process id in a file would not: in every container it is 1.
 * A dead server leaves its socket's file behind. The next server takes the next number instead of the same name:
 * deleting and reusing a name could delete the lock of a third server that was faster.
 */
import { createHash } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { readdir, rm, symlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSecret } from '../../base/ids.ts';

/** The directory is locked by a running server. */
export class LockedError extends Error {}

export interface Lock {
  /** False after the directory, or the lock in it, was removed or replaced: another server may own the path now. */
  isHeld(): boolean;
  release(): Promise<void>;
}

/** The length of a socket's address that every system allows, in bytes. */
const LONGEST_ADDRESS = 100;

/**
 * Locks the directory.
 * @param directory its real path: a relative path or a link would be another name for the same place
 * @throws {LockedError} if a running server has locked it
 */
export async function lockDirectory(directory: string): Promise<Lock> {
  return process.platform === 'win32' ? lockByName(directory) : throughLink(directory, (path) => take(directory, path));
}

/**
 * The socket is created through a link that is deleted before the server ends, for two reasons. An address is limited
 * to about a hundred bytes, and a link in the folder for temporary files is shorter. And a server that ends removes the
 * path that it was given: after the directory was replaced, that would be the lock of another server.
 */
async function throughLink<T>(directory: string, use: (path: string) => Promise<T>): Promise<T> {
  const name = `.petstore-${newSecret()}`;
  const isShort = Buffer.byteLength(join(directory, name, fileOf(1_000_000))) <= LONGEST_ADDRESS;
  const link = join(isShort ? directory : tmpdir(), name);
  await symlink(directory, link);
  try {
    return await use(link);
  } finally {
    await rm(link, { force: true });
  }
}

/** @param path a link to the directory */
async function take(directory: string, path: string): Promise<Lock> {
  const before = await numbersIn(directory);
  // Before taking a number, so that it does not compete with a server that just took one.
  for (const n of before) if (await isAnswered(join(path, fileOf(n)))) throw locked(directory);
  const own = Math.max(0, ...before) + 1;
  const server = await listen(join(path, fileOf(own)));
  if (!server) throw locked(directory);
  const lock = lockOn(server, join(directory, fileOf(own)));
  // Another server may have started in between. Each checks after it listens, so at least one of two detects the other.
  for (const n of await numbersIn(directory)) {
    if (n === own) continue;
    if (await isAnswered(join(path, fileOf(n)))) {
      await lock.release();
      throw locked(directory);
    }
    await rm(join(directory, fileOf(n)), { force: true });
  }
  return lock;
}

/** Windows has named pipes instead, which are not in a directory. */
async function lockByName(directory: string): Promise<Lock> {
  const name = createHash('sha256').update(directory.toLowerCase()).digest('hex').slice(0, 24);
  const server = await listen(`\\\\.\\pipe\\petstore-sandbox-${name}`);
  if (!server) throw locked(directory);
  return lockOn(server, directory);
}

/** @param witness a file or directory whose identity proves that the lock is still in its place */
function lockOn(server: Server, witness: string): Lock {
  const identity = statSync(witness);
  const isHeld = (): boolean => {
    const now = statIfThere(witness);
    return now?.ino === identity.ino && now.dev === identity.dev;
  };
  return {
    isHeld,
    release: async () => {
      if (process.platform !== 'win32' && isHeld()) await rm(witness, { force: true });
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

/** `undefined` where it is gone, or a file is in the place of its directory. */
function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
}

const fileOf = (n: number): string => `lock-${n}.sock`;

async function numbersIn(directory: string): Promise<number[]> {
  const names = await readdir(directory);
  return names.flatMap((name) => /^lock-(\d{1,7})\.sock$/.exec(name)?.[1] ?? []).map(Number);
}

const locked = (directory: string): LockedError =>
  new LockedError(
    `${directory} is in use by another petstore-sandbox; stop that one, or choose another directory with --data`,
  );

/** The listening server; `undefined` when the address is taken. */
function listen(address: string): Promise<Server | undefined> {
  return new Promise((done, failed) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(undefined) : failed(error),
    );
    server.listen(address, () => done(server));
  });
}

/** Whether a running process listens there. */
function isAnswered(address: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) =>
      done(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}
