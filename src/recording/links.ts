/** Checks what a schema cannot say: that logs, contents, fixtures and exchanges of a recording fit together. */
import { METHODS } from 'node:http';
import { isInt64 } from '../core/int64.ts';
import type { Pet } from '../core/pet.ts';
import { MAX_BODY } from '../requests/request-log.ts';
import { Pets } from '../store/pets.ts';
import type { Complaints } from './problems.ts';
import type { Recording, RecordingExchange, RecordingFixture } from './recording.ts';
import type { SavedContents, SavedLog, SavedPoint } from './saved.ts';

/** Pets and changes between two pauses. */
const MANY = 2_000;

/** Yields where it may pause. */
export function* checkLinks(found: Recording, complaints: Complaints): Generator<void, void> {
  const { fixtures, state, start, exchanges } = found;
  const byName = yield* checkFixtures(fixtures, complaints);
  const known = yield* petsOf(state.logs, complaints);
  if (known === undefined) return;
  const all: [string, SavedContents][] = [
    ['now', state.contents],
    ['start', { fixture: state.contents.fixture, upTo: start.upTo }],
    ...state.snapshots.map(({ contents }, i): [string, SavedContents] => [`snapshots[${i}]`, contents]),
  ];
  for (const [location, contents] of all) yield* checkContents(location, contents, { byName, known, complaints });
  if (!complaints.none) return;
  rejectUnused(found, complaints);
  if (!isOnTheWay(start.upTo, state.contents.upTo, state.logs))
    complaints.add('start/upTo', 'must be among the changes up to now/upTo, from which it leads there');
  rejectTwins(
    state.snapshots.map(({ name }) => name),
    'snapshots',
    complaints,
  );
  for (const [i, step] of start.steps.entries())
    if ('pets' in step) checkIds(step.pets, `start/steps[${i}]/pets`, complaints);
  checkExchanges(exchanges, complaints);
}

/** The schema has bounds for their digits only. */
function checkIds(ids: readonly bigint[], location: string, complaints: Complaints): void {
  const wrong = ids.findIndex((id) => !isInt64(id));
  if (wrong >= 0) complaints.add(`${location}[${wrong}]`, 'must be an int64');
}

function checkExchanges(exchanges: readonly RecordingExchange[], complaints: Complaints): void {
  for (const [i, { request, response, changes, method }] of exchanges.entries()) {
    if (!METHODS.includes(method)) complaints.add(`requestLog/exchanges[${i}]/method`, 'must be a method of HTTP');
    checkIds((changes?.created ?? []).map(BigInt), `requestLog/exchanges[${i}]/changes/created`, complaints);
    if ((request.body?.length ?? 0) > MAX_BODY || response.body.length > MAX_BODY)
      complaints.add(`requestLog/exchanges[${i}]`, `must have bodies of at most ${MAX_BODY} characters`);
  }
  rejectTwins(
    exchanges.map(({ id }) => id),
    'requestLog/exchanges',
    complaints,
  );
}

function* checkFixtures(
  fixtures: readonly RecordingFixture[],
  complaints: Complaints,
): Generator<void, Map<string, readonly Pet[]>> {
  rejectTwins(
    fixtures.map(({ name }) => name),
    'fixtures',
    complaints,
  );
  for (const [i, { pets }] of fixtures.entries()) {
    for (const [n, { id }] of pets.entries()) {
      if (n % MANY === 0) yield;
      const before = pets[n - 1]?.id;
      if (before === undefined || before < id) continue;
      complaints.add(`fixtures[${i}]/pets[${n}]/id`, `must be above the one before it, ${before}; got ${id}`);
      break;
    }
  }
  return new Map(fixtures.map(({ name, pets }) => [name, pets]));
}

/** A log that was read. */
interface KnownLog {
  readonly from: SavedPoint | null;
  /** With those of the logs that it continues. */
  readonly pets: Pets;
}

