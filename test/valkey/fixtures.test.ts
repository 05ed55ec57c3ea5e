/** Servers whose fixtures differ, as during a rolling upgrade. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { startTestServer } from '../support/server.ts';
import { ADMIN, newClient, range } from './support.ts';

let engine: TestEngine;
let home: string;
beforeAll(async () => {
  engine = await startEngine();
  home = await mkdtemp(join(tmpdir(), 'petstore-fixtures-'));
});
afterAll(async () => {
  await engine.close();
  await rm(home, { recursive: true, force: true });
});

/** A directory with a fixture named shop, which has pets of this name. */
async function shopWith(pet: string, count = 1): Promise<string> {
  const directory = await mkdtemp(join(home, 'shop-'));
  const pets = range(7, count).map((id) => ({ id, name: pet, categoryId: 1 }));
  const text = JSON.stringify({ description: 'Pets of one name.', pets });
  await writeFile(join(directory, 'shop.json'), text);
  return directory;
}

it('a sandbox keeps the fixture that it started from, whatever the file of a server says', async () => {
  const store = engine.address();
  const [old, fresh] = await Promise.all(
    ['Before', 'After'].map(async (pet) =>
      startTestServer({ settings: { store, adminToken: ADMIN, fixtures: await shopWith(pet) } }),
    ),
  );
  const plain = await startTestServer({ settings: { store, adminToken: ADMIN } });
  const names = async (url: string, key: string | undefined): Promise<string[]> =>
    (await new Client(url, key).get('/v1/pets')).json.map(({ name }: { name: string }) => name);
  const urls = [old, fresh, plain].map((server) => server?.url as string);
  const [first, second, third] = urls as [string, string, string];
  const begunBefore = await newClient(first, { fixture: 'shop' });
  const begunAfter = await newClient(second, { fixture: 'shop' });
  for (const url of urls) {
    expect(await names(url, begunBefore.key)).toEqual(['Before']);
    expect(await names(url, begunAfter.key)).toEqual(['After']);
    expect((await new Client(url, begunBefore.key).get('/_sandbox')).json.fixture).toBe('shop');
  }
  const elsewhere = new Client(third, begunBefore.key);
  await elsewhere.post('/v1/pets', { name: 'Added', categoryId: 1 });
  expect(await names(first, begunBefore.key)).toEqual(['Before', 'Added']);
  // Again its own, at a server that has no such file; by name, the file of the server that is asked.
  expect((await elsewhere.post('/_sandbox/reset', {})).status).toBe(200);
  expect(await names(second, begunBefore.key)).toEqual(['Before']);
  expect((await elsewhere.get('/_sandbox/export?format=recording')).status).toBe(200);
  expect((await new Client(second, begunBefore.key).post('/_sandbox/reset', { fixture: 'shop' })).status).toBe(200);
  expect(await names(third, begunBefore.key)).toEqual(['After']);
  expect((await elsewhere.post('/_sandbox/reset', { fixture: 'shop' })).status).toBe(404);
});

it('a file that changes is taken at the next reset, and other sandboxes and servers keep what they have', async () => {
  const store = engine.address();
  const fixtures = await shopWith('Before');
  const settings = { store, adminToken: ADMIN };
  const own = await startTestServer({ settings: { ...settings, fixtures } });
  const other = await startTestServer({ settings: { ...settings, fixtures: await shopWith('Elsewhere') } });
  const names = async (url: string, key: string | undefined): Promise<string[]> =>
    (await new Client(url, key).get('/v1/pets')).json.map(({ name }: { name: string }) => name);
  const [reset, kept] = [await newClient(own.url, { fixture: 'shop' }), await newClient(own.url, { fixture: 'shop' })];
  const foreign = await newClient(other.url, { fixture: 'shop' });
  await writeFile(join(fixtures, 'shop.json'), '{');
  expect((await reset.post('/_sandbox/reset', {})).status).toBe(409);
  const pets = [{ id: 1, name: 'After', categoryId: 1 }];
  await writeFile(join(fixtures, 'shop.json'), JSON.stringify({ description: 'changed', pets }));
  for (const client of [reset, foreign])
    expect((await new Client(own.url, client.key).post('/_sandbox/reset', {})).status).toBe(200);
  for (const { url } of [own, other]) {
    expect(await names(url, reset.key)).toEqual(['After']);
    expect(await names(url, kept.key)).toEqual(['Before']);
    expect(await names(url, foreign.key)).toEqual(['Elsewhere']);
  }
});

it.each([
  ['a new sandbox', (url: string) => newClient(url, { fixture: 'shop' })],
  [
    'a sandbox that was reset to it',
    async (url: string) => {
      const client = await newClient(url, { fixture: 'empty' });
      expect((await client.post('/_sandbox/reset', { fixture: 'shop' })).status).toBe(200);
      return client;
    },
  ],
])('%s has its fixture at every server after all data of the store was removed', async (_, clientOf) => {
  const store = engine.address();
  // A large one, so that it is not there by chance.
  const fixtures = await shopWith('Ada', 20_000);
  const [one, other] = await Promise.all([
    startTestServer({ settings: { store, adminToken: ADMIN, fixtures } }),
    startTestServer({ settings: { store, adminToken: ADMIN } }),
  ]);
  await newClient(one.url, { fixture: 'shop' });
  await engine.client.flushall();
  const client = await clientOf(one.url);
  const reply = await new Client(other.url, client.key).get('/v1/pets?limit=1');
  expect([reply.status, reply.json]).toMatchObject([200, [{ name: 'Ada' }]]);
});
