/**
 * Puts a data directory in order at a start, once all of it was read. Nothing that may hold acknowledged pets is
 * deleted: the end of a file that is not whole is kept beside it, and what nobody points to moves to `lost+found/`.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DataFileError, writeWhole } from './data-file.ts';
import { type Leftovers, namesIn } from './directory.ts';
import type { Layout } from './layout.ts';
import type { Mended } from './pet-file.ts';

/** Something that people should know about their data; goes to the log. */
export interface Notice {
  readonly details: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Takes off the end of a file that is not whole, and keeps it beside the file. */
export function mend(path: string, { text, removed }: Mended): Notice {
  return orRefuse(path, () => {
    const movedTo = firstFree((n) => `${path}.removed-${n}`);
    // The copy comes first: a kill in between leaves both.
    writeFileSync(movedTo, removed, { flag: 'wx', mode: 0o600 });
    writeWhole(path, text);
    const bytes = removed.length;
    const message = `the last ${bytes} bytes of this file were not a whole change, as after a kill in the middle of a write or in a damaged copy; they were moved to ${movedTo}`;
    return { details: { path, bytes, movedTo }, message };
  });
}

/** Clears what was on its way out, and moves branches to which nothing points into `lost+found/`. */
export function setAside(layout: Layout, leftovers: Leftovers, isUsed: (branch: string) => boolean): Notice[] {
  for (const path of leftovers) orRefuse(path, () => rmSync(path, { force: true }));
  return namesIn(layout.added).flatMap((name) => {
    const path = join(layout.added, name);
    if (/^\.dropped-brn_[A-Za-z0-9]{1,64}$/.test(name)) {
      orRefuse(path, () => rmSync(path, { recursive: true, force: true }));
      return [];
    }
    if (!/^brn_[A-Za-z0-9]{1,64}$/.test(name) || isUsed(name)) return [];
    return orRefuse(path, () => moveAway(layout, name, path));
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
  const message = `no sandbox points to these added pets (${files.length} files, ${bytes} bytes); they were moved to ${movedTo}`;
  return [{ details: { path, files: files.length, bytes, movedTo }, message }];
}

function firstFree(nameOf: (n: number) => string): string {
  for (let n = 1; ; n++) if (!existsSync(nameOf(n))) return nameOf(n);
}

/** What cannot be put in order stops the start in words. */
function orRefuse<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new DataFileError(path, (error as Error).message, { cause: error });
  }
}
