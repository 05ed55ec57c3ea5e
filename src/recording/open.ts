/** Opens a recording on a running server: a new sandbox that is as the one in the recording was. */

import { stopwatch } from '../core/clock.ts';
import type { Pet } from '../core/pet.ts';
import { drillOf } from '../drills/catalogue.ts';
import type { DrillRuns } from '../drills/runs.ts';
import { type Effect, type Exchange, NO_EFFECT, type Verdict } from '../requests/exchange.ts';
import type { Histories } from '../sandbox/backend.ts';
import type { Issued } from '../sandbox/registry.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { FixtureShelf, NewFixture } from '../store/fixture.ts';
import { type Start, toShared } from '../store/start.ts';
import type { Recording, RecordingExchange, RecordingFixture, RecordingStart } from './recording.ts';
import { stateOf } from './saved.ts';

/** The parts of a server that a recording goes into. */
export interface Destination {
  readonly sandboxes: Sandboxes;
  readonly fixtures: FixtureShelf;
  readonly histories: Pick<Histories, 'adopt'>;
  readonly drills: DrillRuns;
}

/** How the new sandbox differs from the one in the recording. */
interface OpenOptions {
  readonly label?: string | undefined;
  readonly ttlSeconds?: number | null | undefined;
}

/**
 * The new sandbox and its key. If anything fails, nothing is left.
 * @throws {ApiError} `limit_reached`, `storage_failed`
 */
export async function openRecording(
  found: Recording,
  into: Destination,
  { label, ttlSeconds }: OpenOptions = {},
): Promise<Issued> {
  const { state, start, drill, exchanges, dropped } = found;
  const seeds = new Map<string, string | NewFixture>();
  for (const fixture of found.fixtures) seeds.set(fixture.name, await seedOf(fixture, into.fixtures));
  // An unknown drill is rejected before there is a sandbox.
  if (drill) drillOf(drill.drill);
  const about = { label: label ?? found.sandbox.label ?? undefined, ttlSeconds };
  const zero = zeroOf({ start, exchanges });
  const issued = await into.sandboxes.restore({ ...(await stateOf(state, seeds)), start: startOf(start, zero) }, about);
  const { sandbox } = issued;
  try {
    const restored = exchanges.map((exchange) => exchangeFrom(exchange, sandbox.id, zero));
    await into.histories.adopt(sandbox, restored, dropped);
    if (drill) await into.drills.restore(sandbox, drill);
  } catch (error) {
    // Nobody has its key.
    await into.sandboxes.end(sandbox).catch(() => undefined);
    throw error;
  }
  return issued;
}

/** The server's own fixture of that name, if it is the same; otherwise the sandbox gets one of its own. */
async function seedOf({ name, nextId, pets }: RecordingFixture, shelf: FixtureShelf): Promise<string | NewFixture> {
  const known = shelf.has(name) ? await shelf.load(name) : undefined;
  const isSame =
    known !== undefined &&
    known.nextId === nextId &&
    areSame(
      Array.from(known.pets.each(), ({ json }) => json),
      pets,
    );
  return isSame ? name : { nextId, pets };
}

const areSame = (texts: readonly string[], pets: readonly Pet[]): boolean =>
  texts.length === pets.length && texts.every((json, i) => json === pets[i]?.json);

/** The monotonic time of this process that counts as 0 in a recording: all of it lies in the past. */
function zeroOf({ start, exchanges }: Pick<Recording, 'start' | 'exchanges'>): number {
  const last = exchanges.reduce((most, { startMs, durationMs }) => Math.max(most, startMs + durationMs), start.atMs);
  return stopwatch() - start.steps.reduce((most, { atMs }) => Math.max(most, atMs), last) - 1;
}

const startOf = ({ atMs, clock, faults, steps }: RecordingStart, zero: number): Start => ({
  ms: toShared(zero + atMs),
  clock,
  faults,
  steps: steps.map(({ atMs: at, ...change }) => ({ ...change, ms: toShared(zero + at) })),
});

/**
 * @param sandbox the one that has it now
 * @param zero the monotonic time that counts as 0 in the recording
 */
function exchangeFrom(shown: RecordingExchange, sandbox: string, zero: number): Exchange {
  const { request, response } = shown;
  const { Authorization: authorization, 'Content-Type': _, ...headers } = request.headers as Record<string, string>;
  return {
    id: shown.id,
    sandbox,
    owner: sandbox,
    operation: shown.operation ?? undefined,
    specification: 'petstore',
    at: Date.parse(shown.at),
    startedMs: zero + shown.startMs,
    durationMs: shown.durationMs,
    respondedAt: Date.parse(shown.respondedAt),
    disconnectedAt: shown.disconnectedAt === null ? undefined : Date.parse(shown.disconnectedAt),
    delayMs: shown.delayMs,
    changes: effectOf(shown.changes),
    requestHeaders: Object.entries(headers).flat(),
    responseHeaders: Object.entries(response.headers).flat() as string[],
    request: {
      method: shown.method,
      target: shown.target,
      authorization,
      contentType: request.contentType ?? undefined,
      bodyBytes: request.bytes,
      body: request.body ?? undefined,
      bodyUnread: request.unread,
    },
    response: { status: shown.status, contentType: response.contentType ?? undefined, body: response.body },
    decision: { kind: shown.accepted ? 'accepted' : 'undecided' },
    injectedFault: shown.injectedFault ?? undefined,
    verdict: verdictOf(shown),
    // What replaced a secret may be shorter, so the bytes are not those of the text.
    truncated: { request: request.truncated, response: response.truncated, responseBytes: response.bytes },
  };
}

function effectOf(shown: RecordingExchange['changes']): Effect {
  if (shown === null) return NO_EFFECT;
  const ids = Object.entries(shown).map(([name, texts]) => [name, texts.map(BigInt)]);
  return Object.fromEntries(ids) as Effect;
}

/** The validator does not validate it again. */
function verdictOf({
  operation,
  method,
  validated,
  validationError,
  violations,
  warnings,
}: RecordingExchange): Verdict | undefined {
  if (operation === null || method === 'HEAD') return undefined;
  if (validated) return { violations, warnings };
  return {
    violations,
    warnings,
    validationError: validationError ?? 'it was not validated when the recording was saved',
  };
}
