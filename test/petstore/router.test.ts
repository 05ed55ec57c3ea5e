/** The router of the API decodes a path's parameters itself. */
import { expect, test } from 'vitest';
import type { TestRequest } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

const client = await (await sharedServer()).sandbox();

/** A request, and one that means the same with an encoded parameter. */
const pairs: readonly (readonly [TestRequest, TestRequest])[] = [
  [{ path: '/v1/pets/1' }, { path: '/v1/pets/%31' }],
  [{ path: '/v1/pets/404404' }, { path: '/v1/pets/40440%34' }],
  [{ path: '/v1/pets/abc' }, { path: '/v1/pets/ab%63' }],
  [
    { path: '/v1/pets/1', headers: { 'Sandbox-Fault': 'status=503; retry-after=3' } },
    { path: '/v1/pets/%31', headers: { 'Sandbox-Fault': 'status=503; retry-after=3' } },
  ],
  [
    { path: '/v1/pets/1', headers: { Authorization: 'Bearer nobody' } },
    { path: '/v1/pets/%31', headers: { Authorization: 'Bearer nobody' } },
  ],
];

test.each(pairs)('an encoded parameter leads to the same response: %j', async (plain, encoded) => {
  const [one, other] = [await client.send(plain), await client.send(encoded)];
  const { date: _, 'sandbox-request-id': id, ...headers } = one.headers;
  expect(id).toMatch(/^req_/);
  expect(other.headers).toMatchObject(headers);
  expect(Object.keys(other.headers)).toEqual(Object.keys(one.headers));
  expect([other.status, other.json]).toEqual([one.status, one.json]);
});

test.each([
  ['GET', '/v1/pets/%zz', 400],
  ['GET', '/v1/pets/1%2F2', 404],
  ['GET', '/v1/pets/', 404],
  ['GET', '/v1/Pets', 404],
  ['GET', '/v1', 404],
  ['GET', '/v1?limit=1', 404],
  ['GET', '/v1x', 404],
  ['HEAD', '/v1/pets/1', 200],
  ['HEAD', '/v1/store/orders', 501],
  ['DELETE', '/v1/pets/1', 405],
  ['PUT', '/v1/store/orders', 405],
])('%s %s is answered %i, and 401 without a key', async (method, path, status) => {
  const open = await client.send({ method, path });
  const closed = await client.send({ method, path, headers: { Authorization: '' } });
  expect([open.status, closed.status]).toEqual([status, path === '/v1x' ? 404 : 401]);
});
