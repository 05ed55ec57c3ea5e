import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { planForProcess } from '../../../src/base/memory.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { Client, Reply } from '../../support/client.ts';
import { heldClock } from '../../support/held-clock.ts';
import { startTestServer } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';
import { dial, postOf } from '../../support/wire.ts';

const real = heldClock(Date.UTC(2026, 2, 2, 9, 30));

const ADMIN = 'admin-token-of-this-test';
const server = await startTestServer({ clock: real, settings: { adminToken: ADMIN } });

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
    const rule = { pointer: '#/components/schemas/NewPet/required', rule: 'required' };
    expect(rest).toMatchObject({
      ...{ operation: 'createPet', method: 'POST', target: '/v1/pets', status: 400, petName: 'Biscuit', changes: null },
      ...{ kind: 'validated', run: 'client, run 1', injectedFault: null, disconnectedAt: null, delayMs: 0 },
      violations: [{ side: 'request', location: 'body/categoryId', message: 'is required (an integer)', ...rule }],
      warnings: [
        { location: 'body/catgoryId', rule: 'unknown-field', message: expect.stringContaining('categoryId?') },
      ],
      remarks: [{ kind: 'bad', text: 'categoryId is required (an integer); sent catgoryId?' }],
    });
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

  it('says what was not validated, and why', async () => {
    const client = await server.sandbox();
    const outcomeOf = async (reply: Reply) => (await logged(client, reply)).outcome[0].text;
    expect(await outcomeOf(await client.get('/v1/nothing'))).toMatch(/^No such operation/);
    const head = await client.send({ method: 'HEAD', path: '/v1/pets' });
    expect((await logged(client, head)).response).toMatchObject({
      contentType: 'application/json',
      bytes: 0,
      body: '',
    });
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
  // The request log of a sandbox takes memory in each server that was asked for it.
  it('hold all request logs together to their room: the biggest lose their oldest, a small one nothing', async () => {
    const room = 4 * 2 ** 20;
    const own = await startTestServer({ memory: { ...planForProcess(), requestLogs: room } });
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
});

describe('a clear', () => {
  it('forgets all that was answered before it, and nothing that comes after, among many at once', async () => {
    const client = await server.sandbox();
    await client.getMany(40, () => '/v1/pets/1');
    await client.delete('/_sandbox/requests');
    const after = await client.getMany(40, () => '/v1/pets/2');
    const kept = (await requestLog(client)).requests.map(({ id }: { id: string }) => id);
    expect(kept.sort()).toEqual(after.map(({ requestId }) => requestId).sort());
  });
});

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

it('shows the headers of a closed list, with the shape of the credential only, and those that the sandbox set', async () => {
  const client = await server.sandbox();
  const kept = {
    Accept: 'application/json',
    Prefer: 'wait=10',
    'Idempotency-Key': 'order-7',
    Traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    'Sandbox-Fault': 'delay=1',
  };
  const secrets = { Cookie: 'session=topsecret', 'X-Api-Key': 'another-secret' };
  const reply = await client.post('/v1/pets', NEW_PET, { ...kept, ...secrets, 'user-agent': 'x'.repeat(5_000) });
  const { request, response } = await lastOf(client);
  const type = { 'Content-Type': 'application/json' };
  const length = { 'Content-Length': String(NEW_PET.length) };
  const own = { Authorization: 'Bearer …', 'User-Agent': `${'x'.repeat(200)}…` };
  expect(request.headers).toEqual({ ...kept, ...type, ...length, ...own });
  expect(response.headers).toMatchObject({
    ...type,
    'Content-Length': String(reply.text.length),
    'Sandbox-Request-Id': reply.requestId,
    'Access-Control-Allow-Origin': '*',
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

it('has a client that leaves during a delay: after the operation the pet is there, before it nothing was changed', async () => {
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

/** The ids of so many requests, the newest first. */
const sent = async (client: Client, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 1; n <= count; n += 1) ids.unshift((await client.get(`/v1/pets?limit=${n}`)).requestId);
  return ids;
};
const idsIn = async (client: Client, query: string): Promise<string[]> =>
  (await client.get(`/_sandbox/requests?${query}`)).json.requests.map(({ id }: { id: string }) => id);

it('is read page by page with the last id, while newer requests arrive', async () => {
  const client = await server.sandbox();
  const ids = await sent(client, 7);
  const read = await idsIn(client, 'limit=3');
  await client.get('/v1/pets/1');
  for (let page = read; page.length === 3; read.push(...page))
    page = await idsIn(client, `limit=3&before=${read.at(-1)}`);
  expect(read).toEqual(ids);
  const rest = (await client.get(`/_sandbox/requests?limit=3&before=${ids[2]}`)).json;
  expect(rest).toMatchObject({ total: 4, dropped: 0 });
});

it('joins `before` with `since`, and has nothing before a request that it dropped', async () => {
  const client = await server.sandbox();
  const [newest, second, third, oldest] = await sent(client, 4);
  expect(await idsIn(client, `since=${oldest}&before=${newest}`)).toEqual([second, third]);
  expect(await idsIn(client, `since=${newest}&before=${oldest}`)).toEqual([]);
  await client.delete('/_sandbox/requests');
  await client.get('/v1/pets');
  const none = (await client.get(`/_sandbox/requests?before=${second}`)).json;
  expect(none).toEqual({ requests: [], total: 0, dropped: 0 });
});

it('finds a text in targets and bodies, in any case, as the request log shows them', async () => {
  const client = await server.sandbox();
  const { requestId: created } = await client.post('/v1/pets', { name: 'Ärger', categoryId: 9_007_199 });
  const { requestId: listed } = await client.get('/v1/pets?limit=100');
  const { requestId: told } = await client.post('/v1/pets', { name: ADMIN, categoryId: 1 });
  const long = (await client.post('/v1/pets', { name: `${'x'.repeat(20_000)}the-end`, categoryId: 1 })).requestId;
  for (const [text, ...found] of [
    ['%C3%A4RGER', listed, created],
    ['9007199&operation=createPet', created],
    ['LIMIT%3D100', listed],
    ['xxxx', long],
    // Nothing is found that is not shown, not even its beginning.
    ['the-end'],
    [ADMIN],
    ['admin-token'],
    ['%5Bkey%5D', told],
  ])
    expect([text, ...(await idsIn(client, `contains=${text}`))]).toEqual([text, ...found]);
});
