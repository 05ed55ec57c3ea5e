/** Reads the branches that heads reference, each once, with all their ancestors. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type Branch, type BranchPoint, growFrom, pointAt } from './branch.ts';
import { rejectAfter } from './change.ts';
import type { Mended } from './cut-end.ts';
import { DataFileError, missing } from './data-file.ts';
import { type Leftovers, numbersIn } from './directory.ts';
import type { HeadFile, PointFile } from './head.ts';
import type { Layout } from './layout.ts';
import { type LogFile, readLogFile } from './log-file.ts';

/** A branch that is being read: its number of files, and the content of the first. */
interface Begun {
  readonly id: string;
  readonly count: number;
  readonly path: string;
  readonly first: LogFile;
}

interface BranchesOptions {
  readonly layout: Layout;
  /** The branches that sandboxes append to. No other can have been truncated by a kill. */
  readonly growing: ReadonlySet<string>;
  readonly leftovers: Leftovers;
}

export class Branches {
  /** The number of each branch's files. */
  readonly files = new Map<string, number>();
  /** Files with a truncated end: repaired after everything was read. */
  readonly mended = new Map<string, Mended>();
  readonly #branches = new Map<string, Branch>();
  readonly #options: BranchesOptions;

  constructor(options: BranchesOptions) {
    this.#options = options;
  }

  has(id: string): boolean {
    return this.#branches.has(id);
  }

  /**
   * A sandbox's own branch, with at least as many files as its head expects. Its directory is created before its first
   * file, so a kill or a full disk may leave an empty one.
   * @param path the head's
   */
  own(path: string, { branch: id, from, files }: HeadFile['log']): Branch {
    const point = from ? this.point(path, from) : undefined;
    const numbers = numbersIn(this.#options.layout.branch(id), this.#options.leftovers);
    if (numbers.length < files) throw this.#missingFile(path, id, numbers);
    if (numbers.length === 0) return this.#add(growFrom(point, id));
    const branch = this.#read(path, id);
    if (branch.from?.branch !== point?.branch || branch.from?.changes !== point?.changes)
      throw new DataFileError(path, `"from" of "log" differs from that in ${this.#options.layout.logFile(id, 1)}`);
    return branch;
  }

  /** Normalizes a point. @param path the file that contains it */
  point(path: string, { branch: id, changes }: PointFile): BranchPoint | undefined {
    const branch = this.#read(path, id);
    const [least, most] = [branch.from?.changes ?? 0, branch.length];
    if (changes > most) {
      const next = this.#options.layout.logFile(id, (this.files.get(id) ?? 0) + 1);
      throw new DataFileError(
        path,
        `references ${changes} changes of ${id}, which has ${most}; ${next} may be missing`,
      );
    }
    if (changes < least)
      throw new DataFileError(path, `references ${changes} changes of ${id}, which starts with ${least}`);
    return pointAt({ branch, changes });
  }

  /** The number of changes that were read, and their memory. */
  totals(): { changes: number; bytes: number } {
    const all = [...this.#branches.values()];
    return {
      changes: all.reduce((sum, { ownLength }) => sum + ownLength, 0),
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  /** The branch with all its ancestors. */
  #read(path: string, id: string): Branch {
    // The oldest ancestor is filled first. Chains may be longer than the call stack.
    const chain: Begun[] = [];
    const seen = new Set<string>();
    let [next, wantedBy]: [string | undefined, string] = [id, path];
    while (next !== undefined && !this.#branches.has(next)) {
      if (seen.has(next)) throw new DataFileError(wantedBy, `grows from ${next}, which grows from it`);
      const begun = this.#begin(wantedBy, next);
      seen.add(next);
      chain.push(begun);
      wantedBy = begun.path;
      next = begun.first.from?.branch;
    }
    for (let begun = chain.pop(); begun; begun = chain.pop()) this.#fill(begun);
    return this.#branches.get(id) as Branch;
  }

  /** @param path the file that references it */
  #begin(path: string, id: string): Begun {
    const { layout, leftovers } = this.#options;
    const numbers = numbersIn(layout.branch(id), leftovers);
    const count = numbers.length;
    if (count === 0 || numbers.at(-1) !== count) throw this.#missingFile(path, id, numbers);
    this.files.set(id, count);
    return { id, count, path: layout.logFile(id, 1), first: this.#readFile(id, 1, count) };
  }

  /** File by file: a server that starts needs no more memory than a running one. */
  #fill({ id, count, path, first }: Begun): void {
    const branch = growFrom(first.from ? this.point(path, first.from) : undefined, id);
    for (let n = 1; n <= count; n++) {
      const file = this.#options.layout.logFile(id, n);
      const { from, changes } = n === 1 ? first : this.#readFile(id, n, count);
      if (from?.branch !== first.from?.branch || from?.changes !== first.from?.changes)
        throw new DataFileError(file, `"from" differs from that in ${basename(path)}`);
      for (const [index, change] of changes.entries()) {
        const problem = rejectAfter(branch, change);
        if (problem !== undefined) throw new DataFileError(file, `changes[${index}] ${problem}`);
        branch.append(change);
      }
    }
    this.#add(branch);
  }

  #readFile(id: string, n: number, count: number): LogFile {
    const { layout, growing } = this.#options;
    const path = layout.logFile(id, n);
    const file = readLogFile(path, growing.has(id) && n === count);
    if (file.mended) this.mended.set(path, file.mended);
    return file;
  }

  /** Names the first missing file, or its missing folder. */
  #missingFile(path: string, id: string, numbers: readonly number[]): DataFileError {
    const { layout } = this.#options;
    const n = numbers.findIndex((number, index) => number !== index + 1);
    const file = layout.logFile(id, n < 0 ? numbers.length + 1 : n + 1);
    if (existsSync(layout.branch(id))) return missing(file, `${path} references it`);
    if (existsSync(layout.lost(id)))
      return missing(layout.branch(id), `${path} references it; an earlier start moved it to ${layout.lost(id)}`);
    return missing(existsSync(layout.changes) ? layout.branch(id) : layout.changes, `${path} references ${file}`);
  }

  #add(branch: Branch): Branch {
    this.#branches.set(branch.id, branch);
    return branch;
  }
}
