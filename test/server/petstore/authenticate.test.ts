import { expect, test } from 'vitest';
import { newKey } from '../../../src/base/api/api-key.ts';
import { startTestServer } from '../../support/server.ts';
import { texts } from '../../support/texts.ts';
import { type CaseRequest, caseNameOf, keyCases, post } from './requests.ts';

const REMOVAL = Date.parse('2030-12-05T00:00:00Z');
let now = Date.parse('2027-03-01T12:00:00Z');
const server = await startTestServer({ clock: { now: () => now } });

const BAD_POST = post('{', { 'Content-Type': 'text/plain' });
/** Everything under `/v1`, most of it wrong in further ways: the key is asked for first. */
const targets: readonly CaseRequest[] = [
  ...texts(
    '/v1/pets | /v1/pets?limit=zzz | /v1/pets/1 | /v1/pets/zzz | /v1/pets/%zz | /v1/pets?status=%zz',
    '/v1/store/orders | /v1/toys | /v1 | /v1/ | /v1/pets/ | /v1/Pets | /v1/pets/1%2F2 | /v1?limit=1',
  ).map((path) => ({ path })),
  post('{"name":"Rex","categoryId":1}'),
  BAD_POST,
  post(['{"a":', '1}'], {}),
  post(undefined, {}),
  ...['DELETE', 'HEAD'].map((method) => ({ method, path: '/v1/pets' })),
  { method: 'PUT', path: '/v1/pets/1', body: 'x'.repeat(2 ** 21) },
];

const good = newKey();
/** What `Authorization` may hold that opens nothing, and the message's part that says so. */
const wrong: readonly (readonly [what: string, authorization: string, says: string])[] = [
  ['an empty credential', '', 'not of the form'],
  ['another scheme', 'Basic dXNlcjpwYXNz', 'not of the form'],
  ['a scheme alone', 'Bearer', 'send `Authorization: Bearer <API_KEY>`'],
  ['two words', 'Bearer one two', 'not of the form'],
  ['a tab in place of a space', 'Bearer\tone', 'not of the form'],
  ['characters that no token has', 'Bearer "one"', 'not of the form'],
  ['letters that no token has', 'Bearer schl\xfcssel', 'not of the form'],
  ['a token that is too long', `Bearer ${'a'.repeat(513)}`, 'not of the form'],
  ['several credentials in one', 'Bearer one, Bearer two', 'not of the form'],
  ['a token without its scheme', good, 'not of the form'],
  ['a key that was cut off', `Bearer ${good.slice(0, -1)}`, 'mistyped'],
  ['a key with one character more', `Bearer ${good}0`, 'mistyped'],
  ['an unknown token', 'Bearer 0123456789abcdef', 'unknown'],
  ['an unknown key', `Bearer ${newKey()}`, 'unknown'],
  // The bytes of the ellipsis in UTF-8.
  ['the key of an example', 'Bearer petsbx_\xe2\x80\xa6', 'placeholder'],
  ['a variable that no shell expanded', 'Bearer $SANDBOX_KEY', 'placeholder'],
  ['the admin token, which is none here', `Bearer ${server.adminToken}`, 'unknown'],
];

test.each(targets.map((request) => [caseNameOf(request), request] as const))(
  'a request without a key, or with an unknown one, is rejected first of all: %s',
  async (_, request) => {
    for (const [authorization, challenge, says] of [
      [undefined, 'Bearer', 'no API key was sent; send `Authorization: Bearer <API_KEY>`'],
      [`Bearer ${newKey()}`, 'Bearer error="invalid_token"', 'unknown'],
    ] as const) {
      const headers = { ...request.headers, ...(authorization && { Authorization: authorization }) };
      const reply = await server.client().send({ ...request, headers });
      expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, challenge]);
      if (request.method === 'HEAD') continue;
      expect(reply.json).toMatchObject({ code: 'unauthorized', message: expect.stringContaining(says) });
    }
  },
);

test.each(wrong)(
  'a credential that opens nothing is rejected, and not repeated: %s',
  async (_, Authorization, says) => {
    for (const request of [{ path: '/v1/pets' }, BAD_POST]) {
      const reply = await server.client().send({ ...request, headers: { ...request.headers, Authorization } });
      expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
      expect(reply.json).toMatchObject({ code: 'unauthorized', message: expect.stringContaining(says) });
      const secret = Authorization.replace(/^Bearer\s/, '');
      if (secret.length > 6) expect(reply.text).not.toContain(secret);
    }
  },
);

test('a request with a wrong key, or a right one in another place, is rejected as the page of decisions says', async () => {
  const client = await server.sandbox();
  for (const { requests, status } of keyCases(String(client.key))) {
    for (const request of requests)
      expect([caseNameOf(request), (await client.send(request)).status]).toEqual([caseNameOf(request), status]);
  }
});

test('Authorization must not be sent twice, even if both are good', async () => {
  const client = await server.sandbox();
  const good = ['Authorization', `Bearer ${client.key}`];
  const bad = ['authorization', `Bearer ${newKey()}`];
  // The server knows the good one from now on.
  expect((await client.get('/v1/pets')).status).toBe(200);
  for (const [one, other] of [
    [good, good],
    [good, bad],
    [bad, good],
  ] as const) {
    const headers = ['Host', new URL(client.url).host, ...one, ...other];
    const reply = await client.send({ path: '/v1/pets', headers });
    expect(reply.json).toMatchObject({ status: 401, message: expect.stringContaining('more than once') });
  }
});

test('getPet is gone from 5 December 2030 on, once the key, the address and the method are right', async () => {
  const headers = { sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', link: '<../pets>; rel="successor-version"' };
  now = REMOVAL - 1;
  const client = await server.sandbox();
  expect(await client.get('/v1/pets/1')).toMatchObject({ status: 200, headers });
  for (now of [REMOVAL, REMOVAL + 21_600_000]) {
    for (const path of ['/v1/pets/1', '/v1/pets/404', '/v1/pets/zzz']) {
      const reply = await client.get(path);
      expect(reply).toMatchObject({ status: 410, headers });
      expect(reply.json).toMatchObject({ code: 'operation_removed', message: expect.stringContaining('GET /v1/pets') });
      expect((await client.send({ method: 'HEAD', path })).status).toBe(410);
    }
    expect((await client.get('/v1/pets?limit=1')).status).toBe(200);
    expect((await client.post('/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(201);
  }
  expect((await server.client().get('/v1/pets/1')).status).toBe(401);
  expect((await client.get('/v1/pets/%zz')).status).toBe(400);
  expect((await client.send({ method: 'PATCH', path: '/v1/pets/1' })).status).toBe(405);
  expect((await client.get('/v1/pets/1/')).status).toBe(404);
});
