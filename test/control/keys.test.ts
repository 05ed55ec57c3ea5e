/** Keys over HTTP: issue, share, list, revoke; what is kept of them, and who may. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { filesBelow } from '../store/support.ts';
import type { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const AT = Date.UTC(2026, 2, 2, 9, 30);
const FIXED = 'a-fixed-key-0123456789';
const ADMIN = 'the-admin-token-0123456789';
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

let now = AT;
let server: TestServer;
beforeAll(async () => {
  server = await start({ keys: [FIXED] });
});
beforeEach(() => {
  now = AT;
});

const start = (settings = {}): Promise<TestServer> =>
  startTestServer({ settings: { adminToken: ADMIN, ...settings }, clock: { now: () => now } });

/** A client of the key that a 201 shows. */
const holder = (server: TestServer, { key }: { key: string }): Client => server.client(key);

describe('POST /_sandbox/keys', () => {
  // credential-optional: a disagreement of service and validator would fail this test.
  it.each(['Bearer', 'Basic cGV0czpzdG9yZQ==', 'Bearer two words', ''])(
    'counts a credential of another form for none, and so does the verdict: %j',
    async (Authorization) => {
      expect((await server.client().post('/_sandbox/keys', {}, { Authorization })).status).toBe(201);
    },
  );

  it('makes a sandbox and shows its key this once', async () => {
    const reply = await server.client().post('/_sandbox/keys', { label: 'mine', fixture: 'empty', ttlSeconds: 60 });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      id: expect.stringMatching(/^key_[A-Za-z0-9]{16}$/),
      key: expect.stringMatching(/^petsbx_[A-Za-z0-9]{33}$/),
      handle: expect.stringMatching(/^petsbh_[A-Za-z0-9]{33}$/),
      sandbox: expect.stringMatching(/^sbx_[A-Za-z0-9]{16}$/),
      label: 'mine',
      fixture: 'empty',
      createdAt: '2026-03-02T09:30:00.000Z',
      expiresAt: '2026-03-02T09:31:00.000Z',
      baseUrl: expect.toBeOneOf(server.urls.map((url) => `${url}/v1`)),
    });
    const client = holder(server, reply.json);
    expect((await client.get('/v1/pets')).text).toBe('[]');
    const { key, handle: _, ...listed } = reply.json;
    expect((await client.get('/_sandbox/keys')).json).toEqual({ keys: [{ ...listed, current: true }] });
    expect(key).toBe(client.key);
  });

  it.each([
    [{ ttlSeconds: 0 }, 400, /body\/ttlSeconds: must be an integer from 1 to 31536000; got 0/],
    ['{"ttlSeconds":9007199254740993}', 400, /got 9007199254740993$/],
    ['{"ttlSeconds":1e400}', 400, /got 1e400$/],
    [{ label: 'a\u0007b' }, 400, /body\/label/],
    [{ fixture: 'A b' }, 400, /^body\/fixture: must be a string like [^;]+; got "A b"$/],
    [{ fixture: 'spring' }, 404, /no fixture named spring; GET \/_sandbox\/fixtures/],
    [[], 400, /object/],
    ['{"label":"a","label":"b"}', 400, /given twice/],
    ['{', 400, /JSON/],
    [{ ttlSeconds: 0, label: 7 }, 400, /ttlSeconds.*label|label.*ttlSeconds/],
  ])('rejects %j', async (body, status, message) => {
    const { size } = server.sandboxes;
    const reply = await server.client().post('/_sandbox/keys', body);
    expect([reply.status, reply.json.message]).toEqual([status, expect.stringMatching(message)]);
    expect(server.sandboxes.size).toBe(size);
  });

  describe('with other settings', () => {
    let strict: TestServer;
    beforeAll(async () => {
      strict = await start({ fixture: 'boundary', keyTtlSeconds: 7, maxBody: 100, maxSandboxes: 2 });
    });

    it.each([
      [{ 'Content-Type': 'text/plain' }, '{}', 415],
      [{}, '{}', 415],
      [{ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, '{}', 415],
      [{ 'Content-Type': 'application/json' }, JSON.stringify({ label: 'x'.repeat(100) }), 413],
    ])('takes JSON only, as it is, and not too much of it: %j', async (headers, body, status) => {
      const reply = await strict.client().send({ method: 'POST', path: '/_sandbox/keys', headers, body });
      expect(reply.status).toBe(status);
    });

    it('needs no body, and says 409 limit_reached when the server holds as many sandboxes as it may', async () => {
      const bodies = [undefined, {}, undefined, {}, undefined];
      const asked = await Promise.all(bodies.map((body) => strict.client().post('/_sandbox/keys', body)));
      expect(asked.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
      for (const { json } of asked)
        expect(json).toMatchObject(
          json.key === undefined
            ? { code: 'limit_reached' }
            : { fixture: 'boundary', label: null, expiresAt: '2026-03-02T09:30:07.000Z' },
        );
    });
  });
});

