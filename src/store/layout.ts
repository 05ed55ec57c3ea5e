/** Paths within a data directory. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DataFileError, missing, objectIn, parseText, readText } from './data-file.ts';
import { namesIn } from './directory.ts';

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

/**
 * Checks that a directory has this program's layout, or is still empty. Changes nothing.
 * @returns whether there is any data
 * @throws {DataFileError} for another layout, or if a part of the directory is missing
 */
export function hasKnownLayout(directory: string): boolean {
  const layout = layoutOf(directory);
  if (!existsSync(layout.version)) {
    const present = [layout.sandboxes, layout.changes].filter((folder) => namesIn(folder).length > 0);
    if (present.length === 0) return false;
    throw missing(layout.version, `${present.join(' and ')} contain files, but their layout is unknown`);
  }
  const { layout: version, ...others } = objectIn(parseText(layout.version, readText(layout.version)));
  if (typeof version !== 'bigint' || Object.keys(others).length > 0)
    throw new DataFileError(layout.version, `must be {"layout":${LAYOUT_VERSION}}`);
  if (version !== BigInt(LAYOUT_VERSION)) {
    const advice =
      'Nothing was changed; start the version of petstore-sandbox that wrote it, or choose another directory with --data';
    const problem = `the directory has layout ${version}; this version reads layout ${LAYOUT_VERSION} only`;
    throw new DataFileError(layout.version, problem, { advice });
  }
  // It is created before the first `store.json`: if it is missing, all sandboxes are lost.
  if (!existsSync(layout.sandboxes))
    throw missing(layout.sandboxes, `${layout.version} is there, and was made after it`);
  return true;
}
