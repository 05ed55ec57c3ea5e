/** A recording that was opened at one server has its request log, and what is counted of it, at every other. */
import { afterAll, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import { lineWith, partsOf } from '../support/recording.ts';
import { newClient, startOn } from './support.ts';

const engine = await startEngine();
afterAll(() => engine.close());

/** Two servers on one store, and a client of the first. */
async function two() {
  const store = engine.address();
  const [one, other] = [await startOn(store), await startOn(store)];
  return { one, other, client: await newClient(one.url) };
}
type At = { readonly url: string };

it('has its exchanges and its counts at the server that did not open it, before and after new requests', async () => {
  const { one, other, client } = await two();
  for (const path of ['/v1/pets', '/v1/pets/1', '/v1/pets/99', '/v1/pets?limit=0']) await client.get(path);
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  const file = (await client.get('/_sandbox/export?format=recording')).text;
  const { key } = (await one.client().importRecording(file)).json;
  const requestLogAt = async ({ url }: At) => (await new Client(url, key).get('/_sandbox/requests')).json;
  const totalsAt = async ({ url }: At) => (await new Client(url, key).get('/_sandbox/report')).json.totals;
  const found = await requestLogAt(other);
  const idsOf = (exchanges: readonly { id: string }[]): string[] => exchanges.map(({ id }) => id);
  expect(idsOf(found.requests).reverse()).toEqual(idsOf(partsOf(file).exchanges));
  expect(await requestLogAt(one)).toEqual(found);
  expect(await totalsAt(other)).toEqual(await totalsAt(one));

  await new Client(other.url, key).get('/v1/pets/2');
  for (const server of [one, other]) {
    const { total, requests } = await requestLogAt(server);
    const { exchanges } = await totalsAt(server);
    expect([total, requests[0].target, exchanges]).toEqual([6, '/v1/pets/2', 6]);
  }
});

it('begins with the same at a server that knows the sandbox only from the store', async () => {
  const { one, other, client } = await two();
  await client.post('/v1/pets', { name: 'Before', categoryId: 1 });
  await client.post('/_sandbox/reset', {});
  await client.post('/_sandbox/clock/advance', { duration: 'P1D' });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  await client.post('/_sandbox/faults', { status: 503, times: 1 });
  await client.get('/v1/pets');
  await client.post('/_sandbox/pets', { count: 3, seed: 1 });
  await client.get('/v1/pets');
  await client.delete('/_sandbox/faults');
  await client.get('/v1/pets');

  /** The start, and the times of its steps since then: an opened recording is as long ago as the import. */
  const startAt = async ({ url }: At, key: string | undefined) => {
    const recording = partsOf((await new Client(url, key).get('/_sandbox/export?format=recording')).text);
    const { ms: start, steps, ...rest } = lineWith(recording, 'start').start;
    const timeless = steps.map(({ ms: _, ...step }: { ms: number }) => step);
    return {
      about: { ...rest, steps: timeless },
      times: steps.map(({ ms }: { ms: number }) => ms - start) as number[],
    };
  };
  const { about, times } = await startAt(one, client.key);
  expect(about.steps.flatMap(Object.keys)).toEqual(['clock', 'faults', 'pets', 'faults']);
  const expectSame = (found: Awaited<ReturnType<typeof startAt>>): void => {
    expect(found.about).toEqual(about);
    for (const [n, time] of found.times.entries()) expect(time).toBeCloseTo(times[n] as number, 0);
  };
  expectSame(await startAt(other, client.key));

  // The start of an opened recording is in the store as well.
  const file = (await client.get('/_sandbox/export?format=recording')).text;
  expectSame(await startAt(other, (await one.client().importRecording(file)).json.key));
});
