/** `src/petstore/direct-path.ts` passes the router by. */
import { expect, test } from 'vitest';
import type { TestRequest } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

const client = await (await startTestServer()).sandbox();

/** A request, and one that means the same and goes through the router. */
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

test.each(pairs)('both ways lead to the same response: %j', async (direct, routed) => {
  const [one, other] = [await client.send(direct), await client.send(routed)];
  const { date: _, 'sandbox-request-id': id, ...headers } = one.headers;
  expect(id).toMatch(/^req_/);
  expect(other.headers).toMatchObject(headers);
  expect(Object.keys(other.headers)).toEqual(Object.keys(one.headers));
  expect([other.status, other.json]).toEqual([one.status, one.json]);
});
