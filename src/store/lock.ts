/**
 * One server a data directory. The lock is a socket in the directory that the server listens on: the operating system
 * closes it when the process ends, however it ends, so there is no stale lock to wait for, and it works between
 * containers that share a volume. A process id in a file would not: every container's is 1.
 */
import { createHash, randomUUID } from 'node:crypto';
import { rename, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The directory is taken by a running server. */
export class LockedError extends Error {}

export interface Lock {
  release(): Promise<void>;
}

/** Takes the directory, or refuses. @throws {LockedError} */
export async function lockDirectory(directory: string): Promise<Lock> {
  const inside = join(directory, 'lock.sock');
  const path = process.platform === 'win32' || Buffer.byteLength(inside) > LONGEST_PATH ? elsewhere(directory) : inside;
  try {
    return await take(path, directory);
  } catch (error) {
    if (path === inside && !(error instanceof LockedError)) return take(elsewhere(directory), directory);
    throw error;
  }
}

/** What the address of a socket may take, on every system. */
const LONGEST_PATH = 100;

/** Where the directory's own file system, or the length of its path, allows no socket. */
function elsewhere(directory: string): string {
  const name = `petstore-sandbox-${createHash('sha256').update(resolve(directory)).digest('hex').slice(0, 24)}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

async function take(path: string, directory: string): Promise<Lock> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const server = await listen(path);
    if (server) return { release: () => new Promise((done) => server.close(() => done())) };
    if (await answers(path)) throw new LockedError(`${directory} is in use by another petstore-sandbox`);
    await moveAway(path);
  }
  throw new LockedError(`${directory} could not be locked: other servers keep starting on it`);
}

/** The listening server; `undefined` when the path is taken. */
function listen(path: string): Promise<Server | undefined> {
  return new Promise((done, failed) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(undefined) : failed(error),
    );
    server.listen(path, () => done(server));
  });
}

/** Whether a living process listens there. */
function answers(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) =>
      done(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}

/** Clears what a dead server left. Two may do so at once: one that moved a living lock away puts it back. */
async function moveAway(path: string): Promise<void> {
  const aside = `${path}.${randomUUID().slice(0, 8)}`;
  try {
    await rename(path, aside);
    if (await answers(aside)) await rename(aside, path);
    else await unlink(aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
