/** Calls of the control API from within the server's process: no connection, no exchange, the same checks. */
import { expect, test } from 'vitest';
import { ControlsClient } from '../../../src/client/client.ts';
import { ClientError } from '../../../src/client/errors.ts';
import { sharedServer } from '../../support/server.ts';

const server = await sharedServer();
const client = (credential?: string) => new ControlsClient({ url: '', credential, fetch: server.callLocally });

test('rejects as over HTTP: a key that opens nothing, what breaks its schema, a control of the admin, a large body', async () => {
  const { key } = await client().request('POST /keys', { body: {} });
  const statusOf = (call: Promise<unknown>) =>
    call.catch((error: unknown) => (error instanceof ClientError ? error.status : error));
  expect(await statusOf(client('nobody').request('GET /'))).toBe(401);
  expect(await statusOf(client().request('POST /keys', { body: { label: 7 } as never }))).toBe(400);
  expect(await statusOf(client(key).request('GET /sandboxes'))).toBe(403);
  const body = { fixture: 'x'.repeat(2 ** 21) };
  expect(await statusOf(client(key).request('POST /reset', { body }))).toBe(413);
});
