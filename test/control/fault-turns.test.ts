/** Which requests a rule acts on: by petId, name and query; from a match on; by a pattern; over a rate. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { heldClock } from '../support/held-clock.ts';
import { startTestServer } from '../support/server.ts';

/** A clock that stands still until a test moves it. */
const clock = heldClock(Date.parse('2026-11-22T10:00:00.250Z'));
const server = await startTestServer({ clock });

const with503 = async (rule: object): Promise<Client> => {
  const client = await server.sandbox();
  const added = await client.post('/_sandbox/faults', { status: 503, ...rule });
  expect(added.status, added.text).toBe(201);
  return client;
};
const statuses = async (client: Client, paths: readonly string[]): Promise<number[]> => {
  const all: number[] = [];
  for (const path of paths) all.push((await client.get(path)).status);
  return all;
};
const lists = (client: Client, times: number): Promise<number[]> =>
  statuses(
    client,
    Array.from({ length: times }, () => '/v1/pets'),
  );

describe('a rule with petId', () => {
  it('acts on getPet of this pet alone', async () => {
    const client = await with503({ petId: '2' });
    expect(await statuses(client, ['/v1/pets/1', '/v1/pets/2', '/v1/pets', '/v1/pets/02', '/v1/pets/2'])).toEqual([
      200, 503, 200, 404, 503,
    ]);
  });

  it('tells ids beyond 2^53 apart', async () => {
    const client = await with503({ petId: '9007199254740993' });
    expect(await statuses(client, ['/v1/pets/9007199254740992', '/v1/pets/9007199254740993'])).toEqual([404, 503]);
  });
});

describe('a rule with name', () => {
  it('acts on createPet of this name alone, and keeps it from happening', async () => {
    const client = await with503({ name: 'Rex' });
    const create = async (name: unknown) => (await client.post('/v1/pets', { name, categoryId: 1 })).status;
    expect([await create('Ada'), await create('Rex'), await create('rex'), await create(5)]).toEqual([
      201, 503, 201, 400,
    ]);
    const names = (await client.get('/v1/pets?limit=100')).json.map((pet: { name: string }) => pet.name);
    expect(names).toContain('rex');
    expect(names).not.toContain('Rex');
  });

  it('leaves other bodies to the operation, whatever they are', async () => {
    const client = await with503({ name: 'Rex' });
    expect((await client.post('/v1/pets', '{"name":')).status).toBe(400);
    expect((await client.post('/v1/pets', 'null')).status).toBe(400);
    expect((await client.post('/v1/pets')).status).toBe(400);
    expect((await client.post('/v1/pets', '{}', { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await client.get('/v1/pets')).status).toBe(200);
  });

  it('sees the pet after the operation, and the request log keeps the body', async () => {
    const client = await with503({ name: 'Rex', when: 'after' });
    const lost = await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    expect(lost.status).toBe(503);
    expect((await client.get('/v1/pets?limit=100')).text).toContain('"Rex"');
    const id = lost.headers['sandbox-request-id'];
    expect((await client.get(`/_sandbox/requests/${id}`)).json.request.body).toContain('Rex');
  });

  it('must not hold a key, because it is stored and shown', async () => {
    const client = await server.sandbox();
    const rejected = await client.post('/_sandbox/faults', { status: 503, name: client.key });
    expect([rejected.status, rejected.json.message]).toEqual([400, expect.stringContaining('body/name')]);
  });
});

it('a rule with query acts where the query has all of its parameters', async () => {
  const client = await with503({ query: 'status=sold&limit=5' });
  expect(
    await statuses(client, [
      '/v1/pets?status=sold',
      '/v1/pets?limit=5&status=sold&x=1',
      '/v1/pets?limit=50&status=sold',
    ]),
  ).toEqual([200, 503, 200]);
});

describe('a rule with a pattern', () => {
  it('acts and lets through as its characters say, over and over', async () => {
    expect(await lists(await with503({ pattern: 'xx.' }), 7)).toEqual([503, 503, 200, 503, 503, 200, 503]);
  });

  it('counts only requests that it matches, and gives the next rule its turn', async () => {
    const client = await with503({ pattern: '.x', operation: 'listPets' });
    await client.post('/_sandbox/faults', { status: 500, times: 1 });
    expect(await statuses(client, ['/v1/pets', '/v1/pets/1', '/v1/pets', '/v1/pets'])).toEqual([500, 200, 503, 200]);
  });

  it('begins with the match that `from` names, and ends with `times`', async () => {
    expect(await lists(await with503({ from: 3, times: 2 }), 6)).toEqual([200, 200, 503, 503, 200, 200]);
    expect(await lists(await with503({ from: 2, pattern: 'x.', times: 2 }), 6)).toEqual([200, 503, 200, 503, 200, 200]);
  });

  it('goes on over a restart where it stood', async () => {
    const settings = { data: await newFolder() };
    const before = await startTestServer({ settings });
    const client = await before.sandbox();
    await client.post('/_sandbox/faults', { status: 503, from: 2, pattern: 'x..' });
    await client.post('/_sandbox/faults', { status: 500, limit: { requests: 3, seconds: 3600 } });
    expect(await lists(client, 3)).toEqual([200, 503, 200]);
    await before.end();
    const after = await startTestServer({ settings });
    expect(await lists(after.client(client.key), 4)).toEqual([200, 503, 500, 500]);
  });
});

describe('a rate limiter', () => {
  it('lets so many requests of a window pass, and says truly when the window ends', async () => {
    const client = await server.sandbox();
    await client.post('/_sandbox/faults', { limit: { requests: 2, seconds: 10 } });
    expect(await lists(client, 2)).toEqual([200, 200]);
    clock.time += 3_400;
    const rejected = await client.get('/v1/pets');
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '7']);
    clock.time += 6_599;
    expect((await client.get('/v1/pets')).headers['retry-after']).toBe('1');
    clock.time += 1;
    expect(await lists(client, 3)).toEqual([200, 200, 429]);
    const [rule] = (await client.get('/_sandbox/faults')).json.faults;
    expect(rule).toMatchObject({ triggered: 3, limit: { requests: 2, seconds: 10 } });
    expect(rule).not.toHaveProperty('window');
  });

  it('answers with another status where one is given, and is nobody’s violation', async () => {
    const client = await with503({ limit: { requests: 1, seconds: 60 } });
    expect(await lists(client, 2)).toEqual([200, 503]);
    const [last] = (await client.get('/_sandbox/requests?limit=1')).json.requests;
    expect(last).toMatchObject({ injectedFault: 'status=503; retryAfter=60' });
    expect((await client.get('/_sandbox/report')).json.verdict).toBe('pass');
  });
});

it('Retry-After can be an HTTP date by the real clock, cut to the second', async () => {
  const client = await with503({ retryAfter: 3, retryAfterAs: 'date' });
  const reply = await client.get('/v1/pets');
  const due = Math.floor((clock.time + 3000) / 1000) * 1000;
  expect(reply.headers['retry-after']).toBe(new Date(due).toUTCString());
});
