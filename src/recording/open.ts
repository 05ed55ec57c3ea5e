/** Opens a recording on a running server: a new sandbox that is as the one in the recording was. */

import { stopwatch } from '../core/clock.ts';
import type { Pet } from '../core/pet.ts';
import { drillOf } from '../drills/catalogue.ts';
import type { DrillRuns } from '../drills/runs.ts';
import { type Effect, type Exchange, NO_EFFECT, type Verdict } from '../requests/exchange.ts';
import type { SavedTallies } from '../requests/tallies.ts';
import type { Histories } from '../sandbox/backend.ts';
import type { Issued } from '../sandbox/doors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { petTexts } from '../store/all-pets.ts';
import type { FixtureShelf } from '../store/fixture.ts';
import type { NewFixture } from '../store/own-fixture.ts';
import type { Recording, RecordingExchange, RecordingFixture, RecordingStart } from './recording.ts';

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
  const issued = await into.sandboxes.restore(state, seeds, about);
  const { sandbox } = issued;
  try {
    await into.histories.adopt(sandbox, await restoreHistory(sandbox, { start, exchanges }), dropped);
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
  const isSame = known !== undefined && known.nextId === nextId && areSame([...petTexts(known.log)], pets);
  return isSame ? name : { nextId, pets };
}

const areSame = (texts: readonly string[], pets: readonly Pet[]): boolean =>
  texts.length === pets.length && texts.every((json, i) => json === pets[i]?.json);

/** Gives a sandbox the start of a file, and makes the exchanges of its request log. */
interface SavedHistory {
  readonly start: Omit<RecordingStart, 'upTo'>;
  readonly exchanges: readonly RecordingExchange[];
  readonly dropped: number;
  /** Without them the exchanges are counted again. */
  readonly tallies?: SavedTallies;
}

/** @returns the exchanges, the oldest first @throws {ApiError} `storage_failed` */
async function restoreHistory(
  sandbox: Sandbox,
  { start, exchanges }: Pick<SavedHistory, 'start' | 'exchanges'>,
): Promise<readonly Exchange[]> {
  const last = exchanges.reduce((most, { startMs, durationMs }) => Math.max(most, startMs + durationMs), start.atMs);
  // All of it lies in the past.
  const zero = stopwatch() - start.steps.reduce((most, { atMs }) => Math.max(most, atMs), last) - 1;
  await sandbox.startFrom({
    ms: zero + start.atMs,
    clock: start.clock,
    faults: start.faults,
    steps: start.steps.map(({ atMs, ...change }) => ({ ...change, ms: zero + atMs })),
  });
  return exchanges.map((exchange) => exchangeFrom(exchange, sandbox.id, zero));
}

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
