/** Exchanges that are answered while earlier ones are on their way to a slow engine. */
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { limit } from '../support/slow.ts';
import { newClient, startTwo } from './support.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

it('reach the request log without another request to the server that answered them', async () => {
  const { client: store } = engine;
  const [one, other] = await startTwo(engine.address());
  const { key } = await newClient(one.url);
  // Not a Client, whose requests go to the next server.
  const ask = (url: string, path: string, headers = {}) =>
    fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${key}`, ...headers } });
  const total = async () => ((await (await ask(other.url, '/_sandbox/requests')).json()) as { total: number }).total;
  await ask(one.url, '/v1/pets');
  await expect.poll(total, { timeout: limit(10_000) }).toBe(1);

  const answers = [400, 600].map((delay) => ask(one.url, '/v1/pets', { 'Sandbox-Fault': `delay=${delay}` }));
  const [requestLog] = await store.keys('*:requests');
  // Both are entered by then.
  const entered = async () => {
    const entries = await store.xrange(requestLog as string, '-', '+');
    return entries.flatMap(([, [field, ids]]) => (field === 'q' ? (ids as string).split(' ') : [])).length;
  };
  await expect.poll(entered, { timeout: limit(10_000), interval: 5 }).toBe(3);
  engine.pause();
  await Promise.all(answers);
  await later(100);
  engine.resume();
  await expect.poll(total, { timeout: limit(10_000) }).toBe(3);
});
