/** The last failed run of `exec` in a project: its recording stays in the project's cache folder, where `open` finds it. */
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { hashOf } from '../api/api-key.ts';
import { makeDirectory } from '../core/make-directory.ts';

/** Its file: in `node_modules/.cache`, as other tools of Node have it, or in the user's cache, under a name for the project. */
export function failedRunFile(environment: NodeJS.ProcessEnv): string {
  const root = folderWith('node_modules', '.git') ?? process.cwd();
  const modules = join(root, 'node_modules');
  if (existsSync(modules)) return join(modules, '.cache', 'petstore-sandbox', 'failed-run.jsonl');
  const caches = environment['XDG_CACHE_HOME'] || environment['LOCALAPPDATA'] || join(homedir(), '.cache');
  return join(caches, 'petstore-sandbox', `failed-run-${hashOf(root).slice(0, 12)}.jsonl`);
}

/** Replaces the run before. @throws {Error} of the file system */
export async function keepFailedRun(recording: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const file = failedRunFile(environment);
  await makeDirectory(dirname(file));
  // Several may end at once: each file is whole.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, recording, { mode: 0o600 });
  await rename(draft, file);
}

/** The nearest folder, from this one up, that has one of these files or folders. */
function folderWith(...names: readonly string[]): string | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (names.some((name) => existsSync(join(folder, name)))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
