/** Builds the state of a sandbox from its head and the branches that it references. */
import { readTime } from '../core/clock.ts';
import type { Branch, BranchPoint } from './branch.ts';
import type { HeadFile, PointFile, SeedFile } from './head.ts';
import { ownFixture, type Seed } from './own-fixture.ts';
import { retainAll, type SandboxState, type Snapshot } from './state.ts';
import { worldOf } from './world.ts';

/** Finds branches; throws where one is missing or too short. */
interface BranchSource {
  /** The branch that the sandbox appends to. */
  own(log: HeadFile['log']): Branch;
  /** A normalized point. */
  point(point: PointFile): BranchPoint | undefined;
}

export function stateOfHead(head: HeadFile, branches: BranchSource): SandboxState {
  const branch = branches.own(head.log);
  const seedOf = (seed: SeedFile): Seed =>
    typeof seed === 'string' ? seed : ownFixture(BigInt(seed.nextId), seed.log ? branches.point(seed.log) : undefined);
  const world = { fixture: seedOf(head.fixture), branch, changes: branch.length };
  const snapshots = new Map<string, Snapshot>(
    Object.entries(head.snapshots).map(([name, { createdAt, fixture, clock, faults, log }]) => {
      const point = log && branches.point(log);
      const seed = seedOf(fixture);
      const world = point ? { fixture: seed, ...point } : worldOf(seed);
      return [name, { createdAt: timeOf(createdAt), world, clock, faults }];
    }),
  );
  return {
    record: {
      id: head.id,
      label: head.label,
      createdAt: timeOf(head.createdAt),
      expiresAt: timeOrNull(head.expiresAt),
      preconfigured: head.preconfigured,
      forkOf: head.forkOf,
      keys: head.keys.map((key) => ({
        ...key,
        createdAt: timeOf(key.createdAt),
        expiresAt: timeOrNull(key.expiresAt),
        revokedAt: timeOrNull(key.revokedAt),
      })),
      clock: head.clock,
      faults: head.faults,
    },
    world,
    snapshots,
    references: retainAll(world, snapshots),
  };
}

const timeOf = (text: string): number => readTime(text) ?? 0;
const timeOrNull = (text: string | null): number | null => (text === null ? null : timeOf(text));
