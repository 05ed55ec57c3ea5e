/** Responses that a fault changes as a next version may (`vary`), or breaks as no service should (`corrupt`). */
import { describe, expect, it } from 'vitest';
import { altered } from '../../src/petstore/inject.ts';
import type { Client } from '../support/client.ts';
import { send } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();

/** The text of a list under a fault: by `send`, because the test client rejects bodies that break the specification. */
async function listUnder(client: Client, fault: string, path = '/v1/pets'): Promise<string> {
  const headers = { Authorization: `Bearer ${client.key}`, 'Sandbox-Fault': fault };
  return (await send(server.url, { path, headers })).text;
}
const inOrder = (text: string): string[] => Object.keys(JSON.parse(text)[0]);

describe('a varied response', () => {
  it('has one more field, the members in reverse, white space, or a status that nobody knows', async () => {
    const client = await server.sandbox();
    const plain = (await client.get('/v1/pets')).text;
    const names = inOrder(plain);
    const more = JSON.parse(await listUnder(client, 'vary=field'));
    expect(more).toEqual(JSON.parse(plain).map((pet: object) => ({ ...pet, sandboxNewMember: 'added by a fault' })));
    expect(inOrder(await listUnder(client, 'vary=order'))).toEqual(names.toReversed());
    const spaced = await listUnder(client, 'vary=space');
    expect(spaced).not.toBe(plain);
    expect(JSON.parse(spaced)).toEqual(JSON.parse(plain));
    const [first, ...rest] = JSON.parse(await listUnder(client, 'vary=status'));
    expect(first.status).toBe('reserved');
    expect(rest).toEqual(JSON.parse(plain).slice(1));
  });

  it('takes several variations together, as a list in the header and in a rule', async () => {
    const client = await server.sandbox();
    const text = await listUnder(client, 'vary=order, field,space');
    expect(inOrder(text)[0]).toBe('sandboxNewMember');
    await client.post('/_sandbox/faults', { vary: ['order', 'field', 'space'] });
    const headers = { Authorization: `Bearer ${client.key}` };
    expect((await send(server.url, { path: '/v1/pets', headers })).text).toBe(text);
  });

  it('keeps ids beyond 2^53 digit by digit', async () => {
    const client = await server.sandbox({ fixture: 'boundary' });
    const digits = (text: string) => text.match(/"id"[\s:]*-?\d+/g)?.map((id) => id.replace(/[\s]/g, ''));
    const plain = digits((await client.get('/v1/pets?limit=100')).text);
    expect(plain?.some((id) => id.length > 20)).toBe(true);
    expect(digits(await listUnder(client, 'vary=order,space', '/v1/pets?limit=100'))).toEqual(plain);
  });

  it('varies an Error body: one more field and an unknown code', async () => {
    const client = await server.sandbox();
    const error = JSON.parse(await listUnder(client, 'status=422; vary=field,code,status'));
    expect(error).toMatchObject({ code: 'quota_spent', status: 422, sandboxNewMember: 'added by a fault' });
    const missing = JSON.parse(await listUnder(client, 'vary=field', '/v1/pets/999999'));
    expect(missing).toMatchObject({ code: 'not_found', sandboxNewMember: 'added by a fault' });
  });

  it('comes after the operation, which happened', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const created = await send(server.url, {
      method: 'POST',
      path: '/v1/pets',
      body: '{"name":"Rex","categoryId":1}',
      headers: {
        Authorization: `Bearer ${client.key}`,
        'Content-Type': 'application/json',
        'Sandbox-Fault': 'vary=field',
      },
    });
    expect([created.status, JSON.parse(created.text)]).toMatchObject([201, { sandboxNewMember: 'added by a fault' }]);
    expect((await client.get('/v1/pets')).json).toHaveLength(1);
  });
});

describe('a corrupt response', () => {
  it('is bad JSON of the length that its head says, has an integer as a string, or lacks a required member', async () => {
    const client = await server.sandbox();
    const plain = (await client.get('/v1/pets')).text;
    expect(await listUnder(client, 'corrupt=json')).toBe(plain.slice(0, -1));
    const pets = JSON.parse(plain);
    expect(JSON.parse(await listUnder(client, 'corrupt=type'))).toEqual([
      { ...pets[0], id: String(pets[0].id) },
      ...pets.slice(1),
    ]);
    const { id: _, ...withoutId } = pets[0];
    expect(JSON.parse(await listUnder(client, 'corrupt=required'))).toEqual([withoutId, ...pets.slice(1)]);
  });

  it('breaks an empty list as well', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const broken = ['json', 'type', 'required'].map((how) => listUnder(client, `corrupt=${how}`));
    expect(await Promise.all(broken)).toEqual(['[', '{}', '[{}]']);
  });
});

it('varied and corrupt responses are marked injected, and are nobody’s violation', async () => {
  const client = await server.sandbox();
  const faults = ['vary=status', 'vary=field,space', 'corrupt=type', 'corrupt=required', 'corrupt=json'];
  for (const fault of faults) await listUnder(client, fault);
  const { requests } = (await client.get('/_sandbox/requests')).json;
  expect(requests.map((each: { injectedFault: string }) => each.injectedFault)).toEqual(
    faults.map((fault) => `${fault}; when=after`).toReversed(),
  );
  // A report of injected responses alone proves nothing.
  await client.get('/v1/pets');
  const report = (await client.get('/_sandbox/report')).json;
  expect(report.verdict).toBe('pass');
  expect(server.validator.tallies.brokenResponses).toBe(0);
});

it('a list that is too long for one text is varied piece by piece', () => {
  const pieces = ['[', '{"id":1}', ',', '{"id":2}', ']'];
  expect(altered(pieces, { vary: ['status', 'field'] })).toEqual([
    '[',
    '{"id":1,"status":"reserved","sandboxNewMember":"added by a fault"}',
    ',',
    '{"id":2,"sandboxNewMember":"added by a fault"}',
    ']',
  ]);
});
