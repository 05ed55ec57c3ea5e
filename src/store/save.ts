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

/**
 * The branches of several worlds, as far as these worlds cover them, each after the one that it grew from. A branch that
 * only leads to one other is part of that one: there are at most two logs for each world, whatever a sandbox went through.
 */
class SharedLogs {
  readonly #numbers = new Map<Branch, number>();
  readonly #covered = new Map<Branch, ChangeCount>();
  /** By the names that they have in the data. */
  readonly seeds = new Map<string, Seed>();

  constructor(worlds: readonly World[]) {
    const points = worlds.map(pointAt).filter((point) => point !== undefined);
    const ends = new Set(points.map(({ branch }) => branch));
    const continuations = new Map<Branch, number>();
    const ordered: Branch[] = [];
    for (const point of points) this.#cover(point, ordered, continuations);
    for (const branch of ordered)
      if (ends.has(branch) || continuations.get(branch) !== 1) this.#numbers.set(branch, this.#numbers.size);
  }

  /** Adds the branches on the way to a point, the oldest first. */
  #cover(point: BranchPoint, ordered: Branch[], continuations: Map<Branch, number>): void {
    const chain: Branch[] = [];
    for (let at: BranchPoint | undefined = point; at; at = at.branch.from) {
      const { branch, changes } = at;
      const known = this.#covered.get(branch);
      if (known === undefined || changes > known) this.#covered.set(branch, changes);
      // Its ancestors are covered up to the same places already.
      if (known !== undefined) break;
      chain.push(branch);
      if (branch.from) continuations.set(branch.from.branch, (continuations.get(branch.from.branch) ?? 0) + 1);
    }
    ordered.push(...chain.toReversed());
  }

  saved(world: World): SavedWorld {
    return { fixture: this.#nameOf(world.fixture), upTo: this.#point(pointAt(world)) };
  }

  all(): SavedLog<string>[] {
    return [...this.#numbers.keys()].map((branch) => {
      const from = this.#originOf(branch);
      const changes = branch.changes(from?.changes ?? NO_CHANGES, this.#coveredOf(branch));
      return { from: this.#point(from), changes: Array.from(changes, textOf) };
    });
  }

  /** The nearest point that it grew from on a branch with a log of its own. */
  #originOf({ from }: Branch): BranchPoint | undefined {
    let origin = from;
    while (origin && !this.#numbers.has(origin.branch)) origin = origin.branch.from;
    return origin;
  }

  /** Several fixtures of its own have the same name. */
  #nameOf(seed: Seed): string {
    for (const [name, known] of this.seeds) if (isSame(known, seed)) return name;
    const taken = [...this.seeds.values()].filter((known) => typeof known !== 'string').length;
    const name = typeof seed === 'string' || taken === 0 ? nameOf(seed) : `${OWN_FIXTURE}-${taken + 1}`;
    this.seeds.set(name, seed);
    return name;
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
