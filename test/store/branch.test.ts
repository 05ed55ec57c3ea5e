/** Branches against plain arrays: whatever is added, forked, taken back and asked for, each point sees its own pets. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../src/core/int64.ts';
import { type Pet, type PetStatus, petOf } from '../../src/core/pet.ts';
import { petStatuses } from '../../src/generated/facts.ts';
import type { BranchPoint } from '../../src/store/branch.ts';
import type { ChangeCount } from '../../src/store/counts.ts';
import type { Fixture } from '../../src/store/fixture.ts';
import { apply, type World, worldOf } from '../../src/store/world.ts';
import { WorldView } from '../../src/store/world-view.ts';
import { limit } from '../support/slow.ts';
import { petsOf, shelf } from './support.ts';

const STATUSES = ['available', 'pending', 'sold', undefined] as const;

const petWith = (id: bigint, name: string, status?: PetStatus): Pet =>
  petOf(id, { name, categoryId: 1n, ...(status && { status }) });

const added = (pets: readonly Pet[]) => pets.map((pet) => ({ added: pet }));

/** What one world must show. */
interface Seen {
  readonly world: World;
  readonly pets: readonly Pet[];
}

function expectSame({ world, pets }: Seen, fixture: Fixture, strangers: readonly bigint[]): void {
  for (const status of [...STATUSES.slice(0, 3), 'all'] as const) {
    const query = status === 'all' ? {} : { status: status as PetStatus };
    const right = pets.filter((pet) => status === 'all' || pet.status === status).map(({ json }) => json);
    for (const limit of [1, 3, 20, 5_000]) {
      const list = new WorldView(world, fixture).first({ ...query, limit });
      expect(list.json).toBe(`[${right.slice(0, limit).join(',')}]`);
      expect(Buffer.concat(list.pieces.map((piece) => Buffer.from(piece))).toString()).toBe(list.json);
      expect(list.pets.map(({ json }) => json)).toEqual(right.slice(0, limit));
      expect([list.count, list.characters >= list.json.length]).toEqual([list.pets.length, true]);
    }
  }
  const byId = new Map(pets.map((pet) => [pet.id, pet.json]));
  for (const id of [...byId.keys(), ...strangers])
    expect(new WorldView(world, fixture).find(id)?.json, String(id)).toBe(byId.get(id));
}

/** A step: some pets for a world that was made before, or a branch that begins there. */
const step = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('add', 'add', 'fork', 'take back'),
  gap: fc.constantFrom(1n, 1n, 1n, 2n, 1000n),
  count: fc.integer({ min: 1, max: 40 }),
  name: fc.string({ unit: 'binary', maxLength: 20 }),
});

describe('a branch', () => {
  it(
    'shows each world its own pets, however branches grow from each other',
    async () => {
      const fixture = await (await shelf()).load('empty');
      fc.assert(
        fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
          // Each has a branch of its own that nothing else adds to.
          const worlds: Seen[] = [{ world: worldOf('empty'), pets: [] }];
          /** Worlds as they were before more was added. */
          const earlier: Seen[] = [];
          for (const { at, how, gap, count, name } of steps) {
            const index = at % worlds.length;
            const { world, pets } = worlds[index] as Seen;
            if (how === 'fork') {
              const points = [...earlier, ...worlds];
              const origin = points[at % points.length] as Seen;
              worlds.push({ ...origin, world: worldOf('empty', origin.world) });
              continue;
            }
            let id = pets.at(-1)?.id ?? 0n;
            const more = Array.from({ length: count }, (_, i) => {
              id += i === 0 ? gap : 1n;
              return petWith(id, `${name}${i}`, STATUSES[(i + name.length) % 4]);
            });
            const next = apply(world, added(more));
            if (how === 'take back') world.branch.truncate(world.changes);
            else {
              earlier.push({ world, pets });
              worlds[index] = { world: next, pets: [...pets, ...more] };
            }
          }
          for (const seen of [...worlds, ...earlier.slice(-5)]) expectSame(seen, fixture, [-1n, 0n, 41n, 5_000_000n]);
        }),
        { numRuns: 150 },
      );
    },
    limit(120_000),
  );

  it('puts pets of a fixture and added ones in the order of their ids', async () => {
    const fixture = await (await shelf()).load('boundary');
    const world = worldOf('boundary');
    // One id is taken by a pet of the fixture as well, as after an edit of its file: the added one stays.
    const seeded = petsOf(fixture);
    const taken = seeded.at(-1)?.id as bigint;
    const own = [-500n, 77n, 1000n, 1001n, taken].map((id) => petWith(id, `own ${id}`, 'sold'));
    const statusOf = new Map(petStatuses.flatMap((each) => petsOf(fixture, each).map(({ id }) => [id, each])));
    const left = seeded.filter(({ id }) => !own.some((pet) => pet.id === id));
    const all = [...left.map((pet) => ({ ...pet, status: statusOf.get(pet.id) })), ...own];
    all.sort((a, b) => (a.id < b.id ? -1 : 1));
    expectSame({ world: apply(world, added(own)), pets: all }, fixture, [0n, 78n]);
  });

  it('holds ids from one end of int64 to the other', async () => {
    const fixture = await (await shelf()).load('empty');
    const pets = [INT64_MIN, INT64_MIN + 1n, -1n, 0n, 2n ** 53n + 1n, INT64_MAX - 1n, INT64_MAX].map((id) =>
      petWith(id, 'x'),
    );
    expectSame({ world: apply(worldOf('empty'), added(pets)), pets }, fixture, [1n, 2n ** 53n, INT64_MIN + 2n]);
  });

  it('finds its way over many pages, and pets that are larger than a page', async () => {
    const fixture = await (await shelf()).load('empty');
    const pets = Array.from({ length: 5_000 }, (_, i) =>
      petWith(BigInt(3 * i), i % 700 === 0 ? '猫'.repeat(100_000) : `p${i}`, STATUSES[i % 4]),
    );
    let world = worldOf('empty');
    const points: BranchPoint[] = [];
    for (let from = 0; from < pets.length; from += 7) {
      world = apply(world, added(pets.slice(from, from + 7)));
      points.push(world);
    }
    for (const changes of [1, 1023, 1024, 1025, 4_999, 5_000] as ChangeCount[]) {
      const at = { ...world, changes };
      expect(new WorldView(at, fixture).first({ limit: 10_000 }).count).toBe(changes);
      for (const location of [0, changes - 1, changes, changes + 1])
        expect(new WorldView(at, fixture).find(BigInt(3 * location))?.json).toBe(
          location < changes ? pets[location]?.json : undefined,
        );
    }
    for (const pet of pets) expect(new WorldView(world, fixture).find(pet.id)?.json === pet.json).toBe(true);
    expect(new WorldView(world, fixture).first({ limit: 3_000, status: 'sold' }).pets.map(({ id }) => id)).toEqual(
      pets.filter(({ status }) => status === 'sold').map(({ id }) => id),
    );
  });

  it('takes the same account of its pets after some were taken back', () => {
    const world = apply(worldOf('empty'), added([petWith(1n, 'Ada')]));
    const { bytes } = world.branch;
    for (const count of [1, 10, 2_000]) {
      apply(world, added(Array.from({ length: count }, (_, i) => petWith(BigInt(i + 2), 'x'.repeat(300)))));
      expect(world.branch.bytes).toBeGreaterThan(bytes + 300 * count);
      world.branch.truncate(1 as ChangeCount);
      expect([world.branch.bytes, world.branch.length]).toEqual([bytes, 1]);
    }
  });
});
