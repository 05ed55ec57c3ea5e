/** All of a sandbox at one moment: the fold of its journal. Pure functions; states share what they have in common. */

import { ApiError } from '../../base/api/errors.ts';
import { MAX_SNAPSHOTS } from '../../base/limits.ts';
import { type ChangedFields, type Entry, entriesWith, type FaultCounts, type Restart } from './entries.ts';
import { type Fixture, isSameFixture } from './fixture.ts';
import { Pets } from './pets.ts';
import { type FaultRecord, NO_SETTINGS, type SandboxRecord, type SandboxSettings } from './record.ts';

/** A named state of a sandbox. */
export interface Snapshot extends SandboxSettings {
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  readonly seed: Fixture;
  readonly own: Pets;
}

/** An immutable value. */
export interface State {
  readonly record: SandboxRecord;
  readonly seed: Fixture;
  /** The pets that were added to those of the seed. */
  readonly own: Pets;
  /** In the order in which they were saved. */
  readonly snapshots: ReadonlyMap<string, Snapshot>;
}

/** 404 for a sandbox that no longer exists. */
export const sandboxNotFound = (id: string): ApiError =>
  new ApiError('not_found', `no sandbox ${id}; it may have been ended or have expired`);

/**
 * The state after an entry.
 * @throws {ApiError} `conflict`, `not_found`, `limit_reached`; nothing has changed then
 * @throws {RangeError} for ids of pets that do not ascend
 */
export function apply(state: State | undefined, entry: Entry): State {
  if ('begin' in entry) {
    if (state) throw new ApiError('conflict', 'the sandbox has begun already');
    return begun({ ...entry.begin, ...entry.set }, entry.seed);
  }
  if (!state) throw new ApiError('not_found', 'the sandbox has not begun');
  const { record, own, snapshots } = state;
  if ('pets' in entry) return { ...state, own: own.with(entry.pets) };
  if ('set' in entry) return { ...state, record: { ...record, ...entry.set } };
  if ('counts' in entry) return { ...state, record: { ...record, faults: withCounts(record.faults, entry.counts) } };
  if ('reset' in entry) return restarted(state, entry.reset);
  if ('drop' in entry) {
    if (!snapshots.has(entry.drop)) throw noSnapshot(entry.drop, snapshots);
    return { ...state, snapshots: new Map([...snapshots].filter(([name]) => name !== entry.drop)) };
  }
  return withSnapshot(state, entry.snapshot, entry.createdAt);
}

const withCounts = (rules: readonly FaultRecord[], counts: Readonly<Record<string, FaultCounts>>): FaultRecord[] =>
  rules.map((rule) => (Object.hasOwn(counts, rule.id) ? { ...rule, ...counts[rule.id] } : rule));

/** Pets, ids, clock, faults and drill go back; keys and snapshots stay. */
function restarted({ record, seed: before, snapshots }: State, to: Restart): State {
  const { seed, own, clock, faults } =
    to === 'again' ? fresh(before) : 'seed' in to ? fresh(to.seed) : savedAs(snapshots, to.snapshot);
  const next = { ...record, clock, faults, drill: null };
  return { record: next, seed, own, snapshots };
}

const fresh = (seed: Fixture): Pick<Snapshot, 'seed' | 'own' | 'clock' | 'faults'> => ({
  seed,
  own: Pets.NONE,
  ...NO_SETTINGS,
});

function savedAs(snapshots: State['snapshots'], name: string): Snapshot {
  const snapshot = snapshots.get(name);
  if (snapshot) return snapshot;
  throw noSnapshot(name, snapshots);
}

function withSnapshot(state: State, name: string, createdAt: number): State {
  const { record, seed, own, snapshots } = state;
  if (snapshots.has(name)) {
    throw new ApiError('conflict', `a snapshot named ${name} exists; choose another name or drop it first`);
  }
  if (snapshots.size >= MAX_SNAPSHOTS) {
    throw new ApiError('limit_reached', `a sandbox keeps ${MAX_SNAPSHOTS} snapshots; delete one first`);
  }
  const snapshot = { createdAt, seed, own, clock: record.clock, faults: record.faults };
  return { ...state, snapshots: new Map(snapshots).set(name, snapshot) };
}

function noSnapshot(name: string, snapshots: State['snapshots']): ApiError {
  const known = snapshots.size > 0 ? `there are: ${[...snapshots.keys()].join(', ')}` : 'there is none yet';
  return new ApiError('not_found', `no snapshot named ${name}; ${known}`);
}

