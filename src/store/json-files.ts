/**
 * The store on disk: JSON files, written through lowdb, which writes a temporary file and renames it over the old one.
 *
 *     store.json                 the layout's version
 *     sandboxes/<id>.json        a sandbox: keys, clock, faults, snapshots (see head.ts)
 *     added/<branch>/<n>-<pets>.json  what was added, some pets a file (see branch.ts)
 *     lock-<n>.sock              held while a server runs
 *
 * A create rewrites one small file, however much a sandbox holds. Everything else is one write of the sandbox's file.
 */
import { mkdirSync, rmSync, unlinkSync } from 'node:fs';
import { access, constants, mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LowSync } from 'lowdb';
import { DataFileSync } from 'lowdb/node';
import { SettingsError } from '../config.ts';
import type { Pet } from '../pet.ts';
import type { Branch } from './branch.ts';
import { headOf, type PointFile, pointFile } from './head.ts';
import { type Disk, type Kept, KeptStore, type StoreLimits } from './kept-store.ts';
import { type Chunk, LAYOUT_VERSION, layoutOf } from './layout.ts';
import { loadDirectory } from './load.ts';
import { lockDirectory } from './lock.ts';
import type { Store } from './store.ts';
import type { FixtureShelf } from './world.ts';

const CHUNK_PETS = 100;
const CHUNK_LENGTH = 32 * 1024;

export interface JsonFileStoreOptions {
  readonly directory: string;
  readonly fixtures: FixtureShelf;
  readonly limits: StoreLimits;
  readonly onLeftOver?: (error: unknown) => void;
}

/**
 * Opens a data directory, making it where there is none, and reads all of it.
 *
 * @throws {LockedError} when a server runs on it
 * @throws {DataFileError} naming a file that cannot be read, which is left as it is
 * @throws {SettingsError} when there can be no such directory, or it must not be written
 */
export async function openJsonFileStore({ directory, ...options }: JsonFileStoreOptions): Promise<Store> {
  const layout = layoutOf(directory);
  await makeUsable(directory);
  const lock = await lockDirectory(directory);
  try {
    const { kept, chunks } = await loadDirectory(directory, options.fixtures);
    prepare(directory, layout);
    const disk = new JsonFiles(directory, chunks, () => lock.release());
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
    writeJson(layout.version, `${JSON.stringify({ layout: LAYOUT_VERSION })}\n`);
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

class JsonFiles implements Disk {
  readonly #layout: ReturnType<typeof layoutOf>;
  /** The file of each branch that is still being filled. */
  readonly #open: Map<string, Chunk>;
  readonly #unlock: () => Promise<void>;

  constructor(directory: string, open: ReadonlyMap<string, Chunk>, unlock: () => Promise<void>) {
    this.#layout = layoutOf(directory);
    this.#open = new Map(open);
    this.#unlock = unlock;
  }

  writeHead(kept: Kept): void {
    writeJson(this.#layout.head(kept.record.id), `${JSON.stringify(headOf(kept), null, 2)}\n`);
  }

  removeHead(id: string): void {
    rmSync(this.#layout.head(id), { force: true });
  }

  append(branch: Branch, pets: readonly Pet[]): void {
    const open = this.#open.get(branch.id);
    const more = pets.map((pet) => pet.json).join(',\n');
    const chunk: Chunk = {
      n: open?.n ?? 1,
      text: open && open.pets > 0 ? `${open.text},\n${more}` : more,
      pets: (open?.pets ?? 0) + pets.length,
    };
    const path = this.#layout.chunk(branch.id, chunk);
    if (!open) mkdirSync(dirname(path), { recursive: true });
    writeJson(path, chunkText(pointFile(branch.from), chunk.text));
    // A new name for each state of the file: a rename over the old one would have the disk written to, then and there.
    if (open && open.pets > 0) discard(this.#layout.chunk(branch.id, open));
    const full = chunk.pets >= CHUNK_PETS || chunk.text.length >= CHUNK_LENGTH;
    this.#open.set(branch.id, full ? { n: chunk.n + 1, text: '', pets: 0 } : chunk);
  }

  async dropBranch(branch: Branch): Promise<void> {
    this.#open.delete(branch.id);
    await rm(this.#layout.branch(branch.id), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await this.#unlock();
  }
}

const chunkText = (from: PointFile | null, pets: string): string =>
  `{"from":${JSON.stringify(from)},"pets":[\n${pets}\n]}\n`;

/** Deletes a file that another one has taken the place of; one that stays is passed over at the next start. */
function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Nobody reads it.
  }
}

/** Writes one file through lowdb, whole or not at all. */
function writeJson(path: string, text: string): void {
  try {
    new LowSync(new DataFileSync<string>(path, { parse: String, stringify: String }), text).write();
  } catch (error) {
    // On a full disk the part that did fit must not stay in the way.
    rmSync(join(dirname(path), `.${basename(path)}.tmp`), { force: true });
    throw error;
  }
}
