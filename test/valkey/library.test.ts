/** Every method of the library, wherever the sandboxes are kept. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { type PetstoreSandbox, type SandboxOptions, startSandbox } from '../../src/index.ts';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { engineWith } from './support.ts';

const PLACES: Record<string, () => Promise<SandboxOptions>> = {
  memory: async () => ({}),
  files: async () => ({ data: await newFolder() }),
  Valkey: async () => ({ store: (await engineWith()).address() }),
};

async function start(options: SandboxOptions): Promise<PetstoreSandbox> {
  const server = await startSandbox(options);
  onTestFinished(() => server.close());
  return server;
}
const clientOf = ({ url, key }: PetstoreSandbox, other = key): Client => new Client(new URL(url).origin, other);
const PET = { name: 'Ada', categoryId: 1 };

describe.each(Object.entries(PLACES))('in %s', (_, placeOf) => {
  it('the library has a key, and every method of it works', async () => {
    const server = await start(await placeOf());
    await server.ready;
    const other = await server.issueKey({ label: 'other', fixture: 'empty', ttlSeconds: 60 });
    const [own, others] = [clientOf(server), clientOf(server, other.key)];

    await own.post('/v1/pets', PET);
    await others.post('/v1/pets', PET);
    expect((await own.post('/_sandbox/snapshots', { name: 'one' })).status).toBeLessThan(300);
    await server.reset();
    expect([(await own.get('/v1/pets')).json.length, (await others.get('/v1/pets')).json.length]).toEqual([12, 1]);
    await server.reset({ snapshot: 'one' });
    expect((await own.get('/v1/pets')).json).toHaveLength(13);
    await server.reset({ fixture: { pets: [{ id: 2n ** 62n, ...PET }] } });
    expect((await own.get('/v1/pets')).json).toHaveLength(1);
    await server.reset({ key: other.key, fixture: 'default' });
    expect((await others.get('/v1/pets')).json).toHaveLength(12);
    await expect(server.reset({ snapshot: 'none' })).rejects.toMatchObject({ code: 'not_found' });

    await server.clock.set({ now: new Date('2030-12-04T00:00:00Z'), frozen: true });
    expect(await server.clock.advance('P1D')).toEqual({ now: new Date('2030-12-05T00:00:00Z'), frozen: true });
    expect([(await own.get('/v1/pets/1')).status, (await others.get('/v1/pets/1')).status]).toEqual([410, 200]);
    expect((await server.clock.reset()).frozen).toBe(false);
    await server.clock.set({ key: other.key, frozen: true });

    expect((await server.requests({ limit: 1 })).map(({ status }) => status)).toEqual([410]);
    expect((await server.requests({ key: other.key, operation: 'createPet' })).map(({ id }) => id)).toHaveLength(1);
    const [, seen] = await server.requests({ limit: 2 });
    expect(seen?.violations).toEqual([]);
    await fetch(`${server.url}/pets`);
    expect((await server.unmatched()).map(({ path }) => path)).toEqual(['/v1/pets']);
  });

  it('a reset keeps the result of the drill that it ends, as a reset by the control API does', async () => {
    const server = await start(await placeOf());
    const client = clientOf(server);
    const resets = { 'create-503': () => server.reset(), 'lost-create': () => client.post('/_sandbox/reset', {}) };
    for (const [drill, reset] of Object.entries(resets)) {
      await client.put('/_sandbox/drill', { drill });
      // The drill may break the connection.
      await client.post('/v1/pets', PET).catch(() => undefined);
      await reset();
    }
    const { drill, drillResults } = (await client.get('/_sandbox')).json;
    const kept = drillResults.map((result: { drill: string }) => result.drill);
    expect({ drill, kept: kept.sort() }).toEqual({ drill: null, kept: ['create-503', 'lost-create'] });
  });
});

it('two libraries on one store see the same sandboxes, and one that ends leaves the other its own', async () => {
  const store = (await engineWith()).address();
  const [one, two] = [await start({ store }), await start({ store })];
  await clientOf(one).post('/v1/pets', PET);
  expect((await clientOf(two, one.key).get('/v1/pets')).json).toHaveLength(13);
  await two.reset({ key: one.key });
  expect((await clientOf(one).get('/v1/pets')).json).toHaveLength(12);
  expect((await two.requests({ key: one.key })).map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
  await one.close();
  expect((await clientOf(two, one.key).get('/v1/pets')).status).toBe(401);
  expect((await clientOf(two).get('/v1/pets')).status).toBe(200);
});
