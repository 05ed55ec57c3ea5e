/** Libraries on a shared store: every method works, at whichever of them. test/index.test.ts has what each method does. */
import { expect, it, onTestFinished } from 'vitest';
import { type PetstoreSandbox, startSandbox } from '../../src/index.ts';
import { Client } from '../support/client.ts';
import { engineWith } from './support.ts';

async function start(store: string): Promise<PetstoreSandbox> {
  const server = await startSandbox({ store });
  onTestFinished(() => server.close());
  return server;
}
const clientOf = ({ url, key }: PetstoreSandbox, other = key): Client => new Client(new URL(url).origin, other);
const petsOf = async (client: Client): Promise<number> => (await client.get('/v1/pets')).json.length;
const PET = { name: 'Ada', categoryId: 1 };

it('two libraries on one store see the same sandboxes, and one that ends leaves the other its own', async () => {
  const store = (await engineWith()).address();
  const [one, two] = [await start(store), await start(store)];
  const { key } = one;
  const [here, there] = [clientOf(one), clientOf(two, key)];
  await here.post('/v1/pets', PET);
  expect(await petsOf(there)).toBe(13);
  await there.post('/_sandbox/snapshots', { name: 'one' });
  await two.reset({ key });
  expect(await petsOf(here)).toBe(12);
  await two.reset({ key, snapshot: 'one' });
  expect(await petsOf(here)).toBe(13);
  await two.reset({ key, fixture: { pets: [{ id: 2n ** 62n, ...PET }] } });
  expect(await petsOf(here)).toBe(1);
  const requests = await two.requests({ key });
  expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET', 'POST']);
  await two.clock.set({ key, now: new Date('2030-12-04T00:00:00Z'), frozen: true });
  expect(await one.clock.advance('P1D')).toEqual({ now: new Date('2030-12-05T00:00:00Z'), frozen: true });
  expect((await here.get('/v1/pets/1')).status).toBe(410);
  expect((await two.clock.reset({ key })).frozen).toBe(false);

  const other = await one.issueKey({ label: 'other', fixture: 'empty', ttlSeconds: 60 });
  expect(await petsOf(clientOf(two, other.key))).toBe(0);
  await fetch(`${one.url}/pets`);
  await expect.poll(async () => (await two.unmatched()).map(({ path }) => path)).toEqual(['/v1/pets']);

  await one.close();
  expect((await there.get('/v1/pets')).status).toBe(401);
  expect((await clientOf(two).get('/v1/pets')).status).toBe(200);
});
