/**
 * Fixtures for Vitest: `test` gives each test its own sandbox. If the global set-up `petstore-sandbox/vitest/setup`
 * started a server, all tests share it; otherwise each test file that needs one starts its own.
 */
import { test as base, inject } from 'vitest';
import {
  type DrillCall,
  drill as drillAnywhere,
  openSandbox,
  type SandboxServer,
  type TestSandbox,
  type TestSandboxOptions,
} from './testing.ts';

export {
  ContractError,
  type DrillCall,
  DrillError,
  expectContractKept,
  type TestSandbox,
  type TestSandboxOptions,
} from './testing.ts';

export interface SandboxFixtures {
  /** The server of all sandboxes. */
  readonly sandboxServer: SandboxServer;
  /** Options of each test's sandbox; override them with `test.extend({ sandboxOptions: { fixture: 'empty' } })`. */
  readonly sandboxOptions: TestSandboxOptions;
  /** The sandbox of this test. If the test fails, its output shows the journal. */
  readonly sandbox: TestSandbox;
}

/** Vitest's `test`, with a sandbox. */
export const test = base.extend<SandboxFixtures>({
  sandboxServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the pattern to find the fixtures that are needed
    async ({}, use) => {
      const started = inject('petstoreSandbox') as SandboxServer | undefined;
      if (started) return await use(started);
      const { startSandbox } = await import('./index.ts');
      const server = await startSandbox();
      // An extended `test` starts a server of its own, which the hook below does not wait for.
      await server.ready;
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  sandboxOptions: {},
  sandbox: async ({ sandboxServer, sandboxOptions, task }, use) => {
    const sandbox = await openSandbox(sandboxServer, { label: labelOf(task.name), ...sandboxOptions });
    await use(sandbox);
    // A failed test accepts no more annotations; console output appears under its name, also in JUnit files.
    // biome-ignore lint/suspicious/noConsole: Vitest adds console output to a test's output
    if (task.result?.state === 'fail') console.error(await sandbox.journal());
    await sandbox.end();
  },
});

/** As `drill` of `petstore-sandbox/testing`, on the server of the whole run where there is one. @throws {DrillError} */
export const drill = (id: string, client: (call: DrillCall) => unknown, options: { strict?: boolean } = {}) =>
  drillAnywhere(id, client, { server: inject('petstoreSandbox') as SandboxServer | undefined, ...options });

/** The referee takes a second or more to load, ten on a busy machine. */
const READY_TIMEOUT_MS = 60_000;

// In a hook, which has its own timeout: a fixture's set-up counts towards the first test.
test.beforeAll(async ({ sandboxServer }) => void (await sandboxServer.ready), READY_TIMEOUT_MS);

/** A label is short and without control characters; a test's name may be anything. */
const labelOf = (name: string): string => [...name.replace(/\p{Cc}/gu, ' ')].slice(0, 100).join('');
