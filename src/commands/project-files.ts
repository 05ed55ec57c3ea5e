/** What the kinds of project have in common: the files in this folder, and what a CI job says of them. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { INIT } from './flags.ts';

/** A test runner that `init` knows. */
export type RunnerName = Exclude<(typeof INIT.runner.choices)[number], 'none'>;

/** A step of GitHub Actions that sets up a language. */
export interface Setup {
  readonly uses: string;
  readonly with: Readonly<Record<string, string>>;
}

/** What a job does before the tests, and how it runs them. */
export interface Job {
  /** Beside Node, which the sandbox needs. */
  readonly setup?: Setup;
  /** The image of GitLab. */
  readonly image: string;
  readonly install: readonly string[];
  readonly test: string;
}

/** Its text; none without the file. */
export const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
/** The first that is there. */
export const firstOf = (...files: readonly string[]): string | undefined => files.find((file) => existsSync(file));

/** The nearest folder, from this one up, that has one of these files or folders. */
export function folderWith(...names: readonly string[]): string | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (names.some((name) => existsSync(join(folder, name)))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
