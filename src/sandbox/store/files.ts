/**
 * The journals of sandboxes in a data directory.
 *
 *     store.json              the layout's version, and the name of the server if it has one
 *     sandboxes/<id>.jsonl    a sandbox: its journal, one entry a line (see `entries.ts`)
 *     lock-<n>.sock           locked while a server runs
 *
 * A sandbox is its file: there is no index, so a copy of the directory is a backup, also while the server runs. Nothing
 * is deleted at a start. A line that a kill cut off was not acknowledged: it is moved to a file next to the journal.
 */

import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from '../../base/api/errors.ts';
import { SERVER_NAME } from '../../base/ids.ts';
import { isObject, type JsonObject, parseJson } from '../../base/int64.ts';
import { nextTurn } from '../../base/real-globals.ts';
import { type DataDirectory, directoryUnusable, takeDirectory, type Warn } from './data-directory.ts';
import { DataFileError, missing, orReject, readTextFile, writeJsonFile } from './data-file.ts';
import { type Fixture, type FixtureShelf, inlineFixture } from './fixture.ts';
import type { Journal } from './journal.ts';
import { JournalFile, type JournalFileOptions } from './journal-file.ts';
import { OpenFiles } from './open-files.ts';
import type { State } from './state.ts';

/** Incremented when older programs cannot read what newer ones write. */
export const LAYOUT_VERSION = 7;

interface FilesOptions {
  readonly directory: string;
  /** The name of the server, which the directory keeps. */
  readonly name?: string | undefined;
  readonly fixtures: FixtureShelf;
  /** Receives changes of files at the start, and problems of a directory that can be used nevertheless. */
  readonly warn: Warn;
}

/**
 * Opens a data directory, creating it if it does not exist, and reads all of it.
 * @throws {LockedError} if a server runs on it
 * @throws {DataFileError} naming an unreadable file, which is left unchanged
 * @throws {SettingsError} if the directory cannot be created or written
 */
export async function openFiles({ directory, name, fixtures, warn }: FilesOptions) {
  const owned = await takeDirectory(directory, warn);
  try {
    rejectOther(owned.path, name);
    const folder = join(owned.path, 'sandboxes');
    const names = fileNamesIn(folder);
    const paths = names
      .filter((name) => name.endsWith('.jsonl') && !name.startsWith('.'))
      .map((name) => join(folder, name));
    const journals = new JournalFiles(owned);
    const loaded: (readonly [State, JournalFile])[] = [];
    for (const path of paths) loaded.push(await journals.load(path, fixtures));
    // Nothing is changed before all of it was read.
    for (const [, file] of loaded) if (file.torn.length > 0) mend(file, warn);
    prepare(owned.path, folder, name);
    for (const name of names) if (/^\..*\.jsonl\.tmp$/.test(name)) rmSync(join(folder, name), { force: true });
    return { journals, loaded };
  } catch (error) {
    await owned.release();
    throw isOfFileSystem(error) ? describeFileError(owned.path, error) : error;
  }
}

/** Thrown by the file system: a file instead of a directory, missing permissions, a failing disk. */
const isOfFileSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error;

function describeFileError(directory: string, cause: NodeJS.ErrnoException): Error {
  const isRights = ['EACCES', 'EPERM', 'EROFS'].includes(cause.code ?? '');
  return isRights
    ? directoryUnusable(directory, cause)
    : new DataFileError(cause.path ?? directory, cause.message, { cause });
}

/** @throws {DataFileError} for another layout or server, or if a part of the directory is missing */
function rejectOther(directory: string, name: string | undefined): void {
  const version = join(directory, 'store.json');
  const folder = join(directory, 'sandboxes');
  if (!existsSync(version)) {
    const present = ['sandboxes', 'changes']
      .map((name) => join(directory, name))
      .filter((each) => fileNamesIn(each).length > 0);
    if (present.length > 0)
      throw missing(version, `${present.join(' and ')} contain files, but their layout is unknown`);
    return;
  }
  const text = readTextFile(version);
  const value = orReject(version, () => parseJson(text));
  const { layout, name: kept, ...others } = isObject(value) ? value : ({} as JsonObject);
  const isName = kept === undefined || (typeof kept === 'string' && SERVER_NAME.test(kept));
  if (typeof layout !== 'bigint' || !isName || Object.keys(others).length > 0)
    throw new DataFileError(version, `must be {"layout":${LAYOUT_VERSION}}, with the "name" of a server that has one`);
  if (layout !== BigInt(LAYOUT_VERSION)) {
    const advice =
      'Nothing was changed; start the version of petstore-sandbox that wrote it, or choose another directory with --data';
    const problem = `the directory has layout ${layout}; this version reads layout ${LAYOUT_VERSION} only`;
    throw new DataFileError(version, problem, { advice });
  }
  if (kept !== name) {
    const whose = kept === undefined ? 'a server without a name' : `the server ${kept}`;
    const advice = `Start it ${kept === undefined ? 'without --name' : `with --name ${kept}`}, or choose another directory with --data`;
    throw new DataFileError(version, `the directory belongs to ${whose}`, { advice });
  }
  // It is created before the first `store.json`: if it is missing, all sandboxes are lost.
  if (!existsSync(folder)) throw missing(folder, `${version} is there, and was made after it`);
}

