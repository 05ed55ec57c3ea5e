/** What the request log tells of an exchange beside its bodies: headers, times, the delay, and what it changed. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { dial, postOf } from '../support/wire.ts';

const FIXED = 'fixed/key+of~the.settings';

const server = await startTestServer({ settings: { keys: [FIXED] } });

const NEW_PET = '{"name":"Ada","categoryId":1}';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads out of it, it also checks
async function lastOf(client: Client): Promise<any> {
  const [{ id }] = (await client.get('/_sandbox/requests?limit=1')).json.requests;
  return (await client.get(`/_sandbox/requests/${id}`)).json;
}

/** Posts a pet over a socket of its own, whose response nobody reads. */
async function postAndLeave(client: Client, when: Promise<unknown>, ...headers: string[]): Promise<void> {
  const socket = await dial(client.url);
  socket.write(postOf(client, NEW_PET, ...headers));
  await when;
  socket.resetAndDestroy();
}

/** Waits until so many requests are in the log. */
const hasLogged = (client: Client, count: number): Promise<void> =>
  expect.poll(async () => (await client.get('/_sandbox/requests')).json.total, { timeout: limit(10_000) }).toBe(count);

/** How long something took by the log: from one of its times to another, in milliseconds. */
const between = (from: string, to: string): number => Date.parse(to) - Date.parse(from);

describe('the headers of an exchange', () => {
  it('are those of a closed list, with the shape of the credential only, and those that the sandbox set', async () => {
    const client = await server.sandbox();
    const kept = {
      Accept: 'application/json',
      Prefer: 'wait=10',
      'Idempotency-Key': 'order-7',
      Traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      'Sandbox-Fault': 'delay=1',
    };
    const secrets = { Cookie: 'session=topsecret', 'X-Api-Key': 'another-secret' };
    const reply = await client.post('/v1/pets', NEW_PET, { ...kept, ...secrets, 'user-agent': 'petshop/1.4' });
    const { request, response } = await lastOf(client);
    const type = { 'Content-Type': 'application/json' };
    const length = { 'Content-Length': String(NEW_PET.length) };
    const own = { Authorization: 'Bearer …', 'User-Agent': 'petshop/1.4' };
    expect(request.headers).toEqual({ ...kept, ...type, ...length, ...own });
    expect(response.headers).toMatchObject({
      ...type,
      'Content-Length': String(reply.text.length),
      'Sandbox-Request-Id': reply.requestId,
      'Access-Control-Allow-Origin': '*',
    });
  });

  it('show no secret, whole or cut, and at most 200 characters of a value', async () => {
    const client = await server.sandbox();
    const [before, key] = ['x'.repeat(185), String(client.key)];
    const secrets = { 'User-Agent': before + FIXED, Prefer: before + key, 'Idempotency-Key': key };
    await client.get('/v1/pets', { ...secrets, Authorization: `bearer ${key}`, 'Content-Type': 'y'.repeat(5_000) });
    const { headers } = (await lastOf(client)).request;
    const cut = `${'y'.repeat(200)}…`;
    expect(headers).toMatchObject({ Authorization: 'bearer …', 'Idempotency-Key': '[key]', 'Content-Type': cut });
    for (const piece of [FIXED.slice(0, 5), key.slice(7, 12)]) expect(JSON.stringify(headers)).not.toContain(piece);
    for (const value of Object.values<string>(headers)) expect(value.length).toBeLessThanOrEqual(205);
  });
});

