import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { startTestServer } from '../../support/server.ts';

const AT = Date.UTC(2026, 2, 2, 9, 30);
const FIXED = 'a-fixed-key-0123456789';
const ADMIN = 'the-admin-token-0123456789';

let now = AT;
beforeEach(() => {
  now = AT;
});

const start = (settings = {}) =>
  startTestServer({ settings: { adminToken: ADMIN, ...settings }, clock: { now: () => now } });
const server = await start({ keys: [FIXED] });

describe('POST /_sandbox/keys', () => {
  // credential-optional: a disagreement of service and validator would fail this test.
  it.each(['Bearer', 'Basic cGV0czpzdG9yZQ==', 'Bearer two words', ''])(
    'counts a credential of another form for none, and so does the verdict: %j',
    async (Authorization) => {
      expect((await server.client().post('/_sandbox/keys', {}, { Authorization })).status).toBe(201);
    },
  );

  it('makes a sandbox and shows its key this once', async () => {
    const settings = { label: 'mine', fixture: 'empty' };
    const { status, json } = await server.client().post('/_sandbox/keys', { ...settings, ttlSeconds: 60 });
    expect(status).toBe(201);
    expect(json).toEqual({
      ...settings,
      id: expect.stringMatching(/^key_[A-Za-z0-9]{16}$/),
      key: expect.stringMatching(/^petsbx_[A-Za-z0-9]{33}$/),
      handle: expect.stringMatching(/^petsbh_[A-Za-z0-9]{33}$/),
      sandbox: expect.stringMatching(/^sbx_[A-Za-z0-9]{16}$/),
      createdAt: '2026-03-02T09:30:00.000Z',
      expiresAt: '2026-03-02T09:31:00.000Z',
      baseUrl: `${server.url}/${json.sandbox}/v1`,
      sharedBaseUrl: `${server.url}/v1`,
    });
    const client = server.client(json.key);
    expect((await client.get('/v1/pets')).text).toBe('[]');
    const { key: _, handle: __, ...listed } = json;
    expect((await client.get('/_sandbox/keys')).json).toEqual({ keys: [{ ...listed, current: true }] });
  });

  it('takes fixture and lifetime from the settings where the request names none', async () => {
    const { json } = await (await start({ fixture: 'boundary', keyTtlSeconds: 7 })).client().post('/_sandbox/keys');
    expect(json).toMatchObject({ fixture: 'boundary', label: null, expiresAt: '2026-03-02T09:30:07.000Z' });
  });
});

describe('a shared key', () => {
  it('opens the same sandbox, and expires no later than the first', async () => {
    const first = await server.sandbox({ ttlSeconds: 60 });
    await first.post('/v1/pets', { name: 'Ada', categoryId: 1 });
    const { json } = await first.post('/_sandbox/keys', { shared: true, label: 'second', ttlSeconds: 3600 });
    expect(json).toMatchObject({ label: 'second', expiresAt: '2026-03-02T09:31:00.000Z' });
    const second = server.client(json.key);
    expect((await second.get('/v1/pets')).json).toHaveLength(13);
    for (const [client, current] of [
      [first, [true, false]],
      [second, [false, true]],
    ] as const)
      expect((await client.get('/_sandbox/keys')).json.keys).toMatchObject(current.map((is) => ({ current: is })));
    now += 60_000;
    expect([(await first.get('/v1/pets')).status, (await second.get('/v1/pets')).status]).toEqual([401, 401]);
  });

  it('needs a key, or the admin naming the sandbox', async () => {
    const first = await server.sandbox();
    const { id } = (await first.get('/_sandbox')).json;
    const share = async (client: Client, query = '') => {
      const { status, json } = await client.post(`/_sandbox/keys${query}`, { shared: true });
      return [status, json.code ?? json.sandbox];
    };
    expect(await share(server.client())).toEqual([401, 'unauthorized']);
    expect(await share(server.client('petsbx_wrong'))).toEqual([401, 'unauthorized']);
    expect(await share(server.client(ADMIN))).toEqual([400, 'invalid_request']);
    expect(await share(server.client(ADMIN), `?sandbox=${id}`)).toEqual([201, id]);
    expect(await share(first, `?sandbox=${id}`)).toEqual([403, 'forbidden']);
  });
});

