import { once } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client, Reply } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { checkResponse } from '../support/sound.ts';
import { dial, exchangeBytes, readReplies } from '../support/wire.ts';

const TIMEOUTS = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };

let server: TestServer;
let client: Client;
let key: string;
beforeAll(async () => {
  server = await startTestServer({ timeouts: TIMEOUTS });
  client = await server.sandbox();
  key = client.key as string;
});

/** The one response to these bytes; it has an Error body, and the connection ends. */
async function rejection(bytes: string | Buffer): Promise<Reply> {
  return sound(await exchangeBytes(server.url, bytes));
}

function sound(replies: Reply[]): Reply {
  expect(replies).toHaveLength(1);
  const reply = replies[0] as Reply;
  checkResponse({ path: '' }, reply, key);
  expect(reply.headers.connection).toBe('close');
  return reply;
}

describe('a server that Node lets answer by itself still answers with an Error body', () => {
  test.each([
    ['no HTTP at all', 'HELLO\r\n\r\n'],
    ['a method that is none', 'FETCH /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space in the target', 'GET /v1/pets ?limit=1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['another protocol', 'GET /v1/pets HTTQ/1.1\r\nHost: a\r\n\r\n'],
    ['a space before the colon', 'GET /v1/pets HTTP/1.1\r\nHost : a\r\n\r\n'],
    ['a control character in a header', 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nX: \u0001\r\n\r\n'],
    ['a length that is no number', 'POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 1e3\r\n\r\n'],
    ['a negative length', 'POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
    ['two lengths', 'POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
    [
      'a length and chunks',
      'POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a TLS handshake', Buffer.from('16030100c8010000c40303', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('400 to %s', async (_, bytes) => {
    const reply = await rejection(bytes);
    expect(reply.json).toMatchObject({
      status: 400,
      code: 'invalid_request',
      message: expect.stringContaining('HTTP/1.1'),
    });
  });

  test('400 to a chunk that is none, whose request was under way', async () => {
    const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    const reply = await rejection(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`);
    expect(reply.json).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test('431 to a head of over 16 KiB, however it is spread', async () => {
    const many = Array.from({ length: 500 }, (_, i) => `X-${i}: ${'a'.repeat(40)}\r\n`).join('');
    for (const head of [
      `GET /v1/pets HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`,
      `GET /v1/pets HTTP/1.1\r\nHost: a\r\n${many}\r\n`,
      `GET /v1/pets?${'a'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    ]) {
      const reply = await rejection(head);
      expect(reply.json).toMatchObject({
        status: 431,
        code: 'headers_too_large',
        message: 'the head of the request is over 16 KiB; send fewer or shorter headers, and a shorter address',
      });
    }
  });

  test('408 to a head that never ends', async () => {
    const reply = await rejection('GET /v1/pets HTTP/1.1\r\nHost: a\r\nX: ');
    expect(reply.json).toMatchObject({
      status: 408,
      code: 'request_timeout',
      message: expect.stringMatching(/; send the headers within 10 s and the whole request within 30 s/),
    });
  });

  test('408 to a body that never ends', async () => {
    const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    const reply = await rejection(`${head}Content-Length: 100\r\n\r\n{"name":`);
    expect(reply.json).toMatchObject({ status: 408, code: 'request_timeout' });
  });

  test('417 to an expectation that nobody meets', async () => {
    const reply = await client.send({ method: 'POST', path: '/elsewhere', body: '{}', headers: { Expect: '200-ok' } });
    expect(reply.json).toMatchObject({
      status: 417,
      code: 'expectation_failed',
      message: expect.stringContaining('Expect'),
    });
  });

  test('413 to chunk extensions of over 16 KiB', async () => {
    const head = 'POST /v1/pets HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    const [reply] = await exchangeBytes(server.url, `${head}1;${'a'.repeat(17_000)}\r\n{\r\n0\r\n\r\n`);
    // It asks without a key as well: whichever answer comes first is a sound one.
    expect([401, 413]).toContain(reply?.status);
    checkResponse({ path: '' }, reply as Reply, key);
  });

  test('405 to CONNECT, which asks for a tunnel', async () => {
    const reply = await rejection('CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(reply.json).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(reply.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('400 to HTTP/1.1 without a Host, or with two, and the service to HTTP/1.0 without one', async () => {
    const rest = `Authorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
    for (const hosts of ['', 'Host: a\r\nHost: b\r\n', 'Host: a\r\nhost: a\r\n']) {
      for (const path of ['/v1/pets', '/_sandbox/health', '/', '/elsewhere']) {
        const reply = await rejection(`GET ${path} HTTP/1.1\r\n${hosts}${rest}`);
        expect(reply.json).toMatchObject({
          status: 400,
          code: 'invalid_request',
          message: expect.stringContaining('Host'),
        });
      }
    }
    const [old] = await exchangeBytes(server.url, `GET /v1/pets/1 HTTP/1.0\r\n${rest}`);
    expect(old?.json).toMatchObject({ id: 1 });
  });
});

describe('a connection', () => {
  test('that ends in the middle of a body leaves nothing behind', async () => {
    const socket = await dial(server.url);
    socket.on('error', () => socket.destroy());
    const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: 29\r\n\r\n{"name":"Rex","categoryId"`);
    socket.resetAndDestroy();
    expect((await client.get('/v1/pets?limit=100')).json).toHaveLength(12);
  });

  test('may carry several requests at once, answered in their order', async () => {
    const request = (path: string, last = false): string =>
      `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
    const replies = await exchangeBytes(
      server.url,
      request('/v1/pets/1') + request('/v1/toys') + request('/v1/pets/2', true),
    );
    expect(replies.map(({ status, json }) => json.id ?? status)).toEqual([1, 404, 2]);
  });

  test('may name the server in the target', async () => {
    const request = (target: string): string =>
      `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
    const [whole] = await exchangeBytes(server.url, request(`${server.url}/v1/pets/1?x=y`));
    expect(whole?.json).toMatchObject({ id: 1 });
    const [bare] = await exchangeBytes(server.url, request('http://a'));
    expect(bare?.status).toBeGreaterThanOrEqual(200);
    const [odd] = await exchangeBytes(server.url, request('ftp://a:1/v1/pets/2'));
    expect(odd?.json).toMatchObject({ id: 2 });
  });

  test('may wait for leave to send its body', async () => {
    const socket = await dial(server.url);
    const body = '{"name":"Rex","categoryId":1}';
    socket.write(
      `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    const [leave] = await once(socket, 'data');
    expect(String(leave)).toMatch(/^HTTP\/1\.1 100 /);
    const reading = readReplies(socket);
    socket.write(body);
    expect((await reading)[0]?.json).toMatchObject({ name: 'Rex', categoryId: 1 });
  });

  test('may hold any byte in its address, and gets a sound answer', async () => {
    const bytes = Array.from({ length: 256 }, (_, byte) => byte);
    const targets = bytes.flatMap((byte) =>
      ['/v1/pets/1X', '/v1/pets/1X2', '/v1/pets?limit=1X', '/v1/petsX?limit=1', '/v1/petsX/1'].map((target) =>
        target.replace('X', String.fromCharCode(byte)),
      ),
    );
    for (const target of targets) {
      const head = `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
      for (const reply of await exchangeBytes(server.url, Buffer.from(head, 'latin1')))
        checkResponse({ path: '' }, reply, key);
    }
  });
});
