import { expect, test } from 'vitest';
import type { Reply } from '../../support/client.ts';
import { methodsOn } from '../../support/documented.ts';
import { sharedServer } from '../../support/server.ts';
import { texts } from '../../support/texts.ts';

const server = await sharedServer();
const client = await server.sandbox();

const ORIGIN = { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'cross-site' };
/** What every response tells a page of this origin. */
const OPEN = {
  'access-control-allow-origin': ORIGIN.Origin,
  'access-control-allow-credentials': 'true',
  vary: 'Origin',
};

/** Asks as a browser does before it sends a request of a page. */
function preflight(path: string, method: string, names: string): Promise<Reply> {
  const asks = { 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': names };
  return server.client().send({ method: 'OPTIONS', path, headers: { ...ORIGIN, ...asks } });
}

test.each([
  ['/v1/pets', methodsOn('/pets'), 405],
  ['/v1/pets/1', methodsOn('/pets/{petId}'), 405],
  ['/v1/store/orders', 'GET, HEAD', 405],
  // No path, so it names no methods of its own: the page may ask, and read the 404.
  ['/v1/toys', methodsOn(), 404],
  ['/v1', methodsOn(), 404],
])('a page of any origin may ask before it asks, without a key: %s', async (path, methods, otherwise) => {
  const { status, text, headers } = await preflight(path, 'patch', 'authorization');
  expect([status, text]).toEqual([204, '']);
  const allow = `${methods}, OPTIONS`;
  expect(headers).toMatchObject({ ...OPEN, allow });
  // Any method, so that the request itself gets its status and its finding.
  expect(headers['access-control-allow-methods']?.split(', ')).toEqual(expect.arrayContaining(['DELETE', 'patch']));
  // `*` would not cover Authorization.
  expect(headers['access-control-allow-headers']?.toLowerCase().split(', ')).toEqual(
    expect.arrayContaining(['authorization', 'content-type', 'prefer', 'sandbox-fault']),
  );
  expect(headers).not.toHaveProperty('content-type');
  expect(headers).not.toHaveProperty('content-length');
  const rejected = await client.send({ method: 'PATCH', path });
  expect([rejected.status, rejected.headers.allow]).toEqual([otherwise, otherwise === 405 ? allow : undefined]);
});

test('a page may send the headers that its tools add, if they are names of headers', async () => {
  const ask = async (names: string): Promise<string[]> =>
    (await preflight('/v1/pets', 'GET', names)).headers['access-control-allow-headers']?.split(', ') ?? [];
  const own = await ask('');
  const tools = texts('traceparent | sentry-trace | idempotency-key | x-requested-with | x-request-id | cache-control');
  expect(await ask([...tools, 'AUTHORIZATION', 'a b', '"x"', ''].join(','))).toEqual([...own, ...tools]);
  const many = [...Array.from({ length: 500 }, (_, n) => `x-${n}`), 'x'.repeat(2_000)];
  expect(await ask(many.join(','))).toEqual([...own, ...many]);
});

// Every response of a test that is not open to pages fails it: test/support/sound.ts.
test('a page may read a response with its headers, errors included', async () => {
  const exposed = { 'access-control-expose-headers': 'Sandbox-Request-Id, Link, Sunset, Retry-After' };
  for (const each of [client, server.client()])
    expect((await each.get('/v1/pets', ORIGIN)).headers).toMatchObject({ ...OPEN, ...exposed });
});

test('every response is JSON, whatever the client would like better', async () => {
  for (const Accept of ['text/html', 'application/xml;q=1, application/json;q=0', 'rubbish'])
    for (const path of ['/v1/pets', '/v1/toys'])
      expect((await client.get(path, { Accept })).headers['content-type']).toBe('application/json');
});
