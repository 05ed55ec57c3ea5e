/** The issues of a client: one count, and how they differ from the run before. */
import { expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { startTestServer } from '../../support/server.ts';
import { factsOf, foundAs } from './clients.ts';

const server = await startTestServer();

const issuesOf = async (client: Client, run = 'all') => (await client.get(`/_sandbox/issues?run=${run}`)).json;

it('says of each issue of a run whether it is new, still there or fixed, as the list of runs counts them', async () => {
  const client = await server.sandbox();
  const changes = async () => {
    const { issues } = await issuesOf(client, 'last');
    return issues.map(({ change, message }: Record<'change' | 'message', string>) => `${change}: ${message}`);
  };
  await client.get('/v1/pets?status=AVAILABLE');
  await client.get('/v1/pets?limit=500');
  await client.post('/v1/pets', '{"name":7,"categoryId":7}');
  expect((await changes()).every((each: string) => each.startsWith('null: '))).toBe(true);
  await client.post('/_sandbox/runs');
  await client.get('/v1/pets?status=SOLD');
  await client.get('/v1/pets?limit=50&page=2');
  expect(await changes()).toEqual([
    'still: is one of available, pending, sold',
    'new: is not known here; there are limit, status',
    'fixed: is at most 100',
  ]);
  const [last] = (await client.get('/_sandbox/runs')).json.runs;
  expect(last).toMatchObject({ still: 1, new: 1, fixed: 1, notTried: ['createPet'] });
});

it('lists a call of a removed operation apart from its uses before, and what a verdict is incomplete for', async () => {
  const client = await server.sandbox();
  await client.get('/v1/pets/1');
  await client.put('/_sandbox/clock', { now: '2031-01-01T00:00:00Z' });
  const removed = await client.get('/v1/pets/1');
  const head = await client.send({ method: 'HEAD', path: '/v1/pets' });
  const { issues, reasons } = await issuesOf(client);
  const of = (text: string) => issues.find(({ message }: { message: string }) => message.includes(text));
  expect(of('deprecated')).toMatchObject({ kind: 'deprecated', level: 'warning', count: 1 });
  expect(of('is removed')).toMatchObject({ label: 'Removed', count: 1, requests: [removed.requestId] });
  expect(reasons).toContain('1 request could not be validated: a response to HEAD has no body to validate');
  expect(of('HEAD')).toMatchObject({ label: 'Not validated', count: 1, requests: [head.requestId] });
});

it('the sample of a finding is that of the first request, and never longer than a line', async () => {
  const client = await server.sandbox();
  const long = 'x'.repeat(9_000);
  await client.post('/v1/pets', { name: long, categoryId: 'one' });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 'one' });
  await client.get(`/v1/pets?limti=${long}`);
  await client.post('/v1/pets', { name: long.repeat(3), categoryId: 'one', [long]: long });
  const samples = (await factsOf(client)).findings.map(({ sample }) => sample);
  expect(samples).toContainEqual(expect.objectContaining({ sent: '"categoryId":"one"' }));
  for (const text of samples.flatMap((sample) => Object.values(sample ?? {})))
    expect(String(text).length).toBeLessThanOrEqual(201);
});

it('requests that no operation matches are counted by their kind, whatever the id', async () => {
  const client = await server.sandbox();
  for (const id of ['1', '9223372036854775807', '-7']) await client.get(`/v1/pet/${id}`);
  expect(foundAs(await factsOf(client), 'noOperation')).toMatchObject([{ location: 'GET /v1/pet/{id}', count: 3 }]);
});
