/** What a reader of one request is told: findings with their correction, and what became of it. */
import { expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { heldClock } from '../support/held-clock.ts';
import { sharedServer, startTestServer } from '../support/server.ts';

const server = await sharedServer();

const detailsOf = async (client: Client, id: string) => (await client.get(`/_sandbox/requests/${id}`)).json;
const textsOf = (all: readonly { readonly text: string }[]) => all.map(({ text }) => text);

it('says of each finding what was expected, sent and to be sent, and what the specification says', async () => {
  const client = await server.sandbox();
  const { requestId } = await client.post('/v1/pets', '{"name":"Rex","catgoryId":9007199254740993,"status":"sol"}');
  const { findings, outcome, corrected } = await detailsOf(client, requestId);
  const [{ remarks }] = (await client.get('/_sandbox/requests')).json.requests;
  expect(findings).toMatchObject([
    { title: 'categoryId is required (an integer)', expected: 'an integer', instead: '"categoryId":9007199254740993' },
    {
      ...{ location: 'body/status', expected: 'one of available, pending, sold', sent: '"status":"sol"' },
      ...{ instead: '"status":"sold"', specification: { rule: 'enum: ["available","pending","sold"]' } },
    },
    { kind: 'warning', location: 'body/catgoryId', instead: '"categoryId":9007199254740993' },
  ]);
  expect(textsOf(remarks)).toEqual(['categoryId is required (an integer); sent catgoryId? and 1 more']);
  expect(textsOf(outcome)).toEqual(['categoryId is required (an integer); sent catgoryId? and 1 more.']);
  expect(corrected).toMatchObject({ method: 'POST', target: '/v1/pets', contentType: 'application/json' });
  const again = await client.post('/v1/pets', corrected.body);
  expect([again.status, again.text]).toEqual([201, expect.stringContaining('"categoryId":9007199254740993')]);
});

it('corrects a parameter, a path and a method, and nothing where nothing is wrong', async () => {
  const client = await server.sandbox();
  const correctedOf = async (path: string) => {
    const { requestId } = await client.get(path);
    return (await detailsOf(client, requestId)).corrected?.target ?? null;
  };
  expect(await correctedOf('/v1/pets?limit=500&status=SOLD')).toBe('/v1/pets?limit=100&status=sold');
  expect(await correctedOf('/v1/pet')).toBe('/v1/pets');
  expect(await correctedOf('/v1/pets?limit=5')).toBeNull();
});

it('tells a delay as it happened where the client left before its end', async () => {
  const client = await server.sandbox();
  await client.post('/_sandbox/faults', { operation: 'listPets', delayMs: 3_000 });
  const controller = new AbortController();
  const headers = { Authorization: `Bearer ${client.key}` };
  const asked = fetch(`${server.url}/v1/pets`, { headers, signal: controller.signal }).catch(() => undefined);
  await expect.poll(async () => (await client.get('/_sandbox/faults')).json.faults[0].triggered).toBe(1);
  controller.abort();
  await asked;
  const newest = async () => (await client.get('/_sandbox/requests?limit=1')).json.requests[0];
  await expect.poll(async () => (await newest()).disconnectedAt).not.toBeNull();
  const { remarks, id: request } = await newest();
  expect(textsOf(remarks)).toEqual([expect.stringMatching(/^the client left after \d+(\.\d)? m?s of a 3 s delay$/)]);
  const { outcome } = await detailsOf(client, request);
  expect(textsOf(outcome)[0]).toMatch(/^The client left after .* delay\.$/);
});

it('calls the next request a retry only with an equal body, and says that a reset connection was one', async () => {
  // Both may come in one millisecond.
  const client = await (await startTestServer({ clock: heldClock(Date.UTC(2026, 2, 2, 9, 30)) })).sandbox();
  await client.post('/_sandbox/faults', { operation: 'createPet', when: 'after', connection: 'reset', times: 1 });
  await client.post('/v1/pets', '{"name":"Twice","categoryId":1}').catch(() => undefined);
  await client.post('/v1/pets', '{"name":"Twice","categoryId":2}');
  const [, lost] = (await client.get('/_sandbox/requests')).json.requests;
  expect(textsOf(lost.remarks)).toEqual([
    'connection broken after it happened (injected fault)',
    'pet 13 exists all the same',
  ]);
  const told = async () => textsOf((await detailsOf(client, lost.id)).outcome);
  expect(await told()).toEqual([
    'Connection broken after it happened (injected fault).',
    'Pet 13 exists all the same.',
  ]);
  await client.post('/v1/pets', '{"name":"Twice","categoryId":1}');
  expect((await told())[2]).toMatch(/^The client tried again with req_\w+, and created pet 15: now there are two\.$/);
});

it.each([
  [{ status: 503 }, 'response replaced'],
  [{ status: 429, retryAfter: 2, delayMs: 5 }, 'response replaced, retry after 2 s'],
  [{ status: 503, retryAfter: 2, when: 'after' }, 'response replaced after it happened, retry after 2 s'],
  [{ connection: 'truncate' }, 'half of the response sent'],
  [{ connection: 'empty' }, 'no response sent'],
  [{ vary: ['field', 'order'] }, 'body varied (field,order)'],
  [{ corrupt: 'json' }, 'body corrupted (json)'],
  [{ corrupt: 'json', bytesPerSecond: 100_000 }, '100000 bytes per second, body corrupted (json)'],
  [{ status: 503, when: 'after', vary: ['code'] }, 'response replaced after it happened, body varied (code)'],
])('says what the fault %j did', async (rule, said) => {
  const client = await server.sandbox();
  const header = Object.entries(rule).map(([name, value]) => `${name.replace('Ms', '')}=${value}`);
  await client.get('/v1/pets', { 'Sandbox-Fault': header.join('; ') }).catch(() => undefined);
  await client.post('/_sandbox/faults', rule);
  await client.get('/v1/pets').catch(() => undefined);
  const { requests } = (await client.get('/_sandbox/requests')).json;
  const outcomes = requests.map(async ({ id }: { id: string }) => textsOf((await detailsOf(client, id)).outcome)[0]);
  const sentence = `${said.charAt(0).toUpperCase()}${said.slice(1)} (injected fault).`;
  expect(await Promise.all(outcomes)).toEqual([sentence, sentence]);
  for (const { remarks } of requests) expect(textsOf(remarks)[0]).toBe(`${said} (injected fault)`);
});
