/**
 * The store on disk: JSON files, written through lowdb.
 *
 *     store.json                 the layout's version
 *     sandboxes/<id>.json        a sandbox: keys, clock, faults, snapshots (see head.ts)
 *     sandboxes/<id>.ended       a sandbox that ended with its forks, while their files are deleted (see ended.ts)
 *     added/<branch>/<n>.json    what was added (see branch.ts and pet-file.ts)
 *     lock-<n>.sock              held while a server runs
 *
 * A create writes a line, however much a sandbox holds. Everything else is one write of the sandbox's file.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { access, constants, mkdir, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SettingsError } from '../config.ts';
import type { Branch } from './branch.ts';
import { writeWhole } from './data-file.ts';
import { clearFamily, endFamily } from './ended.ts';
import type { Member } from './family.ts';
import { headOf, pointFile } from './head.ts';
import { type Disk, type Kept, KeptStore, type StoreLimits } from './kept-store.ts';
import { LAYOUT_VERSION, layoutOf } from './layout.ts';
import { loadDirectory } from './load.ts';
import { lockDirectory } from './lock.ts';
import { type Added, beginFile, canGrow, type GrowingFile, grow } from './pet-file.ts';
import type { Store } from './store.ts';
import type { FixtureShelf } from './world.ts';

/** A file is closed when it holds this much, so that it can be opened in an editor. */
const FULL_PETS = 1_000;
const FULL_BYTES = 256 * 1024;

export interface JsonFileStoreOptions {
  readonly directory: string;
  readonly fixtures: FixtureShelf;
  readonly limits: StoreLimits;
  readonly onLeftOver?: (error: unknown) => void;
  /** Told of a file whose last write a kill had cut off, and which is whole again. */
  readonly onMended?: (path: string) => void;
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
  onMended = () => undefined,
  ...options
}: JsonFileStoreOptions): Promise<Store> {
  const layout = layoutOf(directory);
  await makeUsable(directory);
  const lock = await lockDirectory(directory);
  try {
    const { kept, files, mended, leftOver } = await loadDirectory(directory, options.fixtures);
    for (const path of mended) onMended(path);
    for (const error of leftOver) options.onLeftOver?.(error);
    prepare(directory, layout);
    const disk = new JsonFiles(directory, files, () => lock.release());
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

/** The first write: a disk that is full says so at the start. */
function prepare(directory: string, layout: ReturnType<typeof layoutOf>): void {
  try {
    mkdirSync(layout.sandboxes, { recursive: true });
    mkdirSync(layout.added, { recursive: true });
    writeWhole(layout.version, `${JSON.stringify({ layout: LAYOUT_VERSION })}\n`);
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
  readonly #layout: ReturnType<typeof layoutOf>;
  readonly #branches: Map<string, BranchFiles>;
  readonly #unlock: () => Promise<void>;

  /** @param files how many there are of each branch */
  constructor(directory: string, files: ReadonlyMap<string, number>, unlock: () => Promise<void>) {
    this.#layout = layoutOf(directory);
    this.#branches = new Map([...files].map(([id, count]) => [id, { count, growing: undefined }]));
    this.#unlock = unlock;
  }

  writeHead(kept: Kept): void {
    writeWhole(this.#layout.head(kept.record.id), `${JSON.stringify(headOf(kept), null, 2)}\n`);
  }

  end([origin, ...forks]: readonly [Member, ...Member[]]): void {
    if (forks.length > 0) endFamily(this.#layout, origin.id);
    else rmSync(this.#layout.head(origin.id), { force: true });
  }

  clear(family: readonly Member[]): Promise<void> {
    return clearFamily(this.#layout, family);
  }

  append(branch: Branch, changes: readonly Added[]): void {
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
    this.#branches.set(branch.id, { count: count + 1, growing: unlessFull(begun) });
  }

  async dropBranch(branch: Branch): Promise<void> {
    const count = this.#branches.get(branch.id)?.count ?? 0;
    const directory = this.#layout.branch(branch.id);
    this.#branches.delete(branch.id);
    try {
      // File by file: a recursive removal takes several times as long, and thousands of branches may go together.
      for (let n = 1; n <= count; n++) await unlink(this.#layout.pets(branch.id, n));
      await rmdir(directory);
    } catch (error) {
      if (count === 0 && (error as NodeJS.ErrnoException).code === 'ENOENT') return;
      await rm(directory, { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    await this.#unlock();
  }
}

const unlessFull = (file: GrowingFile): GrowingFile | undefined =>
  file.pets >= FULL_PETS || file.bytes >= FULL_BYTES ? undefined : file;
