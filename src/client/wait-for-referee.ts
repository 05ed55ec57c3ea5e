/** Waits until the referee of a server is loaded: a test would otherwise spend its own time on that. */
import type { ControlsClient } from './client.ts';

const BETWEEN_MS = 100;
/** A minute in all. Then the test goes on: its report waits for the verdicts. */
const MAX_ATTEMPTS = 600;

/** @throws {ClientError} */
export async function waitForReferee(client: ControlsClient): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { judge } = await client.request('GET /health');
    // A server of an older version does not say it.
    if (judge.ready !== false) return;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  }
}
