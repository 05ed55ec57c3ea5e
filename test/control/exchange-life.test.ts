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

describe('the headers of an exchange', () => {
  it('are those of a closed list, with the shape of the credential only, and those that the sandbox set', async () => {
    const client = await server.sandbox();
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const reply = await client.post('/v1/pets', NEW_PET, {
      'user-agent': 'petshop/1.4',
      Accept: 'application/json',
      Prefer: 'wait=10',
      'Idempotency-Key': 'order-7',
      Traceparent: traceparent,
      'Sandbox-Fault': 'delay=1',
      Cookie: 'session=topsecret',
      'X-Api-Key': 'another-secret',
    });
    const { request, response } = await lastOf(client);
    expect(request.headers).toEqual({
      Authorization: 'Bearer …',
      'Content-Type': 'application/json',
      'User-Agent': 'petshop/1.4',
      Accept: 'application/json',
      'Content-Length': String(NEW_PET.length),
      Prefer: 'wait=10',
      'Idempotency-Key': 'order-7',
      Traceparent: traceparent,
      'Sandbox-Fault': 'delay=1',
    });
    expect(response.headers).toMatchObject({
      'Content-Type': 'application/json',
      'Content-Length': String(reply.text.length),
      'Sandbox-Request-Id': reply.headers['sandbox-request-id'],
      'Access-Control-Allow-Origin': '*',
    });
  });

  it('show no secret, whole or cut, and at most 200 characters of a value', async () => {
    const client = await server.sandbox();
    const before = 'x'.repeat(185);
    const key = String(client.key);
    await client.get('/v1/pets', {
      'User-Agent': `${before}${FIXED}`,
      Prefer: `${before}${key}`,
      'Idempotency-Key': key,
      Authorization: `bearer ${key}`,
      'Content-Type': 'y'.repeat(5_000),
    });
    const { request } = await lastOf(client);
    expect(request.headers).toMatchObject({
      Authorization: 'bearer …',
      'Idempotency-Key': '[key]',
      'Content-Type': `${'y'.repeat(200)}…`,
    });
    const all = JSON.stringify(request.headers);
    expect(all).not.toContain(FIXED.slice(0, 5));
    expect(all).not.toContain(key.slice(7, 12));
    for (const value of Object.values<string>(request.headers)) expect(value.length).toBeLessThanOrEqual(205);
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
    expect(Date.parse(first.respondedAt)).toBeGreaterThanOrEqual(Date.parse(first.at));
    expect(Date.parse(second.at) - Date.parse(first.respondedAt)).toBeGreaterThanOrEqual(300);
  });

  it('say how long a fault delayed the response', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets', { 'Sandbox-Fault': 'delay=60' });
    const delayed = await lastOf(client);
    expect(delayed.delayMs).toBe(60);
    expect(delayed.disconnectedAt).toBeNull();
    expect(Date.parse(delayed.respondedAt) - Date.parse(delayed.at)).toBeGreaterThanOrEqual(55);
    await client.get('/v1/pets');
    expect((await lastOf(client)).delayMs).toBe(0);
  });
});

describe('what an exchange changed', () => {
  it('is the id that it created, exact, whatever the client was told', async () => {
    const client = await server.sandbox({ fixture: 'boundary' });
    const created = (await client.post('/v1/pets', NEW_PET)).text.match(/"id":(-?\d+)/)?.[1] as string;
    expect((await lastOf(client)).changes).toEqual({ created: [created] });
    await client.post('/v1/pets', NEW_PET, { 'Sandbox-Fault': 'status=503; when=after' });
    expect(await lastOf(client)).toMatchObject({
      status: 503,
      changes: { created: [String(BigInt(created) + 1n)] },
    });
  });

  it('is nothing where nothing was created', async () => {
    const client = await server.sandbox();
    for (const fault of ['status=503', 'status=503; when=before']) {
      await client.post('/v1/pets', NEW_PET, { 'Sandbox-Fault': fault });
      expect((await lastOf(client)).changes).toBeNull();
    }
    await client.post('/v1/pets', '{}');
    expect((await lastOf(client)).changes).toBeNull();
    await client.get('/v1/pets');
    expect((await lastOf(client)).changes).toBeNull();
  });
});

describe('a client that leaves', () => {
  it('between the operation and its response is in the request log, with what it changed', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const { store } = server;
    const change = store.change.bind(store);
    let isCreated: () => void = () => undefined;
    const created = new Promise<void>((resolve) => {
      isCreated = resolve;
    });
    // The response waits until the client is gone.
    store.change = async (sandbox, plan) => {
      const changes = await change(sandbox, plan);
      isCreated();
      await pause(200);
      return changes;
    };
    try {
      await postAndLeave(client, created);
      await hasLogged(client, 1);
    } finally {
      store.change = change;
    }
    const left = await lastOf(client);
    expect(left).toMatchObject({ operation: 'createPet', status: 0, injectedFault: null, changes: { created: ['1'] } });
    expect(Date.parse(left.disconnectedAt)).toBeGreaterThanOrEqual(Date.parse(left.at));
    expect(left.response.headers).toEqual({});
    expect(left.violations).toEqual([]);
    expect((await client.get('/v1/pets')).json).toHaveLength(1);
  });

  it('during a delay behind the operation is there likewise; before it, nothing was changed', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const total = async (): Promise<number> => (await client.get('/_sandbox')).json.pets.added;
    const isThere = expect.poll(total, { timeout: limit(10_000) }).toBe(1);
    await postAndLeave(client, Promise.resolve(isThere), 'Sandbox-Fault: delay=30000; when=after');
    await hasLogged(client, 1);
    const lost = await lastOf(client);
    expect(lost).toMatchObject({ status: 0, delayMs: 30_000, changes: { created: ['1'] } });
    expect(lost.disconnectedAt).not.toBeNull();
    await postAndLeave(client, pause(50), 'Sandbox-Fault: delay=30000');
    await hasLogged(client, 2);
    expect(await lastOf(client)).toMatchObject({ status: 0, delayMs: 30_000, changes: null });
  });

  it('in the middle of its body is there too, and is no bug of the sandbox', async () => {
    const client = await server.sandbox();
    const socket = await dial(client.url);
    socket.write(postOf(client, NEW_PET).slice(0, -3));
    socket.end();
    await hasLogged(client, 1);
    expect(await lastOf(client)).toMatchObject({
      status: 0,
      changes: null,
      violations: [],
      disconnectedAt: expect.any(String),
    });
  });
});
