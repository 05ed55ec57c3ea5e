/**
 * The store on disk: JSON files. Whole files are written through lowdb, log files grow in place.
 *
 *     store.json                 the layout's version
 *     sandboxes/<id>.json        a sandbox: keys, clock, faults, snapshots (see head.ts)
 *     sandboxes/<id>.ended       a sandbox that ended with its forks, while their files are deleted (see ended.ts)
 *     changes/<branch>/<n>.json  the log of a branch: its changes (see branch.ts and log-file.ts)
 *     lock-<n>.sock              locked while a server runs
 *     lost+found/                unreferenced files that a start found (see tidy.ts)
 *
 * A create writes one line, however large the sandbox is; a create that starts a new file writes the sandbox's file
 * too. Every other change is one write of the sandbox's file. `load.ts` relies on the order of writes: see its
 * invariants.
 */
import { mkdirSync, rmSync } from 'node:fs';
import type { StoreLimits } from './bounds.ts';
import type { Branch } from './branch.ts';
import { BranchFiles } from './branch-files.ts';
import type { Change } from './change.ts';
import { type DataDirectory, takeDirectory, unusable, type Warn } from './data-directory.ts';
import { DataFileError, writeJson } from './data-file.ts';
import type { Disk } from './disk.ts';
import { EmbeddedStore } from './embedded-store.ts';
import { clearFamily, endFamily } from './ended.ts';
import type { Member } from './family.ts';
import type { FixtureShelf } from './fixture.ts';
import { FULL } from './growing-file.ts';
import { headFileOf } from './head.ts';
import { hasKnownLayout, LAYOUT_VERSION, type Layout, layoutOf } from './layout.ts';
import { loadDirectory } from './load.ts';
import type { ChangeLine } from './log-file.ts';
import type { SandboxState } from './state.ts';
import type { Store } from './store.ts';
import type { Notice } from './tidy.ts';

interface JsonFileStoreOptions {
  readonly directory: string;
  readonly fixtures: FixtureShelf;
  readonly limits: StoreLimits;
  readonly maxListed?: number;
  readonly onLeftOver?: (error: unknown) => void;
  /** Called with the bytes of memory of changes that are no longer used. */
  readonly onGivenUp?: (bytes: number) => void;
  /** Called for each change of files at the start: a repair, a file that was moved. */
  readonly onNotice?: (notice: Notice) => void;
  /** Called for problems of a directory that can be used nevertheless. */
  readonly onWarning?: Warn;
}

/**
 * Opens a data directory, creating it if it does not exist, and reads all of it.
 * @throws {LockedError} if a server runs on it
 * @throws {DataFileError} naming an unreadable file, which is left unchanged
 * @throws {SettingsError} if the directory cannot be created or written
 */
export async function openJsonFileStore({
  directory,
  onNotice = () => undefined,
  onWarning = () => undefined,
  ...options
}: JsonFileStoreOptions): Promise<Store> {
  const owned = await takeDirectory(directory, onWarning);
  const layout = layoutOf(owned.path);
  try {
    hasKnownLayout(owned.path);
    const { states, files, outdated, notices, leftOver } = await loadDirectory(owned.path, options.fixtures);
    for (const notice of notices) onNotice(notice);
    for (const error of leftOver) options.onLeftOver?.(error);
    const disk = new JsonFiles(owned, files);
    prepare(owned.path, layout, () => {
      for (const each of outdated) disk.writeHead(each);
    });
    return new EmbeddedStore({ ...options, disk, states });
  } catch (error) {
    await owned.release();
    throw isOfFileSystem(error) ? describeFileError(owned.path, error) : error;
  }
}

/** Thrown by the file system: a file in place of a directory, missing permissions, a failing disk. */
const isOfFileSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error;

function describeFileError(directory: string, cause: NodeJS.ErrnoException): Error {
  const isRights = ['EACCES', 'EPERM', 'EROFS'].includes(cause.code ?? '');
  return isRights ? unusable(directory, cause) : new DataFileError(cause.path ?? directory, cause.message, { cause });
}

/** The first writes: a full disk is reported at the start. */
function prepare(directory: string, layout: Layout, writeHeads: () => void): void {
  try {
    mkdirSync(layout.sandboxes, { recursive: true });
    mkdirSync(layout.changes, { recursive: true });
    writeJson(layout.version, { layout: LAYOUT_VERSION });
    writeHeads();
  } catch (cause) {
    throw unusable(directory, cause);
  }
}

class JsonFiles implements Disk {
  readonly #layout: Layout;
  readonly #files: BranchFiles;
  readonly #directory: DataDirectory;

  /** @param counts the number of each branch's files */
  constructor(directory: DataDirectory, counts: ReadonlyMap<string, number>) {
    this.#directory = directory;
    this.#layout = layoutOf(directory.path);
    this.#files = new BranchFiles(this.#layout, counts);
  }

  get problem(): string | undefined {
    return this.#directory.isHeld()
      ? undefined
      : 'the data directory was removed or replaced while the server runs; nothing is written any more: start the server again';
  }

  writeHead(state: SandboxState): void {
    this.#rejectForeign();
    this.#writeHead(state, this.#files.countOf(state.world.branch));
  }

  end([origin, ...forks]: readonly [Member, ...Member[]]): void {
    this.#rejectForeign();
    if (forks.length > 0) endFamily(this.#layout, origin.id);
    else rmSync(this.#layout.head(origin.id), { force: true });
  }

  clear(family: readonly Member[]): Promise<void> {
    return clearFamily(this.#layout, family);
  }

  writeBranch(branch: Branch, changes: readonly Change[]): void {
    this.#rejectForeign();
    for (let from = 0; from < changes.length; from += FULL.changes) {
      this.#files.append(branch, [changes.slice(from, from + FULL.changes)], () => undefined);
    }
  }

  append(state: SandboxState, calls: readonly ChangeLine[]): void {
    this.#rejectForeign();
    this.#files.append(state.world.branch, calls, (count) => this.#writeHead(state, count));
  }

  dropBranch(branch: Branch): () => Promise<void> {
    const { problem } = this;
    return problem === undefined ? this.#files.drop(branch) : () => Promise.reject(this.#foreign(problem));
  }

  async close(): Promise<void> {
    this.#files.close();
    await this.#directory.release();
  }

  /** Another server may own the path now: nothing must be written there. */
  #rejectForeign(): void {
    const { problem } = this;
    if (problem !== undefined) throw this.#foreign(problem);
  }

  #foreign(problem: string): Error {
    return new Error(`${this.#directory.path}: ${problem}`);
  }

  #writeHead(state: SandboxState, files: number): void {
    writeJson(this.#layout.head(state.record.id), headFileOf(state, files), 2);
  }
}
