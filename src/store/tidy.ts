/**
 * Tidies a data directory at a start, after all of it was read. Nothing that may contain acknowledged changes is
 * deleted: a truncated end of a file is kept beside it, and unreferenced branches are moved to `lost+found/`.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Mended } from './cut-end.ts';
import { DataFileError, writeWhole } from './data-file.ts';
import { type Leftovers, namesIn } from './directory.ts';
import type { Layout } from './layout.ts';

/** A message for people about their data; goes to the log. */
export interface Notice {
  readonly details: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Removes the truncated end of a file, and keeps it beside the file. */
export function mend(path: string, { text, removed }: Mended): Notice {
  return orReject(path, () => {
    const movedTo = firstFree((n) => `${path}.removed-${n}`);
    // The copy comes first: a kill in between leaves both.
    writeFileSync(movedTo, removed, { flag: 'wx', mode: 0o600 });
    writeWhole(path, text);
    const bytes = removed.length;
    const message = `the last ${bytes} bytes of this file were an incomplete change, caused by a kill during a write or by a damaged copy; they were moved to ${movedTo}`;
    return { details: { path, bytes, movedTo }, message };
  });
}

/** Deletes leftovers, and moves unreferenced branches into `lost+found/`. */
export function setAside(layout: Layout, leftovers: Leftovers, isUsed: (branch: string) => boolean): Notice[] {
  for (const path of leftovers) orReject(path, () => rmSync(path, { force: true }));
  return namesIn(layout.changes).flatMap((name) => {
    const path = join(layout.changes, name);
    if (/^\.dropped-brn_[A-Za-z0-9]{1,64}$/.test(name)) {
      orReject(path, () => rmSync(path, { recursive: true, force: true }));
      return [];
    }
    if (!/^brn_[A-Za-z0-9]{1,64}$/.test(name) || isUsed(name)) return [];
    return orReject(path, () => moveAway(layout, name, path));
  });
}

function moveAway(layout: Layout, name: string, path: string): Notice[] {
  const files = statSync(path).isDirectory() ? readdirSync(path).map((file) => join(path, file)) : [path];
  if (files.every((file) => /^\..*\.json\.tmp$/.test(file.slice(path.length + 1)))) {
    rmSync(path, { recursive: true, force: true });
    return [];
  }
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const movedTo = firstFree((n) => layout.lost(n === 1 ? name : `${name}-${n}`));
  mkdirSync(dirname(movedTo), { recursive: true, mode: 0o700 });
  renameSync(path, movedTo);
  const message = `no sandbox points to these changes (${files.length} files, ${bytes} bytes); they were moved to ${movedTo}`;
  return [{ details: { path, files: files.length, bytes, movedTo }, message }];
}

/** The first of several names that is not taken. */
function firstFree(nameOf: (n: number) => string): string {
  for (let n = 1; ; n++) if (!existsSync(nameOf(n))) return nameOf(n);
}

/** A failure stops the start with a message for people. */
function orReject<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new DataFileError(path, (error as Error).message, { cause: error });
  }
}
