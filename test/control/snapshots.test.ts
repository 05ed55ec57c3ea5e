import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

const addPet = async (client: Client, name: string): Promise<number> =>
  (await client.post('/v1/pets', { name, categoryId: 1 })).json.id;
const names = async (client: Client): Promise<string[]> =>
  (await client.get('/v1/pets?limit=100')).json.map(({ name }: { name: string }) => name);

describe('snapshots', () => {
  it('bring back the pets and the ids of the moment', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    await addPet(client, 'Ada');
    const saved = await client.post('/_sandbox/snapshots', { name: 'one-pet' });
    expect(saved.status).toBe(201);
    expect(saved.json).toMatchObject({ name: 'one-pet', fixture: 'empty', pets: 1 });
    await addPet(client, 'Bea');
    await client.post('/_sandbox/reset', { fixture: 'default' });
    const back = await client.post('/_sandbox/reset', { snapshot: 'one-pet' });
    expect([back.status, back.json.sandbox.fixture, back.json.sandbox.nextId]).toEqual([200, 'empty', 2]);
    expect(await names(client)).toEqual(['Ada']);
    expect(await addPet(client, 'Cleo')).toBe(2);
    // What was added since does not change the snapshot.
    await client.post('/_sandbox/reset', { snapshot: 'one-pet' });
    expect(await names(client)).toEqual(['Ada']);
  });

  it('are listed oldest first, and dropped by name', async () => {
    const client = await server.sandbox();
    for (const name of ['b', 'a']) await client.post('/_sandbox/snapshots', { name });
    const list = async () =>
      (await client.get('/_sandbox/snapshots')).json.snapshots.map((each: { name: string }) => each.name);
    expect(await list()).toEqual(['b', 'a']);
    expect((await client.delete('/_sandbox/snapshots/b')).status).toBe(204);
    expect(await list()).toEqual(['a']);
    const gone = await client.delete('/_sandbox/snapshots/b');
    expect([gone.status, gone.json.code]).toEqual([404, 'not_found']);
  });

  it('reject a name that is taken, and a fifty-first until one is dropped', async () => {
    const client = await server.sandbox();
    for (let i = 1; i <= 50; i++) {
      expect((await client.post('/_sandbox/snapshots', { name: `s${i}` })).status).toBe(201);
    }
    const taken = await client.post('/_sandbox/snapshots', { name: 's7' });
    expect([taken.status, taken.json.code]).toEqual([409, 'conflict']);
    const full = await client.post('/_sandbox/snapshots', { name: 's51' });
    expect([full.status, full.json.code]).toEqual([409, 'limit_reached']);
    await client.delete('/_sandbox/snapshots/s7');
    expect((await client.post('/_sandbox/snapshots', { name: 's51' })).status).toBe(201);
  });

  it('and a fixture cannot both be gone back to; nor one snapshot by all sandboxes', async () => {
    const client = await server.sandbox();
    await client.post('/_sandbox/snapshots', { name: 'here' });
    await addPet(client, 'Ada');
    const both = await client.post('/_sandbox/reset', { snapshot: 'here', fixture: 'empty' });
    expect([both.status, both.json.code]).toEqual([400, 'invalid_request']);
    expect(both.json.message).toContain('body: must not have fixture together with snapshot');
    const admin = server.client(server.adminToken);
    const all = await admin.post('/_sandbox/reset?scope=all', { snapshot: 'here' });
    expect([all.status, all.json.code]).toEqual([409, 'conflict']);
    expect((await client.get('/_sandbox')).json.pets.added).toBe(1);
  });
});

describe('a fork', () => {
  it('starts as a copy, and then goes its own way', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    await addPet(client, 'Ada');
    const forked = await client.post('/_sandbox/fork', { label: 'copy', ttlSeconds: 60 });
    expect(forked.status).toBe(201);
    expect(forked.json).toMatchObject({ label: 'copy', fixture: 'empty' });
    const fork = server.client(forked.json.key);
    expect(await names(fork)).toEqual(['Ada']);
    expect(await addPet(client, 'Bea')).toBe(2);
    expect(await addPet(fork, 'Cleo')).toBe(2);
    expect([await names(client), await names(fork)]).toEqual([
      ['Ada', 'Bea'],
      ['Ada', 'Cleo'],
    ]);
    await client.post('/_sandbox/reset');
    expect(await names(fork)).toEqual(['Ada', 'Cleo']);
  });

  it('lives no longer than its origin would, and lives on where its origin is ended', async () => {
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
});
