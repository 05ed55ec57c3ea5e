/** Paths within a data directory. */
import { join } from 'node:path';

/** The paths of all files of a data directory. */
export const layoutOf = (directory: string) => ({
  version: join(directory, 'store.json'),
  sandboxes: join(directory, 'sandboxes'),
  head: (id: string): string => join(directory, 'sandboxes', `${id}.json`),
  /** The head of a sandbox that has ended together with its forks (see ended.ts). */
  ended: (id: string): string => join(directory, 'sandboxes', `${id}.ended`),
  changes: join(directory, 'changes'),
  branch: (id: string): string => join(directory, 'changes', id),
  logFile: (id: string, n: number): string => join(directory, 'changes', id, `${n}.json`),
  /** A branch that is about to be deleted, so that a start can distinguish it from one that lost its sandbox. */
  dropped: (id: string): string => join(directory, 'changes', `.dropped-${id}`),
  /** Unreferenced files found at a start. */
  lost: (name: string): string => join(directory, 'lost+found', name),
  readyKey: join(directory, 'ready-key.json'),
});

export type Layout = ReturnType<typeof layoutOf>;

/** Incremented when older programs cannot read what newer ones write; see check-layout.ts. */
export const LAYOUT_VERSION = 3;