describe('a shared key', () => {
  it('opens the same sandbox, and expires no later than the first', async () => {
    const first = await server.sandbox({ ttlSeconds: 60 });
    await first.post('/v1/pets', { name: 'Ada', categoryId: 1 });
    const reply = await first.post('/_sandbox/keys', { shared: true, label: 'second', ttlSeconds: 3600 });
    expect(reply.json).toMatchObject({ label: 'second', expiresAt: '2026-03-02T09:31:00.000Z' });
    const second = holder(server, reply.json);
    expect((await second.get('/v1/pets')).json).toHaveLength(13);
    const currentFor = async (client: Client): Promise<unknown[]> =>
      (await client.get('/_sandbox/keys')).json.keys.map((key: { current: boolean }) => key.current);
    expect([await currentFor(first), await currentFor(second)]).toEqual([
      [true, false],
      [false, true],
    ]);
    now += 60_000;
    expect([(await first.get('/v1/pets')).status, (await second.get('/v1/pets')).status]).toEqual([401, 401]);
  });

  it('needs a key, or the admin naming the sandbox', async () => {
    const first = await server.sandbox();
    const { id } = (await first.get('/_sandbox')).json;
    for (const client of [server.client(), server.client('petsbx_wrong')]) {
      const reply = await client.post('/_sandbox/keys', { shared: true });
      expect([reply.status, reply.json.code]).toEqual([401, 'unauthorized']);
    }
    const admin = server.client(ADMIN);
    expect((await admin.post('/_sandbox/keys', { shared: true })).status).toBe(400);
    const reply = await admin.post(`/_sandbox/keys?sandbox=${id}`, { shared: true });
    expect([reply.status, reply.json.sandbox]).toEqual([201, id]);
    expect((await first.post(`/_sandbox/keys?sandbox=${id}`, { shared: true })).status).toBe(403);
  });

  it('is rejected as the hundred-and-first', async () => {
    const first = await server.sandbox();
    const asked = await Promise.all(Array.from({ length: 101 }, () => first.post('/_sandbox/keys', { shared: true })));
    expect(asked.filter(({ status }) => status === 201)).toHaveLength(99);
    expect(asked.find(({ status }) => status === 409)?.json).toMatchObject({ code: 'limit_reached' });
    expect((await first.get('/_sandbox/keys')).json.keys).toHaveLength(100);
  });
});

