/** Requests that Node's parser rejects: each is in the log of its sandbox, or in the list of unmatched requests, and counted once. */
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import type { Client } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { dial, exchangeBytes } from '../support/wire.ts';

const TIMEOUTS = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startTestServer({ timeouts: TIMEOUTS });
  client = await server.sandbox();
});

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const key = (): string => `Host: a\r\nAuthorization: Bearer ${client.key}\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';

const CUT_OFF = { reason: 'malformed', message: expect.stringContaining('ended before') };

const report = async (): Promise<Report> => (await client.get('/_sandbox/report')).json;
const clear = (): Promise<unknown> => client.delete('/_sandbox/requests');
const unmatched = async () => (await client.get('/_sandbox/requests/unmatched')).json.requests;

describe('a malformed request with a key', () => {
  it.each<[what: string, bytes: () => string | Buffer, cause: string, fix: RegExp]>([
    ['an umlaut in the target', () => `GET /v1/pets?name=Müller HTTP/1.1\r\n${key()}\r\n`, 'target', /ü as %C3%BC/],
    ['one in Latin-1', () => latin1(`GET /v1/pets?name=M\xfcller HTTP/1.1\r\n${key()}\r\n`), 'target', /M%C3%BCller/],
    ['a blank', () => `GET /v1/pets?name=a b HTTP/1.1\r\n${key()}\r\n`, 'target', /name=a%20b instead/],
    [
      'a blank before the query',
      () => `GET /v1/pets ?limit=5 HTTP/1.1\r\n${key()}\r\n`,
      'target',
      /GET \/v1\/pets\?limit=5 /,
    ],
    ['no slash', () => `GET v1/pets HTTP/1.1\r\n${key()}\r\n`, 'target', /Send GET \/v1\/pets /],
    [
      'a head over 16 KiB',
      () => `GET /v1/pets HTTP/1.1\r\n${key()}X: ${'a'.repeat(17_000)}\r\n\r\n`,
      'head-too-large',
      /shorter/,
    ],
    ['a blank in the name of a header', () => `GET /v1/pets HTTP/1.1\r\n${key()}X y: a\r\n\r\n`, 'header', /colon/],
    [
      'a blank behind a name',
      () => `GET /v1/pets HTTP/1.1\r\nAuthorization : Bearer ${client.key}\r\n\r\n`,
      'header',
      /colon/,
    ],
    [
      'a length that is none',
      () => `POST /v1/pets HTTP/1.1\r\n${key()}Content-Length: x\r\n\r\n`,
      'framing',
      /Content-Length/,
    ],
    [
      'two lengths',
      () => `POST /v1/pets HTTP/1.1\r\n${key()}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
      'framing',
      /once/,
    ],
    [
      'an expectation',
      () => `POST /v1/pets HTTP/1.1\r\n${key()}Expect: x\r\nContent-Length: 2\r\n\r\n{}`,
      'expectation',
      /100-continue/,
    ],
    ['CONNECT', () => `CONNECT /v1/pets HTTP/1.1\r\n${key()}\r\n`, 'connect', /base of the API/],
    [
      'a broken chunk',
      () => `POST /v1/pets HTTP/1.1\r\n${key()}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      'chunks',
      /hexadecimal/,
    ],
    ['a small method', () => `get /v1/pets HTTP/1.1\r\n${key()}\r\n`, 'method', /capital/],
    ['another version', () => `GET /v1/pets HTTP/3.0\r\n${key()}\r\n`, 'version', /HTTP\/1\.1/],
    ['two hosts', () => `GET /v1/pets HTTP/1.1\r\nHost: b\r\n${key()}\r\n`, 'form', /RFC 9112/],
    [
      'a body that never ends',
      () => `POST /v1/pets HTTP/1.1\r\n${key()}${JSON_TYPE}Content-Length: 99\r\n\r\n{`,
      'timeout',
      /Content-Length/,
    ],
    [
      'a second request with a blank',
      () => `GET /v1/pets HTTP/1.1\r\n${key()}\r\nGET /v1/pets?a b HTTP/1.1\r\n${key()}\r\n`,
      'target',
      /a%20b/,
    ],
  ])('is in its log, and fails the report with a fix: %s', async (what, bytes, cause, fix) => {
    await clear();
    await exchangeBytes(server.url, bytes());
    const { verdict, account, malformed, totals } = await report();
    const before = what.startsWith('a second') ? 1 : 0;
    expect(account).toMatchObject({ total: 1 + before, malformed: 1, validated: before });
    expect([verdict, totals.malformed, malformed[0]?.cause]).toEqual(['fail', 1, cause]);
    expect(malformed[0]?.fix).toMatch(fix);
    const { requests } = (await client.get('/_sandbox/requests')).json;
    const logged = requests.find((each: { malformed: unknown }) => each.malformed !== null);
    expect([logged.malformed.cause, logged.status >= 400]).toEqual([cause, true]);
    expect(JSON.stringify([malformed, logged])).not.toContain(client.key);
    expect(await unmatched()).not.toContainEqual(expect.objectContaining({ id: logged.id }));
  });

  it('is expected where it says so', async () => {
    await clear();
    await exchangeBytes(server.url, `GET /v1/pets?a b HTTP/1.1\r\n${key()}Sandbox-Expect: invalid\r\n\r\n`);
    const { account, malformed } = await report();
    expect([account.total, account.expectedInvalid, malformed]).toEqual([1, 1, []]);
  });

  it('makes the ones behind it unknown, and the report incomplete without it', async () => {
    await clear();
    const next = `GET /v1/pets/1 HTTP/1.1\r\n${key()}\r\n`;
    await exchangeBytes(
      server.url,
      `GET /v1/pets?a b HTTP/1.1\r\n${key()}Sandbox-Expect: invalid\r\n\r\n${next}${next}`,
    );
    const { verdict, account } = await report();
    expect([verdict, account.total, account.notValidated]).toEqual(['incomplete', 3, 2]);
  });

  it('is none where it came behind a response that ends the connection, and is counted all the same', async () => {
    await clear();
    const last = `GET /v1/pets/1 HTTP/1.1\r\n${key()}Connection: close\r\n\r\n`;
    await exchangeBytes(server.url, `${last}${last}`);
    const { verdict, account } = await report();
    expect([verdict, account.total, account.validated, account.notValidated]).toEqual(['incomplete', 2, 1, 1]);
  });

  it('is recorded as dropped in an export, and leaves its replay incomplete', async () => {
    await clear();
    await exchangeBytes(server.url, `GET /v1/pets?a b HTTP/1.1\r\n${key()}\r\n`);
    const [head] = (await client.get('/_sandbox/export?format=recording')).text.split('\n');
    expect(JSON.parse(head as string).dropped).toBe(1);
  });
});

describe('a malformed request without a key', () => {
  it.each<[what: string, bytes: string | Buffer, status: number]>([
    ['no HTTP', 'HELLO\r\n\r\n', 400],
    ['the beginning of TLS', Buffer.from('16030100c8010000c40303', 'hex'), 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a head that never ends', 'GET /v1/pets HTTP/1.1\r\nHost: a\r\n', 408],
    ['a foreign key', `GET /v1/pets?a b HTTP/1.1\r\nAuthorization: Bearer petsbx_nobody\r\n\r\n`, 400],
  ])('is unmatched: %s', async (_, bytes, status) => {
    await client.delete('/_sandbox/requests/unmatched');
    await exchangeBytes(server.url, bytes);
    expect(await unmatched()).toMatchObject([{ reason: 'malformed', status }]);
  });

  it.each([
    ['on a new connection', ''],
    ['on one that has served another', 'GET /v1/pets/1 HTTP/1.1\r\nHost: a\r\nSandbox-Expect: invalid\r\n\r\n'],
  ])('is unmatched where it is reset within its head, %s', async (_, before) => {
    await client.delete('/_sandbox/requests/unmatched');
    const socket = await dial(server.url);
    socket.on('error', () => socket.destroy());
    socket.write(before);
    if (before) await new Promise((done) => socket.once('data', done));
    socket.write('GET /v1/pets HTTP/1.1\r\nHos', () => socket.resetAndDestroy());
    await expect.poll(unmatched).toMatchObject(before ? [CUT_OFF, { reason: 'no-credential' }] : [CUT_OFF]);
  });

  it('is none on a connection that sends nothing', async () => {
    await client.delete('/_sandbox/requests/unmatched');
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    await new Promise((done) => socket.once('close', done));
    expect(await unmatched()).toEqual([]);
  });
});

describe('a request outside of the base path', () => {
  it.each(['/store/orders', '/api/v1/pets', '/graphql', '/', '/docs', '/V1/pets', '//v1/pets', '/v1x'])(
    'belongs to the sandbox of its key, and is not recognized: %s',
    async (path) => {
      await clear();
      await client.get(path);
      const { verdict, account, noOperation } = await report();
      expect([verdict, account.total, account.notRecognized]).toEqual(['fail', 1, 1]);
      expect(noOperation[0]?.message).toMatch(/\/v1/);
    },
  );

  it('does not count what the control API is asked', async () => {
    await clear();
    await client.get('/_sandbox/pets');
    await client.get('/_sandbox/nothing');
    expect((await report()).account.total).toBe(0);
  });
});
