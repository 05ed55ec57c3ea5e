/** Starts one engine for all tests of a run. */
import { startEngine } from '../support/engine.ts';

export async function setup(): Promise<() => Promise<void>> {
  const engine = await startEngine();
  process.env['SANDBOX_TEST_STORE'] = `valkey://127.0.0.1:${engine.port}`;
  return () => engine.close();
}
