/** A fixture that comes with a request: `POST /_sandbox/keys` and `POST /_sandbox/reset`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../src/core/int64.ts';
import { petStatuses } from '../../src/generated/facts.ts';
import type { Client } from '../support/client.ts';
import { areTwo, sharedServer, startTestServer } from '../support/server.ts';

const server = await sharedServer();

const pet = (id: bigint | number, name = 'Rex', rest = ''): string =>
  `{"id":${id},"name":${JSON.stringify(name)},"categoryId":1${rest}}`;
const fixtureOf = (pets: readonly string[], rest = ''): string => `{"pets":[${pets.join(',')}]${rest}}`;
const OF_42 = fixtureOf([pet(42, 'Rex', ',"status":"sold"')]);

/** A new sandbox with this fixture. */
async function seeded(fixture: string, on = server): Promise<Client> {
  const made = await on.client().post('/_sandbox/keys', `{"fixture":${fixture}}`);
  expect([made.status, made.text]).toEqual([201, expect.stringContaining('"fixture":"inline"')]);
  return on.client(made.json.key);
}

const listed = async (client: Client): Promise<string> => (await client.get('/v1/pets?limit=100')).text;

describe('a fixture given with a key or a reset', () => {
  it('is what the sandbox starts with, and what a reset without a body goes back to', async () => {
    const client = await seeded(OF_42);
    expect((await client.get('/v1/pets/42')).json).toEqual({ id: 42, name: 'Rex', categoryId: 1, status: 'sold' });
    expect((await client.get('/v1/pets?status=sold')).json).toHaveLength(1);
    expect((await client.post('/v1/pets', { name: 'Next', categoryId: 1 })).json.id).toBe(43);
    const back = await client.post('/_sandbox/reset');
    expect(back.json.sandbox).toMatchObject({
      fixture: 'inline',
      pets: { fixture: 1, added: 0, total: 1 },
      nextId: 43,
    });
    expect(await listed(client)).toBe(`[${pet(42, 'Rex', ',"status":"sold"')}]`);
  });

  it('replaces that of a sandbox, and a named one replaces it', async () => {
    const client = await server.sandbox();
    expect((await client.post('/_sandbox/reset', `{"fixture":${OF_42}}`)).json.sandbox.pets.total).toBe(1);
    expect((await client.post('/_sandbox/reset')).json.sandbox.fixture).toBe('inline');
    expect((await client.post('/_sandbox/reset', { fixture: 'default' })).json.sandbox.pets.total).toBe(12);
    expect((await client.post('/_sandbox/reset')).json.sandbox.fixture).toBe('default');
  });

  it('belongs to what is forked or saved from it, also when its sandbox has another by then', async () => {
    const client = await seeded(OF_42);
    await client.post('/_sandbox/snapshots', { name: 'one' });
    const fork = server.client((await client.post('/_sandbox/fork')).json.key);
    await client.post('/_sandbox/reset', `{"fixture":${fixtureOf([pet(7)])}}`);
    await client.post('/v1/pets', { name: 'Added', categoryId: 1 });
    expect((await fork.post('/_sandbox/reset')).json.sandbox).toMatchObject({ fixture: 'inline', nextId: 43 });
    expect((await client.get('/_sandbox/snapshots')).json.snapshots).toMatchObject([{ fixture: 'inline', pets: 1 }]);
    await client.post('/_sandbox/reset', { snapshot: 'one' });
    expect((await client.get('/v1/pets')).json).toMatchObject([{ id: 42 }]);
    expect((await client.post('/_sandbox/reset')).json.sandbox.nextId).toBe(43);
  });

  it('is for every sandbox with scope=all, also where one ends meanwhile', async () => {
    const other = await startTestServer();
    const clients = await Promise.all(Array.from({ length: 5 }, () => other.sandbox()));
    const admin = other.client(other.adminToken);
    const all = admin.post('/_sandbox/reset?scope=all', `{"fixture":${OF_42}}`);
    await clients[0]?.delete('/_sandbox');
    expect((await all).status).toBe(200);
    for (const client of clients.slice(1)) expect((await client.get('/v1/pets')).json).toMatchObject([{ id: 42 }]);
    // A server keeps a sandbox in memory until it learns that it is gone.
    if (areTwo) return;
    expect(other.store.figures.bytes).toBeGreaterThan(0);
    for (const client of clients) await client.delete('/_sandbox');
    expect(other.store.figures.bytes).toBe(0);
  });

  it('may make its pets up, and may be empty with a next id', async () => {
    const made = await seeded('{"generate":{"count":1000,"seed":7}}');
    const same = await seeded('{"generate":{"count":1000,"seed":7}}');
    expect(await listed(made)).toBe(await listed(same));
    expect((await made.get('/_sandbox')).json).toMatchObject({ pets: { fixture: 1000 }, nextId: 1001 });
    const empty = await seeded('{"pets":[],"nextId":-5}');
    expect((await empty.post('/v1/pets', { name: 'First', categoryId: 1 })).json.id).toBe(-5);
  });

  it('keeps ids and categories to the last digit, whatever their order', async () => {
    const ids = [INT64_MAX, INT64_MIN, 2n ** 53n + 1n, 0n, -(2n ** 53n) - 1n];
    const client = await seeded(
      fixtureOf(
        ids.map((id) => pet(id).replace('1}', `${id}}`)),
        ',"nextId":-3',
      ),
    );
    for (const id of ids)
      expect((await client.get(`/v1/pets/${id}`)).text).toContain(`{"id":${id},"name":"Rex","categoryId":${id}}`);
    expect((await listed(client)).match(/"id":-?\d+/g)).toEqual(
      [...ids].sort((a, b) => (a < b ? -1 : 1)).map((id) => `"id":${id}`),
    );
    const added = await Promise.all([1, 2, 3].map(() => client.post('/v1/pets', { name: 'A', categoryId: 1 })));
    expect(new Set(added.map(({ json }) => json.id))).toEqual(new Set([-3, -2, -1]));
    expect((await client.post('/v1/pets', { name: 'A', categoryId: 1 })).json.id).toBe(1);
  });

  it('is exported and given again with nothing changed', async () => {
    const int64 = fc.oneof(fc.bigInt(INT64_MIN, INT64_MAX), fc.bigInt(-5n, 20n));
    const pets = fc.uniqueArray(
      fc.record(
        {
          id: int64,
          name: fc.string({ unit: 'grapheme' }),
          categoryId: int64,
          status: fc.constantFrom(...petStatuses),
        },
        { requiredKeys: ['id', 'name', 'categoryId'] },
      ),
      { selector: ({ id }) => id, maxLength: 30 },
    );
    const text = (value: unknown): string =>
      JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `<${each}>` : each)).replace(/"<(-?\d+)>"/g, '$1');
    await fc.assert(
      fc.asyncProperty(pets, fc.option(int64), fc.nat(3), async (all, nextId, more) => {
        const client = await seeded(text({ pets: all, ...(nextId !== null && { nextId }) }));
        for (let n = 0; n < more; n++) await client.post('/v1/pets', { name: `${n}`, categoryId: 1 });
        const saved = await client.get('/_sandbox/export');
        const again = await seeded(saved.text);
        expect((await again.get('/_sandbox/export')).text).toBe(saved.text);
        expect(await listed(again)).toBe(await listed(client));
        const next = (await client.get('/_sandbox')).text.match(/"nextId":.*/)?.[0];
        expect((await again.get('/_sandbox')).text).toContain(next);
        await Promise.all([client.delete('/_sandbox'), again.delete('/_sandbox')]);
      }),
      { numRuns: 40 },
    );
  });

  it('takes as many pets as a body may have bytes, and others are served meanwhile', async () => {
    const large = fixtureOf(Array.from({ length: 15_000 }, (_, n) => pet(n + 1, `Pet number ${n}`)));
    expect(large.length).toBeGreaterThan(750_000);
    const client = await seeded(large);
    expect((await client.get('/_sandbox')).json.pets.total).toBe(15_000);
    expect((await client.get('/_sandbox/export')).json.pets).toHaveLength(15_000);
  });
});

