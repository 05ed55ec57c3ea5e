/** A file that the disk refuses to rename or delete, while everything beside it works. */
import { execFileSync } from 'node:child_process';
import type { TestContext } from 'vitest';

/**
 * Mounts a file over itself: the kernel then refuses to move it or take it away (EBUSY). Skips the test, with the reason,
 * where nothing may be mounted; lets go of the file with the test at the latest.
 *
 * @returns lets go of it
 */
export function stick({ skip, onTestFinished }: TestContext, path: string): () => void {
  try {
    execFileSync('mount', ['--bind', path, path], { stdio: 'pipe' });
  } catch (error) {
    skip(`no file can be mounted here: ${String((error as { stderr?: Buffer }).stderr ?? error).trim()}`);
  }
  let stuck = true;
  const letGo = (): void => {
    if (stuck) execFileSync('umount', ['-l', path]);
    stuck = false;
  };
  onTestFinished(letGo);
  return letGo;
}
