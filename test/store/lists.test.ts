/** Lists are remembered within a bound, and never for another world or another query. */
import { expect, test } from 'vitest';
import { petOf } from '../../src/core/pet.ts';
import type { Fixture } from '../../src/store/fixture.ts';
import { Lists } from '../../src/store/lists.ts';
import { apply, worldOf } from '../../src/store/world.ts';
import { shelf } from './support.ts';

const worldOfNames = (...names: string[]) =>
  apply(
    worldOf('empty'),
    names.map((name, i) => ({ added: petOf(BigInt(i + 1), { name, categoryId: 1n }) })),
  );

const emptyFixture = async (): Promise<Fixture> => (await shelf()).load('empty');

test('the same list of the same world is made once', async () => {
  const lists = new Lists();
  const fixture = await emptyFixture();
  const world = worldOfNames('Ada', 'Bea');
  const list = lists.first(world, fixture, { limit: 2 });
  expect(lists.first(world, fixture, { limit: 2 })).toBe(list);
  expect(lists.first(world, fixture, { limit: 1 }).pets).toHaveLength(1);
  expect(lists.first(world, fixture, { limit: 2, status: 'sold' }).json).toBe('[]');
  expect(lists.first(worldOfNames('Cleo'), fixture, { limit: 2 }).json).toContain('Cleo');
});

test('what is remembered is bounded, and a long list is not remembered at all', async () => {
  const lists = new Lists();
  const fixture = await emptyFixture();
  const long = worldOfNames('x'.repeat(70_000));
  expect(lists.first(long, fixture, { limit: 1 })).not.toBe(lists.first(long, fixture, { limit: 1 }));
  const worlds = Array.from({ length: 100 }, () => worldOfNames('x'.repeat(60_000)));
  const first = worlds.map((world) => lists.first(world, fixture, { limit: 1 }));
  const again = worlds.map((world) => lists.first(world, fixture, { limit: 1 }));
  const kept = again.filter((list, i) => list === first[i]).length;
  expect(kept * 60_000).toBeLessThan(4 * 1024 * 1024);
  expect(lists.first(worlds[99] as never, fixture, { limit: 1 })).toBe(again[99]);
});
