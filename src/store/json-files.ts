/**
 * The store on disk: JSON files, written through lowdb.
 *
 *     store.json                 the layout's version
 *     sandboxes/<id>.json        a sandbox: keys, clock, faults, snapshots (see head.ts)
 *     sandboxes/<id>.ended       a sandbox that ended with its forks, while their files are deleted (see ended.ts)
 *     added/<branch>/<n>.json    what was added (see branch.ts and pet-file.ts)
 *     lock-<n>.sock              held while a server runs
 *     lost+found/                what a start found and no sandbox points to (see tidy.ts)
 *     backup-layout-<n>/         the directory as it was before an upgrade (see migrations.ts)
 *
 * A create writes a line, however much a sandbox holds; one that begins a file writes the sandbox's file too. Everything
 * else is one write of the sandbox's file. The order of the writes is what `load.ts` relies on: its invariants say so.
 */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Branch } from './branch.ts';
import { type DataDirectory, takeDirectory, unusable, type Warn } from './data-directory.ts';
import { DataFileError, writeWhole } from './data-file.ts';
import { clearFamily, endFamily } from './ended.ts';
import type { Member } from './family.ts';
import { headOf, pointFile } from './head.ts';
import { type Disk, type Kept, KeptStore, type StoreLimits } from './kept-store.ts';
import { LAYOUT_VERSION, type Layout, layoutOf } from './layout.ts';
import { loadDirectory } from './load.ts';
import { upgradeDirectory } from './migrations.ts';
import { type Added, beginFile, canGrow, type GrowingFile, grow } from './pet-file.ts';
import type { Store } from './store.ts';
import type { Notice } from './tidy.ts';
import type { FixtureShelf } from './world.ts';

/** A file is closed when it holds this much, so that it can be opened in an editor. */
const FULL_PETS = 1_000;
const FULL_BYTES = 256 * 1024;

export interface JsonFileStoreOptions {
  readonly directory: string;
  readonly fixtures: FixtureShelf;
  readonly limits: StoreLimits;
  readonly maxListed?: number;
  readonly onLeftOver?: (error: unknown) => void;
  /** Told what the start did to the files: an upgrade, what it mended, what it moved away. */
  readonly onNotice?: (notice: Notice) => void;
  /** Told what is not as it should be with the directory, but can be used. */
  readonly onWarning?: Warn;
}

/**
 * Opens a data directory, making it where there is none, and reads all of it.
 *
 * @throws {LockedError} when a server runs on it
 * @throws {DataFileError} naming a file that cannot be read, which is left as it is
 * @throws {SettingsError} when there can be no such directory, or it must not be written
 */
export async function openJsonFileStore({
  directory,
  onNotice = () => undefined,
  onWarning = () => undefined,
  ...options
}: JsonFileStoreOptions): Promise<Store> {
  const taken = await takeDirectory(directory, onWarning);
  const layout = layoutOf(taken.path);
  try {
    for (const notice of upgradeDirectory(taken.path)) onNotice(notice);
    const { kept, files, outdated, notices, leftOver } = await loadDirectory(taken.path, options.fixtures);
    for (const notice of notices) onNotice(notice);
    for (const error of leftOver) options.onLeftOver?.(error);
    const disk = new JsonFiles(taken, files);
    prepare(taken.path, layout, () => {
      for (const each of outdated) disk.writeHead(each);
    });
    return new KeptStore({ ...options, disk, kept });
  } catch (error) {
    await taken.release();
    throw isOfFileSystem(error) ? inWords(taken.path, error) : error;
  }
}

/** Thrown by the file system itself: a file where a directory belongs, missing rights, a sick disk. */
const isOfFileSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error;

function inWords(directory: string, cause: NodeJS.ErrnoException): Error {
  const isRights = ['EACCES', 'EPERM', 'EROFS'].includes(cause.code ?? '');
  return isRights ? unusable(directory, cause) : new DataFileError(cause.path ?? directory, cause.message, { cause });
}

