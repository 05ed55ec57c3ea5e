import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder, from this one up, that has one of these files or folders. */
export function folderWith(...names: readonly string[]): string | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (names.some((name) => existsSync(join(folder, name)))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
