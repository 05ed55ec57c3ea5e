/** The client's own ids in the request log. */
import { expect, test } from 'vitest';
import { headerName } from '../../src/base/settings/settings.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ settings: { logHeaders: ['X-Tenant'] } });

const SENT = {
  'X-Request-Id': 'request-1',
  'X-Correlation-Id': 'correlation-1',
  Traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'Idempotency-Key': 'attempt-1',
  'User-Agent': 'client-1/2.0',
  'X-Tenant': 'tenant-1',
};

test('a request is found by any header that the log keeps', async () => {
  const client = await server.sandbox();
  await client.get('/v1/pets', { ...SENT, 'X-Other': 'other-1', Cookie: 'sid=cookie-1' });
  await client.get('/v1/pets');
  const found = async (text: string): Promise<number> =>
    (await client.get(`/_sandbox/requests?contains=${encodeURIComponent(text)}`)).json.total;
  for (const [name, value] of Object.entries(SENT)) {
    expect([name, await found(value), await found(`${name.toLowerCase()}: ${value}`)]).toEqual([name, 1, 1]);
  }
  expect([await found('other-1'), await found('cookie-1')]).toEqual([0, 0]);
});

test.each(['Authorization', 'cookie', 'X-Api-Key', 'X-Auth-Token', 'a b', ''])('the setting rejects %j', (name) => {
  expect(() => headerName(name)).toThrow(/header/);
});
