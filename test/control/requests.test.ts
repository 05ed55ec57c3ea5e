import { describe, expect, it } from 'vitest';
import { planForProcess } from '../../src/core/memory.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Client, type Reply, send } from '../support/client.ts';
import { heldClock } from '../support/held-clock.ts';
import { startTestServer } from '../support/server.ts';

const real = heldClock(Date.UTC(2026, 2, 2, 9, 30));

const server = await startTestServer({ clock: real });

// biome-ignore lint/suspicious/noExplicitAny: what a test reads out of it, it also checks
const requestLog = async (client: Client, query = ''): Promise<any> =>
  (await client.get(`/_sandbox/requests${query}`)).json;
const targets = async (client: Client, query = ''): Promise<string[]> =>
  (await requestLog(client, query)).requests.map(({ method, target }: Record<string, string>) => `${method} ${target}`);
/** What the log holds of the request that got this response. */
const logged = async (client: Client, { requestId }: Reply) =>
  (await client.get(`/_sandbox/requests/${requestId}`)).json;

describe('the request log', () => {
  it('shows an exchange with the place of its violation in the message and in the specification, and what was meant', async () => {
    const client = await server.sandbox();
    const sent = '{"name":"Biscuit","catgoryId":1}';
    const answered = await client.post('/v1/pets', sent);
    const { requests, ...counts } = await requestLog(client);
    expect(counts).toEqual({ total: 1, dropped: 0 });
    const [{ id, durationMs, request, response, ...rest }] = requests;
    expect([id, typeof durationMs]).toEqual([answered.requestId, 'number']);
    expect(request).toEqual({ contentType: 'application/json', bytes: sent.length });
    expect(response).toEqual({ contentType: 'application/json', bytes: answered.text.length });
    await expect(`${JSON.stringify(rest, null, 2)}\n`).toMatchFileSnapshot('golden/request.json');
  });

  it('is in step with the responses: what was answered is in it, validated, however many come at once', async () => {
    const client = await server.sandbox();
    const responses = await client.getMany(60, (n) => `/v1/pets?limit=${n + 90}`);
    const { requests, total } = await requestLog(client, '?limit=1000');
    const idsOf = (all: { id: string }[]) => all.map(({ id }) => id).sort();
    expect([total, idsOf(requests)]).toEqual([60, idsOf(responses.map(({ requestId }) => ({ id: requestId })))]);
    expect(requests.every(({ validated }: { validated: boolean }) => validated)).toBe(true);
    const broken = requests.filter(({ violations }: { violations: unknown[] }) => violations.length > 0);
    expect(broken.length).toBe(responses.filter(({ status }) => status === 400).length);
    expect(broken.length).toBeGreaterThan(0);
  });

  it('keeps what matches no operation, and HEAD, and OPTIONS, without a verdict; unknown keys belong to nobody', async () => {
    const client = await server.sandbox();
    await client.send({ method: 'PUT', path: '/v1/pets' });
    await client.get('/v1/nothing');
    await client.get('/v1/store/orders');
    const head = await client.send({ method: 'HEAD', path: '/v1/pets' });
    await client.send({ method: 'OPTIONS', path: '/v1/pets' });
    await send(server.url, { path: '/v1/pets', headers: { Authorization: 'Bearer unknown' } });
    const none = { operation: null, validated: false, validationError: null };
    expect((await requestLog(client)).requests).toMatchObject([
      { ...none, method: 'OPTIONS', target: '/v1/pets', status: 204 },
      { ...none, method: 'HEAD', target: '/v1/pets', status: 200, operation: 'listPets' },
      { ...none, method: 'GET', target: '/v1/store/orders', status: 501 },
      { ...none, method: 'GET', target: '/v1/nothing', status: 404 },
      { ...none, method: 'PUT', target: '/v1/pets', status: 405 },
    ]);
    const { response } = await logged(client, head);
    expect(response).toMatchObject({ contentType: 'application/json', bytes: 0, body: '', truncated: false });
  });

  it('keeps the 401 of a revoked and of an expired key with their sandbox', async () => {
    const client = await server.sandbox();
    const shared = (await client.post('/_sandbox/keys', { shared: true })).json;
    const brief = (await client.post('/_sandbox/keys', { shared: true, ttlSeconds: 1 })).json;
    await client.delete(`/_sandbox/keys/${shared.id}`);
    expect((await server.client(shared.key).get('/v1/pets')).status).toBe(401);
    real.time += 1_000;
    expect((await server.client(brief.key).get('/v1/pets/3')).status).toBe(401);
    real.time -= 1_000;
    expect(await targets(client, '?status=401')).toEqual(['GET /v1/pets/3', 'GET /v1/pets']);
  });

  it('is one for each sandbox', async () => {
    const [one, other] = [await server.sandbox(), await server.sandbox()];
    await Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? one.get('/v1/pets/1') : other.get('/v1/pets/2'))));
    expect(new Set(await targets(one))).toEqual(new Set(['GET /v1/pets/1']));
    expect(new Set(await targets(other))).toEqual(new Set(['GET /v1/pets/2']));
    const foreign = (await requestLog(other)).requests[0].id;
    expect((await one.get(`/_sandbox/requests/${foreign}`)).status).toBe(404);
    expect((await one.get(`/_sandbox/requests?since=${foreign}`)).status).toBe(404);
    await one.delete('/_sandbox/requests');
    expect([(await requestLog(one)).total, (await requestLog(other)).total]).toEqual([0, 25]);
  });

  // A server forgets a request log when it learns that its sandbox is gone.
  it('ends with its sandbox, and takes no response that comes after', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets');
    const sandbox = server.sandboxes.get((await client.get('/_sandbox')).json.id) as Sandbox;
    const before = server.requestLogs.bytes;
    const late = client.getMany(20, () => '/v1/pets');
    await client.delete('/_sandbox');
    await late;
    await server.validator.whenValidated();
    expect(server.requestLogs.bytes).toBeLessThan(before);
    // Nor does a look at it bring it back.
    expect(server.requestLogs.of(sandbox)).not.toBe(server.requestLogs.of(sandbox));
  });

  it('is filtered by operation, status, violations, and a request or a time', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets');
    const second = await client.get('/v1/pets?limit=0');
    real.time += 60_000;
    await client.get('/v1/pets/99');
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    real.time -= 60_000;
    for (const [query, ...found] of [
      ['operation=listPets', 'GET /v1/pets?limit=0', 'GET /v1/pets'],
      ['limit=1&operation=listPets', 'GET /v1/pets?limit=0'],
      ['status=404', 'GET /v1/pets/99'],
      ['violations=true', 'GET /v1/pets?limit=0'],
      ['violations=false&operation=listPets', 'GET /v1/pets'],
      [`since=${second.requestId}`, 'POST /v1/pets', 'GET /v1/pets/99'],
      ['since=2026-03-02T09:31:00Z', 'POST /v1/pets', 'GET /v1/pets/99'],
      ['since=2026-03-02T10:30:59.999%2B01:00&status=201', 'POST /v1/pets'],
      ['since=2026-03-02T09:31:00.001Z'],
    ])
      expect([query, ...(await targets(client, `?${query}`))]).toEqual([query, ...found]);
    expect((await requestLog(client, '?limit=1&operation=listPets')).total).toBe(2);
    const message = expect.stringContaining('holds no request req_0000000000000000');
    expect(await requestLog(client, '?since=req_0000000000000000')).toMatchObject({ status: 404, message });
  });
});

