/** A global setup for Vitest: one sandbox server for the whole run. */
import type { TestProject } from 'vitest/node';
import { type SandboxOptions, startSandbox } from './index.ts';
import type { SandboxServer } from './testing.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The location of this run's server. */
    petstoreSandbox: SandboxServer;
    /** Options of this run's server, from `test.provide` of the configuration. */
    petstoreSandboxOptions: SandboxOptions;
  }
}

/** Starts the server and waits for its validator; the returned function ends the server. */
export async function setup({
  provide,
  config,
}: Pick<TestProject, 'provide'> & { config?: { provide?: object } }): Promise<() => Promise<void>> {
  const { petstoreSandboxOptions: options } = (config?.provide ?? {}) as { petstoreSandboxOptions?: SandboxOptions };
  const { url, ca, adminToken, ready, close } = await startSandbox(options);
  await ready;
  provide('petstoreSandbox', { url, ca, adminToken });
  return close;
}
