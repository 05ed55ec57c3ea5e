/** Checks what a schema cannot say: that logs, worlds, fixtures and exchanges of a case fit together. */
import type { Pet } from '../pet.ts';
import { MAX_BODY } from '../sandbox/journal.ts';
import type { SavedLog, SavedPoint, SavedWorld } from '../store/saved.ts';
import type { Case, CaseExchange, CaseFixture } from './case.ts';
import type { Complaints } from './complaints.ts';

/** Pets between two pauses. */
const PETS = 2_000;

/** Yields where it may pause. */
export function* checkLinks(found: Case, complaints: Complaints): Generator<void, void> {
  const { fixtures, state, start, exchanges } = found;
  const byName = yield* checkFixtures(fixtures, complaints);
  if (!(yield* checkLogs(state.logs, complaints))) return;
  const worlds: [string, SavedWorld][] = [
    ['now', state.world],
    ['start', { fixture: state.world.fixture, added: start.added }],
    ...state.snapshots.map((snapshot, i): [string, SavedWorld] => [`snapshots[${i}]`, snapshot.world]),
  ];
  for (const [place, world] of worlds) yield* checkWorld(place, world, { byName, logs: state.logs, complaints });
  if (!complaints.none) return;
  if (!isOnTheWay(start.added, state.world.added, state.logs))
    complaints.add('start/added', 'must be among the pets of now/added, from which it leads there');
  refuseTwins(
    state.snapshots.map(({ name }) => name),
    'snapshots',
    complaints,
  );
  checkExchanges(exchanges, complaints);
}

export function checkExchanges(exchanges: readonly CaseExchange[], complaints: Complaints): void {
  for (const [i, { request, response }] of exchanges.entries()) {
    if ((request.body?.length ?? 0) > MAX_BODY || response.body.length > MAX_BODY)
      complaints.add(`journal/exchanges[${i}]`, `must have bodies of at most ${MAX_BODY} characters`);
  }
  refuseTwins(
    exchanges.map(({ id }) => id),
    'journal/exchanges',
    complaints,
  );
}

function* checkFixtures(
  fixtures: readonly CaseFixture[],
  complaints: Complaints,
): Generator<void, Map<string, ReadonlySet<bigint>>> {
  refuseTwins(
    fixtures.map(({ name }) => name),
    'fixtures',
    complaints,
  );
  const byName = new Map<string, ReadonlySet<bigint>>();
  for (const [i, { name, pets }] of fixtures.entries()) {
    const ids = new Set<bigint>();
    for (const [n, { id }] of pets.entries()) {
      if (n % PETS === 0) yield;
      ids.add(id);
    }
    if (ids.size < pets.length) complaints.add(`fixtures[${i}]/pets`, 'must have an id of its own each');
    byName.set(name, ids);
  }
  return byName;
}

/** Whether each log continues an earlier one within what that one added, with ascending ids. */
function* checkLogs(logs: readonly SavedLog[], complaints: Complaints): Generator<void, boolean> {
  for (const [i, { from, pets }] of logs.entries()) {
    if (pets.length === 0) complaints.add(`logs[${i}]/pets`, 'must not be empty');
    if (from && (from.log >= i || !isWithin(from, logs)))
      complaints.add(`logs[${i}]/from`, 'must be a place within an earlier log');
    if (!complaints.none) return false;
    let last = from ? petAt(from, logs).id : undefined;
    for (const [n, { id }] of pets.entries()) {
      if (n % PETS === 0) yield;
      if (last !== undefined && id <= last) {
        complaints.add(`logs[${i}]/pets`, `must have ascending ids; ${id} comes after ${last}`);
        return false;
      }
      last = id;
    }
  }
  return true;
}

interface Known {
  readonly byName: ReadonlyMap<string, ReadonlySet<bigint>>;
  readonly logs: readonly SavedLog[];
  readonly complaints: Complaints;
}

function* checkWorld(
  place: string,
  { fixture, added }: SavedWorld,
  { byName, logs, complaints }: Known,
): Generator<void, void> {
  const taken = byName.get(fixture);
  if (!taken) {
    complaints.add(`${place}/fixture`, 'must be one of the fixtures of the case');
    return;
  }
  if (added && !isWithin(added, logs)) {
    complaints.add(`${place}/added`, 'must be a place within a log');
    return;
  }
  for (let point = added; point; point = (logs[point.log] as SavedLog).from) {
    const { from, pets } = logs[point.log] as SavedLog;
    const count = point.pets - (from?.pets ?? 0);
    for (let n = 0; taken.size > 0 && n < count; n++) {
      if (n % PETS === 0) yield;
      const { id } = pets[n] as Pet;
      if (taken.has(id)) {
        complaints.add(`${place}/added`, `must not have the id ${id}, which the fixture has`);
        break;
      }
    }
  }
}

/** Whether a point counts at least one pet of its own log, and no more than there are. */
function isWithin({ log, pets }: SavedPoint, logs: readonly SavedLog[]): boolean {
  const found = logs[log];
  const before = found?.from?.pets ?? 0;
  return found !== undefined && pets > before && pets <= before + found.pets.length;
}

function petAt({ log, pets }: SavedPoint, logs: readonly SavedLog[]): Pet {
  const { from, pets: own } = logs[log] as SavedLog;
  return own[pets - (from?.pets ?? 0) - 1] as Pet;
}

/** Whether a point lies on the way from no pets to another point. */
function isOnTheWay(start: SavedPoint | null, end: SavedPoint | null, logs: readonly SavedLog[]): boolean {
  if (start === null) return true;
  for (let point = end; point; point = (logs[point.log] as SavedLog).from) {
    if (point.log === start.log) return start.pets <= point.pets;
  }
  return false;
}

function refuseTwins(names: readonly string[], place: string, complaints: Complaints): void {
  if (new Set(names).size < names.length) complaints.add(place, 'must have a name of its own each');
}
