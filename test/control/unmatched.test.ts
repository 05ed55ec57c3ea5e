/** What belongs to no sandbox: kept in a list of its own, with what was wrong, for those who may see it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type Client, send, type TestRequest } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { heldClock } from '../support/held-clock.ts';
import { startTestServer } from '../support/server.ts';
import { exchangeBytes } from '../support/wire.ts';

const ADMIN = 'admin-token-of-this-test';

let client: Client;
const server = await startTestServer({ settings: { adminToken: ADMIN } });
beforeEach(async () => {
  client = await server.sandbox();
  expect((await client.delete('/_sandbox/requests/unmatched')).status).toBe(204);
});

const listed = async () => (await client.get('/_sandbox/requests/unmatched')).json;

/** Sends a request without the key of the sandbox; returns what the list then holds. */
async function trace(ask: TestRequest) {
  const reply = await send(server.url, ask);
  const { requests, dropped } = await listed();
  expect([requests.length, dropped]).toEqual([1, 0]);
  expect(requests[0].id).toBe(reply.requestId);
  return { reply, request: requests[0] };
}

const pets = (headers: Record<string, string> | readonly string[], query = ''): TestRequest => ({
  path: `/v1/pets${query}`,
  headers,
});
const TWICE = ['Authorization', 'Bearer topsecret', 'Authorization', 'Bearer topsecret'];

