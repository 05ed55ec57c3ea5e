/** Turns the state of a sandbox into data (`saved.ts`). */
import { type Branch, type BranchPoint, pointAt } from './branch.ts';
import { textOf } from './change.ts';
import { type ChangeCount, NO_CHANGES } from './counts.ts';
import { nameOf, OWN_FIXTURE, type Seed } from './own-fixture.ts';
import type { Saved, SavedLog, SavedPoint, SavedWorld } from './saved.ts';
import type { SandboxState } from './state.ts';
import type { World } from './world.ts';

/** The data of a state; changes are in their file form. */
export function savedOf({ record, world, snapshots }: SandboxState): Saved {
  const worlds = [world, ...[...snapshots.values()].map((snapshot) => snapshot.world)];
  const logs = new SharedLogs(worlds);
  return {
    clock: record.clock,
    faults: record.faults,
    world: logs.saved(world),
    snapshots: [...snapshots].map(([name, snapshot]) => ({
      name,
      createdAt: snapshot.createdAt,
      world: logs.saved(snapshot.world),
      clock: snapshot.clock,
      faults: snapshot.faults,
    })),
    logs: logs.all(),
    seeds: logs.seeds,
  };
}

/** The branches of several worlds, as far as these worlds cover them, each after the one that it grew from. */
class SharedLogs {
  readonly #numbers = new Map<Branch, number>();
  readonly #covered = new Map<Branch, ChangeCount>();
  /** By the names that they have in the data. */
  readonly seeds = new Map<string, Seed>();

  constructor(worlds: readonly World[]) {
    for (const world of worlds) this.#add(pointAt(world));
  }

  saved(world: World): SavedWorld {
    return { fixture: this.#nameOf(world.fixture), upTo: this.#point(pointAt(world)) };
  }

  all(): SavedLog<string>[] {
    return [...this.#numbers.keys()].map((branch) => ({
      from: this.#point(branch.from),
      changes: Array.from(branch.changes(branch.from?.changes ?? NO_CHANGES, this.#coveredOf(branch)), textOf),
    }));
  }

  /** Several fixtures of its own have the same name. */
  #nameOf(seed: Seed): string {
    for (const [name, known] of this.seeds) if (isSame(known, seed)) return name;
    const taken = [...this.seeds.values()].filter((known) => typeof known !== 'string').length;
    const name = typeof seed === 'string' || taken === 0 ? nameOf(seed) : `${OWN_FIXTURE}-${taken + 1}`;
    this.seeds.set(name, seed);
    return name;
  }

  #add(point: BranchPoint | undefined): void {
    const chain: BranchPoint[] = [];
    for (let at = point; at; at = at.branch.from) {
      chain.push(at);
      // Its ancestors are covered up to the same places already.
      if (this.#numbers.has(at.branch)) break;
    }
    for (const { branch, changes } of chain.toReversed()) {
      if (!this.#numbers.has(branch)) this.#numbers.set(branch, this.#numbers.size);
      if (changes > this.#coveredOf(branch)) this.#covered.set(branch, changes);
    }
  }

  /** The changes of a branch that a world covers. */
  #coveredOf(branch: Branch): ChangeCount {
    return this.#covered.get(branch) ?? NO_CHANGES;
  }

  #point(point: BranchPoint | undefined): SavedPoint | null {
    return point ? { log: this.#numbers.get(point.branch) as number, changes: point.changes } : null;
  }
}

/** A directory that was read again has a value of its own for each use of a fixture. */
const isSame = (a: Seed, b: Seed): boolean =>
  a === b || (typeof a !== 'string' && typeof b !== 'string' && a.log.branch === b.log.branch && a.nextId === b.nextId);
