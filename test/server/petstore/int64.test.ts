import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../support/random.ts';
import { sharedServer } from '../../support/server.ts';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

const server = await sharedServer();
const client = await server.sandbox({ fixture: 'empty' });

/** Integers of every size, most of them near a power of two, where something may be rounded or cut off. */
const integers = fc.oneof(
  fc.bigInt({ min: MIN, max: MAX }),
  fc
    .tuple(fc.integer({ min: 0, max: 63 }), fc.bigInt({ min: -3n, max: 3n }), fc.constantFrom(1n, -1n))
    .map(([power, off, sign]) => {
      const value = sign * (2n ** BigInt(power) + off);
      return value > MAX ? MAX : value < MIN ? MIN : value;
    }),
);

/** The ways in which JSON may write an integer, each of them exact. */
const written = fc
  .tuple(integers, fc.constantFrom('plain', 'point', 'exponent', 'shifted'), fc.integer({ min: 1, max: 5 }))
  .map(([value, form, by]): [bigint, string] => {
    const [sign, digits] = value < 0n ? ['-', String(-value)] : ['', String(value)];
    if (form === 'point') return [value, `${sign}${digits}.${'0'.repeat(by)}`];
    if (form === 'exponent') return [value, `${sign}${value === 0n ? '0' : `${digits}${'0'.repeat(by)}`}e-${by}`];
    if (form === 'shifted') return [value, `${sign}${digits[0]}.${digits.slice(1)}0E+${digits.length - 1}`];
    return [value, `${sign}${digits}`];
  });

const categoryOf = (text: string): string | undefined => /"categoryId":([^,}]+)/.exec(text)?.[1];

describe('an int64', () => {
  test('goes in and comes out digit for digit, however JSON writes it', async () => {
    await fc.assert(
      fc.asyncProperty(written, async ([value, text]) => {
        const created = await client.post('/v1/pets', `{"name":"Rex","categoryId":${text}}`);
        expect(created.status, text).toBe(201);
        expect(categoryOf(created.text)).toBe(String(value));
        expect((await client.get(`/v1/pets/${created.json.id}`)).text).toBe(created.text);
      }),
      { numRuns: runs(300) },
    );
    const list = (await client.get('/v1/pets?limit=100')).text;
    for (const [, digits = ''] of list.matchAll(/"categoryId":([^,}]+)/g)) expect(digits).toMatch(/^(0|-?[1-9]\d*)$/);
  });

  test('is rejected when it is beyond the range, and no pet has it', async () => {
    const beyond = fc
      .oneof(fc.bigInt({ min: 1n, max: 2n ** 80n }), fc.bigInt({ min: 1n, max: 5n }))
      .chain((by) => fc.constantFrom(MAX + by, MIN - by));
    await fc.assert(
      fc.asyncProperty(beyond, async (value) => {
        const created = await client.post('/v1/pets', `{"name":"Rex","categoryId":${value}}`);
        expect(created.json).toMatchObject({ status: 400, code: 'invalid_request' });
        expect((await client.get(`/v1/pets/${value}`)).json).toMatchObject({ status: 404, code: 'not_found' });
      }),
      { numRuns: runs(100) },
    );
  });
});

test('the boundary fixture lists its pets in ascending id, gives each by its id, and the next id of its file', async () => {
  const boundary = await server.sandbox({ fixture: 'boundary' });
  const { text } = await boundary.get('/v1/pets?limit=100');
  const idsIn = (list: string) => [...list.matchAll(/"id":(-?\d+)/g)].map(([, id]) => BigInt(id as string));
  const ids = idsIn(text);
  expect(ids).toEqual([...ids].sort((a, b) => (a < b ? -1 : 1)));
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([30, MIN, MAX]);
  const pets = await Promise.all(ids.map((id) => boundary.get(`/v1/pets/${id}`)));
  expect(`[${pets.map((pet) => pet.text).join(',')}]`).toBe(text);
  for (const id of [1000, 1001])
    expect((await boundary.post('/v1/pets', { name: 'Rex', categoryId: 1 })).json.id).toBe(id);
  const all = [...ids, 1000n, 1001n].sort((a, b) => (a < b ? -1 : 1));
  for (const limit of [all.indexOf(1001n), 100])
    expect(idsIn((await boundary.get(`/v1/pets?limit=${limit}`)).text)).toEqual(all.slice(0, limit));
});

describe('a name comes back as it was sent', () => {
  /** What JSON writes a name as, and the name. */
  const sent = async (json: string): Promise<string> => {
    const created = await client.post('/v1/pets', `{"name":${json},"categoryId":1}`);
    expect(created.status, json).toBe(201);
    const found = await client.get(`/v1/pets/${created.json.id}`);
    expect(found.json.name).toBe(created.json.name);
    return found.json.name;
  };

  test('half a surrogate pair too, and every one of the boundary fixture', async () => {
    const boundary = await server.sandbox({ fixture: 'boundary' });
    const { json: pets } = await boundary.get('/v1/pets?limit=100');
    const halves = ['\\ud800', '\\udfff', 'a\\udc00\\ud800b', '\\ud83d\\ud83d\\udc36'].map((half) => `"${half}"`);
    for (const name of [...halves, ...pets.map((pet: { name: string }) => JSON.stringify(pet.name))])
      expect(await sent(name)).toBe(JSON.parse(name));
  });

  test('whatever it is', async () => {
    const special = fc.constantFrom('"', '\\', '\u2028', '\0', '\ufeff', '\u202e');
    const unit = fc.oneof(special, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 40 }), async (name) => {
        expect(await sent(JSON.stringify(name))).toBe(name);
      }),
      { numRuns: runs(200) },
    );
  });
});
