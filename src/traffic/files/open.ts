/** Opens a recording on a running server: a new sandbox in the recorded state. */

import { stopwatch } from '../../base/clock.ts';
import type { Issued, Sandboxes } from '../../sandbox/sandboxes.ts';
import { type Fixture, type FixtureShelf, isSameFixture } from '../../sandbox/store/fixture.ts';
import { withSeeds } from '../../sandbox/store/state.ts';
import type { RequestLogs } from '../request-logs.ts';
import { exchangeFrom, type RecordingExchange } from '../shown.ts';
import type { Recording } from './recording.ts';

/** The parts of a server that a recording goes into. */
export interface Destination {
  readonly sandboxes: Pick<Sandboxes, 'restore'>;
  readonly fixtures: FixtureShelf;
  readonly requestLogs: Pick<RequestLogs, 'restore'>;
}

/** How the new sandbox differs from the one in the recording. */
interface OpenOptions {
  readonly ttlSeconds?: number | null | undefined;
}

/**
 * The new sandbox and its key. If anything fails, nothing is left.
 * @throws {ApiError} `limit_reached`, `storage_failed`
 */
export async function openRecording(
  { state, exchanges, fixtures, ...remains }: Recording,
  into: Destination,
  { ttlSeconds }: OpenOptions = {},
): Promise<Issued> {
  const here = new Map<Fixture, Fixture>();
  for (const [name, fixture] of fixtures) here.set(fixture, await fixtureHere(name, fixture, into.fixtures));
  const opened = withSeeds(state, (seed) => here.get(seed) as Fixture);
  const laterMs = stopwatch() - endOfRecording(exchanges) - 1;
  const about = { label: state.record.label ?? undefined, ttlSeconds };
  const issued = await into.sandboxes.restore(opened, about);
  const { sandbox } = issued;
  const restored = exchanges.map((exchange) => exchangeFrom(exchange, sandbox.id, laterMs));
  into.requestLogs.restore(sandbox, restored, remains);
  return issued;
}

/** The server's own fixture of that name, if it is the same; otherwise the sandbox gets one of its own. */
async function fixtureHere(name: string, fixture: Fixture, shelf: FixtureShelf): Promise<Fixture> {
  const known = shelf.has(name) ? await shelf.load(name) : undefined;
  return known && isSameFixture(fixture, known) ? known : { ...fixture, description: '' };
}

/** When the last thing happened of which a recording tells. */
const endOfRecording = (exchanges: readonly RecordingExchange[]): number =>
  exchanges.reduce((last, { startMs, durationMs }) => Math.max(last, startMs + durationMs), 0);
