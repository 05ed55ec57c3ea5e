/** What a finding says, where neither `golden/*.json` nor `fixes.test.ts`, which follows it, shows it. */
import { expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { sharedServer } from '../../support/server.ts';
import { factsOf, foundAs } from './clients.ts';

const server = await sharedServer();

const post = (body: unknown) => (client: Client) => client.post('/v1/pets', body);
const get = (target: string) => (client: Client) => client.get(target);

/** Every finding of an operation. */
const findingsOf = async (client: Client) =>
  foundAs(await factsOf(client), 'violation', 'rejected', 'warning', 'deprecated', 'rounded');

it.each<[mistake: string, send: (client: Client) => Promise<unknown>, sample: object]>([
  [
    'an unknown parameter',
    get('/v1/pets?page=2&limit=5'),
    { sent: 'page=2', status: 200, instead: 'GET /v1/pets?limit=5', action: 'remove' },
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
  ['a parameter twice', get('/v1/pets?limit=5&limit=6'), { sent: 'limit=5&limit=6', instead: null, action: 'other' }],
  [
    'a number that came back rounded',
    async (client) => [await client.get('/v1/pets?limit=100'), await client.get('/v1/pets/-9007199254740992')],
    { instead: '/v1/pets/-9007199254740993', action: 'replace' },
  ],
])('the sample of a finding shows the request, the part sent and what to do: %s', async (_what, send, sample) => {
  const client = await server.sandbox({ fixture: 'boundary' });
  await send(client);
  expect(await findingsOf(client)).toContainEqual(expect.objectContaining({ sample: expect.objectContaining(sample) }));
});

it('the fix of a page says that there are no further ones', async () => {
  const client = await server.sandbox();
  await client.get('/v1/pets?page=2&limit=5');
  const fix =
    'Leave out page=2. The service ignores it: there are no further pages, so search the list for what it was to select';
  expect(await findingsOf(client)).toMatchObject([{ fix }]);
});

it('the sample of a finding is that of the first request, and never longer than a line', async () => {
  const client = await server.sandbox();
  const long = 'x'.repeat(9_000);
  await client.post('/v1/pets', { name: long, categoryId: 'one' });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 'one' });
  await client.get(`/v1/pets?limti=${long}`);
  await client.post('/v1/pets', { name: long.repeat(3), categoryId: 'one', [long]: long });
  const samples = (await findingsOf(client)).map(({ sample }) => sample);
  expect(samples).toContainEqual(expect.objectContaining({ sent: '"categoryId":"one"' }));
  for (const text of samples.flatMap((sample) => Object.values(sample ?? {})))
    expect(String(text).length).toBeLessThanOrEqual(201);
});

it('a request that no operation matches fails the verdict, with the operation that was probably meant', async () => {
  const client = await server.sandbox();
  await client.get('/v1/pets');
  const { status } = await client.post('/v1/Pets/?dryRun=1');
  expect(await factsOf(client)).toMatchObject({
    ...{ verdict: 'fail', reasons: ['1 request matches no operation'], counts: { noOperation: 1 } },
    findings: [
      {
        ...{ kind: 'noOperation', operation: null, location: 'POST /v1/Pets/' },
        ...{ message: 'no such operation; did you mean `POST /v1/pets`?', count: 1 },
        sample: { request: 'POST /v1/Pets/?dryRun=1', status, instead: 'POST /v1/pets?dryRun=1' },
      },
    ],
  });
});

it('requests that no operation matches are counted by their kind, whatever the id', async () => {
  const client = await server.sandbox();
  for (const id of ['1', '9223372036854775807', '-7']) await client.get(`/v1/pet/${id}`);
  expect(foundAs(await factsOf(client), 'noOperation')).toMatchObject([{ location: 'GET /v1/pet/{id}', count: 3 }]);
});
