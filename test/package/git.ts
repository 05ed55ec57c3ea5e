/** The tree at hand as a clean clone, though it need not be committed in its own repository. */
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';

/** Nobody's settings, and a time of its own: two commits of the same tree are the same. */
const GIT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) => [
      [`GIT_${role}_NAME`, 'Test'],
      [`GIT_${role}_EMAIL`, 'test@example.com'],
      [`GIT_${role}_DATE`, '2026-01-02T03:04:05Z'],
    ]),
  ),
};

/** Commits the whole tree into a repository that lies elsewhere; the variables with which Git uses that one. */
export async function committed(folder: string): Promise<Record<string, string>> {
  await mkdir(folder);
  const environment = { ...GIT, GIT_DIR: folder, GIT_WORK_TREE: process.cwd() };
  git(environment, 'init', '-q', '-b', 'main');
  git(environment, 'add', '--all');
  git(environment, 'commit', '-q', '-m', 'Everything');
  return environment;
}

/** Runs Git on that repository. */
export function git(environment: Readonly<Record<string, string>>, ...args: readonly string[]): string {
  return execFileSync('git', args, { env: { PATH: process.env['PATH'], ...environment }, encoding: 'utf8' });
}