/** The pets of the logs; `undefined` if one does not continue an earlier one, or has a pet that cannot follow. */
function* petsOf(logs: readonly SavedLog[], complaints: Complaints): Generator<void, KnownLog[] | undefined> {
  const known: KnownLog[] = [];
  for (const [i, { from, changes }] of logs.entries()) {
    const origin = from && petsAt(from, known);
    if (changes.length === 0) complaints.add(`logs[${i}]/changes`, 'must not be empty');
    if (from && !origin) complaints.add(`logs[${i}]/from`, 'must be a place within an earlier log');
    if (!complaints.none) return undefined;
    let pets = origin ?? Pets.NONE;
    for (let at = 0; at < changes.length; at += MANY) {
      yield;
      const next = changes.slice(at, at + MANY);
      const wrong = next.findIndex(({ id }, n) => id <= (next[n - 1]?.id ?? pets.lastId ?? id - 1n));
      if (wrong >= 0) {
        const before = next[wrong - 1]?.id ?? pets.lastId;
        const problem = `must have ascending ids; ${next[wrong]?.id} comes after ${before}`;
        complaints.add(`logs[${i}]/changes[${at + wrong}]`, problem);
        return undefined;
      }
      pets = pets.with(next);
    }
    known.push({ from, pets });
  }
  return known;
}

/** The pets up to a point that counts at least one change of its own log, and no more than there are. */
function petsAt({ log, changes }: SavedPoint, known: readonly KnownLog[]): Pets | undefined {
  const found = known[log];
  const before = found?.from?.changes ?? 0;
  return found && changes > before && changes <= found.pets.length ? found.pets.first(changes) : undefined;
}

interface Known {
  readonly byName: ReadonlyMap<string, readonly Pet[]>;
  readonly known: readonly KnownLog[];
  readonly complaints: Complaints;
}

function* checkContents(
  location: string,
  { fixture, upTo }: SavedContents,
  { byName, known, complaints }: Known,
): Generator<void, void> {
  const seeded = byName.get(fixture);
  if (!seeded) {
    complaints.add(`${location}/fixture`, 'must be one of the fixtures of the recording');
    return;
  }
  const own = upTo && petsAt(upTo, known);
  if (upTo && !own) {
    complaints.add(`${location}/upTo`, 'must be a place within a log');
    return;
  }
  for (const [n, { id }] of own ? seeded.entries() : []) {
    if (n % MANY === 0) yield;
    if (!own?.has(id)) continue;
    complaints.add(`${location}/upTo`, `must not have the id ${id}, which the fixture has`);
    return;
  }
}

/** What neither the present nor a snapshot needs would be stored, and never shown. */
function rejectUnused({ fixtures, state }: Recording, complaints: Complaints): void {
  const { logs } = state;
  const all = [state.contents, ...state.snapshots.map(({ contents }) => contents)];
  const used = new Set<number>();
  for (const { upTo } of all)
    for (let point = upTo; point && !used.has(point.log); point = (logs[point.log] as SavedLog).from)
      used.add(point.log);
  for (const i of logs.keys())
    if (!used.has(i)) complaints.add(`logs[${i}]`, 'must be needed by `now` or a snapshot; leave it out');
  const named = new Set(all.map(({ fixture }) => fixture));
  for (const [i, { name }] of fixtures.entries())
    if (!named.has(name)) complaints.add(`fixtures[${i}]`, 'must be needed by `now` or a snapshot; leave it out');
}

/** Whether a point lies on the way from no changes to another point. */
function isOnTheWay(start: SavedPoint | null, end: SavedPoint | null, logs: readonly SavedLog[]): boolean {
  if (start === null) return true;
  for (let point = end; point; point = (logs[point.log] as SavedLog).from) {
    if (point.log === start.log) return start.changes <= point.changes;
  }
  return false;
}

function rejectTwins(names: readonly string[], location: string, complaints: Complaints): void {
  if (new Set(names).size < names.length) complaints.add(location, 'must have a name of its own each');
}
