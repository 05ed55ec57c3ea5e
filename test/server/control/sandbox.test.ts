/** The sandbox itself over HTTP: what it is and holds, its end, its way back; fixtures, health, and the admin. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../../src/base/shipped.ts';
import type { Client } from '../../support/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const ADMIN = 'the-admin-token-0123456789';
const server = await startTestServer({ settings: { adminToken: ADMIN, keys: ['a-fixed-key-0123456789'] } });
const admin = server.client(ADMIN);

const addPet = (client: Client, name = 'Ada') => client.post('/v1/pets', { name, categoryId: 1 });
const count = async (client: Client): Promise<number> => (await client.get('/v1/pets?limit=100')).json.length;
const idOf = async (client: Client): Promise<string> => (await client.get('/_sandbox')).json.id;

it('GET /_sandbox says what the sandbox is and holds, with and without a slash; it has no other method than DELETE', async () => {
  const client = await server.sandbox({ label: 'mine', ttlSeconds: 60 });
  await addPet(client);
  for (const path of ['/_sandbox', '/_sandbox/', '/_sandbox?']) {
    const { status, json } = await client.get(path);
    expect(status).toBe(200);
    expect(json).toEqual({
      id: expect.stringMatching(/^sbx_/),
      label: 'mine',
      fixture: 'default',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      expiresAt: new Date(Date.parse(json.createdAt) + 60_000).toISOString(),
      preconfigured: false,
      pets: { fixture: 12, added: 1, total: 13 },
      keys: { active: 1 },
      lastUsedAt: expect.any(String),
      drill: null,
      drillResults: [],
      nextId: 14,
    });
  }
  const reply = await client.post('/_sandbox', {});
  expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD, DELETE']);
  const head = await client.send({ method: 'HEAD', path: '/_sandbox' });
  expect([head.status, head.text]).toEqual([200, '']);
});

describe('DELETE /_sandbox', () => {
  it('ends the sandbox with its data and all its keys', async () => {
    const [client, other] = [await server.sandbox(), await server.sandbox()];
    const second = server.client((await client.post('/_sandbox/keys', { shared: true })).json.key);
    const id = await idOf(client);
    expect((await second.delete('/_sandbox')).status).toBe(204);
    for (const each of [client, second]) {
      for (const path of ['/v1/pets', '/_sandbox']) expect((await each.get(path)).status).toBe(401);
    }
    expect((await admin.get(`/_sandbox?sandbox=${id}`)).status).toBe(404);
    expect((await other.get('/v1/pets')).status).toBe(200);
  });
});

// What a reset leads to: test/sandbox/model.test.ts. What is no reset: test/server/control/strict.test.ts.
describe('POST /_sandbox/reset', () => {
  it('to a fixture that is not there is 404 and changes nothing', async () => {
    const client = await server.sandbox();
    await addPet(client);
    expect((await client.post('/_sandbox/reset', { fixture: 'spring' })).status).toBe(404);
    expect(await count(client)).toBe(13);
  });

  it('with scope=all puts every sandbox back, and needs the admin token', async () => {
    const clients = [await server.sandbox(), await server.sandbox({ fixture: 'empty' })];
    for (const client of clients) await addPet(client);
    const wrong: [Client | undefined, query: string, body: object | undefined, status: number][] = [
      [clients[0], 'all', undefined, 403],
      [server.client(), 'all', undefined, 401],
      [admin, 'some', undefined, 400],
      [admin, 'all&scope=all', undefined, 400],
      [admin, 'all', { fixture: 'spring' }, 404],
      [admin, 'all', { snapshot: 'here' }, 409],
    ];
    for (const [who, query, body, status] of wrong)
      expect([query, (await who?.post(`/_sandbox/reset?scope=${query}`, body))?.status]).toEqual([query, status]);
    expect(await Promise.all(clients.map(count))).toEqual([13, 1]);
    const { sandboxes } = (await admin.get('/_sandbox/sandboxes?limit=1000')).json;
    const reply = await admin.post('/_sandbox/reset?scope=all');
    expect([reply.status, reply.json]).toEqual([200, { sandboxes: sandboxes.length }]);
    expect(await Promise.all(clients.map(count))).toEqual([12, 0]);
  });

  it('with scope=all serves others meanwhile', async () => {
    const made = [];
    for (let i = 0; i < 3_000; i++) made.push(await server.sandboxes.create({ fixture: 'empty' }));
    const [first, last] = [made[0], made.at(-1)].map((each) => {
      const id = String(each?.sandbox.id);
      const before = server.store.journal(id).state;
      return { isReset: () => server.store.journal(id).state !== before };
    });
    const resetting = admin.post('/_sandbox/reset?scope=all');
    // Turns of the event loop, which the server shares with this test: in each, it takes requests of others.
    let between = 0;
    while (!last?.isReset()) {
      await setImmediate();
      if (first?.isReset() && !last?.isReset()) between += 1;
    }
    expect(between).toBeGreaterThan(0);
    expect([(await resetting).status, (await resetting).json]).toEqual([200, { sandboxes: server.sandboxes.size }]);
    for (const { sandbox } of made) server.sandboxes.end(sandbox);
  });
});

describe('POST /_sandbox/reset on disk', () => {
  let data: string;
  let fixture: string;
  let onDisk: TestServer;
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-reset-'));
    [data, fixture] = [join(directory, 'data'), join(directory, 'spring.json')];
    await writeFile(fixture, '{"description":"one","pets":[{"id":1,"name":"Ada","categoryId":1}]}');
    onDisk = await startTestServer({ settings: { adminToken: ADMIN, data, fixtures: directory } });
    await onDisk.validator.ready;
  });
  afterAll(async () => {
    await onDisk.end();
    await rm(dirname(data), { recursive: true });
  });

  it('with scope=all passes over what is ended meanwhile', async () => {
    // Each reset is written, so that others come in between.
    const made = await Promise.all(Array.from({ length: 30 }, () => onDisk.sandboxes.create({})));
    const { writes } = onDisk.store.figures;
    const resetting = onDisk.client(ADMIN).post('/_sandbox/reset?scope=all');
    // A timer may come after the last of them.
    while (onDisk.store.figures.writes === writes) await setImmediate();
    for (const { sandbox } of made) onDisk.sandboxes.end(sandbox);
    const { status, json } = await resetting;
    expect(status).toBe(200);
    expect(json.sandboxes).toBeLessThan(made.length);
  });

  it('with scope=all goes on after one that fails, says how many went back, and goes back with the rest later', async () => {
    onDisk.expectTrouble(/a request failed/);
    const clients: Client[] = [];
    for (let i = 0; i < 5; i++) clients.push(await onDisk.sandbox({ fixture: 'empty' }));
    for (const client of clients) await addPet(client);
    // In the place of the third one's file, something that cannot be written over.
    const file = join(data, 'sandboxes', `${await idOf(clients[2] as Client)}.jsonl`);
    await rename(file, `${file}.aside`);
    await mkdir(file);
    const reset = () => onDisk.client(ADMIN).post('/_sandbox/reset?scope=all', { requestLog: true });
    const failed = await reset();
    expect([failed.status, failed.json.code]).toEqual([503, 'storage_failed']);
    expect(failed.json.message).toMatch(
      /^4 of 5 sandboxes were reset and stay so; the other 1 failed and .* send the request again/,
    );
    expect(await Promise.all(clients.map(count))).toEqual([0, 0, 1, 0, 0]);
    await rm(file, { recursive: true });
    await rename(`${file}.aside`, file);
    const again = await reset();
    expect([again.status, again.json]).toEqual([200, { sandboxes: 5 }]);
    expect(await Promise.all(clients.map(count))).toEqual([0, 0, 0, 0, 0]);
  });
});

it('lists the fixtures without a key', async () => {
  const { status, json } = await server.client().get('/_sandbox/fixtures');
  expect(status).toBe(200);
  const listed = json.fixtures.map(({ name, pets }: { name: string; pets: number }) => `${name} ${pets}`);
  expect(listed).toEqual(['boundary 30', 'default 12', 'empty 0', 'large 10000']);
});

it('tells without a key that it is well, and how the validator fares', async () => {
  await (await server.sandbox()).get('/v1/pets');
  await server.validator.whenValidated();
  expect(server.validator.tallies.validated).toBeGreaterThan(0);
  const { status, json } = await server.client().get('/_sandbox/health');
  const well = { status: 'ok', version, store: 'memory', uptimeSeconds: expect.any(Number) };
  expect([status, json]).toEqual([200, expect.objectContaining(well)]);
  const counts = { validated: expect.any(Number), validationFailures: 0, disagreements: 0, brokenResponses: 0 };
  expect(json.validator).toEqual({ ready: true, ...counts });
});

it('keeps two sandboxes apart in every control, whatever runs at once', async () => {
  const [mine, other] = [await server.sandbox(), await server.sandbox({ fixture: 'empty' })];
  const stateOf = async () => ({
    about: { ...(await other.get('/_sandbox')).json, lastUsedAt: '' },
    // The base address of a key is that of the server that lists it.
    keys: (await other.get('/_sandbox/keys')).json.keys.map((key: object) => ({ ...key, baseUrl: '' })),
  });
  const before = await stateOf();
  await Promise.all([
    ...Array.from({ length: 30 }, () => addPet(mine)),
    mine.post('/_sandbox/reset', { fixture: 'boundary' }),
    mine.post('/_sandbox/keys', { shared: true }),
    mine.post('/_sandbox/snapshots', { name: 's' }),
    mine.put('/_sandbox/clock', { frozen: true }),
    mine.post('/_sandbox/faults', { status: 503 }),
    mine.post('/_sandbox/pets', { count: 5 }),
    mine.post('/_sandbox/fork', {}),
  ]);
  await mine.put('/_sandbox/drill', { drill: 'outage' });
  const rule = (await mine.post('/_sandbox/faults', { delayMs: 1 })).json.id;
  expect(await stateOf()).toEqual(before);
  expect((await other.get('/_sandbox/snapshots')).json).toEqual({ snapshots: [] });
  expect((await other.get('/_sandbox/faults')).json).toEqual({ faults: [] });
  expect((await other.get('/_sandbox/clock')).json.frozen).toBe(false);
  for (const path of ['drill', 'snapshots/s', `faults/${rule}`])
    expect([path, (await other.delete(`/_sandbox/${path}`)).status]).toEqual([path, 404]);
  expect((await other.post('/_sandbox/reset', { snapshot: 's' })).status).toBe(404);
  expect((await other.delete('/_sandbox/faults')).status).toBe(204);
  expect((await mine.get('/_sandbox/faults')).json.faults).not.toEqual([]);
  expect((await other.get('/v1/pets')).text).toBe('[]');
  await mine.delete('/_sandbox');
  expect((await other.get('/v1/pets')).status).toBe(200);
});

describe('snapshots', () => {
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