/** The first state of a sandbox: the pets of a fixture. */
export const begun = (record: SandboxRecord, seed: Fixture): State => ({
  ...{ record, seed, own: Pets.NONE, snapshots: new Map() },
});

/** The first state of a fork: a copy of another sandbox, without its keys and snapshots. */
export const forked = (record: SandboxRecord, { record: { clock, faults }, seed, own }: State): State => ({
  ...{ record: { ...record, clock, faults }, seed, own, snapshots: new Map() },
});

/** The same state with other fixtures. */
export function withSeeds(state: State, seedFor: (seed: Fixture) => Fixture): State {
  const snapshots = Array.from(
    state.snapshots,
    ([name, snapshot]) => [name, { ...snapshot, seed: seedFor(snapshot.seed) }] as const,
  );
  return { ...state, seed: seedFor(state.seed), snapshots: new Map(snapshots) };
}

/** The entry that sets fields of a record; `undefined` if they are as they were. */
export function changeOf(record: SandboxRecord, changes: ChangedFields): Entry | undefined {
  const changed = (Object.keys(changes) as (keyof ChangedFields)[]).filter((field) => record[field] !== changes[field]);
  if (changed.length === 0) return undefined;
  const { faults } = changes;
  if (changed.length === 1 && faults !== undefined && ruleIds(record.faults) === ruleIds(faults)) {
    const moved = faults.filter((rule, n) => rule !== record.faults[n]);
    return { counts: Object.fromEntries(moved.map((rule) => [rule.id, countsOf(rule)])) };
  }
  return { set: Object.fromEntries(changed.map((field) => [field, changes[field]])) };
}

const ruleIds = (rules: readonly FaultRecord[]): string => rules.map(({ id }) => id).join();

const countsOf = ({ triggered, drawn, seen, window }: FaultRecord): FaultCounts => ({
  triggered,
  drawn,
  ...(seen !== undefined && { seen }),
  ...(window !== undefined && { window }),
});

/** The shortest journal of a state. A state shares the pets of a snapshot only if it continues from it. */
export function* entriesOf({ record, seed, own, snapshots }: State): Generator<Entry, void> {
  const { id, createdAt, preconfigured, ...changes } = record;
  const all = [...snapshots];
  const first = all[0]?.[1].seed ?? seed;
  yield {
    begin: { id, createdAt, preconfigured },
    seed: first,
    set: { ...changes, ...NO_SETTINGS, drill: null },
  };
  let at: Point = { seed: first, own: Pets.NONE, ...NO_SETTINGS };
  for (const [n, [name, snapshot]] of all.entries()) {
    yield* wayTo(snapshot, { at, saved: all.slice(0, n) });
    yield { snapshot: name, createdAt: snapshot.createdAt };
    at = snapshot;
  }
  const now = { seed, own, clock: record.clock, faults: record.faults };
  yield* wayTo(now, { at, saved: all });
  if (record.drill !== null) yield { set: { drill: record.drill } };
}

type Point = Pick<Snapshot, 'seed' | 'own' | 'clock' | 'faults'>;

/** The entries that lead from one point to another, over a snapshot where that is shorter. */
function* wayTo(
  to: Point,
  { at, saved }: { readonly at: Point; readonly saved: readonly [string, Snapshot][] },
): Generator<Entry, void> {
  let from = at;
  if (!canLeadTo(from, to)) {
    const near = saved
      .filter(([, snapshot]) => canLeadTo(snapshot, to))
      .sort((a, b) => b[1].own.length - a[1].own.length)[0];
    if (near && near[1].own.length > 0) {
      yield { reset: { snapshot: near[0] } };
      from = near[1];
    } else {
      yield { reset: { seed: to.seed } };
      from = fresh(to.seed);
    }
  }
  yield* entriesWith(to.own.each(from.own.length));
  const set = {
    ...(!isSameSetting(from.clock, to.clock) && { clock: to.clock }),
    ...(!isSameSetting(from.faults, to.faults) && { faults: to.faults }),
  };
  if (Object.keys(set).length > 0) yield { set };
}

const isSameSetting = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

const canLeadTo = (from: Point, to: Point): boolean =>
  from.seed.name === to.seed.name && isSameFixture(from.seed, to.seed) && from.own.isBeginningOf(to.own);
