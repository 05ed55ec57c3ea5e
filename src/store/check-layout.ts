/** Refuses data directories that this program cannot read, before anything in them is changed. */
import { existsSync } from 'node:fs';
import { DataFileError, missing, objectIn, parseText, readText } from './data-file.ts';
import { namesIn } from './directory.ts';
import { LAYOUT_VERSION, layoutOf } from './layout.ts';

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
