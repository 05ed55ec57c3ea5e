/** What a client sends as a credential of another kind, and repeats elsewhere in the same request. */
import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { formatNames } from '../../src/report/formats/formats.ts';
import { type Client, send, type TestRequest } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { ENCODINGS, pieceIn } from '../support/secrets.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dcEXAMPLE';
const JWT = `eyJhbGciOiJSUzI1NiJ9.${Buffer.from(SECRET.repeat(20)).toString('base64url')}.c2lnbmF0dXJl`;
const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Where a credential comes, and the secret in it. */
const CREDENTIALS: Readonly<
  Record<string, readonly [headers: Record<string, string>, secret: string, query?: string]>
> = {
  'X-Api-Key': [{ 'X-Api-Key': SECRET }, SECRET],
  'Api-Key': [{ 'api-key': SECRET }, SECRET],
  'X-Auth-Token': [{ 'X-Auth-Token': JWT }, JWT],
  'Proxy-Authorization': [{ 'Proxy-Authorization': `Bearer ${SECRET}` }, SECRET],
  'a cookie': [{ Cookie: `theme=dark; session=${SECRET}; seen=1` }, SECRET],
  'a quoted cookie': [{ Cookie: `session="${SECRET}"` }, SECRET],
  'another bearer': [{ Authorization: `Bearer ${JWT}` }, JWT],
  'a password': [{ Authorization: basic('user', SECRET) }, SECRET],
  'a key as the user': [{ Authorization: basic(SECRET, '') }, SECRET],
  'a query parameter': [{}, SECRET, `api_key=${SECRET}`],
  'an encoded query parameter': [{}, SECRET, `client%5Fsecret=${encodeURIComponent(SECRET)}`],
};

const JSON_TYPE = { 'Content-Type': 'application/json' };
const post = (body: string, headers: Record<string, string> = JSON_TYPE): TestRequest => ({
  ...{ method: 'POST', path: '/v1/pets', body, headers },
});

/** Where it is repeated. */
const repeated = (text: string): TestRequest[] => [
  { path: `/v1/pets/${encodeURIComponent(text)}` },
  { path: `/v1/pets?limit=${encodeURIComponent(text)}` },
  { path: `/v1/pets?status=${encodeURIComponent(text)}` },
  { path: `/v1/pets?${encodeURIComponent(text)}=1` },
  { path: `/v1/petz/${encodeURIComponent(text)}` },
  { path: `/pets/${encodeURIComponent(text)}` },
  { path: '/v1/pets', headers: { 'User-Agent': `petshop ${text}`, 'X-Request-Id': text } },
  post(`{"name":"Rex","categoryId":"${text}"}`),
  post(`{"name":"Rex","categoryId":1,"${text}":"${text}"}`),
  post(`{"name":"Rex","categoryId":1,"note":"${text}${'x'.repeat(20_000)}"}`),
  post(`{"name":"Rex","categoryId":1,"note":"${'x'.repeat(16_384 - 60)}${text}","status":"no"}`),
  post(`a=${text}`, { 'Content-Type': /^[\w.-]+$/.test(text) ? `text/${text}` : 'text/plain' }),
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

test.for(Object.entries(CREDENTIALS))(
  '%s, repeated in the request, is shown nowhere',
  async ([, [headers, secret, query]]) => {
    const client = await server.sandbox();
    const stream = await EventStream.open(server.url, { headers: { Authorization: `Bearer ${client.key}` } });
    const lines = server.lines.length;
    for (const encoded of ['plain', 'percent-encoded in part', 'escaped as in JSON', 'in base64']) {
      const text = (ENCODINGS[encoded] as (secret: string) => string)(secret);
      for (const request of repeated(text)) {
        const path =
          query === undefined ? request.path : `${request.path}${request.path.includes('?') ? '&' : '?'}${query}`;
        const authorization = 'Authorization' in headers ? {} : { Authorization: `Bearer ${client.key}` };
        const all = { ...authorization, ...headers, ...(request.headers as object) };
        const reply = await send(server.url, { ...request, path, headers: all });
        expect([path, pieceIn(reply.status < 300 ? '' : reply.text, secret)]).toEqual([path, undefined]);
      }
    }
    const shown = await shownOf(client);
    shown.set('the events', JSON.stringify(stream.waiting));
    stream.close();
    shown.set('the log', JSON.stringify(server.lines.slice(lines)));
    for (const [where, text] of shown) expect([where, pieceIn(text, secret)]).toEqual([where, undefined]);
  },
);

test('a request that is no HTTP shows no credential either', async () => {
  const client = await server.sandbox();
  const { port } = new URL(server.url);
  const head = `Host: x\r\nAuthorization: Bearer ${client.key}\r\nX-Api-Key: ${SECRET}\r\nCookie: session=${SECRET}`;
  for (const target of [`/v1/pets/ü${SECRET}`, `/v1/pets?api_key=${SECRET}&x=ü ü`]) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(`GET ${target} HTTP/1.1\r\n${head}\r\n\r\n`);
    const reply = String(Buffer.concat(await socket.toArray()));
    expect([reply.slice(0, 12), pieceIn(reply, SECRET)]).toEqual(['HTTP/1.1 400', undefined]);
  }
  for (const [where, text] of await shownOf(client)) expect([where, pieceIn(text, SECRET)]).toEqual([where, undefined]);
});

test('what is validated is what was sent, also where a credential is a valid value', async () => {
  const client = await server.sandbox({ fixture: 'empty' });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  const id = '4611686018427387904';
  const before = server.validator.tallies.disagreements;
  const reply = await client.send({ path: `/v1/pets/${id}`, headers: { 'X-Api-Key': id } });
  expect(reply.status).toBe(404);
  const { requests } = (await client.get('/_sandbox/requests')).json;
  expect(requests[0]).toMatchObject({ target: '/v1/pets/[key]', validated: true, violations: [] });
  expect(server.validator.tallies.disagreements).toBe(before);
});

test('the key of a client in another header or in the query is named, whatever its name is', async () => {
  for (const headers of [{ 'X-Api-Key': 'x' }, { 'Api-Key': 'x' }, { 'X-Auth-Token': 'x' }]) {
    const { json } = await send(server.url, { path: '/v1/pets', headers });
    expect(json.message).toContain(
      `no API key was sent in \`Authorization\`; \`${Object.keys(headers)[0]}\` is not read; send`,
    );
  }
  for (const name of ['api_key', 'x-api-key', 'auth_token', 'jwt', 'client_secret']) {
    const { json } = await send(server.url, { path: `/v1/pets?${name}=x` });
    expect(json.message).toContain(
      `no API key was sent in \`Authorization\`; \`${name}\` in the query is not read; send`,
    );
  }
});
