/** Checks what a schema cannot say: that logs, worlds, fixtures and exchanges of a recording fit together. */
import { METHODS } from 'node:http';
import { isInt64 } from '../core/int64.ts';
import type { Pet } from '../core/pet.ts';
import { MAX_BODY } from '../requests/request-log.ts';
import { type Branch, type BranchPoint, growFrom } from '../store/branch.ts';
import { rejectAfter } from '../store/change.ts';
import type { SavedLog, SavedPoint, SavedWorld } from '../store/saved.ts';
import type { Complaints } from './problems.ts';
import type { Recording, RecordingExchange, RecordingFixture } from './recording.ts';

/** Pets and changes between two pauses. */
const MANY = 2_000;

/** Yields where it may pause. */
export function* checkLinks(found: Recording, complaints: Complaints): Generator<void, void> {
  const { fixtures, state, start, exchanges } = found;
  const byName = yield* checkFixtures(fixtures, complaints);
  const branches = yield* branchesOf(state.logs, complaints);
  if (branches === undefined) return;
  const worlds: [string, SavedWorld][] = [
    ['now', state.world],
    ['start', { fixture: state.world.fixture, upTo: start.upTo }],
    ...state.snapshots.map((snapshot, i): [string, SavedWorld] => [`snapshots[${i}]`, snapshot.world]),
  ];
  for (const [location, world] of worlds) yield* checkWorld(location, world, { byName, branches, complaints });
  if (!complaints.none) return;
  rejectUnused(found, complaints);
  if (!isOnTheWay(start.upTo, state.world.upTo, state.logs))
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

/** The logs as branches; `undefined` if one does not continue an earlier one, or has a change that cannot follow. */
function* branchesOf(logs: readonly SavedLog[], complaints: Complaints): Generator<void, Branch[] | undefined> {
  const branches: Branch[] = [];
  for (const [i, { from, changes }] of logs.entries()) {
    const origin = from && pointIn(from, branches);
    if (changes.length === 0) complaints.add(`logs[${i}]/changes`, 'must not be empty');
    if (from && !origin) complaints.add(`logs[${i}]/from`, 'must be a place within an earlier log');
    if (!complaints.none) return undefined;
    const branch = growFrom(origin ?? undefined);
    for (const [n, change] of changes.entries()) {
      if (n % MANY === 0) yield;
      const problem = rejectAfter(branch, change);
      if (problem !== undefined) {
        complaints.add(`logs[${i}]/changes[${n}]`, problem);
        return undefined;
      }
      branch.append(change);
    }
    branches.push(branch);
  }
  return branches;
}

/** A point that counts at least one change of its own log, and no more than there are. */
function pointIn({ log, changes }: SavedPoint, branches: readonly Branch[]): BranchPoint | undefined {
  const branch = branches[log];
  const before = branch?.from?.changes ?? 0;
  return branch !== undefined && changes > before && changes <= branch.length ? { branch, changes } : undefined;
}

interface Known {
  readonly byName: ReadonlyMap<string, readonly Pet[]>;
  readonly branches: readonly Branch[];
  readonly complaints: Complaints;
}

function* checkWorld(
  location: string,
  { fixture, upTo }: SavedWorld,
  { byName, branches, complaints }: Known,
): Generator<void, void> {
  const seeded = byName.get(fixture);
  if (!seeded) {
    complaints.add(`${location}/fixture`, 'must be one of the fixtures of the recording');
    return;
  }
  const point = upTo && pointIn(upTo, branches);
  if (upTo && !point) {
    complaints.add(`${location}/upTo`, 'must be a place within a log');
    return;
  }
  for (const [n, { id }] of point ? seeded.entries() : []) {
    if (n % MANY === 0) yield;
    if (!point?.branch.has(id, point.changes)) continue;
    complaints.add(`${location}/upTo`, `must not have the id ${id}, which the fixture has`);
    return;
  }
}

/** What no world needs would be stored, and never shown, counted or deleted. */
function rejectUnused({ fixtures, state: { logs, world, snapshots } }: Recording, complaints: Complaints): void {
  const worlds = [world, ...snapshots.map((snapshot) => snapshot.world)];
  const used = new Set<number>();
  for (const { upTo } of worlds)
    for (let point = upTo; point && !used.has(point.log); point = (logs[point.log] as SavedLog).from)
      used.add(point.log);
  for (const i of logs.keys())
    if (!used.has(i)) complaints.add(`logs[${i}]`, 'must be needed by `now` or a snapshot; leave it out');
  const named = new Set(worlds.map(({ fixture }) => fixture));
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
