/** Requests that are broken, or HTTP only in part: each gets a whole response, and takes none from its neighbors. */
import { once } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client, Reply } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { checkResponse } from '../support/sound.ts';
import { dial, exchangeBytes, readReplies } from '../support/wire.ts';

const TIMEOUTS = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };
const BODY = '{"name":"Rex","categoryId":1}';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startTestServer({ timeouts: TIMEOUTS });
  client = await server.sandbox();
});

describe('what is broken on a connection', () => {
  const request = (path: string, more = ''): string =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.key}\r\n${more}\r\n`;
  const post = (body = BODY): string =>
    `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  const statuses = async (bytes: string): Promise<number[]> =>
    (await exchangeBytes(server.url, bytes)).map(({ status }) => status);

  test('takes no response from the requests before it', async () => {
    expect(await statuses(`${post()}X\r\n\r\n`)).toEqual([201, 400]);
    expect(await statuses(`${request('/v1/pets/1')}${post()}${request('/v1/pets/404')}X\r\n\r\n`)).toEqual([
      200, 201, 404, 400,
    ]);
    expect(await statuses(`${post()}CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n`)).toEqual([201, 405]);
    expect(await statuses(`${post()}GET /v1/pets HTTP/1.1\r\nHost`)).toEqual([201, 408]);
  });

  test('is not answered behind a response that ends the connection', async () => {
    expect(await statuses(`${request('/v1/pets/1', 'Connection: close\r\n')}X\r\n\r\n`)).toEqual([200]);
  });

  test('is not answered a second time, when its request has had its response', async () => {
    const head = `POST /v1/nothing HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.key}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const socket = await dial(server.url);
    const reading = readReplies(socket);
    socket.write(head);
    await once(socket, 'data');
    socket.write('zz\r\n');
    expect((await reading).map(({ status }) => status)).toEqual([404]);
  });

  test('has no effect behind its rejection', async () => {
    const socket = await dial(server.url);
    const reading = readReplies(socket);
    const named = '{"name":"too late","categoryId":1}';
    socket.write(post(named).slice(0, -1));
    // The 408 is out: what completes the request comes after it.
    await once(socket, 'data');
    socket.write(named.slice(-1));
    expect((await reading).map(({ status }) => status)).toEqual([408]);
    const { json } = await client.get('/v1/pets?limit=100');
    expect(json.map(({ name }: { name: string }) => name)).not.toContain('too late');
  });

  test('is answered also where the client goes on sending', async () => {
    for (const bytes of ['HELLO', 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nX: ']) {
      const [reply] = await exchangeBytes(server.url, bytes + 'a'.repeat(6_000_000));
      checkResponse({ path: '' }, reply as Reply, client.key);
    }
    const rejected = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: text/plain\r\n`;
    const long = 'a'.repeat(6_000_000);
    expect(await statuses(`${rejected}Connection: close\r\nContent-Length: ${long.length}\r\n\r\n${long}`)).toEqual([
      415,
    ]);
  });

  test('does not end the server, when a client resets its CONNECT', async () => {
    for (let i = 0; i < 20; i += 1) {
      const socket = await dial(server.url);
      socket.on('error', () => socket.destroy());
      socket.write('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n');
      await once(socket, 'data');
      socket.write('x');
      socket.resetAndDestroy();
    }
    expect((await client.get('/v1/pets/1')).status).toBe(200);
  });
});

/** The one response to these bytes, which ends the connection. */
async function only(bytes: string): Promise<Reply> {
  const replies = await exchangeBytes(server.url, bytes);
  expect(replies).toHaveLength(1);
  const reply = replies[0] as Reply;
  checkResponse({ path: '' }, reply, client.key);
  expect(reply.headers.connection).toBe('close');
  return reply;
}

