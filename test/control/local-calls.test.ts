/** Calls of the control API from within the server's process: no connection, no exchange, the same checks. */
import { expect, test } from 'vitest';
import { ControlsClient } from '../../src/client/client.ts';
import { ClientError } from '../../src/client/errors.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();
const client = (credential?: string) => new ControlsClient({ url: '', credential, fetch: server.callLocally });

test('creates a key, reads the sandbox with it, and leaves no request in the log', async () => {
  const { key, sandbox } = await client().request('POST /keys', { body: { fixture: 'empty' } });
  const own = client(key);
  expect(await own.request('GET /')).toMatchObject({ id: sandbox, fixture: 'empty' });
  await own.request('POST /reset', { body: { fixture: 'default' } });
  expect((await own.request('GET /requests')).requests).toEqual([]);
});

test.each([
  ['a key that opens nothing', 401, () => client('nobody').request('GET /')],
  ['a body that breaks its schema', 400, () => client().request('POST /keys', { body: { label: 7 } as never })],
  ['a control of the admin', 403, async () => client(await aKey()).request('GET /sandboxes')],
  [
    'a body that is too large',
    413,
    async () => client(await aKey()).request('POST /reset', { body: { fixture: 'x'.repeat(2 ** 21) } }),
  ],
])('%s is rejected as over HTTP: %i', async (_title, status, call) => {
  const error = await call().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ClientError);
  expect(error).toMatchObject({ status });
});

async function aKey(): Promise<string> {
  return (await client().request('POST /keys', { body: {} })).key;
}
