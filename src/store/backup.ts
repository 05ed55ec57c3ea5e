/**
 * Copies a data directory while a server works on it, without its help. Heads are read before the branches that they
 * point to, and branches only grow: so a copied head never counts on more than the copy of its branch holds. A branch
 * that is gone was dropped after its head changed, so the head is read again. In the end the copy is read as a start
 * would read it, and `store.json` comes last: a copy that was interrupted is refused by a start.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Needed, originIn, pointsOf } from './backup-points.ts';
import { DataFileError, decode, parseText } from './data-file.ts';
import { jsonFilesOf, numbersIn } from './directory.ts';
import type { HeadFile } from './head.ts';
import { LAYOUT_VERSION, type Layout, layoutOf } from './layout.ts';
import { readDirectory } from './load.ts';
import { refuseOtherLayout } from './migrations.ts';
import { withoutCutEnd } from './pet-file.ts';

/** The copy could not be completed, because sandboxes changed again and again. */
export class BackupError extends Error {}

/** What a copy holds. */
export interface BackedUp {
  readonly sandboxes: number;
  /** Pets that were added, each counted once however many sandboxes share it. */
  readonly pets: number;
  readonly bytes: number;
}

/** How often one sandbox may change under the copy, and how long to wait before looking again. */
const MAX_ATTEMPTS = 100;
const PAUSE_MS = 20;

/**
 * Copies the directory `from` into `to`, which is empty or not there.
 *
 * @throws {DataFileError} when `from` is damaged, or holds no data
 * @throws {BackupError} when no consistent copy could be made
 */
export async function backUp(from: string, to: string): Promise<BackedUp> {
  refuseOtherLayout(from);
  return new Copy(layoutOf(from), layoutOf(to)).make();
}

interface CopiedHead {
  readonly text: string;
  readonly head: HeadFile;
  /** When it was read, in steps of the copy. */
  readonly readAt: number;
}

/** A branch of the copy. */
interface CopiedBranch {
  readonly from: string | undefined;
  /** When its copy began. */
  readonly copiedAt: number;
}

/** Something that a head needs was gone when it was to be copied. */
class Gone extends Error {}

class Copy {
  readonly #from: Layout;
  readonly #to: Layout;
  readonly #heads = new Map<string, CopiedHead>();
  readonly #branches = new Map<string, CopiedBranch>();
  #step = 0;

  constructor(from: Layout, to: Layout) {
    this.#from = from;
    this.#to = to;
  }

