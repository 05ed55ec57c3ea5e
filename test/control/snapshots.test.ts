import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

const addPet = async (client: Client, name: string): Promise<number> =>
  (await client.post('/v1/pets', { name, categoryId: 1 })).json.id;
const names = async (client: Client): Promise<string[]> =>
  (await client.get('/v1/pets?limit=100')).json.map(({ name }: { name: string }) => name);

describe('snapshots', () => {
  it('bring back pets, ids, clock and fault rules, which a reset ends; a fork starts with them', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const stateOf = async (of: Client) => {
      const paths = ['', '/clock', '/faults'].map(async (path) => (await of.get(`/_sandbox${path}`)).json);
      const [about, clock, { faults }] = await Promise.all(paths);
      return { names: await names(of), about, clock, faults };
    };
    const getTwice = async (of: Client) => [(await of.get('/v1/pets/1')).status, (await of.get('/v1/pets/1')).status];
    await addPet(client, 'Ada');
    await client.put('/_sandbox/clock', { now: '2029-12-05T00:00:00Z', frozen: true });
    await client.post('/_sandbox/faults', { operation: 'getPet', status: 503, times: 3 });
    await getTwice(client);
    const saved = await client.post('/_sandbox/snapshots', { name: 'then' });
    expect([saved.status, saved.json]).toMatchObject([201, { name: 'then', fixture: 'empty', pets: 1 }]);
    const forked = await client.post('/_sandbox/fork', { label: 'copy', ttlSeconds: 60 });
    expect([forked.status, forked.json]).toMatchObject([201, { label: 'copy', fixture: 'empty' }]);
    const then = {
      names: ['Ada'],
      clock: { now: '2029-12-05T00:00:00.000Z', frozen: true },
      about: { fixture: 'empty', nextId: 2 },
      faults: [{ triggered: 2 }],
    };

    expect(await getTwice(client)).toEqual([503, 200]);
    expect((await client.post('/_sandbox/reset', { fixture: 'default' })).status).toBe(200);
    const blank = { about: { fixture: 'default', nextId: 13 }, clock: { frozen: false } };
    expect(await stateOf(client)).toMatchObject({ ...blank, faults: [] });
    // What happens after the first time does not change the snapshot.
    for (let times = 1; times <= 2; times++) {
      expect((await client.post('/_sandbox/reset', { snapshot: 'then' })).status).toBe(200);
      expect(await stateOf(client)).toMatchObject(then);
      expect([await addPet(client, 'Bea'), await getTwice(client)]).toEqual([2, [503, 200]]);
    }
    const fork = server.client(forked.json.key);
    expect(await stateOf(fork)).toMatchObject(then);
    expect([await addPet(fork, 'Cleo'), await getTwice(fork)]).toEqual([2, [503, 200]]);
    await client.post('/_sandbox/reset');
    expect([await names(client), await names(fork)]).toEqual([[], ['Ada', 'Cleo']]);
  });

  it('are listed oldest first, and dropped by name', async () => {
    const client = await server.sandbox();
    for (const name of ['b', 'a']) await client.post('/_sandbox/snapshots', { name });
    const list = async () =>
      (await client.get('/_sandbox/snapshots')).json.snapshots.map((each: { name: string }) => each.name);
    expect(await list()).toEqual(['b', 'a']);
    expect((await client.delete('/_sandbox/snapshots/b')).status).toBe(204);
    expect(await list()).toEqual(['a']);
    expect((await client.delete('/_sandbox/snapshots/b')).json).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('reject a name that is taken, and a fifty-first until one is dropped', async () => {
    const client = await server.sandbox();
    const save = async (name: string) => (await client.post('/_sandbox/snapshots', { name })).json.code;
    for (let i = 1; i <= 50; i++) expect(await save(`s${i}`)).toBeUndefined();
    expect([await save('s7'), await save('s51')]).toEqual(['conflict', 'limit_reached']);
    await client.delete('/_sandbox/snapshots/s7');
    expect(await save('s51')).toBeUndefined();
  });
});

it('a fork lives no longer than its origin would, and lives on where its origin is ended', async () => {
  const client = await server.sandbox({ ttlSeconds: 100 });
  const origin = (await client.get('/_sandbox')).json;
  const long = (await client.post('/_sandbox/fork', { ttlSeconds: 5000 })).json;
  const short = (await client.post('/_sandbox/fork', { ttlSeconds: 5 })).json;
  expect(long.expiresAt).toBe(origin.expiresAt);
  expect(Date.parse(short.expiresAt)).toBeLessThan(Date.parse(origin.expiresAt));
  const ofFork = (await server.client(long.key).post('/_sandbox/fork')).json;
  await client.delete('/_sandbox');
  for (const { key } of [long, short, ofFork]) expect((await server.client(key).get('/v1/pets')).status).toBe(200);
});
