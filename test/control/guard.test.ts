/** Other people's pages must not drive the control API (design: other people's pages). */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, send } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { exchangeBytes } from '../support/wire.ts';

const ALLOWED = 'http://localhost:3000';
const PUBLIC = 'https://sandbox.example.test:8443/pets';

const server = await startTestServer();
const open = await startTestServer({
  settings: { allowOrigins: [ALLOWED], allowHosts: ['sandbox.test', 'Other.test:81'], publicUrl: PUBLIC },
});

const hostOf = ({ url }: TestServer): string => new URL(url).host;
/** Asks for a new key: an effect that shows. */
async function request(of: TestServer, headers: Record<string, string>, method = 'POST'): Promise<Reply> {
  const { size } = of.sandboxes;
  const reply = await send(of.url, { method, path: '/_sandbox/keys', headers });
  expect(of.sandboxes.size - size).toBe(reply.status === 201 ? 1 : 0);
  return reply;
}
const statusOf = async (of: TestServer, headers: Record<string, string>): Promise<number> =>
  (await request(of, headers)).status;

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
    for (const path of [
      '/',
      '/_sandbox',
      '/_sandbox/',
      '/_sandbox/health',
      '/_sandbox/openapi.yaml',
      '/_sandbox/none',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        const headers = { Origin: 'https://evil.example', Authorization: `Bearer ${key}` };
        expect([path, method, (await send(server.url, { method, path, headers })).status]).toEqual([path, method, 403]);
      }
    }
  });
});

it('names the specification where other services have it', async () => {
  for (const path of ['/openapi.json', '/swagger.json', '/api-docs']) {
    const { status, json } = await send(server.url, { path });
    expect([path, status, json.message]).toEqual([path, 404, expect.stringContaining('/_sandbox/openapi.json')]);
  }
});

it('leads a person who followed a link of another site to the dashboard, and nothing else', async () => {
  const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
  const page = await send(server.url, { path: '/?case=1', headers: link });
  expect([page.status, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(page.text.match(/href="[^"]*"/g)).toEqual(['href="/"']);
  const others = [
    await send(server.url, { path: '/_sandbox', headers: link }),
    await send(server.url, { path: '/', method: 'POST', headers: link }),
  ];
  expect(others.map(({ status, json }) => [status, json.code])).toEqual(Array(2).fill([403, 'forbidden']));
});

it('lets programs and its own pages through', async () => {
  const own = `http://${hostOf(server)}`;
  for (const headers of [{}, { Origin: own }, { 'Sec-Fetch-Site': 'same-origin' }, { 'Sec-Fetch-Site': 'none' }]) {
    expect(await statusOf(server, headers)).toBe(201);
  }
  const port = hostOf(server).split(':')[1];
  for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `a.localhost:${port}`, `[::1]:${port}`, '127.8.9.1']) {
    expect([host, await statusOf(server, { Host: host, Origin: `http://${host}`.toLowerCase() })]).toEqual([host, 201]);
  }
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
      const reply = await request(others, { Host: REBOUND, ...headers });
      expect([reply.status, reply.json.message]).toEqual([
        403,
        expect.stringContaining('--allow-host rebound.example'),
      ]);
    },
  );

  it('lets in programs by any name, and pages of an address, a named host or an allowed origin', async () => {
    for (const headers of [
      { Host: REBOUND },
      { Host: '192.0.2.7:4020', Origin: 'http://192.0.2.7:4020' },
      { Host: '[2001:db8::1]:4020', Origin: 'http://[2001:db8::1]:4020', 'Sec-Fetch-Site': 'same-origin' },
      { Host: 'sandbox.lan', Origin: 'http://sandbox.lan', 'Sec-Fetch-Site': 'same-origin' },
      { Host: 'localhost:4020', 'Sec-Fetch-Site': 'same-origin' },
      { Host: REBOUND, Origin: ALLOWED },
    ])
      expect([headers, await statusOf(others, headers)]).toEqual([headers, 201]);
    expect(await statusOf(others, { Host: REBOUND, Origin: 'http://evil.example' })).toBe(403);
  });
});

describe('a host name that is not this machine’s', () => {
  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.999',
    '127.1',
    '10.0.0.1',
    '[::2]',
  ])('is rejected: %s', async (host) => {
    const reply = await request(server, { Host: host });
    expect([reply.status, reply.json.code]).toEqual([403, 'forbidden']);
    expect(await statusOf(server, { Host: host, Origin: `http://${host}` })).toBe(403);
  });

  it('is no name at all with a user before it', async () => {
    expect((await request(server, { Host: 'evil@localhost' })).json).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
  });

  it('is rejected also where none is sent', async () => {
    const [reply] = await exchangeBytes(server.url, 'POST /_sandbox/keys HTTP/1.0\r\n\r\n');
    expect(reply?.status).toBe(403);
  });

  it('may be one that --allow-host or --public-url names, with any port unless it names one', async () => {
    for (const host of [
      'sandbox.test',
      'SANDBOX.test:99',
      'other.test:81',
      'sandbox.example.test:8443',
      'sandbox.example.test',
    ]) {
      expect([host, await statusOf(open, { Host: host })]).toEqual([host, 201]);
    }
    for (const host of ['x.sandbox.test', 'other.test', 'other.test:82']) {
      expect([host, await statusOf(open, { Host: host })]).toEqual([host, 403]);
    }
  });
});

describe('a site that --allow-origin names', () => {
  it('may use the control API from its pages, and read the responses, errors too', async () => {
    for (const origin of [ALLOWED, 'https://sandbox.example.test:8443']) {
      const headers = { Origin: origin, 'Sec-Fetch-Site': 'cross-site' };
      const made = await request(open, headers);
      expect([made.status, made.headers['access-control-allow-origin'], made.headers.vary]).toEqual([
        201,
        origin,
        'Origin',
      ]);
      const wrong = await send(open.url, { path: '/_sandbox', headers });
      expect([wrong.status, wrong.headers['access-control-allow-origin']]).toEqual([401, origin]);
      expect(wrong.headers['access-control-expose-headers']).toBe('Sandbox-Request-Id');
    }
    expect(await statusOf(open, { Origin: `${ALLOWED}0` })).toBe(403);
  });

  it('is told so when its browser asks first', async () => {
    const headers = { Origin: ALLOWED, 'Access-Control-Request-Method': 'PUT' };
    const reply = await request(open, headers, 'OPTIONS');
    expect(reply.status).toBe(204);
    expect(reply.headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, DELETE');
    expect(reply.headers['access-control-allow-headers']).toMatch(/Authorization, Content-Type/);
  });
});
