import { describe, expect, test } from 'vitest';
import type { Reply } from '../support/client.ts';
import { methodsOn } from '../support/documented.ts';
import { sharedServer } from '../support/server.ts';
import { texts } from '../support/texts.ts';

const server = await sharedServer();
const client = await server.sandbox();

const ORIGIN = { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'cross-site' };
const EXPOSED = 'Sandbox-Request-Id, Link, Sunset, Retry-After';

describe('a page of any origin', () => {
  test('may ask before it asks, without a key, for every path', async () => {
    const methods = {
      '/v1/pets': methodsOn('/pets'),
      '/v1/pets/1': methodsOn('/pets/{petId}'),
      '/v1/store/orders': 'GET, HEAD',
      // No path, so it names no methods of its own: the page may ask, and read the 404.
      '/v1/toys': methodsOn(),
      '/v1': methodsOn(),
    };
    for (const [path, allow] of Object.entries(methods)) {
      const reply = await server.client().send({
        method: 'OPTIONS',
        path,
        headers: {
          ...ORIGIN,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'authorization',
        },
      });
      expect(reply).toMatchObject({ status: 204, text: '' });
      expect(reply.headers).toMatchObject({
        'access-control-allow-origin': ORIGIN.Origin,
        'access-control-allow-credentials': 'true',
        vary: 'Origin',
        'access-control-allow-methods': allow,
        allow: `${allow}, OPTIONS`,
      });
      const allowed = reply.headers['access-control-allow-headers']?.toLowerCase().split(', ') ?? [];
      // `*` would not cover Authorization.
      expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'prefer', 'sandbox-fault']));
      expect(reply.headers).not.toHaveProperty('content-type');
      expect(reply.headers).not.toHaveProperty('content-length');
    }
  });

  test('may send the headers that its tools add, if they are names of headers, and not without end', async () => {
    const ask = async (names: string): Promise<string[]> => {
      const headers = { ...ORIGIN, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': names };
      const reply = await server.client().send({ method: 'OPTIONS', path: '/v1/pets', headers });
      return reply.headers['access-control-allow-headers']?.split(', ') ?? [];
    };
    const own = await ask('');
    const tools = texts(
      'traceparent | sentry-trace | idempotency-key | x-requested-with | x-request-id | cache-control',
    );
    expect(await ask([...tools, 'AUTHORIZATION', 'a b', '"x"', ''].join(','))).toEqual([...own, ...tools]);
    expect(await ask(Array.from({ length: 500 }, (_, n) => `x-${n}`).join(','))).toHaveLength(own.length + 50);
  });

  test('is told the same methods that a 405 names', async () => {
    for (const path of ['/v1/pets', '/v1/pets/1', '/v1/store/orders']) {
      const told = await client.send({ method: 'OPTIONS', path });
      const rejected = await client.send({ method: 'PATCH', path });
      expect(rejected.status).toBe(405);
      expect(told.headers.allow).toBe(rejected.headers.allow);
    }
  });

  test('may read every response, errors included', async () => {
    const replies: Record<number, Reply> = {};
    const note = (reply: Reply): void => {
      replies[reply.status] = reply;
    };
    note(await client.get('/v1/pets', ORIGIN));
    note(await client.post('/v1/pets', { name: 'Rex', categoryId: 1 }, ORIGIN));
    note(await client.get('/v1/pets?limit=0', ORIGIN));
    note(await server.client().get('/v1/pets', ORIGIN));
    note(await client.get('/v1/toys', ORIGIN));
    note(await client.delete('/v1/pets', ORIGIN));
    note(await client.post('/v1/pets', 'x'.repeat(2 ** 20 + 1), ORIGIN));
    note(await client.post('/v1/pets', 'x', { ...ORIGIN, 'Content-Type': 'text/plain' }));
    note(await client.get('/v1/store/orders', ORIGIN));
    expect(Object.keys(replies).map(Number)).toEqual([200, 201, 400, 401, 404, 405, 413, 415, 501]);
    for (const { headers } of Object.values(replies)) {
      expect(headers['access-control-allow-origin']).toBe(ORIGIN.Origin);
      expect(headers.vary).toBe('Origin');
      expect(headers['access-control-expose-headers']).toBe(EXPOSED);
      expect(headers['access-control-allow-credentials']).toBe('true');
    }
  });
});

describe('HEAD', () => {
  test('answers what GET does, without the body', async () => {
    for (const path of texts(
      '/v1/pets | /v1/pets?limit=2 | /v1/pets/1 | /v1/pets/404 | /v1/pets?limit=0 | /v1/store/orders',
    )) {
      const get = await client.get(path);
      const head = await client.send({ method: 'HEAD', path });
      expect(head).toMatchObject({ status: get.status, text: '' });
      const varies = { date: '', 'sandbox-request-id': '' };
      expect({ ...head.headers, ...varies }).toEqual({ ...get.headers, ...varies });
    }
  });
});

describe('every response', () => {
  test('has an id of its own', async () => {
    const ids = await Promise.all(
      ['/v1/pets', '/v1/pets', '/v1/toys', '/v1/pets/1'].map(
        async (path) => (await client.get(path)).headers['sandbox-request-id'],
      ),
    );
    expect(new Set(ids).size).toBe(4);
  });

  test('is given again: nothing is cached, and a condition changes nothing', async () => {
    for (const path of ['/v1/pets', '/v1/pets/1']) {
      const reply = await client.get(path, { 'If-None-Match': '*', 'If-Modified-Since': new Date().toUTCString() });
      expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
      expect(reply.headers).not.toHaveProperty('etag');
      expect(reply.headers).not.toHaveProperty('last-modified');
    }
  });

  test('is JSON, whatever the client would like better', async () => {
    for (const accept of ['text/html', 'application/xml;q=1, application/json;q=0', 'rubbish']) {
      expect((await client.get('/v1/pets', { Accept: accept })).headers['content-type']).toBe('application/json');
      expect((await client.get('/v1/toys', { Accept: accept })).headers['content-type']).toBe('application/json');
    }
  });
});