  async make(): Promise<BackedUp> {
    for (const folder of [this.#to.sandboxes, this.#to.added]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Twice: a listing may miss a name that is being replaced at that moment.
    const names = new Set([...jsonFilesOf(this.#from.sandboxes, []), ...jsonFilesOf(this.#from.sandboxes, [])]);
    for (const name of names) this.#readHead(name.slice(0, -'.json'.length));
    // Until a round finds everything there: sandboxes may change, and end, during each.
    for (let before = -1; before !== this.#step; ) {
      before = this.#step;
      for (const id of [...this.#heads.keys()]) await this.#copyOrigins(id);
      for (const id of [...this.#heads.keys()]) await this.#copyBranchesOf(id);
    }
    this.#clearUnused();
    for (const [id, { text }] of this.#heads) write(this.#to.head(id), text);
    const key = readIfThere(this.#from.readyKey);
    if (key !== undefined) write(this.#to.readyKey, key);
    const copied = await this.#check();
    write(this.#to.version, `${JSON.stringify({ layout: LAYOUT_VERSION })}\n`);
    return copied;
  }

  /** Reads a head, or forgets it where the sandbox has ended. Returns whether it is there. */
  #readHead(id: string): boolean {
    const path = this.#from.head(id);
    const readAt = ++this.#step;
    const bytes = readIfThere(path);
    if (bytes === undefined) {
      this.#heads.delete(id);
      return false;
    }
    const text = decode(path, bytes);
    parseText(path, text);
    this.#heads.set(id, { text, head: JSON.parse(text) as HeadFile, readAt });
    return true;
  }

  /** A fork is copied with its origin; where that has ended, the fork ends too, at once or soon. */
  async #copyOrigins(id: string): Promise<void> {
    for (let at: string | null = id; at !== null; ) {
      const forkOf: string | null = this.#heads.get(at)?.head.forkOf ?? null;
      if (forkOf === null) return;
      if (!this.#heads.has(forkOf) && !this.#readHead(forkOf)) {
        await this.#untilEnded(at, forkOf);
        at = id;
      } else at = forkOf;
    }
  }

  async #untilEnded(id: string, origin: string): Promise<void> {
    // The end of a family is one rename; the heads of its forks are deleted later.
    if (existsSync(this.#from.ended(origin))) {
      this.#heads.delete(id);
      return;
    }
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (!this.#readHead(id)) return;
      await sleep(PAUSE_MS);
    }
    throw new DataFileError(this.#from.head(id), `is a fork of ${origin}, whose file is missing`);
  }

  async #copyBranchesOf(id: string): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const before = this.#heads.get(id);
      if (!before) return;
      try {
        for (const branch of pointsOf(before.head)) this.#copyChain(branch, before.readAt);
        return;
      } catch (error) {
        if (!(error instanceof Gone)) throw error;
        // The head changes before a branch goes, unless its family ended: then the heads of forks go last.
        if (this.#hasEnded(before.head)) this.#heads.delete(id);
        else if (this.#readHead(id) && this.#heads.get(id)?.text === before.text)
          // One that did not change counts on what is missing.
          throw new DataFileError(this.#from.head(id), error.message);
      }
    }
    throw new BackupError(`${id} was reset each of the ${MAX_ATTEMPTS} times that it was about to be copied`);
  }

  /** Whether a sandbox was ended with one that it descends from. */
  #hasEnded({ forkOf }: HeadFile): boolean {
    for (let at = forkOf; at !== null; at = this.#heads.get(at)?.head.forkOf ?? null)
      if (existsSync(this.#from.ended(at))) return true;
    return false;
  }

  /** A branch and what it grew from, as they are after `readAt`. */
  #copyChain({ branch, files }: Needed, readAt: number): void {
    let needed = files;
    const seen = new Set<string>();
    for (let at: string | undefined = branch; at !== undefined && !seen.has(at); at = this.#branches.get(at)?.from) {
      seen.add(at);
      if ((this.#branches.get(at)?.copiedAt ?? 0) <= readAt) this.#copyBranch(at, needed);
      needed = 1;
    }
  }

  #copyBranch(id: string, atLeast: number): void {
    const copiedAt = ++this.#step;
    const numbers = this.#numbersIn(id);
    if (numbers.length < atLeast)
      throw new Gone(`counts on ${this.#from.pets(id, numbers.length + 1)}, which is missing`);
    if (numbers.length > 0) mkdirSync(this.#to.branch(id), { recursive: true, mode: 0o700 });
    let from: string | undefined;
    for (const n of numbers) {
      const path = this.#from.pets(id, n);
      const bytes = readIfThere(path);
      if (bytes === undefined) throw new Gone(`counts on ${path}, which is missing`);
      // The last one may have been read in the middle of a write.
      const text = n === numbers.at(-1) ? (withoutCutEnd(bytes)?.text ?? bytes) : bytes;
      if (n === 1) from = originIn(text.toString());
      write(this.#to.pets(id, n), text);
    }
    this.#branches.set(id, { from, copiedAt });
  }

  #numbersIn(id: string): number[] {
    try {
      return numbersIn(this.#from.branch(id), []);
    } catch (error) {
      // It went between two looks at it.
      if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return [];
      throw error;
    }
  }

  /** Branches of heads that changed meanwhile. */
  #clearUnused(): void {
    const used = new Set<string>();
    for (const { head } of this.#heads.values())
      for (const { branch } of pointsOf(head))
        for (let at: string | undefined = branch; at !== undefined && !used.has(at); at = this.#branches.get(at)?.from)
          used.add(at);
    for (const name of readdirSync(this.#to.added))
      if (!used.has(name)) rmSync(join(this.#to.added, name), { recursive: true, force: true });
  }

  /** Reads the copy as a start would: what is refused here would be refused there. */
  async #check(): Promise<BackedUp> {
    const { kept, branches } = await readDirectory(this.#to, { has: () => true });
    const [mended] = branches.mended.keys();
    if (mended !== undefined) throw new DataFileError(mended, 'the copy of this file is not whole');
    return { sandboxes: kept.length, ...branches.totals() };
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new DataFileError(path, (error as Error).message, { cause: error });
  }
}

const write = (path: string, content: string | Buffer): void => writeFileSync(path, content, { mode: 0o600 });
