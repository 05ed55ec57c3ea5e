import { beforeAll, describe, expect, test } from 'vitest';
import { newKey } from '../../src/api/api-key.ts';
import { spoiltCredentials, wrongCredentials } from '../../src/conform/cases.ts';
import type { TestRequest } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const DAY = 86_400_000;

let server: TestServer;
let now = Date.parse('2027-03-01T12:00:00Z');
beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => now } });
});

/** Everything under `/v1`, most of it wrong in further ways: the key is asked for first. */
const targets: readonly TestRequest[] = [
  { path: '/v1/pets' },
  { path: '/v1/pets?limit=zzz' },
  { path: '/v1/pets/1' },
  { path: '/v1/pets/zzz' },
  { path: '/v1/pets/%zz' },
  { path: '/v1/pets?status=%zz' },
  { path: '/v1/store/orders' },
  { path: '/v1/toys' },
  { path: '/v1' },
  { path: '/v1/' },
  { path: '/v1/pets/' },
  {
    method: 'POST',
    path: '/v1/pets',
    body: '{"name":"Rex","categoryId":1}',
    headers: { 'Content-Type': 'application/json' },
  },
  { method: 'POST', path: '/v1/pets', body: '{', headers: { 'Content-Type': 'text/plain' } },
  { method: 'POST', path: '/v1/pets', body: ['{"a":', '1}'] },
  { method: 'POST', path: '/v1/pets' },
  { method: 'DELETE', path: '/v1/pets' },
  { method: 'PUT', path: '/v1/pets/1', body: 'x'.repeat(2 ** 21) },
  { method: 'HEAD', path: '/v1/pets' },
];
/** Where the message says more than the form that is wanted. */
const SAYS: Readonly<Record<string, string>> = {
  'an unknown token': 'unknown',
  'a key that was cut off': 'mistyped',
  'a key with one character more': 'mistyped',
};

const inWords = ({ method = 'GET', path, body }: TestRequest): string =>
  `${method} ${path}${body === undefined ? '' : ` with ${body.length > 100 ? 'a large body' : body}`}`;

const key = newKey();

/** What `Authorization` may hold that opens nothing, and the message's part that says so. */
const wrong: readonly (readonly [string, string, string])[] = [
  ...Object.entries({ ...wrongCredentials, ...spoiltCredentials(key) }).map(
    ([what, authorization]) => [what, authorization, SAYS[what] ?? 'not of the form'] as const,
  ),
  ['an unknown key', `Bearer ${newKey()}`, 'unknown'],
  // The bytes of the ellipsis in UTF-8.
  ['the key of an example', 'Bearer petsbx_\xe2\x80\xa6', 'placeholder'],
  ['a variable that no shell expanded', 'Bearer $SANDBOX_KEY', 'placeholder'],
];

describe('a request without a key', () => {
  for (const request of targets) {
    test(`is rejected first of all: ${inWords(request)}`, async () => {
      const reply = await server.client().send(request);
      expect(reply.status).toBe(401);
      expect(reply.headers['www-authenticate']).toBe('Bearer');
      if (request.method === 'HEAD') return;
      expect(reply.json.code).toBe('unauthorized');
      expect(reply.json.message).toContain('no API key was sent; send `Authorization: Bearer <API_KEY>`');
    });
  }
});

describe('a key that opens nothing', () => {
  for (const [what, authorization, says] of wrong) {
    test(`is rejected first of all: ${what}`, async () => {
      for (const request of targets) {
        const reply = await server
          .client()
          .send({ ...request, headers: { ...request.headers, Authorization: authorization } });
        expect(reply.status, inWords(request)).toBe(401);
        expect(reply.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
        if (request.method === 'HEAD') continue;
        expect(reply.json.code).toBe('unauthorized');
        expect(reply.json.message).toContain(says);
        const secret = authorization.replace(/^Bearer\s/, '');
        if (secret.length > 6) expect(reply.text).not.toContain(secret);
      }
    });
  }

  test('is the admin token, which is none here', async () => {
    const reply = await server.client(server.adminToken).get('/v1/pets');
    expect(reply.json).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});

describe('Authorization', () => {
  test('must not be sent twice, even if both are good', async () => {
    const client = await server.sandbox();
    const good = ['Authorization', `Bearer ${client.key}`];
    const bad = ['authorization', `Bearer ${newKey()}`];
    // The server knows the good one from now on.
    expect((await client.get('/v1/pets')).status).toBe(200);
    for (const headers of [
      [...good, ...good],
      [...good, ...bad],
      [...bad, ...good],
    ]) {
      const reply = await client.send({ path: '/v1/pets', headers: ['Host', new URL(client.url).host, ...headers] });
      expect(reply.json).toMatchObject({ status: 401, message: expect.stringContaining('more than once') });
    }
  });

  test('may have its scheme in any case, and spaces after it', async () => {
    const { key } = await server.sandbox();
    for (const authorization of [`bearer ${key}`, `BEARER ${key}`, `bEaReR   ${key}`]) {
      const reply = await server.client().get('/v1/pets?limit=1', { Authorization: authorization });
      expect(reply.status).toBe(200);
    }
  });

  test('is no matter of the address: a key there opens nothing', async () => {
    const { key } = await server.sandbox();
    for (const name of ['key', 'api_key', 'access_token']) {
      expect((await server.client().get(`/v1/pets?${name}=${key}`)).status).toBe(401);
    }
    expect((await server.client().get('/v1/pets', { Cookie: `key=${key}` })).status).toBe(401);
  });

  test('never shows in the log', async () => {
    const { key = '' } = await server.sandbox();
    await server.client(`${key}x`).get('/v1/pets');
    expect(JSON.stringify(server.lines)).not.toContain(key);
  });
});

describe('getPet', () => {
  const REMOVAL = Date.parse('2030-12-05T00:00:00Z');
  const SUNSET = { sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', link: '</v1/pets>; rel="successor-version"' };

  test('is there until the last moment before 5 December 2030, and gone from then on', async () => {
    now = REMOVAL - DAY / 2;
    const client = await server.sandbox();
    now = REMOVAL - 1;
    expect(await client.get('/v1/pets/1')).toMatchObject({ status: 200, headers: SUNSET });
    for (now of [REMOVAL, REMOVAL + DAY / 4]) {
      for (const path of ['/v1/pets/1', '/v1/pets/404', '/v1/pets/zzz']) {
        const reply = await client.get(path);
        expect(reply).toMatchObject({ status: 410, headers: SUNSET });
        expect(reply.json).toMatchObject({
          code: 'operation_removed',
          message: expect.stringContaining('GET /v1/pets'),
        });
        expect((await client.send({ method: 'HEAD', path })).status).toBe(410);
      }
      expect((await client.get('/v1/pets?limit=1')).status).toBe(200);
      expect((await client.post('/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(201);
    }
  });

  test('asks for the key, the address and the method before it says that it is gone', async () => {
    now = REMOVAL;
    const client = await server.sandbox();
    expect((await server.client().get('/v1/pets/1')).status).toBe(401);
    expect((await client.get('/v1/pets/%zz')).status).toBe(400);
    expect((await client.send({ method: 'PATCH', path: '/v1/pets/1' })).status).toBe(405);
    expect((await client.get('/v1/pets/1/')).status).toBe(404);
  });
});
