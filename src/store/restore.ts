/** Builds the state of a new sandbox from data that was saved (`saved.ts`). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../core/errors.ts';
import type { Account } from './bounds.ts';
import { type Branch, type BranchPoint, growFrom } from './branch.ts';
import { type Change, weightOf } from './change.ts';
import type { Fixture } from './fixture.ts';
import { headFileOf } from './head.ts';
import { branchOf, type NewFixture, ownFixture, type Seed, type Seeds } from './own-fixture.ts';
import { headChecker } from './read-heads.ts';
import type { SandboxRecord } from './record.ts';
import type { SavedPoint, SavedSeeds, SavedState } from './saved.ts';
import { retainAll, type SandboxState, type Snapshot } from './state.ts';
import { worldOf } from './world.ts';
import { WorldView } from './world-view.ts';

/** A state, and its logs, which must be written before its head. */
export interface Restored {
  readonly state: SandboxState;
  readonly logs: readonly RestoredLog[];
}

interface RestoredLog {
  readonly branch: Branch;
  readonly changes: readonly Change[];
}

/** Data that must be valid. */
interface RestoreFrom {
  readonly saved: SavedState;
  readonly seeds: SavedSeeds;
}

/**
 * The first state of a new sandbox with this data. Its logs count in the account.
 * @throws {ApiError} `limit_reached`; `invalid_request` for what the reader of data files would reject
 */
export async function restore(
  record: SandboxRecord,
  { saved, seeds: wanted }: RestoreFrom,
  seeds: Seeds,
  account: Account,
): Promise<Restored> {
  const own = [...wanted.values()].flatMap((seed) => (typeof seed === 'string' ? [] : [changesOf(seed)]));
  const bytes = [...own, ...saved.logs.map((log) => log.changes)].reduce((sum, each) => sum + weightOf(each), 0);
  account.rejectBeyondBytes(bytes);
  const restored = await new Builder(wanted).build(record, saved);
  const problem = (await headChecker())(headFileOf(restored.state, 0));
  // The next start would reject it.
  if (problem !== undefined) throw new ApiError('invalid_request', `the sandbox cannot be kept: ${problem}`);
  for (const seed of wanted.values()) if (typeof seed === 'string') await seeds.load(seed);
  // No await from here on: what is checked is what is counted.
  account.rejectBeyondBytes(bytes);
  const { world, snapshots } = restored.state;
  for (const each of [world, ...[...snapshots.values()].map((snapshot) => snapshot.world)]) {
    account.rejectBeyondPets(new WorldView(each, seeds.get(each.fixture) as Fixture).count);
  }
  account.countBranches([restored.state]);
  return restored;
}

/** The pets of a fixture, as its log holds them. */
const changesOf = ({ pets }: NewFixture): Change[] => pets.map((added) => ({ added }));

/** Changes between two pauses. */
const MANY = 2_000;

class Builder {
  readonly #logs: RestoredLog[] = [];
  readonly #seeds: ReadonlyMap<string, Seed>;
  /** Logs of fixtures come first. */
  readonly #first: number;

  constructor(wanted: SavedSeeds) {
    const made = [...wanted].map(([name, seed]): [string, Seed] => {
      if (typeof seed === 'string') return [name, seed];
      const changes = changesOf(seed);
      if (changes.length === 0) return [name, ownFixture(seed.nextId, undefined)];
      const point = branchOf(changes);
      this.#logs.push({ branch: point.branch, changes });
      return [name, ownFixture(seed.nextId, point)];
    });
    this.#seeds = new Map(made);
    this.#first = this.#logs.length;
  }

  /** Pauses now and then, so that other requests have their turn. */
  async build(record: SandboxRecord, { clock, faults, world, snapshots, logs }: SavedState): Promise<Restored> {
    for (const { from, changes } of logs) {
      const branch = growFrom(this.#point(from));
      for (const [n, change] of changes.entries()) {
        branch.append(change);
        if (n % MANY === MANY - 1) await nextTurn();
      }
      this.#logs.push({ branch, changes });
    }
    const own = worldOf(this.#seed(world.fixture), this.#point(world.upTo));
    const named = new Map<string, Snapshot>(
      snapshots.map(({ name, createdAt, world: { fixture, upTo }, ...settings }) => {
        const [seed, point] = [this.#seed(fixture), this.#point(upTo)];
        return [name, { createdAt, world: point ? { fixture: seed, ...point } : worldOf(seed), ...settings }];
      }),
    );
    const references = retainAll(own, named);
    const state = { record: { ...record, clock, faults }, world: own, snapshots: named, references };
    return { state, logs: this.#logs };
  }

  #seed(name: string): Seed {
    return this.#seeds.get(name) as Seed;
  }

  #point(point: SavedPoint | null): BranchPoint | undefined {
    return point
      ? { branch: (this.#logs[this.#first + point.log] as RestoredLog).branch, changes: point.changes }
      : undefined;
  }
}
