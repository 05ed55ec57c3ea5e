/** Lists are remembered within a bound, and never for other pets or another query. */
import { expect, test } from 'vitest';
import { petOf } from '../../../src/base/api/pet.ts';
import { Lists } from '../../../src/sandbox/store/lists.ts';
import { Pets } from '../../../src/sandbox/store/pets.ts';
import { fixtureNamed } from './support.ts';

const named = (...names: string[]) => Pets.of(names.map((name, i) => petOf(BigInt(i + 1), { name, categoryId: 1n })));

test('what is remembered is bounded, and a long list is not remembered at all', async () => {
  const lists = new Lists();
  const fixture = await fixtureNamed('empty');
  const long = named('x'.repeat(70_000));
  expect(lists.first(long, fixture, { limit: 1 })).not.toBe(lists.first(long, fixture, { limit: 1 }));
  const states = Array.from({ length: 100 }, () => named('x'.repeat(60_000)));
  const first = states.map((own) => lists.first(own, fixture, { limit: 1 }));
  const again = states.map((own) => lists.first(own, fixture, { limit: 1 }));
  const kept = again.filter((list, i) => list === first[i]).length;
  expect(kept * 60_000).toBeLessThan(4 * 1024 * 1024);
  expect(lists.first(states[99] as never, fixture, { limit: 1 })).toBe(again[99]);
});