/** The first writes: a disk that is full says so at the start. */
function prepare(directory: string, layout: Layout, writeHeads: () => void): void {
  try {
    mkdirSync(layout.sandboxes, { recursive: true });
    mkdirSync(layout.added, { recursive: true });
    writeWhole(layout.version, `${JSON.stringify({ layout: LAYOUT_VERSION })}\n`);
    writeHeads();
  } catch (cause) {
    throw unusable(directory, cause);
  }
}

/** The files of a branch. */
interface BranchFiles {
  readonly count: number;
  /** The last of them, while it can grow. */
  readonly growing: GrowingFile | undefined;
}

class JsonFiles implements Disk {
  readonly #layout: Layout;
  readonly #branches: Map<string, BranchFiles>;
  readonly #directory: DataDirectory;

  /** @param files how many there are of each branch */
  constructor(directory: DataDirectory, files: ReadonlyMap<string, number>) {
    this.#directory = directory;
    this.#layout = layoutOf(directory.path);
    this.#branches = new Map([...files].map(([id, count]) => [id, { count, growing: undefined }]));
  }

  get problem(): string | undefined {
    return this.#directory.isHeld()
      ? undefined
      : 'the data directory was removed or replaced while the server runs; nothing is written any more: start the server again';
  }

  writeHead(kept: Kept): void {
    this.#refuseForeign();
    this.#writeHead(kept, this.#branches.get(kept.branch.id)?.count ?? 0);
  }

  end([origin, ...forks]: readonly [Member, ...Member[]]): void {
    this.#refuseForeign();
    if (forks.length > 0) endFamily(this.#layout, origin.id);
    else rmSync(this.#layout.head(origin.id), { force: true });
  }

  clear(family: readonly Member[]): Promise<void> {
    return clearFamily(this.#layout, family);
  }

  append(kept: Kept, changes: readonly Added[]): void {
    this.#refuseForeign();
    const { branch } = kept;
    const { count, growing } = this.#branches.get(branch.id) ?? { count: 0, growing: undefined };
    if (growing && canGrow(changes)) {
      // After a failure the next ones go into a file of their own: who knows what that disk holds now.
      this.#branches.set(branch.id, { count, growing: undefined });
      this.#branches.set(branch.id, { count, growing: unlessFull(grow(growing, changes)) });
      return;
    }
    const path = this.#layout.pets(branch.id, count + 1);
    if (count === 0) mkdirSync(dirname(path), { recursive: true });
    const begun = beginFile(path, pointFile(branch.from), changes);
    try {
      this.#writeHead(kept, count + 1);
    } catch (error) {
      // Where even this fails, the next change takes the file's place.
      this.#branches.set(branch.id, { count, growing: undefined });
      rmSync(path, { force: true });
      throw error;
    }
    this.#branches.set(branch.id, { count: count + 1, growing: unlessFull(begun) });
  }

  dropBranch(branch: Branch): () => Promise<void> {
    const count = this.#branches.get(branch.id)?.count ?? 0;
    const dropped = this.#layout.dropped(branch.id);
    this.#branches.delete(branch.id);
    try {
      this.#refuseForeign();
      renameSync(this.#layout.branch(branch.id), dropped);
    } catch (error) {
      // Nothing was added to it.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return async () => undefined;
      return () => Promise.reject(error);
    }
    return () => deleteFiles(dropped, count);
  }

  async close(): Promise<void> {
    await this.#directory.release();
  }

  /** Another server may have taken the directory's place: nothing of ours goes there. */
  #refuseForeign(): void {
    const { problem } = this;
    if (problem !== undefined) throw new Error(`${this.#directory.path}: ${problem}`);
  }

  #writeHead(kept: Kept, files: number): void {
    writeWhole(this.#layout.head(kept.record.id), `${JSON.stringify(headOf(kept, files), null, 2)}\n`);
  }
}

/** File by file: a recursive removal takes several times as long, and thousands of branches may go together. */
async function deleteFiles(directory: string, count: number): Promise<void> {
  try {
    for (let n = 1; n <= count; n++) await unlink(join(directory, `${n}.json`));
    await rmdir(directory);
  } catch {
    await rm(directory, { recursive: true, force: true });
  }
}

const unlessFull = (file: GrowingFile): GrowingFile | undefined =>
  file.pets >= FULL_PETS || file.bytes >= FULL_BYTES ? undefined : file;
