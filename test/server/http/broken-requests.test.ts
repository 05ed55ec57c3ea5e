/** Requests that are broken, or HTTP only in part: each gets a whole response, and takes none from its neighbors. */
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Reply } from '../../support/client.ts';
import { sharedServer, startTestServer } from '../../support/server.ts';
import { checkResponse } from '../../support/sound.ts';
import { dial, exchangeBytes, headOf, postOf, readReplies } from '../../support/wire.ts';

const TIMEOUTS = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };
const BODY = '{"name":"Rex","categoryId":1}';
const CLOSE = 'Connection: close';
const CHUNKED = 'Transfer-Encoding: chunked';
const JSON_TYPE = 'Content-Type: application/json';

const server = await startTestServer({ timeouts: TIMEOUTS });
const client = await server.sandbox();

const statuses = async (bytes: string): Promise<number[]> =>
  (await exchangeBytes(server.url, bytes)).map(({ status }) => status);

describe('what is broken on a connection', () => {
  const get = (path: string, ...headers: string[]): string => headOf(client, `GET ${path}`, ...headers);

  test('takes no response from the requests before it', async () => {
    const post = postOf(client, BODY);
    const all = `${get('/v1/pets/1')}${post}${get('/v1/pets/404')}X\r\n\r\n`;
    expect(await statuses(`${post}X\r\n\r\n`)).toEqual([201, 400]);
    expect(await statuses(all)).toEqual([200, 201, 404, 400]);
    expect(await statuses(`${post}CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n`)).toEqual([201, 405]);
    expect(await statuses(`${post}GET /v1/pets HTTP/1.1\r\nHost`)).toEqual([201, 408]);
    // A response that ends the connection is the last.
    expect(await statuses(`${get('/v1/pets/1', CLOSE)}X\r\n\r\n`)).toEqual([200]);
  });

  test('is not answered a second time, when its request has had its response', async () => {
    const socket = await dial(server.url);
    const reading = readReplies(socket);
    socket.write(headOf(client, 'POST /v1/nothing', CHUNKED));
    await once(socket, 'data');
    socket.write('zz\r\n');
    expect((await reading).map(({ status }) => status)).toEqual([404]);
  });

  test('has no effect behind its rejection', async () => {
    const socket = await dial(server.url);
    const reading = readReplies(socket);
    const post = postOf(client, '{"name":"too late","categoryId":1}');
    socket.write(post.slice(0, -1));
    // The 408 is out: what completes the request comes after it.
    await once(socket, 'data');
    socket.write(post.slice(-1));
    expect((await reading).map(({ status }) => status)).toEqual([408]);
    expect((await client.get('/v1/pets?limit=100')).text).not.toContain('too late');
  });

  test('is answered also where the client goes on sending', async () => {
    for (const bytes of ['HELLO', 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nX: ']) {
      const [reply] = await exchangeBytes(server.url, bytes + 'a'.repeat(6_000_000));
      checkResponse({ path: '' }, reply as Reply, client.key);
    }
    const long = 'a'.repeat(6_000_000);
    const head = headOf(client, 'POST /v1/pets', 'Content-Type: text/plain', CLOSE, `Content-Length: ${long.length}`);
    expect(await statuses(head + long)).toEqual([415]);
  });

  test('does not end the server, when a client resets its CONNECT', async () => {
    // One that waits longer for a head: it may reset those that come late.
    const patient = await sharedServer();
    for (let i = 0; i < 20; i += 1) {
      const socket = await dial(patient.url);
      socket.on('error', () => socket.destroy());
      socket.write('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n');
      await once(socket, 'data');
      socket.write('x');
      socket.resetAndDestroy();
    }
    expect((await (await patient.sandbox()).get('/v1/pets/1')).status).toBe(200);
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
  // Every form: test/hostile/raw-requests.test.ts.
  test('is rejected without the password of its host or target', async () => {
    for (const [target, host] of [
      ['/v1/pets/1', 'user:secret-of-mine@a'],
      ['http://user:secret-of-mine@a/v1/pets/1', 'a'],
    ]) {
      const reply = await only(headOf(client, `GET ${target}`).replace('Host: localhost', `Host: ${host}`));
      expect(reply.json).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(reply.text).not.toContain('secret-of-mine');
    }
  });

  test.each(['a:', 'a:80', 'A.b-c_d~e', '127.0.0.1:65535', '[::1]', '[fe80::1]:80', 'caf%C3%A9'])(
    'may name any host, in its target too: %s',
    async (host) => {
      const plain = headOf(client, 'GET /v1/pets/1', CLOSE).replace('Host: localhost', `Host: ${host}`);
      expect(await statuses(plain)).toEqual([200]);
      expect(await statuses(headOf(client, `GET http://${host}/v1/pets/1`, CLOSE))).toEqual([200]);
    },
  );

  test('needs one Host in HTTP/1.1, and none in HTTP/1.0', async () => {
    for (const hosts of ['', 'Host: a\r\nHost: b\r\n', 'Host: a\r\nhost: a\r\n']) {
      for (const path of ['/v1/pets', '/_sandbox/health', '/', '/elsewhere']) {
        const { json } = await only(headOf(client, `GET ${path}`, CLOSE).replace('Host: localhost\r\n', hosts));
        expect(json).toMatchObject({ status: 400, message: expect.stringContaining('Host') });
      }
    }
    const old = headOf(client, 'GET /v1/pets/1', CLOSE).replace('1.1\r\nHost: localhost', '1.0');
    expect(await statuses(old)).toEqual([200]);
  });

  test('is not implemented with a coding other than chunked', async () => {
    const chunks = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
    const head = headOf(client, 'POST /v1/pets', JSON_TYPE, 'Transfer-Encoding: gzip, chunked');
    const { json } = await only(head + chunks);
    expect(json).toMatchObject({ status: 501, message: expect.stringContaining('chunked') });
  });

  test('is answered as to the server as a whole: OPTIONS *', async () => {
    const [reply] = await exchangeBytes(server.url, 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    checkResponse({ path: '*' }, reply as Reply, client.key);
    expect([reply?.status, reply?.headers.allow]).toEqual([204, 'GET, HEAD, POST, PUT, DELETE, OPTIONS']);
  });
});

test('a connection may wait for leave to send its body', async () => {
  const socket = await dial(server.url);
  socket.write(postOf(client, BODY, 'Expect: 100-continue', CLOSE).slice(0, -BODY.length));
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 100 /);
  const reading = readReplies(socket);
  socket.write(BODY);
  expect((await reading)[0]?.json).toMatchObject({ name: 'Rex', categoryId: 1 });
});

describe('a client that has sent all it wants, and says so', () => {
  const sayEnd = async (bytes: string): Promise<Reply[]> => {
    const socket = await dial(server.url);
    const reading = readReplies(socket);
    socket.end(bytes);
    return reading;
  };

  test('still reads its responses', async () => {
    // The end is read while the first of many are being answered.
    const replies = await sayEnd(postOf(client, BODY).repeat(100));
    expect(replies.map(({ status }) => status)).toEqual(Array(100).fill(201));
  });

  test('leaves a delay and an event stream by it', async () => {
    const socket = await dial(server.url);
    socket.resume();
    socket.end(headOf(client, 'GET /_sandbox/events'));
    await once(socket, 'close');
    expect(await sayEnd(headOf(client, 'GET /v1/pets', 'Sandbox-Fault: delay=60000'))).toEqual([]);
  });
});