describe('the times of an exchange', () => {
  it('measure a client’s wait never shorter than it was', async () => {
    const client = await server.sandbox();
    const began = Date.now();
    await client.get('/v1/pets', { 'Sandbox-Fault': 'status=503; retryAfter=1' });
    // By the clock that is asked afterward: a timer may fire a little early.
    const read = Date.now();
    while (Date.now() - read < 300) await pause(5);
    await client.get('/v1/pets');
    const [second, first] = (await client.get('/_sandbox/requests')).json.requests;
    expect(Date.parse(first.at)).toBeGreaterThanOrEqual(began);
    expect(Date.parse(first.respondedAt)).toBeLessThanOrEqual(read);
    expect(between(first.at, first.respondedAt)).toBeGreaterThanOrEqual(0);
    expect(between(first.respondedAt, second.at)).toBeGreaterThanOrEqual(300);
  });

  it('say how long a fault delayed the response', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets', { 'Sandbox-Fault': 'delay=60' });
    const delayed = await lastOf(client);
    expect(delayed).toMatchObject({ delayMs: 60, disconnectedAt: null });
    expect(between(delayed.at, delayed.respondedAt)).toBeGreaterThanOrEqual(55);
    await client.get('/v1/pets');
    expect((await lastOf(client)).delayMs).toBe(0);
  });
});

it('an exchange changed the id that it created, exact, whatever the client was told; or nothing', async () => {
  const client = await server.sandbox({ fixture: 'boundary' });
  const post = async (body: string, fault?: string) => {
    const { text } = await client.post('/v1/pets', body, fault === undefined ? {} : { 'Sandbox-Fault': fault });
    return { text, changes: (await lastOf(client)).changes };
  };
  const { text, changes } = await post(NEW_PET);
  const created = /"id":(-?\d+)/.exec(text)?.[1] as string;
  expect(changes).toEqual({ created: [created] });
  const next = String(BigInt(created) + 1n);
  expect((await post(NEW_PET, 'status=503; when=after')).changes).toEqual({ created: [next] });
  for (const fault of ['status=503', 'status=503; when=before'])
    expect((await post(NEW_PET, fault)).changes).toBeNull();
  expect((await post('{}')).changes).toBeNull();
  await client.get('/v1/pets');
  expect((await lastOf(client)).changes).toBeNull();
});

describe('a client that leaves', () => {
  it('between the operation and its response is in the request log, with what it changed', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const { store } = server;
    const change = store.change.bind(store);
    // The response waits until the client is gone.
    const created = new Promise<void>((isCreated) => {
      store.change = async (sandbox, plan) => {
        const changes = await change(sandbox, plan);
        isCreated();
        await pause(200);
        return changes;
      };
    });
    try {
      await postAndLeave(client, created);
      await hasLogged(client, 1);
    } finally {
      store.change = change;
    }
    const left = await lastOf(client);
    expect(left).toMatchObject({ operation: 'createPet', status: 0, injectedFault: null, changes: { created: ['1'] } });
    expect(between(left.at, left.disconnectedAt)).toBeGreaterThanOrEqual(0);
    expect([left.response.headers, left.violations]).toEqual([{}, []]);
    expect((await client.get('/v1/pets')).json).toHaveLength(1);
  });

  it('during a delay after the operation is there, too; during one before it, nothing was changed', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const total = async (): Promise<number> => (await client.get('/_sandbox')).json.pets.added;
    const isThere = expect.poll(total, { timeout: limit(10_000) }).toBe(1);
    await postAndLeave(client, Promise.resolve(isThere), 'Sandbox-Fault: delay=30000; when=after');
    await hasLogged(client, 1);
    const gone = { status: 0, delayMs: 30_000, disconnectedAt: expect.any(String) };
    expect(await lastOf(client)).toMatchObject({ ...gone, changes: { created: ['1'] } });
    await postAndLeave(client, pause(50), 'Sandbox-Fault: delay=30000');
    await hasLogged(client, 2);
    expect(await lastOf(client)).toMatchObject({ ...gone, changes: null });
  });

  it('in the middle of its body is there too, and is no bug of the sandbox', async () => {
    const client = await server.sandbox();
    const socket = await dial(client.url);
    socket.write(postOf(client, NEW_PET).slice(0, -3));
    socket.end();
    await hasLogged(client, 1);
    const gone = { status: 0, changes: null, violations: [], disconnectedAt: expect.any(String) };
    expect(await lastOf(client)).toMatchObject(gone);
  });
});
