/** Which requests "failures only" lists, of requests that a client really sent. */
import { expect, it } from 'vitest';
import { isFailingRow } from '../../src/dashboard/live/filters.ts';
import type { Summary } from '../../src/dashboard/live/live.ts';
import { startTestServer } from '../support/server.ts';
import { exchangeBytes } from '../support/wire.ts';

it('lists what the client must change something for: no fault, nothing on purpose, nothing of the page itself', async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  await client.get('/v1/pets');
  await client.get('/v1/pets?limit=500');
  await client.get('/v1/pets?limit=501', { 'Sandbox-Expect': 'invalid' });
  await client.get('/v1/pets/99');
  await client.get('/v1/pets', { 'Sandbox-Fault': 'status=503' });
  await client.get('/v1/toys');
  await client.get('/v1/pets?limit=502', { 'Sandbox-Source': 'dashboard' });
  const { id } = (await client.get('/_sandbox')).json;
  await exchangeBytes(client.url, `GET /${id}/v1/pets?a b HTTP/1.1\r\n\r\n`);
  const { requests } = (await client.get('/_sandbox/requests')).json as { requests: Summary[] };
  expect(requests.filter(isFailingRow).map(({ target }) => target)).toEqual([
    ...[expect.stringContaining('a b'), '/v1/toys', '/v1/pets/99', '/v1/pets?limit=500'],
  ]);
});
