/** Shared by all test files: a test fails when anything went wrong that it did not announce, wherever it went wrong. */
import { afterAll, afterEach, beforeEach } from 'vitest';
import { agent } from './support/client.ts';
import { servers } from './support/servers.ts';

/** Errors that nobody handled: Vitest fails the run for them, and this fails the test that saw them. */
const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
process.on('unhandledRejection', note);
process.on('uncaughtExceptionMonitor', note);

function failForUnhandled(): void {
  const seen = unhandled.splice(0);
  if (seen.length > 0) throw new AggregateError(seen, `an error went unhandled: ${seen.map(String).join('; ')}`);
}

beforeEach(() => servers.enterTest());

// Hooks that end something run in reverse order: this one comes after those of the test file.
afterEach(async () => {
  await servers.leaveTest();
  failForUnhandled();
});

afterAll(async () => {
  await servers.leaveFile();
  // Files share a process: what one left idle, a server may be about to close when the next one sends on it.
  agent.destroy();
  process.off('unhandledRejection', note);
  process.off('uncaughtExceptionMonitor', note);
  failForUnhandled();
});