describe('the end of a key', () => {
  it('comes at its time to the millisecond, in both surfaces', async () => {
    const client = await server.sandbox({ ttlSeconds: 60 });
    now = AT + 59_999;
    expect([(await client.get('/v1/pets')).status, (await client.get('/_sandbox')).status]).toEqual([200, 200]);
    now = AT + 60_000;
    for (const path of ['/v1/pets', '/_sandbox']) {
      const { json, headers } = await client.get(path);
      expect(json).toMatchObject({ status: 401, message: expect.stringContaining('expired') });
      expect(headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    }
  });

  it('comes when it is revoked, at once, and not from another sandbox; its sandbox lives on with another', async () => {
    const [first, other] = [await server.sandbox(), await server.sandbox()];
    const second = server.client((await first.post('/_sandbox/keys', { shared: true })).json.key);
    const [{ id }] = (await first.get('/_sandbox/keys')).json.keys;
    expect((await other.delete(`/_sandbox/keys/${id}`)).status).toBe(404);
    expect((await first.get('/v1/pets')).status).toBe(200);
    const revoked = await second.delete(`/_sandbox/keys/${id}`);
    expect([revoked.status, revoked.text]).toEqual([204, '']);
    const revocation = { status: 401, message: expect.stringContaining('revoked') };
    expect((await first.get('/v1/pets')).json).toMatchObject(revocation);
    expect((await second.get('/v1/pets')).status).toBe(200);
    expect((await second.get('/_sandbox/keys')).json.keys).toHaveLength(1);
    expect((await second.delete(`/_sandbox/keys/${id}`)).status).toBe(404);
    expect((await second.delete('/_sandbox/keys/nonsense')).status).toBe(400);
  });

  it('cannot be had for a preconfigured key, nor for its sandbox', async () => {
    const client = server.client(FIXED);
    expect((await client.get('/_sandbox')).json).toMatchObject({ preconfigured: true, expiresAt: null });
    const [{ id }] = (await client.get('/_sandbox/keys')).json.keys;
    for (const path of [`/_sandbox/keys/${id}`, '/_sandbox'])
      expect((await client.delete(path)).json).toMatchObject({ status: 409, code: 'conflict' });
    now += 400 * 86_400_000;
    await server.sandboxes.sweep();
    expect((await client.get('/v1/pets')).status).toBe(200);
  });
});

it('with --key-issuing admin, new and shared keys and forks need the admin token', async () => {
  const server = await start({ keyIssuing: 'admin' });
  const client = await server.sandbox({ fixture: 'empty' });
  for (const [who, path, body] of [
    [server.client(), 'keys', {}],
    [client, 'keys', {}],
    [client, 'keys', { shared: true }],
    [client, 'fork', {}],
  ] as const)
    expect((await who.post(`/_sandbox/${path}`, body)).json, path).toMatchObject({ status: 403, code: 'forbidden' });
  const admin = server.client(ADMIN);
  expect((await admin.post('/_sandbox/keys')).status).toBe(201);
  const { id } = (await client.get('/_sandbox')).json;
  const { key } = (await admin.post(`/_sandbox/fork?sandbox=${id}`)).json;
  expect((await server.client(key).get('/v1/pets')).text).toBe('[]');
});

const codeOf = async (client: Client): Promise<string> => (await client.post('/_sandbox/sign-in-codes')).json.code;
const redeem = async (code: unknown) => {
  const { status, json } = await server.client().post('/_sandbox/sign-in', { code });
  return status === 200 ? json.key : status;
};

// Links that sign in to the dashboard: a code works once, within an hour, and opens the sandbox of its key alone.
describe('a sign-in code', () => {
  it('is in a link without the key, and gives the key once', async () => {
    const client = await server.sandbox();
    const { status, json, text } = await client.post('/_sandbox/sign-in-codes');
    const { id } = (await client.get('/_sandbox')).json;
    const link = { url: `${server.url}/${id}/#/sign-in/${json.code}`, expiresAt: '2026-03-02T10:30:00.000Z' };
    expect([status, json]).toMatchObject([201, link]);
    expect(text).not.toContain(client.key);
    expect(await redeem(json.code)).toBe(client.key);
    expect(await redeem(json.code)).toBe(404);
  });

  it('expires by the clock', async () => {
    const client = await server.sandbox({ ttlSeconds: 7200 });
    const [early, late] = [await codeOf(client), await codeOf(client)];
    now += 3_600_000 - 1;
    expect(await redeem(early)).toBe(client.key);
    now += 1;
    expect(await redeem(late)).toBe(404);
  });

  it('is one of eight that its sandbox keeps, and those of others are not touched', async () => {
    const [one, other] = [await server.sandbox(), await server.sandbox()];
    const kept = await codeOf(other);
    const codes: string[] = [];
    for (let n = 0; n < 9; n += 1) codes.push(await codeOf(one));
    expect(await redeem(codes[0])).toBe(404);
    for (const code of codes.slice(1)) expect(await redeem(code)).toBe(one.key);
    expect(await redeem(kept)).toBe(other.key);
  });

  it('of a key that was revoked gives nothing, and one made by a handle gives the key', async () => {
    const issued = (await server.client().post('/_sandbox/keys', {})).json;
    const client = server.client(issued.key);
    const shared = (await client.post('/_sandbox/keys', { shared: true })).json;
    const code = await codeOf(server.client(shared.key));
    await client.delete(`/_sandbox/keys/${shared.id}`);
    expect(await redeem(code)).toBe(404);
    expect(await redeem(await codeOf(server.client(issued.handle)))).toBe(issued.key);
  });
});

it('the admin token, and what is no code, get nothing', async () => {
  expect((await server.client(ADMIN).post('/_sandbox/sign-in-codes')).status).toBe(403);
  expect([await redeem('x'.repeat(26)), await redeem('x')]).toEqual([404, 400]);
});
