/** The files of branches: the number of each branch's files, and the file that grows. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Branch } from './branch.ts';
import { begin, type GrowingFile, grow, isFull, OpenFiles } from './growing-file.ts';
import { pointFile } from './head.ts';
import type { Layout } from './layout.ts';
import { areLines, beginning, type ChangeLine, linesOf } from './log-file.ts';

/** Open descriptors: a server also needs one for each connection, and the system usually grants 1,024. */
const MOST_OPEN = 64;

interface Files {
  readonly count: number;
  /** The last file, while it can grow. */
  readonly growing: GrowingFile | undefined;
}

const NONE: Files = { count: 0, growing: undefined };

export class BranchFiles {
  readonly #layout: Layout;
  readonly #branches: Map<string, Files>;
  readonly #open = new OpenFiles(MOST_OPEN);

  /** @param counts the number of each branch's files at the start */
  constructor(layout: Layout, counts: ReadonlyMap<string, number>) {
    this.#layout = layout;
    // New changes go into a new file: the last one may have been edited by hand.
    this.#branches = new Map([...counts].map(([id, count]) => [id, { count, growing: undefined }]));
  }

  countOf(branch: Branch): number {
    return this.#of(branch).count;
  }

  /**
   * Appends changes to a branch, all or none.
   * @param onNew called with the new number of files before the changes count; if it throws, the new file is removed
   */
  append(branch: Branch, calls: readonly ChangeLine[], onNew: (count: number) => void): void {
    const { growing } = this.#of(branch);
    if (growing && areLines(calls)) this.#grow(branch, growing, calls);
    else this.#begin(branch, calls, onNew);
  }

  #grow(branch: Branch, growing: GrowingFile, calls: readonly ChangeLine[]): void {
    const { count } = this.#of(branch);
    const changes = calls.reduce((sum, { length }) => sum + length, 0);
    try {
      this.#set(branch, { count, growing: grow(growing, { text: linesOf(calls), changes }, this.#open) });
    } catch (error) {
      // Later changes go into a new file: the state of this one on disk is unknown.
      this.#set(branch, { count, growing: undefined });
      this.#open.close(growing.path);
      throw error;
    }
  }

  #begin(branch: Branch, calls: readonly ChangeLine[], onNew: (count: number) => void): void {
    const { count, growing } = this.#of(branch);
    const path = this.#layout.logFile(branch.id, count + 1);
    if (count > 0) rejectGap(this.#layout.logFile(branch.id, count));
    if (count === 0) mkdirSync(dirname(path), { recursive: true });
    const changes = calls.flat();
    const begun = begin(path, { text: beginning(pointFile(branch.from), changes), changes: changes.length });
    try {
      onNew(count + 1);
    } catch (error) {
      // If even this fails, the next change replaces the file.
      this.#set(branch, { count, growing: undefined });
      rmSync(path, { force: true });
      throw error;
    } finally {
      if (growing) this.#open.close(growing.path);
    }
    this.#set(branch, { count: count + 1, growing: begun });
  }

  /** Drops a branch immediately; the returned function deletes its files, possibly later. */
  drop(branch: Branch): () => Promise<void> {
    const { count, growing } = this.#of(branch);
    this.#branches.delete(branch.id);
    if (growing) this.#open.close(growing.path);
    const dropped = this.#layout.dropped(branch.id);
    try {
      renameSync(this.#layout.branch(branch.id), dropped);
    } catch (error) {
      // It has no changes.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return async () => undefined;
      return () => Promise.reject(error);
    }
    return () => deleteFiles(dropped, count);
  }

  close(): void {
    this.#open.closeAll();
  }

  #of(branch: Branch): Files {
    return this.#branches.get(branch.id) ?? NONE;
  }

  #set(branch: Branch, { count, growing }: Files): void {
    const isDone = growing !== undefined && isFull(growing);
    if (isDone) this.#open.close(growing.path);
    this.#branches.set(branch.id, { count, growing: isDone ? undefined : growing });
  }
}

/** A log without its last file cannot be read at the next start: nothing that follows it is acknowledged. */
function rejectGap(last: string): void {
  if (!existsSync(last)) throw new Error(`${last} was removed while the server runs; put it back`);
}

/** File by file: a recursive removal is several times slower, and thousands of branches may be deleted together. */
async function deleteFiles(directory: string, count: number): Promise<void> {
  try {
    for (let n = 1; n <= count; n++) await unlink(join(directory, `${n}.json`));
    await rmdir(directory);
  } catch {
    await rm(directory, { recursive: true, force: true });
  }
}
