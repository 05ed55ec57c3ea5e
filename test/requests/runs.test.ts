/** Runs of a client: a quiet time, another User-Agent or a label begins one, and each is a filter. */
import { expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { heldClock } from '../support/held-clock.ts';
import { startTestServer } from '../support/server.ts';

const clock = heldClock(Date.UTC(2026, 2, 2, 9, 30));
const server = await startTestServer({ clock });

/** One field of all its requests, the oldest first. */
const listed = async (client: Client, field: string, query = ''): Promise<unknown[]> =>
  (await client.get(`/_sandbox/requests${query}`)).json.requests.map((each: never) => each[field]).reverse();

it('a quiet time begins a run, and so does another client, even where both send in turn', async () => {
  const client = await server.sandbox();
  const as = (agent: string) => client.get('/v1/pets', { 'User-Agent': agent });
  await as('node/22');
  await as('python-requests/2.31.0');
  clock.time += 9_999;
  await as('node/22');
  clock.time += 10_000;
  await as('python-requests/2.31.0');
  await as('Mozilla/5.0 (X11; a/b)');
  await client.get('/v1/pets');
  await client.get('/v1/pets', { 'Sandbox-Source': 'dashboard' });
  expect(await listed(client, 'run')).toEqual([
    ...['node/1', 'python-requests/2', 'node/1', 'python-requests/3', 'Mozilla/4', 'client/5', null],
  ]);
  await client.delete('/_sandbox/requests');
  await as('node/22');
  expect(await listed(client, 'run')).toEqual(['node/1']);
});

it('a run is a filter of the list, and a request says its count of the account', async () => {
  const client = await server.sandbox({ label: 'checkout tests, red' });
  await client.get('/v1/pets?limit=1');
  await client.get('/v1/pets?limit=1000');
  clock.time += 10_000;
  await client.get('/v1/pets?limit=2');
  const query = '?run=checkout-tests-red/1';
  expect(await listed(client, 'target', query)).toEqual(['/v1/pets?limit=1', '/v1/pets?limit=1000']);
  expect(await listed(client, 'kind', query)).toEqual(['validated', 'validated']);
  expect(await listed(client, 'target', '?run=checkout-tests-red/3')).toEqual([]);
  expect((await client.get('/_sandbox/requests?run=none')).status).toBe(400);
});

it('a key in a User-Agent is not shown', async () => {
  const client = await server.sandbox();
  await client.get('/v1/pets', { 'User-Agent': `${client.key}/1.0` });
  expect((await client.get('/_sandbox/requests?limit=1')).text).not.toContain(client.key);
});
