/** What belongs to no sandbox: kept in a list of its own, with what was wrong, for those who may see it. */
import { once } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Client, send, type TestRequest } from '../../support/client.ts';
import { EventStream } from '../../support/event-stream.ts';
import { startTestServer } from '../../support/server.ts';
import { dial } from '../../support/wire.ts';

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
    ['unknown-key', pets({ Authorization: 'Bearer topsecret' }), /unknown/],
    ['damaged-key', pets({ Authorization: 'Bearer petsbx_topsecret' }), /mistyped or cut off/],
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

  it.each([
    ['POST', '/pets', 'POST /v1/pets'],
    ['GET', '/api/v1/pets/12?x=1', 'GET /v1/pets'],
    ['GET', '/V1/pets', 'GET /v1/pets'],
  ])('is one to a path that is not under /v1: %s %s', async (method, path, instead) => {
    const headers = { Authorization: 'Bearer petsbx_nobody', 'User-Agent': 'x/1' };
    const { request } = await trace({ method, path, headers });
    const found = { reason: 'outside-base-path', path: path.split('?')[0], userAgent: 'x/1' };
    expect(request).toMatchObject({ ...found, method, instead });
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
});

describe('the list', () => {
  it('has the newest first, is bounded, and is cleared', async () => {
    for (let n = 0; n < 510; n++) await send(server.url, { path: `/v1/pets/${n}` });
    const { requests, dropped } = await listed();
    expect([requests.length, dropped, requests[0].path, requests[499].path]).toEqual([
      ...[500, 10, '/v1/pets/509', '/v1/pets/10'],
    ]);
    await client.delete('/_sandbox/requests/unmatched');
    expect(await listed()).toEqual({ requests: [], dropped: 0 });
  });

  it('that broke off in its headers leaves the runs of the only client incomplete, though that has an address', async () => {
    const { id } = (await client.get('/_sandbox')).json;
    const verdicts = async () =>
      Promise.all(['', '?run=last'].map(async (part) => (await client.get(`/_sandbox/report${part}`)).json.verdict));
    await client.post('/_sandbox/runs', {});
    await client.get(`/${id}/v1/pets`);
    expect(await verdicts()).toEqual(['pass', 'pass']);
    const socket = await dial(server.url);
    socket.end(`GET /${id}/v1/pets HTTP/1.1\r\nHo`).resume();
    await once(socket, 'close');
    expect(await verdicts()).toEqual(['incomplete', 'incomplete']);
    // Another sandbox that is in use has a client, too.
    await server.sandbox().then((other) => other.get('/v1/pets'));
    expect(await verdicts()).toEqual(['pass', 'pass']);
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
});
