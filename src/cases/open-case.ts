/** Opens a case on a running server: a new sandbox that is as the one in the case was. */
import { drillOf } from '../drills/catalogue.ts';
import type { DrillRuns } from '../drills/runs.ts';
import type { Pet } from '../pet.ts';
import type { Histories } from '../sandbox/backend.ts';
import type { Issued } from '../sandbox/doors.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { petTexts } from '../store/all-pets.ts';
import type { FixtureShelf } from '../store/fixture.ts';
import type { NewFixture } from '../store/own-fixture.ts';
import type { Case, CaseFixture } from './case.ts';
import { restoreHistory } from './restore-history.ts';

/** The parts of a server that a case goes into. */
export interface Destination {
  readonly sandboxes: Sandboxes;
  readonly fixtures: FixtureShelf;
  readonly histories: Pick<Histories, 'adopt'>;
  readonly drills: DrillRuns;
}

/** How the new sandbox differs from the one in the case. */
export interface OpenOptions {
  readonly label?: string | undefined;
  readonly ttlSeconds?: number | null | undefined;
}

/**
 * The new sandbox and its key. If anything fails, nothing is left.
 * @throws {ApiError} `limit_reached`, `storage_failed`
 */
export async function openCase(
  found: Case,
  into: Destination,
  { label, ttlSeconds }: OpenOptions = {},
): Promise<Issued> {
  const { state, start, drill, exchanges, dropped } = found;
  const seeds = new Map<string, string | NewFixture>();
  for (const fixture of found.fixtures) seeds.set(fixture.name, await seedOf(fixture, into.fixtures));
  // An unknown drill is refused before there is a sandbox.
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
async function seedOf({ name, nextId, pets }: CaseFixture, shelf: FixtureShelf): Promise<string | NewFixture> {
  const known = shelf.has(name) ? await shelf.load(name) : undefined;
  const isSame = known !== undefined && known.nextId === nextId && areSame([...petTexts(known.log)], pets);
  return isSame ? name : { nextId, pets };
}

const areSame = (texts: readonly string[], pets: readonly Pet[]): boolean =>
  texts.length === pets.length && texts.every((json, i) => json === pets[i]?.json);
