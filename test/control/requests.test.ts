import { describe, expect, it } from 'vitest';
import { planForProcess } from '../../src/core/memory.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Client, send } from '../support/client.ts';
import { heldClock } from '../support/held-clock.ts';
import { areTwo, startTestServer } from '../support/server.ts';

const FIXED = 'fixed/key+of~the.settings';
const ADMIN = 'admin-token-of-this-test';

const real = heldClock(Date.UTC(2026, 2, 2, 9, 30));

const server = await startTestServer({ clock: real, settings: { keys: [FIXED], adminToken: ADMIN } });

// biome-ignore lint/suspicious/noExplicitAny: what a test reads out of it, it also checks
const requestLog = async (client: Client, query = ''): Promise<any> =>
  (await client.get(`/_sandbox/requests${query}`)).json;
const targets = async (client: Client, query = ''): Promise<string[]> =>
  (await requestLog(client, query)).requests.map(({ method, target }: Record<string, string>) => `${method} ${target}`);

describe('the request log', () => {
  it('shows an exchange with the place of its violation in the message and in the specification, and what was meant', async () => {
    const client = await server.sandbox();
    const sent = '{"name":"Biscuit","catgoryId":1}';
    const answered = await client.post('/v1/pets', sent);
    const { requests, ...counts } = await requestLog(client);
    expect(counts).toEqual({ total: 1, dropped: 0 });
    const [{ id, durationMs, request, response, ...rest }] = requests;
    expect([id, typeof durationMs]).toEqual([answered.requestId, 'number']);
    expect([request, response]).toEqual([
      { contentType: 'application/json', bytes: sent.length },
      { contentType: 'application/json', bytes: answered.text.length },
    ]);
    await expect(`${JSON.stringify(rest, null, 2)}\n`).toMatchFileSnapshot('golden/request.json');
  });

  it('is in step with the responses: what was answered is in it, validated, however many come at once', async () => {
    const client = await server.sandbox();
    const many = Array.from({ length: 60 }, (_, i) => client.get(`/v1/pets?limit=${i + 90}`));
    const responses = await Promise.all(many);
    const { requests, total } = await requestLog(client, '?limit=1000');
    expect(total).toBe(60);
    expect(requests.every(({ validated }: { validated: boolean }) => validated)).toBe(true);
    expect(requests.map(({ id }: { id: string }) => id).sort()).toEqual(
      responses.map(({ requestId }) => requestId).sort(),
    );
    const broken = requests.filter(({ violations }: { violations: unknown[] }) => violations.length > 0);
    expect(broken.length).toBe(responses.filter(({ status }) => status === 400).length);
    expect(broken.length).toBeGreaterThan(0);
  });

  it('keeps what matches no operation, and HEAD, and OPTIONS, without a verdict; unknown keys belong to nobody', async () => {
    const client = await server.sandbox();
    await client.send({ method: 'PUT', path: '/v1/pets' });
    await client.get('/v1/nothing');
    await client.get('/v1/store/orders');
    await client.send({ method: 'HEAD', path: '/v1/pets' });
    await client.send({ method: 'OPTIONS', path: '/v1/pets' });
    await send(server.url, { path: '/v1/pets', headers: { Authorization: 'Bearer unknown' } });
    const { requests } = await requestLog(client);
    const none = { operation: null, validated: false, validationError: null };
    expect(requests).toMatchObject([
      { ...none, method: 'OPTIONS', target: '/v1/pets', status: 204 },
      { ...none, method: 'HEAD', target: '/v1/pets', status: 200, operation: 'listPets' },
      { ...none, method: 'GET', target: '/v1/store/orders', status: 501 },
      { ...none, method: 'GET', target: '/v1/nothing', status: 404 },
      { ...none, method: 'PUT', target: '/v1/pets', status: 405 },
    ]);
    const head = await client.get(`/_sandbox/requests/${requests[1].id}`);
    expect(head.json.response).toMatchObject({ contentType: 'application/json', bytes: 0, body: '', truncated: false });
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
  it.skipIf(areTwo)('ends with its sandbox, and takes no response that comes after', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets');
    const sandbox = server.sandboxes.get((await client.get('/_sandbox')).json.id) as Sandbox;
    const before = server.requestLogs.bytes;
    const late = Promise.all(Array.from({ length: 20 }, () => client.get('/v1/pets')));
    await client.delete('/_sandbox');
    await late;
    await server.validator.settled();
    expect(server.requestLogs.bytes).toBeLessThan(before);
    // Nor does a look at it bring it back.
    expect(server.requestLogs.of(sandbox)).not.toBe(server.requestLogs.of(sandbox));
  });
});

describe('a list of exchanges', () => {
  it('is filtered by operation, status, violations, and a request or a time', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets');
    const second = await client.get('/v1/pets?limit=0');
    real.time += 60_000;
    await client.get('/v1/pets/99');
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    real.time -= 60_000;

    expect(await targets(client, '?operation=listPets')).toEqual(['GET /v1/pets?limit=0', 'GET /v1/pets']);
    expect(await targets(client, '?status=404')).toEqual(['GET /v1/pets/99']);
    expect(await targets(client, '?violations=true')).toEqual(['GET /v1/pets?limit=0']);
    expect(await targets(client, '?violations=false&operation=listPets')).toEqual(['GET /v1/pets']);
    expect(await targets(client, `?since=${second.requestId}`)).toEqual(['POST /v1/pets', 'GET /v1/pets/99']);
    expect(await targets(client, '?since=2026-03-02T09:31:00Z')).toEqual(['POST /v1/pets', 'GET /v1/pets/99']);
    expect(await targets(client, '?since=2026-03-02T10:30:59.999%2B01:00&status=201')).toEqual(['POST /v1/pets']);
    expect(await targets(client, '?since=2026-03-02T09:31:00.001Z')).toEqual([]);
    const page = await requestLog(client, '?limit=1&operation=listPets');
    expect([page.requests.length, page.total, page.requests[0].target]).toEqual([1, 2, '/v1/pets?limit=0']);
  });

  it.each([
    ['limit=0', 400, /query\/limit: must be an integer from 1 to 1000; got 0/],
    ['operation=addPet', 400, /one of listPets, createPet, getPet/],
    ['since=2026-02-30T00:00:00Z', 400, /query\/since: must be an RFC 3339 time/],
    ['since=req_0000000000000000', 404, /holds no request req_0000000000000000/],
  ])('rejects %s', async (query, status, message) => {
    const client = await server.sandbox();
    const reply = await client.get(`/_sandbox/requests?${query}`);
    expect([reply.status, reply.json.message]).toEqual([status, expect.stringMatching(message)]);
  });
});