describe('one exchange', () => {
  it('shows both bodies to the last digit', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const sent = '{"name":"Ωmega 🐈","categoryId":9223372036854775807}';
    const answered = await client.post('/v1/pets', sent);
    expect(answered.text).toContain('9223372036854775807');
    const whole = (body: string) => ({ bytes: Buffer.byteLength(body), body, truncated: false });
    expect(await logged(client, answered)).toMatchObject({
      request: { ...whole(sent), contentType: 'application/json', unread: false },
      response: whole(answered.text),
    });
  });

  it('keeps the first 16,384 characters of a long body, and says so', async () => {
    const client = await server.sandbox();
    const sent = JSON.stringify({ name: `é${'x'.repeat(40_000)}`, categoryId: 1 });
    const answered = await client.post('/v1/pets', sent);
    expect(answered.status).toBe(201);
    const part = (body: string) => ({ body: body.slice(0, 16_384), truncated: true, bytes: Buffer.byteLength(body) });
    expect(await logged(client, answered)).toMatchObject({ request: part(sent), response: part(answered.text) });
    const list = await client.get('/v1/pets');
    expect(await logged(client, list)).toMatchObject({ request: { truncated: false }, response: part(list.text) });
  });

  it('says where a body was rejected unread', async () => {
    const client = await server.sandbox();
    const answered = await client.post('/v1/pets', 'name=Rex', { 'Content-Type': 'text/plain' });
    const { status, request } = await logged(client, answered);
    const unread = { body: null, truncated: false, unread: true, headers: expect.any(Object) };
    expect([status, request]).toEqual([415, { ...unread, contentType: 'text/plain', bytes: 8 }]);
  });

  it('is rejected by an id that is none, or that the request log does not hold', async () => {
    const client = await server.sandbox();
    expect((await client.get('/_sandbox/requests/1')).status).toBe(400);
    expect((await client.get('/_sandbox/requests/req_0000000000000000')).status).toBe(404);
    expect((await client.post('/_sandbox/requests/req_0000000000000000')).status).toBe(405);
    expect((await client.get('/_sandbox/requests/verify')).status).toBe(405);
  });
});

