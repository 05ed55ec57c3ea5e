/** Shared by all test files: a test fails when anything went wrong that it did not announce, wherever it went wrong. */
import { afterAll, afterEach, beforeEach } from 'vitest';
import { agent } from './support/client.ts';
import { servers } from './support/servers.ts';
import { unhandled } from './support/unhandled.ts';

unhandled.watch();

beforeEach(() => servers.enterTest());

// Hooks that end something run in reverse order: this one comes after those of the test file.
afterEach(async () => {
  await servers.leaveTest();
  unhandled.check();
});

afterAll(async () => {
  await servers.leaveFile();
  // Files share a process: what one left idle, a server may be about to close when the next one sends on it.
  agent.destroy();
  unhandled.stop();
  unhandled.check();
});
