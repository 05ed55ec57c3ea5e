/** Columns of pets against plain arrays: whatever is added, forked, taken back and asked for, each state sees its own. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Pet, type PetStatus, petOf } from '../../../src/base/api/pet.ts';
import { INT64_MAX, INT64_MIN } from '../../../src/base/int64.ts';
import { Contents } from '../../../src/sandbox/store/contents.ts';
import { type Fixture, inlineFixture } from '../../../src/sandbox/store/fixture.ts';
import { Pets } from '../../../src/sandbox/store/pets.ts';
import { runs } from '../../support/random.ts';
import { limit } from '../../support/slow.ts';

const STATUSES = ['available', 'pending', 'sold', undefined] as const;
const NOTHING = inlineFixture({ nextId: 1n, pets: [] });

const petWith = (id: bigint, name: string, status?: PetStatus): Pet =>
  petOf(id, { name, categoryId: 1n, ...(status && { status }) });

/** What one state must show. */
interface Seen {
  readonly own: Pets;
  readonly pets: readonly Pet[];
}

function expectSame({ own, pets }: Seen, fixture: Fixture, strangers: readonly bigint[]): void {
  const contents = new Contents(own, fixture);
  for (const status of [...STATUSES.slice(0, 3), 'all'] as const) {
    const query = status === 'all' ? {} : { status: status as PetStatus };
    const right = pets.filter((pet) => status === 'all' || pet.status === status).map(({ json }) => json);
    for (const limit of [1, 3, 20, 5_000]) {
      const list = contents.list({ ...query, limit });
      expect(list.json).toBe(`[${right.slice(0, limit).join(',')}]`);
      expect(Buffer.concat(list.pieces.map((piece) => Buffer.from(piece))).toString()).toBe(list.json);
      expect([list.count, list.characters >= list.json.length]).toEqual([Math.min(limit, right.length), true]);
    }
  }
  expect([...contents.texts()]).toEqual(pets.map(({ json }) => json));
  const byId = new Map(pets.map((pet) => [pet.id, pet.json]));
  for (const id of [...byId.keys(), ...strangers]) expect(contents.find(id)?.json, String(id)).toBe(byId.get(id));
}

/** A step: some pets for a state that was made before, or a fork of it. */
const step = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('add', 'add', 'fork', 'take back'),
  gap: fc.constantFrom(1n, 1n, 1n, 2n, 1000n),
  count: fc.integer({ min: 1, max: 40 }),
  name: fc.string({ unit: 'binary', maxLength: 20 }),
});

describe('the pets of a state', () => {
  it('are its own, however states go on from each other and fork', { timeout: limit(120_000) }, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const states: Seen[] = [{ own: Pets.NONE, pets: [] }];
        for (const { at, how, gap, count, name } of steps) {
          const origin = states[at % states.length] as Seen;
          if (how === 'fork') {
            states.push({ own: origin.own, pets: origin.pets });
            continue;
          }
          let id = origin.pets.at(-1)?.id ?? 0n;
          const more = Array.from({ length: count }, (_, i) => {
            id += i === 0 ? gap : 1n;
            return petWith(id, `${name}${i}`, STATUSES[(i + name.length) % 4]);
          });
          const own = origin.own.with(more);
          if (how !== 'take back') states.push({ own, pets: [...origin.pets, ...more] });
        }
        for (const seen of states) expectSame(seen, NOTHING, [-1n, 0n, 41n, 5_000_000n]);
      }),
      { numRuns: runs(150) },
    );
  });

  it('have ids from one end of int64 to the other, which ascend', () => {
    const ids = [INT64_MIN, INT64_MIN + 1n, -1n, 0n, 2n ** 53n + 1n, INT64_MAX - 1n, INT64_MAX];
    const pets = ids.map((id) => petWith(id, 'x'));
    const own = Pets.of(pets);
    expectSame({ own, pets }, NOTHING, [1n, 2n ** 53n, INT64_MIN + 2n]);
    for (const wrong of [INT64_MAX, 5n]) expect(() => own.with([petWith(wrong, 'x')])).toThrow('ids must ascend');
    expect(() => Pets.of([petWith(2n, 'x'), petWith(2n, 'y')])).toThrow('2 comes after 2');
    expectSame({ own, pets }, NOTHING, []);
  });

  it('are found over many chunks, also where one is larger than a chunk', () => {
    const pets = Array.from({ length: 5_000 }, (_, i) =>
      petWith(BigInt(3 * i), i % 700 === 0 ? '猫'.repeat(100_000) : `p${i}`, STATUSES[i % 4]),
    );
    let own = Pets.NONE;
    for (let from = 0; from < pets.length; from += 7) own = own.with(pets.slice(from, from + 7));
    for (const length of [1, 1023, 1024, 1025, 4_999, 5_000]) {
      const contents = new Contents(Pets.of(pets.slice(0, length)), NOTHING);
      expect(contents.list({ limit: 10_000 }).count).toBe(length);
      for (const at of [0, length - 1, length, length + 1])
        expect(contents.find(BigInt(3 * at))?.json).toBe(at < length ? pets[at]?.json : undefined);
    }
    const all = new Contents(own, NOTHING);
    for (const pet of pets) expect(all.find(pet.id)?.json === pet.json).toBe(true);
    const sold = pets.filter(({ status }) => status === 'sold').map(({ json }) => json);
    expect(all.list({ limit: 3_000, status: 'sold' }).json).toBe(`[${sold.join(',')}]`);
  });

  it('take the same memory after some were taken back, and share it with what they grew from', () => {
    const own = Pets.of([petWith(1n, 'Ada')]);
    const before = Pets.weight([own]);
    for (const count of [1, 10, 2_000]) {
      const more = own.with(Array.from({ length: count }, (_, i) => petWith(BigInt(i + 2), 'x'.repeat(300))));
      // Columns that are not full are copied where another state has gone on in them.
      expect([Pets.weight([more]), Pets.weight([more]) + before]).toContain(Pets.weight([more, own]));
      expect(Pets.weight([more])).toBeGreaterThan(before + 300 * count);
      expect(Pets.weight([own])).toBe(before);
    }
  });

  it('have in common what they grew from, to the pet', () => {
    const pets = Array.from({ length: 1_500 }, (_, i) => petWith(BigInt(i), `p${i}`));
    const [beginning, base] = [Pets.of(pets.slice(0, 1_200)), Pets.of(pets)];
    const [one, other] = [base.with([petWith(9_000n, 'one')]), beginning.with([petWith(9_000n, 'other')])];
    expect([base.isBeginningOf(one), one.isBeginningOf(base), base.isBeginningOf(other)]).toEqual([true, false, false]);
    expect([Pets.NONE.isBeginningOf(base), beginning.isBeginningOf(other)]).toEqual([true, true]);
  });
});
