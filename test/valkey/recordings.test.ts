/** A recording that was opened at one server has its request log, and what is counted of it, at every other. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { lineWith, partsOf } from '../support/recording.ts';
import { startTestServer } from '../support/server.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

it('has its exchanges and its counts at the server that did not open it, before and after new requests', async () => {
  const settings = { store: engine.address(), adminToken: 'admin-token-for-tests-only' };
  const [one, other] = [await startTestServer({ settings }), await startTestServer({ settings })];
  const original = await one.sandbox();
  for (const path of ['/v1/pets', '/v1/pets/1', '/v1/pets/99', '/v1/pets?limit=0']) await original.get(path);
  await original.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  const file = (await original.get('/_sandbox/export?format=recording')).text;
  const { key } = (await one.client().importRecording(file)).json;

  const requestLogAt = async ({ url }: { url: string }) => (await new Client(url, key).get('/_sandbox/requests')).json;
  const totalsAt = async ({ url }: { url: string }) => (await new Client(url, key).get('/_sandbox/report')).json.totals;
  const expected = partsOf(file).exchanges.map(({ id }: { id: string }) => id);
  const found = await requestLogAt(other);
  expect(found.requests.map(({ id }: { id: string }) => id).reverse()).toEqual(expected);
  expect(await requestLogAt(one)).toEqual(found);
  expect(await totalsAt(other)).toEqual(await totalsAt(one));

  await new Client(other.url, key).get('/v1/pets/2');
  for (const server of [one, other]) {
    const { total, requests } = await requestLogAt(server);
    expect([total, requests[0].target]).toEqual([6, '/v1/pets/2']);
    expect((await totalsAt(server)).exchanges).toBe(6);
  }
});

it('begins with the same at a server that knows the sandbox only from the store', async () => {
  const settings = { store: engine.address(), adminToken: 'admin-token-for-tests-only' };
  const [one, other] = [await startTestServer({ settings }), await startTestServer({ settings })];
  const client = await one.sandbox();
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

  const startAt = async ({ url }: { url: string }, key: string | undefined) =>
    lineWith(partsOf((await new Client(url, key).get('/_sandbox/export?format=recording')).text), 'start').start;
  const start = await startAt(one, client.key);
  expect(start.steps.map((step: object) => Object.keys(step).filter((name) => name !== 'ms'))).toEqual([
    ['clock'],
    ['faults'],
    ['pets'],
    ['faults'],
  ]);
  const expectSame = (found: typeof start): void => {
    // An opened recording is as long ago as the import.
    const times = ({ ms, steps }: typeof start): number[] => steps.map((step: typeof start) => step.ms - ms);
    const timeless = ({ ms: _, steps, ...rest }: typeof start) => ({
      ...rest,
      steps: steps.map(({ ms: __, ...step }: typeof start) => step),
    });
    expect(timeless(found)).toEqual(timeless(start));
    for (const [n, time] of times(found).entries()) expect(time).toBeCloseTo(times(start)[n] as number, 0);
  };
  expectSame(await startAt(other, client.key));

  // The start of an opened recording is in the store as well.
  const file = (await client.get('/_sandbox/export?format=recording')).text;
  const { key } = (await one.client().importRecording(file)).json;
  expectSame(await startAt(other, key));
});
