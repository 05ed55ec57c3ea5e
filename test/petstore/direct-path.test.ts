import type { Request } from 'express';
import { expect, test } from 'vitest';
import { DirectPath } from '../../src/petstore/direct-path.ts';
import type { TestRequest } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

const handler = async (): Promise<void> => undefined;
const path = new DirectPath();
path.add('get', '/v1/pets', handler);
path.add('get', '/v1/pets/:petId', handler);

const find = (method: string, url: string): Record<string, unknown> | undefined => {
  const req = { method, url } as Request;
  return path.find(req) && { ...req.params };
};

test('the direct path takes exactly what an operation describes, and its parameters', () => {
  expect(find('GET', '/v1/pets')).toEqual({});
  expect(find('GET', '/v1/pets?limit=%31&x=/y')).toEqual({});
  expect(find('GET', '/v1/pets/-12')).toEqual({ petId: '-12' });
  expect(find('GET', '/v1/pets/abc?x')).toEqual({ petId: 'abc' });
});

test('the direct path leaves all else to the router', () => {
  for (const url of [
    '/v1',
    '/v1/pets/',
    '/v1/pets/1/',
    '/v1/pets/%31',
    '/v1/pets/1;a',
    '/v1/pets/1#x',
    '/v1/pets#x',
    '/v1/Pets',
    '/x/v1/pets',
    '//v1/pets',
    '/v1/pets/1/x',
    '*',
  ]) {
    expect(find('GET', url), url).toBeUndefined();
  }
  for (const method of ['HEAD', 'get', 'POST', 'OPTIONS']) expect(find(method, '/v1/pets')).toBeUndefined();
});

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
