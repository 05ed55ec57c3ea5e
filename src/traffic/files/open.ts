/** Opens a recording on a running server: a new sandbox in the recorded state. */

import { stopwatch } from '../../base/clock.ts';
import type { Issued, Sandboxes } from '../../sandbox/sandboxes.ts';
import { type Fixture, type FixtureShelf, isSameFixture } from '../../sandbox/store/fixture.ts';
import { withSeeds } from '../../sandbox/store/state.ts';
import type { RequestLogs } from '../request-logs.ts';
import { exchangeFrom } from '../shown.ts';
import type { Recording } from './recording.ts';

/**
 * The new sandbox and its key. If anything fails, nothing is left.
 * @param into the server that it goes into @param ttlSeconds of the key
 * @throws {ApiError} `limit_reached`, `storage_failed`
 */
export async function openRecording(
  { state, exchanges, fixtures, ...remains }: Recording,
  into: {
    readonly sandboxes: Pick<Sandboxes, 'restore'>;
    readonly fixtures: FixtureShelf;
    readonly requestLogs: Pick<RequestLogs, 'restore'>;
  },
  ttlSeconds?: number | null,
): Promise<Issued> {
  const here = new Map<Fixture, Fixture>();
  for (const [name, fixture] of fixtures) {
    const known = into.fixtures.has(name) ? await into.fixtures.load(name) : undefined;
    // The server's own fixture, if it is the same.
    here.set(fixture, known && isSameFixture(fixture, known) ? known : { ...fixture, description: '' });
  }
  const opened = withSeeds(state, (seed) => here.get(seed) as Fixture);
  const end = exchanges.reduce((last, { startMs, durationMs }) => Math.max(last, startMs + durationMs), 0);
  const laterMs = stopwatch() - end - 1;
  const issued = await into.sandboxes.restore(opened, { label: state.record.label ?? undefined, ttlSeconds });
  const { sandbox } = issued;
  const restored = exchanges.map((exchange) => exchangeFrom(exchange, sandbox.id, laterMs));
  into.requestLogs.restore(sandbox, restored, remains);
  return issued;
}
