/** Responses that a fault changes as a next version may (`vary`), or breaks as no service should (`corrupt`). */
import { expect, it } from 'vitest';
import { altered } from '../../../src/server/petstore/inject.ts';
import { type Client, send, type TestRequest } from '../../support/client.ts';
import { startTestServer } from '../../support/server.ts';

const server = await startTestServer();
const FIELD = { sandboxNewMember: 'added by a fault' };

/** Sends by `send`, because the test client rejects bodies that break the specification. */
const underFault = ({ key }: Client, fault: string, { headers, ...request }: TestRequest = { path: '/v1/pets' }) =>
  send(server.url, { ...request, headers: { ...headers, Authorization: `Bearer ${key}`, 'Sandbox-Fault': fault } });
const textUnder = async (client: Client, fault: string, path = '/v1/pets'): Promise<string> =>
  (await underFault(client, fault, { path })).text;

it('a varied list has one more field, its members in another order, white space, or an unknown status', async () => {
  const client = await server.sandbox();
  const plain = (await client.get('/v1/pets')).text;
  const [biscuit, ...others] = JSON.parse(plain);
  expect(JSON.parse(await textUnder(client, 'vary=field'))).toEqual(
    [biscuit, ...others].map((pet) => ({ ...pet, ...FIELD })),
  );
  const inOrder = (text: string): string[] => Object.keys(JSON.parse(text)[0]);
  expect(inOrder(await textUnder(client, 'vary=order'))).toEqual(inOrder(plain).toReversed());
  const spaced = await textUnder(client, 'vary=space');
  expect(spaced).not.toBe(plain);
  expect(JSON.parse(spaced)).toEqual([biscuit, ...others]);
  expect(JSON.parse(await textUnder(client, 'vary=status'))).toEqual([{ ...biscuit, status: 'reserved' }, ...others]);
  // Several together, as a list in the header and in a rule.
  const all = await textUnder(client, 'vary=order, field,space');
  expect(inOrder(all)[0]).toBe('sandboxNewMember');
  await client.post('/_sandbox/faults', { vary: ['order', 'field', 'space'] });
  expect((await send(server.url, { path: '/v1/pets', headers: { Authorization: `Bearer ${client.key}` } })).text).toBe(
    all,
  );
});

it('a varied list keeps ids beyond 2^53 digit by digit', async () => {
  const client = await server.sandbox({ fixture: 'boundary' });
  const digits = (text: string) => text.match(/"id"[\s:]*-?\d+/g)?.map((id) => id.replace(/[\s]/g, ''));
  const plain = digits((await client.get('/v1/pets?limit=100')).text);
  expect(plain?.some((id) => id.length > 20)).toBe(true);
  expect(digits(await textUnder(client, 'vary=order,space', '/v1/pets?limit=100'))).toEqual(plain);
});

it('a varied Error body has one more field and an unknown code', async () => {
  const client = await server.sandbox();
  const error = JSON.parse(await textUnder(client, 'status=422; vary=field,code,status'));
  expect(error).toMatchObject({ code: 'quota_spent', status: 422, ...FIELD });
  const missing = JSON.parse(await textUnder(client, 'vary=field', '/v1/pets/999999'));
  expect(missing).toMatchObject({ code: 'not_found', ...FIELD });
});

it('a response is varied after the operation, which happened', async () => {
  const client = await server.sandbox({ fixture: 'empty' });
  const create = { method: 'POST', path: '/v1/pets', body: '{"name":"Rex","categoryId":1}' };
  const headers = { 'Content-Type': 'application/json' };
  const created = await underFault(client, 'vary=field', { ...create, headers });
  expect([created.status, created.json]).toMatchObject([201, FIELD]);
  expect((await client.get('/v1/pets')).json).toHaveLength(1);
});

it('a corrupt list is bad JSON of the length that its head says, has an integer as a string, or lacks a member', async () => {
  const client = await server.sandbox();
  const plain = (await client.get('/v1/pets')).text;
  expect(await textUnder(client, 'corrupt=json')).toBe(plain.slice(0, -1));
  const [{ id, ...biscuit }, ...others] = JSON.parse(plain);
  expect(JSON.parse(await textUnder(client, 'corrupt=type'))).toEqual([{ id: String(id), ...biscuit }, ...others]);
  expect(JSON.parse(await textUnder(client, 'corrupt=required'))).toEqual([biscuit, ...others]);
  // An empty one is broken as well.
  const empty = await server.sandbox({ fixture: 'empty' });
  const broken = ['json', 'type', 'required'].map((how) => textUnder(empty, `corrupt=${how}`));
  expect(await Promise.all(broken)).toEqual(['[', '{}', '[{}]']);
});

it('varied and corrupt responses are marked injected, and are nobody’s violation', async () => {
  const client = await server.sandbox();
  for (const fault of ['vary=field,space', 'corrupt=type']) await textUnder(client, fault);
  expect((await client.get('/_sandbox/requests')).json.requests).toMatchObject([
    { injectedFault: { corrupt: 'type', when: 'after' } },
    { injectedFault: { vary: ['field', 'space'], when: 'after' } },
  ]);
  // A report of injected responses alone proves nothing.
  await client.get('/v1/pets');
  expect((await client.get('/_sandbox/report')).json.verdict).toBe('pass');
});

it('a list that is too long for one text is varied piece by piece', () => {
  const pieces = ['[', '{"id":1}', ',', '{"id":2}', ']'];
  const first = '{"id":1,"status":"reserved","sandboxNewMember":"added by a fault"}';
  const second = '{"id":2,"sandboxNewMember":"added by a fault"}';
  expect(altered(pieces, { vary: ['status', 'field'] })).toEqual(['[', first, ',', second, ']']);
});
