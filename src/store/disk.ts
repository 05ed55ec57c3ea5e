/** The disk operations that the store needs. */
import type { Branch } from './branch.ts';
import type { Change } from './change.ts';
import type { Member } from './family.ts';
import type { SandboxState } from './state.ts';

/**
 * Writes states. The writes are synchronous: passing a small file to the operating system takes a fraction of the four
 * hops through the thread pool of an asynchronous write. Each write is atomic.
 */
export interface Disk {
  /** Writes all of a sandbox but its log, atomically. */
  writeHead(state: SandboxState): void;
  /**
   * Ends a sandbox and its forks atomically: after a kill all of them exist, or none.
   * @param family the origin first, each fork after its origin
   */
  end(family: readonly [Member, ...Member[]]): void;
  /** Deletes the files of an ended family of several sandboxes; nothing waits for it. */
  clear(family: readonly Member[]): Promise<void>;
  /** Writes the next changes of a branch. A head may reference it once all are written. */
  writeBranch(branch: Branch, changes: readonly Change[]): void;
  /** Appends changes to a sandbox's log. After a kill, all changes of one call exist, or none. */
  append(state: SandboxState, calls: readonly (readonly Change[])[]): void;
  /** Drops an unreferenced branch immediately; the returned function deletes its files, possibly later. */
  dropBranch(branch: Branch): () => Promise<void>;
  /** Why writing is not possible at present; `undefined` if it is. */
  readonly problem: string | undefined;
  close(): Promise<void>;
}
