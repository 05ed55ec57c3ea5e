/** A fixture that comes with a request: `POST /_sandbox/keys` and `POST /_sandbox/reset`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { petStatuses } from '../../../src/base/generated/facts.ts';
import { INT64_MAX, INT64_MIN } from '../../../src/base/int64.ts';
import type { Client } from '../../support/client.ts';
import { sharedServer, startTestServer } from '../../support/server.ts';

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
    const pets = { fixture: 1, added: 0, total: 1 };
    expect(back.json.sandbox).toMatchObject({ fixture: 'inline', pets, nextId: 43 });
    expect(await listed(client)).toBe(`[${pet(42, 'Rex', ',"status":"sold"')}]`);
    const named = await client.post('/_sandbox/reset', { fixture: 'inline' });
    expect(named.json.message).toContain('inline is not the name of a fixture');
  });

  it('may make its pets up, and may be empty with a next id', async () => {
    const made = await seeded('{"generate":{"count":1000,"seed":7}}');
    const same = await seeded('{"generate":{"count":1000,"seed":7}}');
    expect(await listed(made)).toBe(await listed(same));
    expect((await made.get('/_sandbox')).json).toMatchObject({ pets: { fixture: 1000 }, nextId: 1001 });
    const empty = await seeded('{"pets":[],"nextId":-5}');
    expect((await empty.post('/v1/pets', { name: 'First', categoryId: 1 })).json.id).toBe(-5);
  });

  it('gives out the next id that it names, and passes over those that it has', async () => {
    const client = await seeded(fixtureOf([pet(INT64_MAX), pet(0)], ',"nextId":-2'));
    const added: number[] = [];
    for (const name of ['A', 'B', 'C']) added.push((await client.post('/v1/pets', { name, categoryId: 1 })).json.id);
    expect(added).toEqual([-2, -1, 1]);
  });

  it('keeps every digit in whatever order, and is exported and given again with nothing changed', async () => {
    const int64 = fc.oneof(fc.bigInt(INT64_MIN, INT64_MAX), fc.bigInt(-5n, 20n));
    const name = fc.string({ unit: 'grapheme' });
    const fields = { id: int64, name, categoryId: int64, status: fc.constantFrom(...petStatuses) };
    const onePet = fc.record(fields, { requiredKeys: ['id', 'name', 'categoryId'] });
    const pets = fc.uniqueArray(onePet, { selector: ({ id }) => id, maxLength: 30 });
    const text = (value: unknown): string =>
      JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `<${each}>` : each)).replace(/"<(-?\d+)>"/g, '$1');
    await fc.assert(
      fc.asyncProperty(pets, fc.option(int64), fc.nat(3), async (all, nextId, more) => {
        const client = await seeded(text({ pets: all, ...(nextId !== null && { nextId }) }));
        expect(await listed(client)).toBe(text(all.toSorted((a, b) => (a.id < b.id ? -1 : 1))));
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

  it('takes as many pets as a body may have bytes', async () => {
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
    const { status, json } = await client.post('/_sandbox/reset', `{"requestLg":true,"fixture":${wrong}}`);
    expect(status).toBe(400);
    expect(json.message.replace(/^body/, '').split('; body')).toEqual([
      '/fixture/nextID is not known here; did you mean nextId?',
      '/fixture/description is a string of 1 to 500 characters; 7 was sent',
      '/fixture/nextId is an integer; 1.5 was sent',
      `/fixture/pets/1/id is at most ${INT64_MAX}; 9223372036854775808 was sent`,
      '/fixture/pets/1/name is a string; null was sent',
      `/fixture/pets/1/categoryId is required (an integer)`,
      expect.stringContaining('/fixture/pets/2/owner is not known here'),
      '/fixture/pets/2/status is one of available, pending, sold; "lost" was sent',
      '/fixture/pets/2/id is an id of its own; 1 is taken by pets/0',
      expect.stringContaining('/fixture/pets/3 is a JSON object with id, name, categoryId'),
      '/requestLg is not known here; did you mean requestLog?',
    ]);
    expect((await client.get('/_sandbox/export')).text).toBe(before);
  });

  // An engine has its own limit of memory.
  it('is rejected where it has too many pets or bytes, and nothing of it stays', async () => {
    const small = await startTestServer({ settings: { maxPets: 2, maxBytes: 1024 } });
    const client = await small.sandbox({ fixture: 'empty' });
    const bytes = small.store.figures.bytes;
    const message = 'a sandbox holds 2 pets at most, and these are 3; reset it, or send fewer';
    for (const [fixture, why] of [
      [fixtureOf([pet(1), pet(2), pet(3)]), message],
      [fixtureOf([pet(1, 'n'.repeat(2000))]), ''],
      ['{"generate":{"count":3,"seed":1}}', ''],
    ])
      for (const path of ['reset', 'keys']) {
        const { json } = await client.post(`/_sandbox/${path}`, `{"fixture":${fixture}}`);
        expect(json).toMatchObject({ status: 409, code: 'limit_reached', message: expect.stringContaining(why ?? '') });
      }
    expect([small.store.figures.bytes, small.sandboxes.size]).toEqual([bytes, 1]);
    await client.post('/_sandbox/reset', `{"fixture":${fixtureOf([pet(5), pet(6)])}}`);
    expect((await client.post('/_sandbox/pets', { count: 1 })).json.code).toBe('limit_reached');
  });
});
