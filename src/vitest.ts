/**
 * Fixtures for Vitest: `test` gives each test its own sandbox. If the global setup `petstore-sandbox/vitest/setup`
 * started a server, all tests share it; otherwise each test file that needs one starts its own.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, inject, type RunnerTestCase, recordArtifact, type TestAttachment } from 'vitest';
import { shellWord } from './base/text.ts';
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
  expectContractPassed,
  type TestSandbox,
  type TestSandboxOptions,
} from './testing.ts';

declare module 'vitest' {
  interface TestArtifactRegistry {
    petstoreSandboxRecording: { readonly type: 'petstore-sandbox:recording'; attachments: TestAttachment[] };
  }
}

export interface SandboxFixtures {
  /** The server of all sandboxes. */
  readonly sandboxServer: SandboxServer;
  /** Options of each test's sandbox; override them with `test.extend({ sandboxOptions: { fixture: 'empty' } })`. */
  readonly sandboxOptions: TestSandboxOptions;
  /** The sandbox of this test. If the test fails, its output shows the request log, and its recording is attached to it. */
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
    const sandbox = await openSandbox(sandboxServer, { label: testLabel(task.name), ...sandboxOptions });
    await use(sandbox);
    if (task.result?.state === 'fail') {
      const lines = [await sandbox.requestLog(), await attachRecording(sandbox, task)];
      // A failed test accepts no more annotations; console output appears under its name, also in JUnit files.
      // biome-ignore lint/suspicious/noConsole: Vitest adds console output to a test's output
      console.error(lines.join('\n'));
    }
    await sandbox.end();
  },
});

/** As `drill` of `petstore-sandbox/testing`, on the server of the whole run where there is one. @throws {DrillError} */
export const drill = (id: string, client: (call: DrillCall) => unknown, options: { strict?: boolean } = {}) =>
  drillAnywhere(id, client, { server: inject('petstoreSandbox') as SandboxServer | undefined, ...options });

/** The validator takes a second or more to load, ten on a busy machine. */
const READY_TIMEOUT_MS = 60_000;

// In a hook, which has its own timeout: a fixture's setup counts towards the first test.
test.beforeAll(async ({ sandboxServer }) => void (await sandboxServer.ready), READY_TIMEOUT_MS);

/** A label is short and without control characters; a test's name may be anything. */
const testLabel = (name: string): string => [...name.replace(/\p{Cc}/gu, ' ')].slice(0, 100).join('');

/**
 * Attaches the recording of a failed test, in the folder that Vitest's `attachmentsDir` names. @returns where it is, or why
 * it is not there: that must not hide the failure of the test
 */
async function attachRecording(sandbox: TestSandbox, task: Readonly<RunnerTestCase>): Promise<string> {
  try {
    const text = await sandbox.recording();
    const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-'));
    try {
      const file = join(folder, `${sandbox.id}.recording.jsonl`);
      await writeFile(file, text, { mode: 0o600 });
      // Vitest copies the file to its folder of attachments.
      const attachment: TestAttachment = { path: file, contentType: 'application/jsonl' };
      const kept = await recordArtifact(task, { type: 'petstore-sandbox:recording', attachments: [attachment] });
      const path = kept.attachments[0]?.path;
      const shown = path === undefined ? '<attachment>' : shellWord(path, process.platform);
      return `petstore sandbox: to open it again: npx petstore-sandbox open ${shown}`;
    } finally {
      await rm(folder, { recursive: true });
    }
  } catch (error) {
    return `petstore sandbox: the recording cannot be attached: ${(error as Error).message}`;
  }
}