describe('bounds', () => {
  it('hold the request log to its last 1,000 exchanges, and count those that it dropped', async () => {
    const client = await server.sandbox();
    const first = await client.get('/v1/pets/1');
    await client.getMany(1_039, () => '/v1/pets/2');
    const last = await client.get('/v1/pets/3');
    const { requests, total, dropped } = await requestLog(client, '?limit=1000');
    expect([requests.length, total, dropped]).toEqual([1_000, 1_000, 41]);
    expect(requests[0].id).toBe(last.requestId);
    expect((await client.get(`/_sandbox/requests/${first.requestId}`)).status).toBe(404);
    await client.delete('/_sandbox/requests');
    await client.get('/v1/pets/5');
    expect(await requestLog(client)).toMatchObject({ total: 1, dropped: 0, requests: [{ target: '/v1/pets/5' }] });
  });

  // The request log of a sandbox takes memory in each server that was asked for it.
  it('hold all request logs together to their room: the biggest lose their oldest, a small one nothing', async () => {
    const room = 4 * 2 ** 20;
    const own = await startTestServer({ memory: { ...planForProcess(2 ** 20), requestLogs: room } });
    const small = await own.sandbox();
    const big = [await own.sandbox({ fixture: 'empty' }), await own.sandbox({ fixture: 'empty' })];
    await small.getMany(5, () => '/v1/pets');
    const body = JSON.stringify({ name: 'x'.repeat(20_000), categoryId: 1 });
    for (let i = 0; i < 6; i++) {
      await Promise.all(Array.from({ length: 20 }, (_, n) => big[n % 2]?.post('/v1/pets', body)));
      expect(own.requestLogs.bytes).toBeLessThanOrEqual(room);
    }
    expect(await requestLog(small)).toMatchObject({ total: 5, dropped: 0 });
    for (const client of big) {
      const { total, dropped } = await requestLog(client);
      expect(total + dropped).toBe(60);
      expect(dropped).toBeGreaterThan(15);
      expect(total).toBeGreaterThan(20);
      await client.delete('/_sandbox/requests');
    }
    expect(own.requestLogs.bytes).toBeLessThan(room / 4);
  });

  it('count verdicts that are long', async () => {
    const client = await server.sandbox();
    const before = server.requestLogs.bytes;
    const fields = Array.from({ length: 60 }, (_, i) => [`a field that nobody described, number ${i}`, i]);
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1, ...Object.fromEntries(fields) });
    const { warnings } = (await requestLog(client)).requests[0];
    expect(server.requestLogs.bytes - before).toBeGreaterThan(JSON.stringify(warnings).length);
  });
});

describe('a clear', () => {
  it('comes with a reset that asks for it, and with no other', async () => {
    const [client, other] = [await server.sandbox(), await server.sandbox()];
    for (const each of [client, other]) await each.get('/v1/pets');
    await client.post('/_sandbox/reset');
    await client.post('/_sandbox/reset', { requestLog: false });
    expect((await requestLog(client)).total).toBe(1);
    expect((await client.post('/_sandbox/reset', { requestLog: true })).status).toBe(200);
    expect([(await requestLog(client)).total, (await requestLog(other)).total]).toEqual([0, 1]);
  });

  it('forgets all that was answered before it, and nothing that comes after, among many at once', async () => {
    const client = await server.sandbox();
    await client.getMany(40, () => '/v1/pets/1');
    await client.delete('/_sandbox/requests');
    const after = await client.getMany(40, () => '/v1/pets/2');
    const kept = (await requestLog(client)).requests.map(({ id }: { id: string }) => id);
    expect(kept.sort()).toEqual(after.map(({ requestId }) => requestId).sort());
  });
});