describe('a request that is HTTP only in part', () => {
  test.each([
    ['http://[/', ''],
    ['http://[/v1/pets/1', ''],
    ['http://', ''],
    ['http:///v1/pets/1', ''],
    ['http://user:secret-of-mine@a/v1/pets/1', ''],
    ['http://a:99999/v1/pets/1', ''],
    ['*', ''],
    ['/v1/pets/1', 'Host: '],
    ['/v1/pets/1', 'Host: a b'],
    ['/v1/pets/1', 'Host: ['],
    ['/v1/pets/1', 'Host: [::g]'],
    ['/v1/pets/1', 'Host: x/y'],
    ['/v1/pets/1', 'Host: user:secret-of-mine@a'],
    ['/v1/pets/1', 'Host: a:x'],
    ['/v1/pets/1', 'Host: a:65536'],
    ['/v1/pets/1', 'Host: ::1'],
    ['/v1/pets/1', 'Host: a%zz'],
  ])('is rejected each time: %s %s', async (target, host) => {
    for (const _ of ['first', 'again']) {
      const reply = await only(
        `GET ${target} HTTP/1.1\r\n${host || 'Host: a'}\r\nAuthorization: Bearer ${client.key}\r\n\r\n`,
      );
      expect(reply.json).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(reply.text).not.toContain('secret-of-mine');
    }
  });

  test.each(['a:', 'a:80', 'A.b-c_d~e', '127.0.0.1:65535', '[::1]', '[fe80::1]:80', 'caf%C3%A9'])(
    'may name any host: %s',
    async (host) => {
      const rest = `Authorization: Bearer ${client.key}\r\nConnection: close\r\n\r\n`;
      const [plain] = await exchangeBytes(server.url, `GET /v1/pets/1 HTTP/1.1\r\nHost: ${host}\r\n${rest}`);
      const [absolute] = await exchangeBytes(server.url, `GET http://${host}/v1/pets/1 HTTP/1.1\r\nHost: x\r\n${rest}`);
      expect([plain?.status, absolute?.status]).toEqual([200, 200]);
    },
  );

  test('is not implemented with a coding other than chunked', async () => {
    const chunks = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
    for (const codings of ['gzip, chunked', 'gzip\r\nTransfer-Encoding: chunked']) {
      const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json\r\n`;
      const reply = await only(`${head}Transfer-Encoding: ${codings}\r\n\r\n${chunks}`);
      expect(reply.json).toMatchObject({
        status: 501,
        code: 'not_implemented',
        message: expect.stringContaining('chunked'),
      });
      const old = await only(`${head.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n${chunks}`);
      expect(old.json).toMatchObject({ status: 400, code: 'invalid_request' });
    }
  });

  test('is answered as to the server as a whole: OPTIONS *', async () => {
    const [reply] = await exchangeBytes(server.url, 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    checkResponse({ path: '*' }, reply as Reply, client.key);
    expect([reply?.status, reply?.headers.allow]).toEqual([204, 'GET, HEAD, POST, PUT, DELETE, OPTIONS']);
  });
});

describe('a client that has sent all it wants, and says so', () => {
  const sayEnd = async (bytes: string): Promise<Reply[]> => {
    const socket = await dial(server.url);
    const reading = readReplies(socket);
    socket.end(bytes);
    return reading;
  };
  const head = (method: string): string =>
    `${method} /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.key}\r\n`;

  test('still reads its responses', async () => {
    const post = `${head('POST')}Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
    expect((await sayEnd(post)).map(({ status }) => status)).toEqual([201]);
    // The end is read while the first of these are being answered.
    const many = Array.from({ length: 100 }, () => 201);
    expect((await sayEnd(post.repeat(many.length))).map(({ status }) => status)).toEqual(many);
  });

  test('is told that its request is not whole', async () => {
    for (const bytes of ['GET', `${head('GET')}X`, `${head('POST')}Content-Length: 9\r\n\r\n{`]) {
      const [reply] = await sayEnd(bytes);
      expect(reply?.json).toMatchObject({ status: 400, code: 'invalid_request' });
    }
  });

  test('leaves a delay and an event stream by it', async () => {
    const events = `GET /_sandbox/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${client.key}\r\n\r\n`;
    const socket = await dial(server.url);
    socket.resume();
    socket.end(events);
    await once(socket, 'close');
    expect(await sayEnd(`${head('GET')}Sandbox-Fault: delay=60000\r\n\r\n`)).toEqual([]);
  });
});
