/**
 * The store on disk: JSON files, written through lowdb.
 *
 *     store.json                 the layout's version
 *     sandboxes/<id>.json        a sandbox: keys, clock, faults, snapshots (see head.ts)
 *     added/<branch>/<n>.json    what was added (see branch.ts and pet-file.ts)
 *     lock-<n>.sock              held while a server runs
 *     lost+found/                what a start found and no sandbox points to (see tidy.ts)
 *     backup-layout-<n>/         the directory as it was before an upgrade (see migrations.ts)
 *
 * A create writes a line, however much a sandbox holds; one that begins a file writes the sandbox's file too. Everything
 * else is one write of the sandbox's file. The order of the writes is what `load.ts` relies on: its invariants say so.
 */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { access, constants, mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SettingsError } from '../config.ts';
import type { Branch } from './branch.ts';
import { writeWhole } from './data-file.ts';
import { headOf, pointFile } from './head.ts';
import { type Disk, type Kept, KeptStore, type StoreLimits } from './kept-store.ts';
import { LAYOUT_VERSION, type Layout, layoutOf } from './layout.ts';
import { loadDirectory } from './load.ts';
import { lockDirectory } from './lock.ts';
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
  readonly onLeftOver?: (error: unknown) => void;
  /** Told what the start did to the files: an upgrade, what it mended, what it moved away. */
  readonly onNotice?: (notice: Notice) => void;
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
  ...options
}: JsonFileStoreOptions): Promise<Store> {
  const layout = layoutOf(directory);
  await makeUsable(directory);
  const lock = await lockDirectory(directory);
  try {
    for (const notice of upgradeDirectory(directory)) onNotice(notice);
    const { kept, files, outdated, notices } = await loadDirectory(directory, options.fixtures);
    for (const notice of notices) onNotice(notice);
    const disk = new JsonFiles(directory, files, () => lock.release());
    prepare(directory, layout, () => {
      for (const each of outdated) disk.writeHead(each);
    });
    return new KeptStore({ ...options, disk, kept });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Says it before anything is written, in words: a volume that belongs to another user is a common mistake. */
async function makeUsable(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw unusable(directory, cause);
  }
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

function unusable(directory: string, cause: unknown): SettingsError {
  const user = process.getuid === undefined ? 'its user' : `user ${process.getuid()}`;
  return new SettingsError(
    `the data directory ${directory} cannot be used (${(cause as Error).message}); let ${user} read and write it, choose another with --data, or use --memory`,
    { cause },
  );
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
  readonly #unlock: () => Promise<void>;

  /** @param files how many there are of each branch */
  constructor(directory: string, files: ReadonlyMap<string, number>, unlock: () => Promise<void>) {
    this.#layout = layoutOf(directory);
    this.#branches = new Map([...files].map(([id, count]) => [id, { count, growing: undefined }]));
    this.#unlock = unlock;
  }

  writeHead(kept: Kept): void {
    this.#writeHead(kept, this.#branches.get(kept.branch.id)?.count ?? 0);
  }

  removeHead(id: string): void {
    rmSync(this.#layout.head(id), { force: true });
  }

  append(kept: Kept, changes: readonly Added[]): void {
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
    this.#branches.delete(branch.id);
    const dropped = this.#layout.dropped(branch.id);
    try {
      renameSync(this.#layout.branch(branch.id), dropped);
    } catch (error) {
      // Nothing was added to it.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return async () => undefined;
      return () => Promise.reject(error);
    }
    return () => rm(dropped, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await this.#unlock();
  }

  #writeHead(kept: Kept, files: number): void {
    writeWhole(this.#layout.head(kept.record.id), `${JSON.stringify(headOf(kept, files), null, 2)}\n`);
  }
}

const unlessFull = (file: GrowingFile): GrowingFile | undefined =>
  file.pets >= FULL_PETS || file.bytes >= FULL_BYTES ? undefined : file;