describe('the end of a key', () => {
  it('comes at its time to the millisecond, in both surfaces', async () => {
    const client = await server.sandbox({ ttlSeconds: 60 });
    now = AT + 59_999;
    expect([(await client.get('/v1/pets')).status, (await client.get('/_sandbox')).status]).toEqual([200, 200]);
    now = AT + 60_000;
    for (const path of ['/v1/pets', '/_sandbox']) {
      const reply = await client.get(path);
      expect([reply.status, reply.json.message]).toEqual([401, expect.stringContaining('expired')]);
      expect(reply.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    }
  });

  it('comes when it is revoked, at once; its sandbox lives on with another', async () => {
    const first = await server.sandbox();
    const second = holder(server, (await first.post('/_sandbox/keys', { shared: true })).json);
    const [{ id }] = (await first.get('/_sandbox/keys')).json.keys;
    const revoked = await second.delete(`/_sandbox/keys/${id}`);
    expect([revoked.status, revoked.text]).toEqual([204, '']);
    const reply = await first.get('/v1/pets');
    expect([reply.status, reply.json.message]).toEqual([401, expect.stringContaining('revoked')]);
    expect((await second.get('/v1/pets')).status).toBe(200);
    expect((await second.get('/_sandbox/keys')).json.keys).toHaveLength(1);
    expect((await second.delete(`/_sandbox/keys/${id}`)).status).toBe(404);
    expect((await second.delete('/_sandbox/keys/nonsense')).status).toBe(400);
  });

  it('does not come from another sandbox', async () => {
    const [mine, other] = [await server.sandbox(), await server.sandbox()];
    const [{ id }] = (await mine.get('/_sandbox/keys')).json.keys;
    expect((await other.delete(`/_sandbox/keys/${id}`)).status).toBe(404);
    expect((await mine.get('/v1/pets')).status).toBe(200);
  });

  it('cannot be had for a preconfigured key, nor for its sandbox', async () => {
    const client = server.client(FIXED);
    const { preconfigured, expiresAt } = (await client.get('/_sandbox')).json;
    expect([preconfigured, expiresAt]).toEqual([true, null]);
    const [{ id }] = (await client.get('/_sandbox/keys')).json.keys;
    for (const path of [`/_sandbox/keys/${id}`, '/_sandbox']) {
      const reply = await client.delete(path);
      expect([reply.status, reply.json.code]).toEqual([409, 'conflict']);
    }
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
  ] as const) {
    const reply = await who.post(`/_sandbox/${path}`, body);
    expect([path, reply.status, reply.json.code]).toEqual([path, 403, 'forbidden']);
  }
  const admin = server.client(ADMIN);
  expect((await admin.post('/_sandbox/keys')).status).toBe(201);
  const { id } = (await client.get('/_sandbox')).json;
  const forked = await admin.post(`/_sandbox/fork?sandbox=${id}`);
  expect((await holder(server, forked.json).get('/v1/pets')).text).toBe('[]');
});

it('keeps only hashes: no key is in any file or log line, but the ready one in its own', async () => {
  const directory = await newFolder();
  const server = await startTestServer({
    settings: { data: directory, keys: [FIXED], adminToken: ADMIN },
    readyKey: true,
  });
  const issued: string[] = [];
  for (let i = 0; i < 5; i++) issued.push((await server.client().post('/_sandbox/keys')).json.key);
  const first = server.client(issued[0]);
  issued.push((await first.post('/_sandbox/keys', { shared: true })).json.key);
  issued.push((await first.post('/_sandbox/fork', {})).json.key);
  for (const key of [...issued, FIXED, server.readyKey as string]) {
    await server.client(key).post('/v1/pets', { name: 'Ada', categoryId: 1 });
    await server.client().get('/v1/pets', bearer(`${key}x`));
  }
  await first.post('/v1/pets', '{');
  const files = (await filesBelow(directory)).filter((file) => !file.endsWith('.sock'));
  await server.end();
  expect(files.length).toBeGreaterThan(8);
  const secrets = [...issued, FIXED, ADMIN];
  for (const file of files) {
    const text = await readFile(join(directory, file), 'utf8');
    for (const secret of secrets) expect(text.includes(secret), `${secret} in ${file}`).toBe(false);
    expect(text.includes(server.readyKey as string), file).toBe(file === 'ready-key.json');
  }
  const log = JSON.stringify(server.lines);
  for (const secret of [...secrets, server.readyKey as string]) expect(log).not.toContain(secret);
});
