/** Other people's pages must not drive the control API (design: other people's pages). */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, send } from '../../support/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { exchangeBytes } from '../../support/wire.ts';

const ALLOWED = 'http://localhost:3000';
const PUBLIC = 'https://sandbox.example.test:8443/pets';

const server = await startTestServer();
const open = await startTestServer({
  settings: { allowOrigins: [ALLOWED], allowHosts: ['sandbox.test', 'Other.test:81'], publicUrl: PUBLIC },
});

/** Asks for a new key: an effect that shows. */
async function request(of: TestServer, headers: Record<string, string>, method = 'POST'): Promise<Reply> {
  const { size } = of.sandboxes;
  const reply = await send(of.url, { method, path: '/_sandbox/keys', headers });
  expect(of.sandboxes.size - size).toBe(reply.status === 201 ? 1 : 0);
  return reply;
}
/** That each request gets this status. */
async function expectAll(status: number, of: TestServer, ...all: readonly Record<string, string>[]): Promise<void> {
  for (const headers of all) expect([headers, (await request(of, headers)).status]).toEqual([headers, status]);
}

describe('a page of another site', () => {
  it.each([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:1' },
    { Origin: 'http://localhost' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { Origin: '' },
  ])('is rejected before any effect: %j', async (headers) => {
    const reply = await request(server, headers);
    expect([reply.status, reply.json.code]).toEqual([403, 'forbidden']);
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    expect((await request(server, headers, 'OPTIONS')).status).toBe(403);
  });

  it('is rejected on every path of the control API and at the root, whatever else is wrong', async () => {
    const { key } = await server.sandbox();
    const headers = { Origin: 'https://evil.example', Authorization: `Bearer ${key}` };
    for (const path of ['/', ...['', '/', '/health', '/openapi.yaml', '/none'].map((path) => `/_sandbox${path}`)])
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'])
        expect([path, method, (await send(server.url, { method, path, headers })).status]).toEqual([path, method, 403]);
  });
});

it.each(['/openapi.json', '/swagger.json', '/api-docs'])('%s names where the specification is', async (path) => {
  const message = expect.stringContaining('/_sandbox/openapi.json');
  expect((await send(server.url, { path })).json).toMatchObject({ status: 404, message });
});

it('leads a person who followed a link of another site to the dashboard, and nothing else', async () => {
  const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
  const page = await send(server.url, { path: '/?case=1', headers });
  expect([page.status, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(page.text.match(/href="[^"]*"/g)).toEqual(['href="/"']);
  for (const other of [{ path: '/_sandbox' }, { path: '/', method: 'POST' }])
    expect((await send(server.url, { ...other, headers })).json).toMatchObject({ status: 403, code: 'forbidden' });
});

it('lets programs and its own pages through', async () => {
  const own = new URL(server.url);
  const sites = [{ 'Sec-Fetch-Site': 'same-origin' }, { 'Sec-Fetch-Site': 'none' }];
  await expectAll(201, server, {}, { Origin: own.origin }, ...sites);
  const names = ['localhost', 'LOCALHOST', 'a.localhost', '[::1]'].map((name) => `${name}:${own.port}`);
  for (const Host of [...names, '127.8.9.1'])
    await expectAll(201, server, { Host, Origin: `http://${Host}`.toLowerCase() });
});

describe('where others reach the server, with --host 0.0.0.0', () => {
  const REBOUND = 'rebound.example:4020';
  let others: TestServer;
  beforeAll(async () => {
    const settings = { host: '0.0.0.0', allowHosts: ['sandbox.lan'], allowOrigins: [ALLOWED] };
    others = await startTestServer({ settings });
  });

  it.each([{ Origin: `http://${REBOUND}` }, { 'Sec-Fetch-Site': 'same-origin' }, { 'Sec-Fetch-Site': 'none' }])(
    'rejects a page whose name may be rebound to it, and names the flag: %j',
    async (headers) => {
      const message = expect.stringContaining('--allow-host rebound.example');
      expect((await request(others, { Host: REBOUND, ...headers })).json).toMatchObject({ status: 403, message });
    },
  );

  it('lets in programs by any name, and pages of an address, a named host or an allowed origin', async () => {
    const same = { 'Sec-Fetch-Site': 'same-origin' };
    await expectAll(
      201,
      others,
      { Host: REBOUND },
      { Host: '192.0.2.7:4020', Origin: 'http://192.0.2.7:4020' },
      { Host: '[2001:db8::1]:4020', Origin: 'http://[2001:db8::1]:4020', ...same },
      { Host: 'sandbox.lan', Origin: 'http://sandbox.lan', ...same },
      { Host: 'localhost:4020', ...same },
      { Host: REBOUND, Origin: ALLOWED },
    );
    await expectAll(403, others, { Host: REBOUND, Origin: 'http://evil.example' });
  });
});

describe('a host name that is not this machine’s', () => {
  it('is rejected, also where none is sent; with a user before it, it is no name at all', async () => {
    const loopback = ['localhost.evil.example', '127.0.0.1.evil.example', '127.0.0.999', '127.1'];
    for (const Host of ['evil.example', ...loopback, '10.0.0.1', '[::2]']) {
      expect((await request(server, { Host })).json).toMatchObject({ status: 403, code: 'forbidden' });
      await expectAll(403, server, { Host, Origin: `http://${Host}` });
    }
    const [reply] = await exchangeBytes(server.url, 'POST /_sandbox/keys HTTP/1.0\r\n\r\n');
    expect(reply?.status).toBe(403);
    const { json } = await request(server, { Host: 'evil@localhost' });
    expect(json).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('may be one that --allow-host or --public-url names, with any port unless it names one', async () => {
    const named = ['sandbox.test', 'SANDBOX.test:99', 'other.test:81', 'sandbox.example.test'];
    await expectAll(201, open, ...[...named, 'sandbox.example.test:8443'].map((Host) => ({ Host })));
    await expectAll(403, open, ...['x.sandbox.test', 'other.test', 'other.test:82'].map((Host) => ({ Host })));
  });
});

describe('a site that --allow-origin names', () => {
  it('may use the control API from its pages, and read the responses, errors too', async () => {
    for (const origin of [ALLOWED, new URL(PUBLIC).origin]) {
      const headers = { Origin: origin, 'Sec-Fetch-Site': 'cross-site' };
      const made = await request(open, headers);
      expect(made.status).toBe(201);
      expect(made.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
      const wrong = await send(open.url, { path: '/_sandbox', headers });
      const exposed = { 'access-control-expose-headers': 'Sandbox-Request-Id' };
      expect(wrong).toMatchObject({ status: 401, headers: { ...exposed, 'access-control-allow-origin': origin } });
    }
    await expectAll(403, open, { Origin: `${ALLOWED}0` });
  });

  it('is told so when its browser asks first', async () => {
    const headers = { Origin: ALLOWED, 'Access-Control-Request-Method': 'PUT' };
    const reply = await request(open, headers, 'OPTIONS');
    expect(reply.status).toBe(204);
    expect(reply.headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
    expect(reply.headers['access-control-allow-headers']).toMatch(/Authorization, Content-Type/);
  });
});

describe('health', () => {
  it.each(['GET /_sandbox/health HTTP/1.0\r\n\r\n', 'HEAD /_sandbox/health HTTP/1.0\r\n\r\n'])(
    'is for everyone, without a Host too: %j',
    async (head) => {
      expect(await exchangeBytes(server.url, head)).toMatchObject([{ status: 200 }]);
    },
  );
});
