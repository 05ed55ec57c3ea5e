/**
 * Copies a data directory while a server uses it, without its cooperation. Heads are read before the branches that they
 * reference, and branches only grow, so a copied head never needs more than the copy of its branch contains. A branch
 * is deleted only after its head changed, so if a branch is missing the head is read again. At the end the copy is read
 * as at a start, and `store.json` is written last: a start rejects an interrupted copy.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withoutCutEnd } from './cut-end.ts';
import { DataFileError, decode, missing, parseText, writeJson } from './data-file.ts';
import { jsonFilesOf, numbersIn } from './directory.ts';
import { type HeadFile, type PointFile, pointsIn } from './head.ts';
import { hasKnownLayout, LAYOUT_VERSION, type Layout, layoutOf } from './layout.ts';
import { readDirectory } from './load.ts';

/** The copy could not be completed because sandboxes kept changing. */
export class BackupError extends Error {}

/** The content of a copy. */
export interface BackedUp {
  readonly sandboxes: number;
  /** Added pets; pets shared by several sandboxes count once. */
  readonly pets: number;
  readonly bytes: number;
}

/** How often one sandbox may change during the copy, and the delay before the next attempt. */
const MAX_ATTEMPTS = 100;
const PAUSE_MS = 20;

/**
 * Copies the directory `from` into `to`, which is empty or does not exist.
 * @throws {DataFileError} if `from` is damaged or contains no data
 * @throws {BackupError} if no consistent copy could be made
 */
export async function backUp(from: string, to: string): Promise<BackedUp> {
  const layout = layoutOf(from);
  if (!hasKnownLayout(from)) throw missing(layout.version, 'the directory contains no sandbox data');
  return new Copy(layout, layoutOf(to)).make();
}

interface CopiedHead {
  readonly text: string;
  readonly head: HeadFile;
  /** When it was read, as a step number of the copy. */
  readonly readAt: number;
}

/** A branch of the copy. */
interface CopiedBranch {
  readonly from: string | undefined;
  /** When its copy started. */
  readonly copiedAt: number;
}

/** A file that a head needs was deleted before it could be copied. */
class BranchGone extends Error {}

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
    for (const folder of [this.#to.sandboxes, this.#to.changes]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Twice: a listing may miss a name that is being replaced at that moment.
    const names = new Set([...jsonFilesOf(this.#from.sandboxes, []), ...jsonFilesOf(this.#from.sandboxes, [])]);
    for (const name of names) this.#readHead(name.slice(0, -'.json'.length));
    // Repeats until a round finds everything: sandboxes may change, and end, during each.
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
    writeJson(this.#to.version, { layout: LAYOUT_VERSION });
    return copied;
  }

  /** Reads a head, or drops it if the sandbox has ended. Returns whether it exists. */
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

  /** A fork is copied with its origin; if the origin has ended, the fork ends too, now or soon. */
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
    // A family is ended by one rename; the heads of its forks are deleted later.
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
        if (!(error instanceof BranchGone)) throw error;
        // The head changes before a branch is deleted, unless its family ended: then the heads of forks are deleted
        // last.
        if (this.#hasEnded(before.head)) this.#heads.delete(id);
        else if (this.#readHead(id) && this.#heads.get(id)?.text === before.text)
          // A head that did not change references a missing file.
          throw new DataFileError(this.#from.head(id), error.message);
      }
    }
    throw new BackupError(`${id} was reset each of the ${MAX_ATTEMPTS} times that it was about to be copied`);
  }

  /** Whether a sandbox was ended together with one of its ancestors. */
  #hasEnded({ forkOf }: HeadFile): boolean {
    for (let at = forkOf; at !== null; at = this.#heads.get(at)?.head.forkOf ?? null)
      if (existsSync(this.#from.ended(at))) return true;
    return false;
  }

  /** A branch and its ancestors, as they are after `readAt`. */
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
      throw new BranchGone(`references ${this.#from.logFile(id, numbers.length + 1)}, which is missing`);
    if (numbers.length > 0) mkdirSync(this.#to.branch(id), { recursive: true, mode: 0o700 });
    let from: string | undefined;
    for (const n of numbers) {
      const path = this.#from.logFile(id, n);
      const bytes = readIfThere(path);
      if (bytes === undefined) throw new BranchGone(`references ${path}, which is missing`);
      // The last file may have been read in the middle of a write.
      const text = n === numbers.at(-1) ? (withoutCutEnd(bytes)?.text ?? bytes) : bytes;
      if (n === 1) from = originIn(text.toString());
      write(this.#to.logFile(id, n), text);
    }
    this.#branches.set(id, { from, copiedAt });
  }

  #numbersIn(id: string): number[] {
    try {
      return numbersIn(this.#from.branch(id), []);
    } catch (error) {
      // Deleted between the two checks.
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
    for (const name of readdirSync(this.#to.changes))
      if (!used.has(name)) rmSync(join(this.#to.changes, name), { recursive: true, force: true });
  }

  /** Reads the copy as a start would, with the same checks. */
  async #check(): Promise<BackedUp> {
    const { states, branches } = await readDirectory(this.#to, { has: () => true });
    const [mended] = branches.mended.keys();
    if (mended !== undefined) throw new DataFileError(mended, 'the copy of this file is incomplete');
    const { changes: pets, bytes } = branches.totals();
    return { sandboxes: states.length, pets, bytes };
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

/**
 * The branches that heads and log files reference, for a backup: read unchecked, because the copy is validated as a
 * whole.
 */
const BRANCH = /^brn_[A-Za-z0-9]{1,64}$/;

/** A branch referenced by a head, and its minimal number of files. */
interface Needed {
  readonly branch: string;
  readonly files: number;
}

/** The branches that an unchecked head references. Invalid names are left to the check of the copy. */
function pointsOf(head: Partial<HeadFile>): Needed[] {
  const { log } = head;
  const needed = pointsIn(head).flatMap((point) => (point ? [{ ...point, files: 1 }] : []));
  const own = log ? [{ branch: log.branch, files: log.files }] : [];
  return [...own, ...needed].filter(({ branch }) => BRANCH.test(branch));
}

/** The branch that a log file's branch grew from. Errors in the file are left to the check of the copy. */
function originIn(text: string): string | undefined {
  const [, branch] = /^\{"from":(?:null|\{"branch":"(brn_[A-Za-z0-9]{1,64})")/.exec(text) ?? [];
  if (branch !== undefined || text.startsWith('{"from":null')) return branch;
  try {
    // Edited by hand.
    const edited = (JSON.parse(text) as { from?: PointFile | null }).from?.branch;
    return BRANCH.test(String(edited)) ? edited : undefined;
  } catch {
    return undefined;
  }
}
