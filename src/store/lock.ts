/**
 * One server a data directory. The lock is a socket in the directory that the server listens on: the operating system
 * closes it when the process ends, however it ends, so there is no stale lock to wait for, and it works between
 * containers that share a volume. A process id in a file would not: every container's is 1.
 *
 * A dead server leaves its socket's file behind. Whoever comes next takes the next number rather than the same name:
 * clearing a name to take it again may clear away the lock of a third one who was faster.
 */
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The directory is taken by a running server. */
export class LockedError extends Error {}

export interface Lock {
  release(): Promise<void>;
}

/** Where locks lie, and how their names begin: `<folder>/<prefix>-1.sock`. */
interface Place {
  readonly folder: string;
  readonly prefix: string;
}

/** What the address of a socket may take, on every system. */
const LONGEST_PATH = 100;

/** Takes the directory, or refuses. @throws {LockedError} */
export async function lockDirectory(directory: string): Promise<Lock> {
  const locked = () => new LockedError(`${directory} is in use by another petstore-sandbox`);
  const name = `petstore-sandbox-${createHash('sha256').update(resolve(directory)).digest('hex').slice(0, 24)}`;
  if (process.platform === 'win32') return heldBy((await listen(`\\\\.\\pipe\\${name}`)) ?? fail(locked));
  const inside = { folder: directory, prefix: 'lock' };
  const elsewhere = { folder: tmpdir(), prefix: name };
  if (Buffer.byteLength(pathOf(inside, 1_000_000)) > LONGEST_PATH) return take(elsewhere, locked);
  try {
    return await take(inside, locked);
  } catch (error) {
    if (error instanceof LockedError) throw error;
    // The directory's own file system allows no socket.
    return take(elsewhere, locked);
  }
}

async function take(place: Place, locked: () => LockedError): Promise<Lock> {
  const before = await numbersIn(place);
  // Before it takes a number, so that it does not stand in the way of one that just did.
  for (const n of before) if (await answers(pathOf(place, n))) throw locked();
  const own = Math.max(0, ...before) + 1;
  const server = (await listen(pathOf(place, own))) ?? fail(locked);
  const lock = heldBy(server);
  // Another may have come in between. Each looks after it listens, so that of two at least one sees the other.
  for (const n of await numbersIn(place)) {
    if (n === own) continue;
    if (await answers(pathOf(place, n))) {
      await lock.release();
      throw locked();
    }
    await rm(pathOf(place, n), { force: true });
  }
  return lock;
}

const pathOf = ({ folder, prefix }: Place, n: number): string => join(folder, `${prefix}-${n}.sock`);

async function numbersIn({ folder, prefix }: Place): Promise<number[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.startsWith(`${prefix}-`) && /^\d{1,7}\.sock$/.test(name.slice(prefix.length + 1)))
    .map((name) => Number.parseInt(name.slice(prefix.length + 1), 10));
}

const heldBy = (server: Server): Lock => ({ release: () => new Promise((done) => server.close(() => done())) });

function fail(error: () => Error): never {
  throw error();
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
