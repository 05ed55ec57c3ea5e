/** Servers whose fixtures differ, as during a rolling upgrade. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import { newFolder } from '../support/folder.ts';
import { newClient, range, startOn } from './support.ts';

const engine = await startEngine();
afterAll(() => engine.close());

/** The text of a fixture with pets of this name. */
const shopOf = (name: string, count = 1): string =>
  JSON.stringify({ description: 'One name.', pets: range(7, count).map((id) => ({ id, name, categoryId: 1 })) });

/** A directory with a fixture named shop. */
const shopWith = (name: string, count?: number): Promise<string> => newFolder({ 'shop.json': shopOf(name, count) });

const namesAt = async ({ url }: { readonly url: string }, { key }: Client): Promise<string[]> =>
  (await new Client(url, key).get('/v1/pets')).json.map(({ name }: { name: string }) => name);
const resetAt = async ({ url }: { readonly url: string }, { key }: Client, body: object = {}): Promise<number> =>
  (await new Client(url, key).post('/_sandbox/reset', body)).status;

it('a sandbox keeps the fixture that it started from, whatever the file of a server says', async () => {
  const store = engine.address();
  const old = await startOn(store, { fixtures: await shopWith('Before') });
  const fresh = await startOn(store, { fixtures: await shopWith('After') });
  const plain = await startOn(store);
  const [before, after] = [
    await newClient(old.url, { fixture: 'shop' }),
    await newClient(fresh.url, { fixture: 'shop' }),
  ];
  for (const server of [old, fresh, plain]) {
    expect(await namesAt(server, before)).toEqual(['Before']);
    expect(await namesAt(server, after)).toEqual(['After']);
    expect((await new Client(server.url, before.key).get('/_sandbox')).json.fixture).toBe('shop');
  }
  const elsewhere = new Client(plain.url, before.key);
  await elsewhere.post('/v1/pets', { name: 'Added', categoryId: 1 });
  expect(await namesAt(old, before)).toEqual(['Before', 'Added']);
  // Again its own, at a server that has no such file; by name, the file of the server that is asked.
  expect(await resetAt(plain, before)).toBe(200);
  expect(await namesAt(fresh, before)).toEqual(['Before']);
  expect((await elsewhere.get('/_sandbox/export?format=recording')).status).toBe(200);
  expect(await resetAt(fresh, before, { fixture: 'shop' })).toBe(200);
  expect(await namesAt(plain, before)).toEqual(['After']);
  expect(await resetAt(plain, before, { fixture: 'shop' })).toBe(404);
});

it('a file that changes is taken at the next reset, and other sandboxes and servers keep what they have', async () => {
  const store = engine.address();
  const fixtures = await shopWith('Before');
  const own = await startOn(store, { fixtures });
  const other = await startOn(store, { fixtures: await shopWith('Elsewhere') });
  const [reset, kept] = [await newClient(own.url, { fixture: 'shop' }), await newClient(own.url, { fixture: 'shop' })];
  const foreign = await newClient(other.url, { fixture: 'shop' });
  await writeFile(join(fixtures, 'shop.json'), '{');
  expect(await resetAt(own, reset)).toBe(409);
  await writeFile(join(fixtures, 'shop.json'), shopOf('After'));
  for (const client of [reset, foreign]) expect(await resetAt(own, client)).toBe(200);
  for (const server of [own, other]) {
    const names = [await namesAt(server, reset), await namesAt(server, kept), await namesAt(server, foreign)];
    expect(names.flat()).toEqual(['After', 'Before', 'Elsewhere']);
  }
});

it.each([
  ['a new sandbox', 'shop'],
  ['a sandbox that was reset to it', 'empty'],
])('%s has its fixture at every server after all data of the store was removed', async (_, first) => {
  const store = engine.address();
  // A large one, so that it is not there by chance.
  const one = await startOn(store, { fixtures: await shopWith('Ada', 20_000) });
  const other = await startOn(store);
  await newClient(one.url, { fixture: 'shop' });
  await engine.client.flushall();
  const client = await newClient(one.url, { fixture: first });
  if (first !== 'shop') expect(await resetAt(one, client, { fixture: 'shop' })).toBe(200);
  const reply = await new Client(other.url, client.key).get('/v1/pets?limit=1');
  expect([reply.status, reply.json]).toMatchObject([200, [{ name: 'Ada' }]]);
});
