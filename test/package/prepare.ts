/** Before the tests: a folder for what they share (`packed.ts`), and the tree as a clean clone. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { committed } from './git.ts';

/** The lines of Node that the package runs on, as the registry has them; the oldest one as old as it may be. */
export const NODES = { 20: '20.19.0', 22: '22.23.3', 24: '24.21.0' };

/** What users of the package run it with. */
export const TOOLS = [
  ...['jest@30.5.2', 'vitest@4.1.12', 'typescript@5.9.3', '@types/node@20.19.43'],
  // They replace globals.
  ...['jest-environment-jsdom@30.5.2', 'jsdom@29.1.1', 'happy-dom@21.0.4', 'sinon@22.1.0'],
  // They replace the network. nock 15 needs Node 22.
  ...['msw@2.15.0', 'nock@14.0.17'],
];

declare module 'vitest' {
  interface ProvidedContext {
    package: {
      readonly folder: string;
      /** Git's environment, for which the tree is clean. */
      readonly cleanGit: Readonly<Record<string, string>>;
    };
  }
}

export async function setup({ provide }: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-package-'));
  provide('package', { folder, cleanGit: await committed(join(folder, 'git')) });
  return () => rm(folder, { recursive: true, force: true });
}
