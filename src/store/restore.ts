/** Builds the state of a new sandbox from data that was saved (`saved.ts`). */
import type { Account } from './bounds.ts';
import { type Branch, type BranchPoint, growFrom } from './branch.ts';
import type { Change } from './change.ts';
import { branchOf, ownFixture, type Seed, type Seeds } from './own-fixture.ts';
import type { SandboxRecord } from './record.ts';
import type { SavedPoint, SavedSeeds, SavedState } from './saved.ts';
import { retainAll, type SandboxState, type Snapshot } from './state.ts';
import { weightOfNew } from './weight.ts';
import { countPets, worldOf } from './world.ts';

/** A state, and its logs, which must be written before its head. */
export interface Restored {
  readonly state: SandboxState;
  readonly logs: readonly Log[];
}

interface Log {
  readonly branch: Branch;
  readonly changes: readonly Change[];
}

/** Data that must be valid. */
export interface RestoreFrom {
  readonly saved: SavedState;
  readonly seeds: SavedSeeds;
}

/**
 * The first state of a new sandbox with this data. Its logs count in the account.
 * @throws {ApiError} `limit_reached`
 */
export async function restore(
  record: SandboxRecord,
  { saved, seeds: wanted }: RestoreFrom,
  seeds: Seeds,
  account: Account,
): Promise<Restored> {
  for (const { fixture, added } of [saved.world, ...saved.snapshots.map(({ world }) => world)]) {
    const seed = wanted.get(fixture) as string | { pets: readonly unknown[] };
    const seeded = typeof seed === 'string' ? countPets((await seeds.load(seed)).log) : seed.pets.length;
    account.refuseBeyondPets(seeded + (added?.pets ?? 0));
  }
  let weight = saved.logs.reduce((sum, { pets }) => sum + weightOfNew(pets), 0);
  for (const seed of wanted.values()) if (typeof seed !== 'string') weight += weightOfNew(seed.pets);
  account.refuseBeyondBytes(weight);
  const restored = new Builder(wanted).build(record, saved);
  account.countBranches([restored.state]);
  return restored;
}

class Builder {
  readonly #logs: Log[] = [];
  readonly #seeds: ReadonlyMap<string, Seed>;
  /** Logs of fixtures come first. */
  readonly #first: number;

  constructor(wanted: SavedSeeds) {
    const made = [...wanted].map(([name, seed]): [string, Seed] => {
      if (typeof seed === 'string') return [name, seed];
      const changes = seed.pets.map((added) => ({ added }));
      if (changes.length === 0) return [name, ownFixture(seed.nextId, undefined)];
      const point = branchOf(changes);
      this.#logs.push({ branch: point.branch, changes });
      return [name, ownFixture(seed.nextId, point)];
    });
    this.#seeds = new Map(made);
    this.#first = this.#logs.length;
  }

  build(record: SandboxRecord, { clock, faults, world, snapshots, logs }: SavedState): Restored {
    for (const { from, pets } of logs) {
      const branch = growFrom(this.#point(from));
      const changes = pets.map((added) => ({ added }));
      for (const change of changes) branch.append(change);
      this.#logs.push({ branch, changes });
    }
    const own = worldOf(this.#seed(world.fixture), this.#point(world.added));
    const kept = new Map<string, Snapshot>(
      snapshots.map(({ name, createdAt, world: { fixture, added }, ...settings }) => {
        const [seed, point] = [this.#seed(fixture), this.#point(added)];
        return [name, { createdAt, world: point ? { fixture: seed, ...point } : worldOf(seed), ...settings }];
      }),
    );
    const references = retainAll(own, kept);
    const state = { record: { ...record, clock, faults }, world: own, snapshots: kept, references };
    return { state, logs: this.#logs };
  }

  #seed(name: string): Seed {
    return this.#seeds.get(name) as Seed;
  }

  #point(point: SavedPoint | null): BranchPoint | undefined {
    return point ? { branch: (this.#logs[this.#first + point.log] as Log).branch, changes: point.pets } : undefined;
  }
}