describe('one exchange', () => {
  it('shows both bodies to the last digit', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const sent = '{"name":"Ωmega 🐈","categoryId":9223372036854775807}';
    const answered = await client.post('/v1/pets', sent);
    const { request, response } = (await client.get(`/_sandbox/requests/${answered.requestId}`)).json;
    const bytes = Buffer.byteLength(sent);
    expect(request).toMatchObject({
      contentType: 'application/json',
      bytes,
      body: sent,
      truncated: false,
      unread: false,
    });
    expect(response.body).toBe(answered.text);
    expect(response.body).toContain('9223372036854775807');
    expect(response.bytes).toBe(Buffer.byteLength(answered.text));
  });

  it('keeps the first 16,384 characters of a long body, and says so', async () => {
    const client = await server.sandbox();
    const sent = JSON.stringify({ name: `é${'x'.repeat(40_000)}`, categoryId: 1 });
    const answered = await client.post('/v1/pets', sent);
    expect(answered.status).toBe(201);
    const { request, response } = (await client.get(`/_sandbox/requests/${answered.requestId}`)).json;
    expect([request.body, request.truncated, request.bytes]).toEqual([sent.slice(0, 16_384), true, sent.length + 1]);
    expect([response.body, response.truncated, response.bytes]).toEqual([
      answered.text.slice(0, 16_384),
      true,
      Buffer.byteLength(answered.text),
    ]);
    const list = await client.get('/v1/pets');
    const listed = (await client.get(`/_sandbox/requests/${list.requestId}`)).json;
    expect([listed.request.truncated, listed.response.truncated, listed.response.body.length]).toEqual([
      false,
      true,
      16_384,
    ]);
  });

  it('says where a body was rejected unread', async () => {
    const client = await server.sandbox();
    const answered = await client.post('/v1/pets', 'name=Rex', { 'Content-Type': 'text/plain' });
    const { status, request } = (await client.get(`/_sandbox/requests/${answered.requestId}`)).json;
    expect([status, request]).toEqual([
      415,
      { contentType: 'text/plain', bytes: 8, headers: expect.any(Object), body: null, truncated: false, unread: true },
    ]);
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
  it.skipIf(areTwo)(
    'hold all request logs together to their room: the biggest lose their oldest, a small one nothing',
    async () => {
      const room = 4 * 2 ** 20;
      const own = await startTestServer({ memory: { ...planForProcess(2 ** 20), requestLogs: room } });
      const [small, ...big] = await Promise.all(Array.from({ length: 3 }, () => own.sandbox({ fixture: 'empty' })));
      for (let i = 0; i < 5; i++) await (small as Client).get('/v1/pets');
      const body = JSON.stringify({ name: 'x'.repeat(20_000), categoryId: 1 });
      for (let i = 0; i < 6; i++) {
        await Promise.all(Array.from({ length: 20 }, (_, n) => big[n % 2]?.post('/v1/pets', body)));
        expect(own.requestLogs.bytes).toBeLessThanOrEqual(room);
      }
      expect(await requestLog(small as Client)).toMatchObject({ total: 5, dropped: 0 });
      for (const client of big) {
        const { total, dropped } = await requestLog(client);
        expect(total + dropped).toBe(60);
        expect(dropped).toBeGreaterThan(15);
        expect(total).toBeGreaterThan(20);
        await client.delete('/_sandbox/requests');
      }
      expect(own.requestLogs.bytes).toBeLessThan(room / 4);
    },
  );

  it.skipIf(areTwo)('count verdicts that are long', async () => {
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
    const client = await server.sandbox();
    await client.get('/v1/pets');
    await client.post('/_sandbox/reset');
    await client.post('/_sandbox/reset', { requestLog: false });
    expect((await requestLog(client)).total).toBe(1);
    const other = await server.sandbox();
    await other.get('/v1/pets');
    expect((await client.post('/_sandbox/reset', { requestLog: true })).status).toBe(200);
    expect([(await requestLog(client)).total, (await requestLog(other)).total]).toEqual([0, 1]);
    expect((await client.post('/_sandbox/reset', { requestLog: 'yes' })).status).toBe(400);
  });

  it('forgets all that was answered before it, and nothing that comes after, among many at once', async () => {
    const client = await server.sandbox();
    const before = await Promise.all(Array.from({ length: 40 }, () => client.get('/v1/pets/1')));
    await client.delete('/_sandbox/requests');
    const after = await Promise.all(Array.from({ length: 40 }, () => client.get('/v1/pets/2')));
    const { requests } = await requestLog(client);
    const kept = requests.map(({ id }: { id: string }) => id);
    expect(kept.sort()).toEqual(after.map(({ requestId }) => requestId).sort());
    expect(kept).not.toContain(before[0]?.requestId);
  });
});
