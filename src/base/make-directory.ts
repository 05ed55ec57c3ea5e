/** Creates directories. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a directory and its parents, one after the other. Node's recursive `mkdir` tries again and again, on a thread
 * that nothing ends, where a file system such as /proc says of a missing directory that its parent is missing.
 * @param path an absolute one
 * @throws {Error} of `mkdir`
 */
export async function makeDirectory(path: string, mode?: number): Promise<void> {
  if ((await stat(path).catch(() => undefined))?.isDirectory()) return;
  if (dirname(path) !== path) await makeDirectory(dirname(path), mode);
  await mkdir(path, { mode }).catch(async (error: NodeJS.ErrnoException) => {
    // Another program was quicker.
    if (error.code !== 'EEXIST' || !(await stat(path).catch(() => undefined))?.isDirectory()) throw error;
  });
}
