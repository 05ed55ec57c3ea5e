/** `POST /_sandbox/mcp`: who may do what, and that agents do not see each other. What all controls reject: ../control/. */
import { expect, it } from 'vitest';
import { send } from '../../support/client.ts';
import { startTestServer } from '../../support/server.ts';
import { overHttp } from './connect.ts';

const ADMIN = 'the-admin-token-0123456789';
const FIXED = 'a-fixed-key-0123456789';
const settings = { adminToken: ADMIN, keys: [FIXED] };
const server = await startTestServer({ settings });

it('two agents see nothing of each other, also with the id of the other sandbox', async () => {
  const [one, other] = [await overHttp(server.url), await overHttp(server.url)];
  const [a, b] = [await one.sandbox(), await other.sandbox()];
  await server.client(a.key).post('/v1/pets', { name: 'Rex', categoryId: 1 });
  expect((await other.call('requests', { sandbox: b.handle })).data.total).toBe(0);
  for (const sandbox of [a.id, 'petsbh_', 'petsbh_00000000000000000000000000abc1234'])
    expect(await other.call('requests', { sandbox })).toMatchObject({ isError: true, data: { status: 401 } });
  const [{ id }] = (await one.call('requests', { sandbox: a.handle })).data.requests;
  expect(await other.call('requests', { sandbox: b.handle, id })).toMatchObject({
    isError: true,
    data: { status: 404 },
  });
});

it('a handle opens the control API until its key is revoked, and never the API itself', async () => {
  const agent = await overHttp(server.url);
  const { handle, key } = await agent.sandbox();
  expect((await server.client(handle).get('/_sandbox/keys')).status).toBe(200);
  expect((await server.client(handle).get('/v1/pets')).status).toBe(401);
  const { keys } = (await server.client(key).get('/_sandbox/keys')).json;
  await server.client(key).delete(`/_sandbox/keys/${keys[0].id}`);
  expect(await agent.call('verdict', { sandbox: handle })).toMatchObject({ isError: true, data: { status: 401 } });
});

it('a connection with a key acts on its sandbox, and one with the admin token on any, by id', async () => {
  const own = await overHttp(server.url, FIXED);
  await server.client(FIXED).get('/v1/pets');
  expect((await own.call('requests')).data.total).toBeGreaterThan(0);
  const { id } = await own.sandbox();
  const admin = await overHttp(server.url, ADMIN);
  expect((await admin.call('requests', { sandbox: id })).data.total).toBe(0);
  expect(await own.call('requests', { sandbox: id })).toMatchObject({ isError: true, data: { status: 403 } });
});

it('shows no key and no admin token in any result but the key in that of sandbox_create', async () => {
  const agent = await overHttp(server.url, ADMIN);
  const { handle: sandbox, key } = await agent.sandbox();
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name: `${key} ${ADMIN} ${sandbox}`, categoryId: 1 });
  await send(server.url, { method: 'POST', path: '/v1/pets', headers, body });
  await send(server.url, { path: `/v1/pets?status=${key}&limit=${sandbox}`, headers });
  const listed = await agent.call('requests', { sandbox });
  const results = [
    listed,
    await agent.call('requests', { sandbox, id: listed.data.requests[0].id }),
    await agent.call('verdict', { sandbox }),
    await agent.call('verify', { sandbox, exactly: 7 }),
    await agent.call('preview', { sandbox, at: '2030-12-05' }),
    await agent.call('drill', { sandbox, start: 'flaky' }),
    await agent.call('sandbox_change', { sandbox, reset: {} }),
    await agent.call('sandbox_change', { sandbox, snapshot: { name: key.slice(0, 40) } }),
    await agent.call('sandbox_create', { label: `my ${ADMIN}` }),
  ];
  for (const { whole } of results) for (const secret of [key, ADMIN, sandbox]) expect(whole).not.toContain(secret);
});