describe('an unmatched request', () => {
  it.each<[reason: string, ask: TestRequest, message: RegExp]>([
    ['no-credential', pets({}), /^no API key was sent$/],
    ['key-in-header', pets({ 'X-Api-Key': 'topsecret' }), /X-Api-Key/],
    ['key-in-query', pets({}, '?limit=1&api_key=topsecret'), /query/],
    ['not-bearer', pets({ Authorization: 'topsecret' }), /Bearer <API_KEY>/],
    ['not-bearer', pets({ Authorization: 'Basic dG9wc2VjcmV0' }), /Bearer <API_KEY>/],
    ['unknown-key', pets({ Authorization: 'Bearer topsecret' }), /unknown/],
    ['damaged-key', pets({ Authorization: 'Bearer petsbx_topsecret' }), /mistyped or cut off/],
    ['damaged-key', pets({ Authorization: 'Bearer "topsecret"' }), /mistyped or cut off/],
    ['authorization-twice', pets(['Host', 'localhost', ...TWICE]), /more than once/],
  ])('says %s where that is so, and what to send instead, without the credential', async (reason, ask, message) => {
    const { reply, request } = await trace(ask);
    const { id, at, ...rest } = request;
    expect([id, typeof at]).toEqual([reply.requestId, 'string']);
    const sent = { method: 'GET', path: '/v1/pets', status: 401, userAgent: null, expectedInvalid: false };
    const instead = 'Authorization: Bearer <API_KEY>';
    expect(rest).toEqual({ ...sent, reason, message: expect.stringMatching(message), instead });
    expect(reply.status).toBe(401);
    expect(JSON.stringify(await listed())).not.toMatch(/topsecret|dG9wc2VjcmV0/);
  });

  it('tells in the response, too, where the key came instead', async () => {
    const { json } = await send(server.url, pets({ 'X-Api-Key': 'topsecret' }));
    expect(json.message).toContain('no API key was sent in `Authorization`; `X-Api-Key` is not read; send');
    const other = await send(server.url, pets({}, '?api_key=topsecret'));
    expect(other.json.message).toContain('`api_key` in the query is not read');
    // Only the first question mark begins a query.
    const later = await server.client().get('/v1/pets?a=1?b&api_key=x');
    expect(later.json.message).toContain('`api_key` in the query is not read');
  });

  it.each([
    ['GET', '/pets', 'GET /v1/pets'],
    ['POST', '/pets', 'POST /v1/pets'],
    ['GET', '/api/v1/pets/12?x=1', 'GET /v1/pets'],
    ['GET', '/v2/pet', 'GET /v1/pets'],
    ['GET', '/V1/pets', 'GET /v1/pets'],
  ])('is one to a path that is not under /v1: %s %s', async (method, path, instead) => {
    const headers = { Authorization: 'Bearer petsbx_nobody', 'User-Agent': 'x/1' };
    const { request } = await trace({ method, path, headers });
    const found = { reason: 'outside-base-path', path: path.split('?')[0], userAgent: 'x/1' };
    expect(request).toMatchObject({ ...found, method, instead });
  });

  it('is one that is malformed, and has no key', async () => {
    const [reply] = await exchangeBytes(server.url, 'GET /v1/pets HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(reply?.status).toBe(400);
    expect((await listed()).requests).toMatchObject([{ reason: 'malformed', status: 400 }]);
  });

  it('is none that belongs to a sandbox, to the control API or to the dashboard', async () => {
    const { key, id } = (await client.post('/_sandbox/keys', { shared: true })).json;
    await client.delete(`/_sandbox/keys/${id}`);
    expect((await server.client(key).get('/v1/pets')).status).toBe(401);
    await client.get('/v1/nothing');
    for (const path of ['/_sandbox/requests', '/_sandbox/nothing', '/', '/favicon.ico'])
      await send(server.url, { path });
    expect((await listed()).requests).toEqual([]);
  });

  it('counts for no sandbox that began after it, even in the same millisecond', async () => {
    const seen = [];
    for (let n = 0; n < 30; n++) {
      await send(server.url, { path: '/v1/pets' });
      const { counts, account } = (await (await server.sandbox()).get('/_sandbox/report?unmatched=true')).json;
      seen.push([counts.unmatched, account.total]);
    }
    expect(new Set(seen.map(String))).toEqual(new Set(['0,0']));
  });

  it('is of no sandbox while another one is in use, even in the same millisecond', async () => {
    const own = await startTestServer({ clock: heldClock(Date.UTC(2026, 2, 2, 9, 30)) });
    const [one, other] = [await own.sandbox(), await own.sandbox()];
    const count = async () => (await one.get('/_sandbox/report?unmatched=true')).json.counts.unmatched;
    await one.delete('/_sandbox/requests');
    await send(own.url, { path: '/v1/pets' });
    expect(await count()).toBe(1);
    await other.get('/v1/pets');
    expect(await count()).toBe(0);
  });

  it('is a preflight, with which nothing is wrong', async () => {
    await send(server.url, { method: 'OPTIONS', path: '/v1/pets' });
    await expect
      .poll(async () => (await listed()).requests)
      .toMatchObject([{ reason: 'preflight', method: 'OPTIONS', status: 204 }]);
    const { account, counts } = (await client.get('/_sandbox/report?unmatched=true')).json;
    expect([account.total, account.skipped, counts.unmatched]).toEqual([1, 1, 0]);
  });
});

describe('the list', () => {
  it('has the newest first, is bounded, and is cleared', async () => {
    const ask = async (count: number, name: string): Promise<void> => {
      for (let n = 0; n < count; n++) await send(server.url, { path: `/v1/pets/${name}-${n}` });
    };
    // Servers that share a list add to it after their responses, so that it is complete a moment later.
    const counted = async () => {
      const { requests, dropped } = await listed();
      return [requests.length, dropped];
    };
    await ask(10, 'evicted');
    await expect.poll(counted).toEqual([10, 0]);
    await ask(499, 'kept');
    await expect.poll(counted).toEqual([500, 9]);
    await ask(1, 'newest');
    await expect.poll(counted).toEqual([500, 10]);
    const paths: string[] = (await listed()).requests.map(({ path }: { path: string }) => path);
    expect(paths[0]).toBe('/v1/pets/newest-0');
    expect(paths.filter((path) => path.includes('evicted'))).toEqual([]);
    await client.delete('/_sandbox/requests/unmatched');
    expect(await listed()).toEqual({ requests: [], dropped: 0 });
  });

  it('has long texts in part', async () => {
    const headers = { 'User-Agent': 'u'.repeat(5_000) };
    const { request } = await trace({ path: `/v1/pets/${'9'.repeat(5_000)}`, headers });
    expect([request.path.length, request.userAgent.length]).toEqual([201, 201]);
  });

  const listen = ({ url, key }: Client, query = '') =>
    EventStream.open(url, { path: `/_sandbox/events${query}`, headers: { Authorization: `Bearer ${key}` } });

  it.each([{ host: '0.0.0.0' }, { publicUrl: 'https://petstore.example' }])(
    'is for the admin alone where other machines reach the server: %j',
    async (settings) => {
      const open = await startTestServer({ settings: { adminToken: ADMIN, ...settings } });
      const [tenant, admin] = [await open.sandbox(), open.client(ADMIN)];
      await send(open.url, pets({}));
      for (const method of ['GET', 'DELETE']) {
        const { json } = await tenant.send({ method, path: '/_sandbox/requests/unmatched' });
        expect(json).toMatchObject({ status: 403, code: 'forbidden' });
      }
      const { requests } = (await admin.get('/_sandbox/requests/unmatched')).json;
      expect(requests).toMatchObject([{ reason: 'no-credential' }]);
      expect((await open.client().get('/_sandbox/requests/unmatched')).status).toBe(401);
      // Nor do its events show any.
      const { id } = (await tenant.get('/_sandbox')).json;
      const [ofTenant, ofAdmin] = [await listen(tenant), await listen(admin, `?sandbox=${id}`)];
      await send(open.url, pets({}));
      expect(await ofAdmin.next()).toMatchObject({ event: 'unmatched', data: { reason: 'no-credential' } });
      await tenant.get('/v1/pets');
      expect((await ofTenant.next()).event).toBe('exchange');
      for (const stream of [ofTenant, ofAdmin]) stream.close();
    },
  );

  it('comes as events, too', async () => {
    const stream = await listen(client);
    await send(server.url, pets({ 'X-Api-Key': 'topsecret' }));
    const { event, id, data } = await stream.next();
    expect([event, id]).toEqual(['unmatched', undefined]);
    expect(data).toEqual((await listed()).requests[0]);
    stream.close();
  });
});