describe('a fixture that is wrong', () => {
  it('is rejected with every problem and its place, and the sandbox stays as it is', async () => {
    const client = await seeded(OF_42);
    const before = (await client.get('/_sandbox/export')).text;
    const wrong = `{"nextID":3,"nextId":1.5,"description":7,"pets":[{"id":1,"name":"A","categoryId":1},{"id":9223372036854775808,"name":null},{"id":1,"name":"B","categoryId":2,"owner":"me","status":"lost"},5]}`;
    const rejected = await client.post('/_sandbox/reset', `{"requestLg":true,"fixture":${wrong}}`);
    expect(rejected.status).toBe(400);
    expect(
      rejected.json.message.split('; body').map((each: string, n: number) => (n === 0 ? each : `body${each}`)),
    ).toEqual([
      'body/fixture/nextID: is not known here; did you mean nextId?',
      'body/fixture/description: must be a string of 1 to 500 characters; got 7',
      'body/fixture/nextId: must be an integer from -9223372036854775808 to 9223372036854775807; got 1.5',
      'body/fixture/pets/1/id: must be an integer from -9223372036854775808 to 9223372036854775807; got 9223372036854775808',
      'body/fixture/pets/1/name: must be a string; got null',
      'body/fixture/pets/1/categoryId: is required (an integer from -9223372036854775808 to 9223372036854775807)',
      expect.stringContaining('body/fixture/pets/2/owner: is not known here'),
      'body/fixture/pets/2/status: must be one of available, pending, sold; got "lost"',
      'body/fixture/pets/2/id: must be an id of its own; 1 is taken by pets/0',
      expect.stringContaining('body/fixture/pets/3: must be a JSON object with id, name, categoryId'),
      'body/requestLg: is not known here; did you mean requestLog?',
    ]);
    expect((await client.get('/_sandbox/export')).text).toBe(before);
  });

  it.each([
    ['5', 'body/fixture: must be the name of a fixture, or a fixture such as {"pets": []}; got 5'],
    ['"A b"', 'body/fixture: must be a string like'],
    ['{}', 'body/fixture/pets: is missing: give "pets": [] or "generate": {"count": 100, "seed": 1}'],
    ['{"pets":[],"generate":{"count":1,"seed":1}}', "body/fixture/generate: can't be combined with pets"],
    [fixtureOf([pet(7), pet(8), pet(7)]), 'body/fixture/pets/2/id: must be an id of its own; 7 is taken by pets/0'],
    ['{"generate":{"count":10001,"seed":1}}', 'body/fixture/generate/count: must be an integer from 1 to 10000; got'],
    ['{"pets":[],"__proto__":1}', 'body/fixture/__proto__: is not known here'],
    ['"inline"', 'inline is not the name of a fixture'],
  ])('%s', async (fixture, message) => {
    const rejected = await server.client().post('/_sandbox/keys', `{"fixture":${fixture}}`);
    expect([400, 404]).toContain(rejected.status);
    expect(rejected.json.message).toContain(message);
  });

  // An engine has its own limit of memory.
  it.skipIf(areTwo)('is rejected where it has too many pets or bytes, and nothing of it stays', async () => {
    const small = await startTestServer({ settings: { maxPets: 2, maxBytes: 1024 } });
    const client = await small.sandbox({ fixture: 'empty' });
    const bytes = small.store.figures.bytes;
    const rejections = [
      fixtureOf([pet(1), pet(2), pet(3)]),
      fixtureOf([pet(1, 'n'.repeat(2000))]),
      '{"generate":{"count":3,"seed":1}}',
    ];
    for (const fixture of rejections) {
      for (const path of ['/_sandbox/reset', '/_sandbox/keys']) {
        const rejected = await client.post(path, `{"fixture":${fixture}}`);
        expect([rejected.status, rejected.json.code]).toEqual([409, 'limit_reached']);
      }
    }
    expect((await client.post('/_sandbox/reset', `{"fixture":${rejections[0]}}`)).json.message).toBe(
      'the fixture has 3 pets, and a sandbox holds 2 at most',
    );
    expect([small.store.figures.bytes, small.sandboxes.size]).toEqual([bytes, 1]);
    await client.post('/_sandbox/reset', `{"fixture":${fixtureOf([pet(5), pet(6)])}}`);
    expect((await client.post('/_sandbox/pets', { count: 1 })).json.code).toBe('limit_reached');
  });
});
