/**
 * Secrets at every offset: whatever a client writes its key, a preconfigured key or the admin token into, and in whatever way it
 * is written, nothing that the server says, keeps or logs shows a piece of it. The offsets move each secret over every
 * place where a message is cut. And other credentials by their names, in headers, cookies and query parameters.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatNames } from '../../src/verdict/report/formats/formats.ts';
import { type Client, send, type TestRequest } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { pieceIn, waysToWrite } from '../support/secrets.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { exchangeBytes } from '../support/wire.ts';
import { NO_KEY, PLACES, type Place, post } from './places.ts';

const FIXED = 'Zq8/vN2+tK~w.7-Rx_Yb4/mD==';
const ADMIN = 'qW5nB8yXc2Vt7RzKm3Lp9Hd4';
/** Of another service: it is known by where it stands. */
const FOREIGN = 'sk_live_4eC39HqLyjWDarjtT1zdp7dcEXAMPLE';
/** Looked for at once: a piece of any of them is a piece of this. */
const together = (...secrets: readonly string[]): string => secrets.join('\0');

let directory: string;
let server: TestServer;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'petstore-sandbox-'));
  server = await startTestServer({ settings: { data: directory, keys: [FIXED], adminToken: ADMIN } });
});
afterAll(() => rm(directory, { recursive: true }));

/** Everything that the server says of a sandbox. */
async function allSaidOf(client: Client): Promise<Map<string, string>> {
  const said = new Map<string, string>();
  const paths = [
    ...['', '/keys', '/requests?limit=1000', '/requests/unmatched', '/export'],
    ...formatNames.map((format) => `/report?format=${format}`),
    ...['har', 'curl'].map((format) => `/export?format=${format}`),
  ];
  for (const path of paths) said.set(path, (await client.get(`/_sandbox${path}`)).text);
  for (const body of [{ name: 1 }, 'x'])
    said.set('verify', (await client.post('/_sandbox/requests/verify', { body, path: '/x', exactly: 1 })).text);
  const { requests } = (await client.get('/_sandbox/requests?limit=1000')).json;
  for (const { id } of requests.filter((_: unknown, at: number) => at % 23 === 0 || requests.length < 100))
    said.set(id, (await client.get(`/_sandbox/requests/${id}`)).text);
  return said;
}

/** Sends all these, and looks for the secrets in all that is said, recorded and logged. */
async function expectHidden(
  client: Client,
  secrets: string,
  requests: Iterable<readonly [how: string, request: TestRequest]>,
): Promise<void> {
  const headers = { Authorization: `Bearer ${client.key}` };
  const stream = await EventStream.open(server.url, { headers });
  const lines = server.lines.length;
  for (const [how, request] of requests) {
    const reply = await send(server.url, { ...request, headers: { ...headers, ...(request.headers as object) } });
    // The one response that shows a key is the one that makes it.
    const shown = reply.status === 201 ? '' : [...reply.rawHeaders, reply.text].join('\n');
    expect([how, pieceIn(shown, secrets)]).toEqual([how, undefined]);
  }
  const said = await allSaidOf(client);
  said.set('the events', JSON.stringify(stream.waiting));
  stream.close();
  said.set('the log', JSON.stringify(server.lines.slice(lines)));
  for (const [where, text] of said) expect([where, pieceIn(text, secrets)]).toEqual([where, undefined]);
}

/** From where on a secret begins, so that it is whole, and so that it is cut at each of its characters, or every few. */
function offsetsFor(cutAfter: number, length: number): number[] {
  const step = Math.max(1, Math.floor(length / 8));
  const crossing = Array.from({ length: Math.ceil(length / step) + 1 }, (_, at) => cutAfter - length + at * step);
  return [...new Set([0, ...crossing.filter((offset) => offset > 0 && offset <= cutAfter)])];
}

/** Every request that puts one of the secrets into the place: encoded in every way, and cut off everywhere. */
function* requestsWith(
  secrets: readonly string[],
  [, cutAfter, ask, takes = /^\S*$/]: Place,
): Generator<[how: string, request: TestRequest]> {
  for (const [how, text] of secrets.flatMap(waysToWrite)) {
    if (!takes.test(text)) continue;
    for (const offset of offsetsFor(cutAfter, text.length)) yield [`${how}, ${offset}`, ask('x'.repeat(offset) + text)];
  }
}

it.for(PLACES)('in %s, no piece of a secret comes back, is kept or is logged', async (place) => {
  const client = await server.sandbox();
  const secrets = [client.key as string, FIXED, ADMIN];
  await expectHidden(client, together(...secrets), requestsWith(secrets, place));
});

const NAMES = 'api_key|x-api-key|token|Access_Token|client%5Fsecret|jwt|password|X-Amz-Signature'.split('|');
const BEFORE = ['', 'limit=2&', 'limit=0&', 'limit=1e1&', 'sttus=sold&', 'status=sold&status=sold&'];
const AFTER = ['&limit=x', '&x=%zz', '%zz', '#y', '%20y', `&token=${FOREIGN}`];
const PATHS = ['/v1/pets/x', '/v1/petz', '/pets', '/v1/pets/1', '/_sandbox/requests'];

it.for(NAMES)('%s in a query is shown nowhere', async (name) => {
  const pair = `${name}=${FOREIGN}`;
  const requests: TestRequest[] = [
    ...BEFORE.map((before) => ({ path: `/v1/pets?${before}${pair}` })),
    ...AFTER.map((after) => ({ path: `/v1/pets?${pair}${after}` })),
    ...PATHS.map((path) => ({ path: `${path}?${pair}` })),
    { path: `/v1/pets&${pair}` },
    post(`/v1/pets?${pair}`, '{"name":1}'),
    post(`/v1/pets?${pair}`, '{"name":'),
  ];
  const withoutKey = requests.map((request) => ({
    ...request,
    headers: { ...(request.headers as object), ...NO_KEY },
  }));
  const all = [...requests, ...withoutKey].map((request) => [request.path, request] as const);
  await expectHidden(await server.sandbox(), FOREIGN, all);
});

