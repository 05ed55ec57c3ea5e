/**
 * Fixtures for Vitest: `test` gives each test a sandbox of its own. One server serves the whole run where the global
 * set-up `petstore-sandbox/vitest/setup` started it; else each test file that needs one starts its own.
 */
import { test as base, inject } from 'vitest';
import { openSandbox, type SandboxServer, type TestSandbox, type TestSandboxOptions } from './testing.ts';

export { ContractError, expectContractKept, type TestSandbox, type TestSandboxOptions } from './testing.ts';

export interface SandboxFixtures {
  /** The server that all sandboxes live on. */
  readonly sandboxServer: SandboxServer;
  /** What each test's sandbox shall be; override it with `test.extend({ sandboxOptions: { fixture: 'empty' } })`. */
  readonly sandboxOptions: TestSandboxOptions;
  /** This test's own world. When the test fails, its output shows the journal. */
  readonly sandbox: TestSandbox;
}

/** Vitest's `test`, with a sandbox. */
export const test = base.extend<SandboxFixtures>({
  sandboxServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are needed
    async ({}, use) => {
      const started = inject('petstoreSandbox') as SandboxServer | undefined;
      if (started) return await use(started);
      const { startSandbox } = await import('./index.ts');
      const server = await startSandbox();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  sandboxOptions: {},
  sandbox: async ({ sandboxServer, sandboxOptions, task }, use) => {
    const sandbox = await openSandbox(sandboxServer, { label: labelOf(task.name), ...sandboxOptions });
    await use(sandbox);
    // A test that has failed takes no annotation any more; what it prints stands under its name, in JUnit files too.
    // biome-ignore lint/suspicious/noConsole: Vitest adds to a test's output what it prints with the console
    if (task.result?.state === 'fail') console.error(await sandbox.journal());
    await sandbox.end();
  },
});

/** A label is short and has no control characters; a test's name may be anything. */
const labelOf = (name: string): string => [...name.replace(/\p{Cc}/gu, ' ')].slice(0, 100).join('');
