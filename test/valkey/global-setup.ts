/** Starts one engine for all tests of a run. */
import type { TestProject } from 'vitest/node';
import { startEngine } from '../support/engine.ts';

export async function setup({ provide }: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  const engine = await startEngine();
  provide('sharedStore', `valkey://127.0.0.1:${engine.port}`);
  return () => engine.close();
}
