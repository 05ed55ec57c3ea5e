/** All of a sandbox at one moment, and the states that follow from it. Pure functions, except for reference counts. */
import { ApiError } from '../core/errors.ts';
import { pointAt } from './branch.ts';
import { type BranchReferences, retain } from './branch-references.ts';
import type { Fixture } from './fixture.ts';
import { branchesOf, nameOf } from './own-fixture.ts';
import type { SandboxRecord, Settings } from './record.ts';
import { NO_SETTINGS, type Restart, type SnapshotInfo, type Source } from './store.ts';
import { type World, worldOf } from './world.ts';
import { WorldView } from './world-view.ts';

/** A named state of a sandbox. */
export interface Snapshot extends Settings {
  readonly createdAt: number;
  /** It covers an immutable part of the branch that it references. */
  readonly world: World;
}

/** An immutable value. Only this sandbox appends to the branch of its world. */
export interface SandboxState {
  readonly record: SandboxRecord;
  readonly world: World;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  readonly references: BranchReferences;
}

type Snapshots = SandboxState['snapshots'];
/** A start that needs no other sandbox. */
type OwnStart = Exclude<Source, { readonly copyOf: string } | { readonly saved: unknown }>;

const MAX_SNAPSHOTS = 50;
const NO_SNAPSHOTS: Snapshots = new Map();

/** The branches that a sandbox references. */
export const retainAll = (world: World, snapshots: Snapshots): BranchReferences =>
  retain([
    world.branch,
    ...[...snapshots.values()].flatMap((snapshot) => (snapshot.world.changes > 0 ? [snapshot.world.branch] : [])),
    ...[world, ...[...snapshots.values()].map((snapshot) => snapshot.world)].flatMap(({ fixture }) =>
      branchesOf(fixture),
    ),
  ]);

/** The first state of a sandbox that starts from a fixture. @throws {ApiError} `not_found`: it has no snapshots yet */
export const begun = (record: SandboxRecord, start: OwnStart): SandboxState => ({
  ...stateAt(startOf(NO_SNAPSHOTS, start).world, NO_SNAPSHOTS),
  record: { ...record, ...NO_SETTINGS },
});

/** The first state of a sandbox that starts as a copy of another. */
export const forked = (record: SandboxRecord, { record: { clock, faults }, world }: SandboxState): SandboxState => ({
  ...stateAt(worldOf(world.fixture, world), NO_SNAPSHOTS),
  record: { ...record, clock, faults },
});

/** The state after a reset to a fixture or to one of its snapshots. @throws {ApiError} `not_found` */
export function restored({ record, world: before, snapshots }: SandboxState, to: Restart): SandboxState {
  const start = to === 'again' ? { fixture: before.fixture } : to;
  const { world, settings } = startOf(snapshots, start);
  return { ...stateAt(world, snapshots), record: { ...record, ...settings } };
}

const stateAt = (world: World, snapshots: Snapshots): Omit<SandboxState, 'record'> => ({
  world,
  snapshots,
  references: retainAll(world, snapshots),
});

function startOf(snapshots: Snapshots, start: OwnStart): { world: World; settings: Settings } {
  if ('fixture' in start) return { world: worldOf(start.fixture), settings: NO_SETTINGS };
  const snapshot = snapshots.get(start.snapshot);
  if (!snapshot) throw noSnapshot(start.snapshot, snapshots);
  const { world, clock, faults } = snapshot;
  return { world: worldOf(world.fixture, world), settings: { clock, faults } };
}

/** Adds a snapshot of this moment. @throws {ApiError} `conflict` if the name is taken, `limit_reached` at 50 */
export function withSnapshot(state: SandboxState, name: string, createdAt: number): SandboxState {
  const { record, world, snapshots } = state;
  if (snapshots.has(name)) {
    throw new ApiError('conflict', `a snapshot named ${name} exists; choose another name or drop it first`);
  }
  if (snapshots.size >= MAX_SNAPSHOTS) {
    throw new ApiError('limit_reached', `a sandbox keeps ${MAX_SNAPSHOTS} snapshots; drop one first`);
  }
  // A normalized point references no branch without changes of its own. A snapshot without changes has a branch of its
  // own.
  const at = { fixture: world.fixture, ...(pointAt(world) ?? worldOf(world.fixture)) };
  const snapshot = { createdAt, world: at, clock: record.clock, faults: record.faults };
  return withSnapshots(state, new Map(snapshots).set(name, snapshot));
}

/** Removes one of its snapshots. @throws {ApiError} `not_found` */
export function withoutSnapshot(state: SandboxState, name: string): SandboxState {
  if (!state.snapshots.has(name)) throw noSnapshot(name, state.snapshots);
  const fewer = new Map(state.snapshots);
  fewer.delete(name);
  return withSnapshots(state, fewer);
}

const withSnapshots = ({ record, world }: SandboxState, snapshots: Snapshots): SandboxState => ({
  ...stateAt(world, snapshots),
  record,
});

/** A snapshot as shown to its owner. */
export const infoOf = (name: string, { createdAt, world }: Snapshot, fixture: Fixture): SnapshotInfo => ({
  name,
  createdAt,
  fixture: nameOf(world.fixture),
  pets: new WorldView(world, fixture).count,
});

const noSnapshot = (name: string, snapshots: Snapshots): ApiError =>
  new ApiError(
    'not_found',
    `no snapshot named ${name}; ${snapshots.size > 0 ? `there are: ${[...snapshots.keys()].join(', ')}` : 'there is none yet'}`,
  );
