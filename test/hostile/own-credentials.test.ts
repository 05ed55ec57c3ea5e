/** Credentials by their names, in headers, cookies and query parameters: nothing that is recorded, shown or logged has them. */
import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { formatNames } from '../../src/verdict/report/formats/formats.ts';
import { type Client, send, type TestRequest } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { pieceIn } from '../support/secrets.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dcEXAMPLE';
const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const HEADERS: readonly Record<string, string>[] = [
  ...['X-Api-Key', 'api-key', 'X-Auth-Token', 'X-Csrf-Token', 'Set-Cookie'].map((name) => ({ [name]: SECRET })),
  { 'Proxy-Authorization': `Bearer ${SECRET}` },
  { Cookie: `theme=dark; session=${SECRET}; seen=1` },
  { Authorization: `Bearer ${SECRET}` },
  { Authorization: `Token ${SECRET}` },
  { Authorization: SECRET },
  { Authorization: basic('user', SECRET) },
];

const JSON_TYPE = { 'Content-Type': 'application/json' };
const post = (path: string, body: string): TestRequest => ({ method: 'POST', path, body, headers: JSON_TYPE });

/** Valid requests and rejected ones, to which something is added. */
const requestsWith = (pair: string): TestRequest[] => [
  ...['', 'limit=2&', 'limit=0&', 'limit=1e1&', 'sttus=sold&', 'status=sold&status=sold&'].map((before) => ({
    path: `/v1/pets?${before}${pair}`,
  })),
  ...['&limit=x', '&x=%zz', '%zz', '#y', '%20y', `&${pair}`].map((after) => ({ path: `/v1/pets?${pair}${after}` })),
  ...['/v1/pets/x', '/v1/petz', '/pets', '/v1/pets/1', '/_sandbox/requests'].map((path) => ({
    path: `${path}?${pair}`,
  })),
  { path: `/v1/pets&${pair}` },
  post(`/v1/pets?${pair}`, '{"name":1}'),
  post(`/v1/pets?${pair}`, '{"name":'),
];

const NAMES = [
  'api_key',
  'x-api-key',
  'token',
  'Access_Token',
  'client%5Fsecret',
  'jwt',
  'password',
  'X-Amz-Signature',
];

async function shownOf(client: Client): Promise<Map<string, string>> {
  const shown = new Map<string, string>();
  const paths = [
    '/_sandbox/requests?limit=1000',
    '/_sandbox/requests/unmatched',
    '/_sandbox/export',
    '/_sandbox/export?format=har',
  ];
  for (const path of [...paths, ...formatNames.map((format) => `/_sandbox/report?format=${format}`)])
    shown.set(path, (await client.get(path)).text);
  const { requests } = (await client.get('/_sandbox/requests?limit=1000')).json;
  for (const { id } of requests) shown.set(id, (await client.get(`/_sandbox/requests/${id}`)).text);
  return shown;
}

/** Sends all these, and looks for the secret in all that is said, recorded and logged. */
async function expectHidden(requests: readonly TestRequest[]): Promise<void> {
  const client = await server.sandbox();
  const authorization = { Authorization: `Bearer ${client.key}` };
  const stream = await EventStream.open(server.url, { headers: authorization });
  const lines = server.lines.length;
  for (const request of requests) {
    for (const headers of [authorization, {}]) {
      const reply = await send(server.url, { ...request, headers: { ...headers, ...(request.headers as object) } });
      expect([request.path, pieceIn(reply.text, SECRET)]).toEqual([request.path, undefined]);
    }
  }
  const shown = await shownOf(client);
  expect(shown.size).toBeGreaterThan(formatNames.length + 4 + requests.length / 2);
  shown.set('the events', JSON.stringify(stream.waiting));
  stream.close();
  shown.set('the log', JSON.stringify(server.lines.slice(lines)));
  for (const [where, text] of shown) expect([where, pieceIn(text, SECRET)]).toEqual([where, undefined]);
}

test.for(NAMES)('%s in a query is shown nowhere', (name) => expectHidden(requestsWith(`${name}=${SECRET}`)));

test('a header or cookie that is a credential is shown nowhere', () =>
  expectHidden(
    HEADERS.flatMap((headers) => ['/v1/pets', '/v1/pets?limit=0', '/pets'].map((path) => ({ path, headers }))),
  ));

test('a request that is no HTTP shows no credential either', async () => {
  const client = await server.sandbox();
  const { port } = new URL(server.url);
  const head = `Host: x\r\nAuthorization: Bearer ${client.key}\r\nX-Api-Key: ${SECRET}\r\nCookie: session=${SECRET}`;
  const targets = [`?api_key=${SECRET}&x=ü ü`, `?x=ü&token=${SECRET}`, `?token=a ${SECRET}`, `?token=ü${SECRET}`];
  const long = [
    `?token=${SECRET}${'x'.repeat(17_000)}`,
    `?${'x'.repeat(1_900)}&token=${SECRET.repeat(9)}${'x'.repeat(17_000)}`,
  ];
  for (const target of [...targets, ...long].map((query) => `/v1/pets${query}`)) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(`GET ${target} HTTP/1.1\r\n${head}\r\n\r\n`);
    const reply = String(Buffer.concat(await socket.toArray()));
    expect([reply.slice(0, 10), pieceIn(reply, SECRET)]).toEqual(['HTTP/1.1 4', undefined]);
  }
  for (const [where, text] of await shownOf(client)) expect([where, pieceIn(text, SECRET)]).toEqual([where, undefined]);
});

test.for(['', 'x', 'x%zz', 'x#y', 'x%20y', '%C3%BC', '[key]'])(
  'a credential of %j is read as it would be elsewhere',
  async (value) => {
    const client = await server.sandbox();
    const before = server.validator.tallies.disagreements;
    const [named, other] = [await client.get(`/v1/pets?token=${value}`), await client.get(`/v1/pets?note=${value}`)];
    const { requests } = (await client.get('/_sandbox/requests')).json;
    expect([named.status, requests[1].violations.length]).toEqual([other.status, requests[0].violations.length]);
    expect(server.validator.tallies.disagreements).toBe(before);
  },
);