/** @throws {DataFileError} if it exists and cannot be listed */
const fileNamesIn = (folder: string): string[] =>
  existsSync(folder) ? orReject(folder, () => readdirSync(folder)) : [];

/** The first writes of a new directory. One that is there is not written to: a server starts on a full disk, and serves what it has. */
function prepare(directory: string, folder: string, name: string | undefined): void {
  const version = join(directory, 'store.json');
  if (existsSync(version)) return;
  try {
    mkdirSync(folder, { recursive: true });
    writeJsonFile(version, { layout: LAYOUT_VERSION, name });
  } catch (cause) {
    throw directoryUnusable(directory, cause);
  }
}

/** Moves a line that was cut off to a file next to its journal; on a full disk, the first change that there is room for does. */
function mend(file: JournalFile, warn: Warn): void {
  const { path, torn } = file;
  const what = `the last ${torn.length} bytes of this file were an incomplete change, caused by a kill during a write or by a damaged copy`;
  const details = { path, bytes: torn.length };
  try {
    const movedTo = file.moveTorn();
    warn(`${what}; they were moved to ${movedTo}`, { ...details, movedTo });
  } catch (cause) {
    if (!isFull(cause)) throw new DataFileError(path, (cause as Error).message, { cause });
    warn(`${what}; they are still in it, and are moved once there is room on the disk`, details);
  }
}

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

const GONE: Fixture = { ...inlineFixture({ nextId: 1n, pets: [] }), isInline: false };

/** The journals of all sandboxes. */
export class JournalFiles {
  /** Counts of writes and of failures since the start. */
  readonly figures = { writes: 0, failedWrites: 0 };
  readonly #directory: DataDirectory;
  readonly #files = new OpenFiles();
  readonly #options: JournalFileOptions;

  constructor(directory: DataDirectory) {
    this.#directory = directory;
    this.#options = { files: this.#files, write: (write) => this.#write(write) };
  }

  /** Why nothing can be written at present; `undefined` if it can. */
  get problem(): string | undefined {
    return this.#directory.isHeld()
      ? undefined
      : 'the data directory was removed or replaced while the server runs; nothing is written any more: start the server again';
  }

  /** @throws {DataFileError} */
  async load(path: string, fixtures: FixtureShelf): Promise<readonly [State, JournalFile]> {
    const file = new JournalFile(path, this.#options);
    // What it no longer begins with may be gone.
    const state = await file.load(async (name) => (fixtures.has(name) ? fixtures.load(name) : { ...GONE, name }));
    const { id } = state.record;
    if (this.#path(id) !== path) throw new DataFileError(path, `id is ${id}, but the file's name says otherwise`);
    for (const { seed } of [state, ...state.snapshots.values()]) {
      if (!seed.isInline && !fixtures.has(seed.name))
        throw new DataFileError(path, `there is no fixture named ${seed.name}; bring it back with --fixtures`);
    }
    // The request log was in memory: reports on it, and a drill that is checked by it, begin again.
    return [{ ...state, record: { ...state.record, drill: null } }, file];
  }

  /** Begins the journal of a new sandbox; other requests have their turn in between. @throws {ApiError} `storage_failed` */
  async create(state: State): Promise<JournalFile> {
    const file = new JournalFile(this.#path(state.record.id), this.#options);
    const writing = file.write(state);
    try {
      while (!this.#write(() => writing.next().done)) await nextTurn();
    } finally {
      writing.return();
    }
    return file;
  }

  async close(journals: Iterable<Journal>): Promise<void> {
    if (this.problem === undefined) for (const { state, file } of journals) file?.close(state);
    this.#files.closeAll();
    await this.#directory.release();
  }

  #path(id: string): string {
    return join(this.#directory.path, 'sandboxes', `${id}.jsonl`);
  }

  #write<T>(write: () => T): T {
    this.figures.writes++;
    try {
      const { problem } = this;
      // Another server may own the path now: nothing must be written there.
      if (problem !== undefined) throw new Error(`${this.#directory.path}: ${problem}`);
      return write();
    } catch (cause) {
      throw this.#failed(cause);
    }
  }

  #failed(cause: unknown): ApiError {
    this.figures.failedWrites++;
    const advice = this.problem ?? 'try again';
    return new ApiError('storage_failed', `the change could not be written and did not happen; ${advice}`, [], {
      cause,
    });
  }
}