it('a header or cookie that is a credential is shown nowhere', async () => {
  const basic = `Basic ${Buffer.from(`user:${FOREIGN}`).toString('base64')}`;
  const headers: Record<string, string>[] = [
    ...['X-Api-Key', 'api-key', 'X-Auth-Token', 'X-Csrf-Token', 'Set-Cookie'].map((name) => ({ [name]: FOREIGN })),
    { 'Proxy-Authorization': `Bearer ${FOREIGN}` },
    { Cookie: `theme=dark; session=${FOREIGN}; seen=1` },
    ...[`Bearer ${FOREIGN}`, `Token ${FOREIGN}`, FOREIGN, basic].map((Authorization) => ({ Authorization })),
  ];
  const requests = headers.flatMap((each) => [each, { ...NO_KEY, ...each }]);
  const all = ['/v1/pets', '/v1/pets?limit=0', '/pets'].flatMap((path) =>
    requests.map((headers) => ({ path, headers })),
  );
  const named = all.map((request) => [JSON.stringify(request), request] as const);
  await expectHidden(await server.sandbox(), FOREIGN, named);
});

it.for(['', 'x', 'x%zz', 'x#y', 'x%20y', '%C3%BC', '[key]'])(
  'a credential of %j is read as it would be elsewhere',
  async (value) => {
    const client = await server.sandbox();
    const [named, other] = [await client.get(`/v1/pets?token=${value}`), await client.get(`/v1/pets?note=${value}`)];
    const { requests } = (await client.get('/_sandbox/requests')).json;
    expect([named.status, requests[1].violations.length]).toEqual([other.status, requests[0].violations.length]);
  },
);

it('a long body is cut in the request log without a piece of a secret at its end', async () => {
  const client = await server.sandbox();
  const key = client.key as string;
  const length = 16 * 1024;
  for (const [, text] of [key, FIXED].flatMap(waysToWrite)) {
    for (let end = 1; end < text.length; end += Math.ceil(text.length / 9)) {
      const before = `{"name":"`.padEnd(length - end, 'x');
      await client.post('/v1/pets', `${before}${text}${'x'.repeat(100)}","categoryId":"no"}`);
    }
  }
  const { requests } = (await client.get('/_sandbox/requests?limit=1000')).json;
  for (const { id } of requests) {
    const { text, json } = await client.get(`/_sandbox/requests/${id}`);
    expect(json.request.truncated).toBe(true);
    expect(pieceIn(text, together(key, FIXED))).toBeUndefined();
  }
});

it('a request that is no HTTP, or too long, shows no piece of a secret, also where its address is cut', async () => {
  const client = await server.sandbox();
  const long = 'x'.repeat(17_000);
  const targets = [
    ...[`?api_key=${FOREIGN}&x=ü ü`, `?x=ü&token=${FOREIGN}`, `?token=a ${FOREIGN}`, `?token=ü${FOREIGN}`],
    ...[`?token=${FOREIGN}${long}`, `?${'x'.repeat(1_900)}&token=${FOREIGN.repeat(9)}${long}`],
    ...['/', '?api_key='].flatMap((start) =>
      [8, 15, ADMIN.length - 1].flatMap((shown) => {
        const cut = `${start.padEnd(2_000 - '/v1/pets'.length - shown, 'x')}${ADMIN}`;
        return [cut, cut + long];
      }),
    ),
  ];
  const head = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${client.key}\r\nX-Api-Key: ${FOREIGN}\r\nCookie: session=${FOREIGN}`;
  for (const target of targets) {
    for (const more of ['', `\r\nX: ${long}`]) {
      const [reply] = await exchangeBytes(server.url, `GET /v1/pets${target} HTTP/1.1\r\n${head}${more}\r\n\r\n`);
      expect([reply?.status, pieceIn(reply?.text ?? '', FOREIGN)]).toEqual([expect.any(Number), undefined]);
    }
  }
  const said = await allSaidOf(client);
  expect(said.size).toBeGreaterThan(formatNames.length + targets.length);
  for (const [where, text] of said) {
    expect([where, pieceIn(text, FOREIGN)]).toEqual([where, undefined]);
    expect([where, text.includes(ADMIN.slice(0, 8))]).toEqual([where, false]);
  }
});

it('nothing of it is in the metrics, on a page or in a file', async () => {
  const texts = new Map([
    ['the metrics', (await server.client(ADMIN).get('/_sandbox/metrics')).text],
    ['the sandboxes', (await server.client(ADMIN).get('/_sandbox/sandboxes?limit=1000')).text],
    ['the dashboard', (await server.client().get('/')).text],
    ['the whole log', JSON.stringify(server.lines)],
  ]);
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) texts.set(entry.name, await readFile(join(entry.parentPath, entry.name), 'utf8'));
  }
  expect(texts.size).toBeGreaterThan(PLACES.length);
  for (const [where, text] of texts) {
    // Every issued key begins with the prefix: one that is hidden in part is found by it.
    expect([where, /petsbx_[0-9A-Za-z]/.test(text)]).toEqual([where, false]);
    expect([where, pieceIn(text, together(FIXED, ADMIN, FOREIGN))]).toEqual([where, undefined]);
  }
});
