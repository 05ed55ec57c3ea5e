/** The issues of a client: one count, and "fixed" only where it is shown. */
import { expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { heldClock } from '../support/held-clock.ts';
import { startTestServer } from '../support/server.ts';
import { factsOf } from './clients.ts';

const clock = heldClock(Date.UTC(2026, 2, 2, 9, 30));
const server = await startTestServer({ clock });
/** Ends the run of a client. */
const waitForQuiet = (): void => {
  clock.time += 10_000;
};

const issuesOf = async (client: Client) => (await client.get('/_sandbox/issues')).json;
const stateOf = async (client: Client, title: string) =>
  (await issuesOf(client)).issues.find((each: { message: string }) => each.message.includes(title))?.state;

it('calls an issue fixed only where a whole later run calls the operation without it', async () => {
  const client = await server.sandbox();
  await client.get('/v1/pets?status=AVAILABLE');
  expect(await stateOf(client, 'one of available')).toBe('open');
  await client.get('/v1/pets');
  expect(await stateOf(client, 'one of available')).toBe('not-seen');
  // The same mistake comes back with every run, and a correct request follows it.
  await client.get('/v1/pets?status=sold');
  expect(await stateOf(client, 'one of available')).toBe('not-seen');
  waitForQuiet();
  await client.get('/v1/pets?status=sold');
  expect(await stateOf(client, 'one of available')).toBe('not-seen');
  waitForQuiet();
  expect(await stateOf(client, 'one of available')).toBe('fixed');
  await client.get('/v1/pets?status=AVAILABLE');
  expect(await stateOf(client, 'one of available')).toBe('open');
});

it('calls a misspelled field fixed when the right one is sent, and a use of a deprecated operation never', async () => {
  const client = await server.sandbox();
  await client.post('/v1/pets', '{"name":"Rex","catgoryId":7}');
  await client.get('/v1/pets?limti=5');
  await client.get('/v1/pets/1');
  waitForQuiet();
  await client.post('/v1/pets', '{"name":7,"categoryId":7}');
  await client.get('/v1/pets?limit=5');
  waitForQuiet();
  for (const name of ['did you mean categoryId?', 'did you mean limit?'])
    expect(await stateOf(client, name)).toBe('fixed');
  expect(await stateOf(client, 'is required (an integer')).toBe('fixed');
  expect(await stateOf(client, 'is a string')).toBe('open');
  expect(await stateOf(client, 'rejected')).toBeUndefined();
  await client.get('/v1/pets/1');
  expect(await stateOf(client, 'deprecated')).toBe('open');
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

it('counts every kind once, over all requests as the report does, and what the sandbox did on purpose apart', async () => {
  const client = await server.sandbox();
  await client.get('/v1/pets?limit=500');
  await client.getMany(1_100, () => '/v1/pets?limit=5');
  await client.get('/v1/pets', { 'Sandbox-Fault': 'status=503' });
  await client.get('/v1/pets?limit=7', { 'Sandbox-Source': 'dashboard' });
  const { verdict, issues, notes } = await issuesOf(client);
  expect([verdict, issues.length, notes.length]).toEqual(['fail', 1, 1]);
  expect(issues[0]).toMatchObject({
    location: 'query/limit',
    count: 1,
    sample: { instead: 'limit=100' },
  });
  const { verdict: ofReport, counts, behavior } = await factsOf(client);
  expect([ofReport, counts.exchanges, counts.violation]).toEqual(['fail', 1_102, 1]);
  expect(behavior).toEqual({ exchanges: 1_000, dropped: 102 });
});
