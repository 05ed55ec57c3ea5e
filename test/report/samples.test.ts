/** What a finding shows of its first request, and what it tells the client to send instead. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { factsOf } from './clients.ts';

const server = await sharedServer();

type Row = [mistake: string, send: (client: Client) => Promise<unknown>, sample: object, fix?: string];

const post = (body: unknown) => (client: Client) => client.post('/v1/pets', body);
const get = (target: string) => (client: Client) => client.get(target);

/** What is in neither `golden/*.json` nor `fixes.test.ts`, which follows what a sample says. */
const ROWS: readonly Row[] = [
  [
    'an unknown parameter',
    get('/v1/pets?page=2&limit=5'),
    { sent: 'page=2', status: 200, instead: 'GET /v1/pets?limit=5', action: 'remove' },
    'Leave out page=2. There are no further pages in this API: a list has at most 100 pets',
  ],
  [
    'an unknown field',
    post('{"name":"Rex","categoryId":9007199254740993,"age":7}'),
    { sent: '"age":7', status: 201, instead: '{"name":"Rex","categoryId":9007199254740993}' },
  ],
  [
    'a misspelled field with a value of another type',
    post('{"nme":1,"categoryId":1}'),
    { sent: '"nme":1', instead: '"name":"1"', action: 'replace' },
  ],
  ['an empty parameter', get('/v1/pets?status='), { sent: 'status=', instead: 'GET /v1/pets', action: 'remove' }],
  ['a parameter twice', get('/v1/pets?limit=5&limit=6'), { sent: 'limit=5&limit=6', status: 400, instead: 'limit=5' }],
];

/** Every finding in a report. */
async function findingsOf(client: Client) {
  const { operations } = await factsOf(client);
  return operations.flatMap(({ violations, rejected, warnings, rounded, injectedFaults }) => [
    ...[...violations, ...rejected, ...warnings, ...rounded],
    ...injectedFaults,
  ]);
}
const samplesOf = async (client: Client): Promise<unknown[]> => (await findingsOf(client)).map(({ sample }) => sample);

describe('the sample of a finding', () => {
  it.each(ROWS)('shows the request, the part sent and what to do: %s', async (_what, send, sample, fix) => {
    const client = await server.sandbox();
    await send(client);
    const shown = { sample: expect.objectContaining(sample), ...(fix !== undefined && { fix }) };
    expect(await findingsOf(client)).toContainEqual(expect.objectContaining(shown));
  });

  it('names the number that the sandbox had sent, where it came back rounded', async () => {
    const client = await server.sandbox({ fixture: 'boundary' });
    await client.get('/v1/pets?limit=100');
    await client.get('/v1/pets/-9007199254740992');
    expect(await samplesOf(client)).toContainEqual(
      expect.objectContaining({ instead: '/v1/pets/-9007199254740993', action: 'replace' }),
    );
  });

  it('is that of the first request, and never longer than a line', async () => {
    const client = await server.sandbox();
    const long = 'x'.repeat(9_000);
    await client.post('/v1/pets', { name: long, categoryId: 'one' });
    await client.post('/v1/pets', { name: 'Rex', categoryId: 'one' });
    await client.get(`/v1/pets?limti=${long}`);
    await client.post('/v1/pets', { name: long.repeat(3), categoryId: 'one', [long]: long });
    for (const sample of (await samplesOf(client)) as Record<string, string | number | null>[]) {
      for (const text of Object.values(sample)) expect(String(text).length).toBeLessThanOrEqual(201);
    }
    const [createPet] = (await factsOf(client)).operations.filter(({ operation }) => operation === 'createPet');
    expect(createPet?.violations[0]?.sample.sent).toBe('"categoryId":"one"');
  });

  it('shows the request of a fault, and nothing to send instead', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets?limit=1', { 'Sandbox-Fault': 'status=503' });
    expect(await samplesOf(client)).toEqual([
      { request: 'GET /v1/pets?limit=1', sent: null, status: 503, instead: null, action: 'other' },
    ]);
  });
});
