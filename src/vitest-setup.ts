/** A global set-up for Vitest: one sandbox server for the whole run. */
import type { TestProject } from 'vitest/node';
import { startSandbox } from './index.ts';
import type { SandboxServer } from './testing.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the server of this run is. */
    petstoreSandbox: SandboxServer;
  }
}

/** Starts the server; what it returns ends it. */
export async function setup({ provide }: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  const { url, adminToken, close } = await startSandbox();
  provide('petstoreSandbox', { url, adminToken });
  return close;
}
