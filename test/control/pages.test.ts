/** The request log in pages, searched by a text, and compressed. */
import { get } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

const ADMIN = 'admin-token-of-this-test';

const server = await startTestServer({ settings: { adminToken: ADMIN } });

const sent = async (client: Client, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 1; n <= count; n += 1) {
    ids.push((await client.get(`/v1/pets?limit=${n}`)).requestId);
  }
  return ids.reverse();
};
const idsIn = async (client: Client, query: string): Promise<string[]> =>
  (await client.get(`/_sandbox/requests?${query}`)).json.requests.map(({ id }: { id: string }) => id);

it('is read page by page with the last id, while newer requests arrive', async () => {
  const client = await server.sandbox();
  const ids = await sent(client, 7);
  const read = await idsIn(client, 'limit=3');
  await client.get('/v1/pets/1');
  for (let page = read; page.length === 3; read.push(...page))
    page = await idsIn(client, `limit=3&before=${read.at(-1)}`);
  expect(read).toEqual(ids);
  const rest = (await client.get(`/_sandbox/requests?limit=3&before=${ids[2]}`)).json;
  expect(rest).toMatchObject({ total: 4, dropped: 0 });
});

it('joins `before` with `since`, and has nothing before a request that it dropped', async () => {
  const client = await server.sandbox();
  const [newest, second, third, oldest] = await sent(client, 4);
  expect(await idsIn(client, `since=${oldest}&before=${newest}`)).toEqual([second, third]);
  expect(await idsIn(client, `since=${newest}&before=${oldest}`)).toEqual([]);
  await client.delete('/_sandbox/requests');
  await client.get('/v1/pets');
  const none = (await client.get(`/_sandbox/requests?before=${second}`)).json;
  expect(none).toEqual({ requests: [], total: 0, dropped: 0 });
  expect((await client.get('/_sandbox/requests?before=2026-03-02T09:30:00Z')).status).toBe(400);
});

it('finds a text in targets and bodies, in any case, as the request log shows them', async () => {
  const client = await server.sandbox();
  const { requestId: created } = await client.post('/v1/pets', { name: 'Ärger', categoryId: 9_007_199 });
  const { requestId: listed } = await client.get('/v1/pets?limit=100');
  const { requestId: told } = await client.post('/v1/pets', { name: ADMIN, categoryId: 1 });
  const long = (await client.post('/v1/pets', { name: `${'x'.repeat(20_000)}the-end`, categoryId: 1 })).requestId;
  expect(await idsIn(client, 'contains=%C3%A4RGER')).toEqual([listed, created]);
  expect(await idsIn(client, 'contains=9007199&operation=createPet')).toEqual([created]);
  expect(await idsIn(client, 'contains=LIMIT%3D100')).toEqual([listed]);
  expect(await idsIn(client, 'contains=xxxx')).toEqual([long]);
  expect(await idsIn(client, 'contains=the-end')).toEqual([]);
  // Nothing is found that is not shown, not even its beginning.
  expect(await idsIn(client, `contains=${ADMIN}`)).toEqual([]);
  expect(await idsIn(client, 'contains=admin-token')).toEqual([]);
  expect(await idsIn(client, 'contains=%5Bkey%5D')).toEqual([told]);
});

const DECODERS = { br: promisify(brotliDecompress), gzip: promisify(gunzip) } as const;

it('is compressed for a client that accepts it, and the same text for every client', async () => {
  const client = await server.sandbox();
  await sent(client, 60);
  const path = '/_sandbox/requests';
  const plain = await client.get(path);
  expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': String(plain.text.length) });
  expect(plain.headers['content-encoding']).toBeUndefined();
  for (const [encoding, decode] of Object.entries(DECODERS)) {
    const { body, headers } = await bytesOf(server.url + path, { Authorization: `Bearer ${client.key}`, encoding });
    expect(headers).toMatchObject({ 'content-encoding': encoding, 'content-length': String(body.length) });
    expect(body.length).toBeLessThan(plain.text.length / 5);
    expect((await decode(body)).toString('utf8')).toBe(plain.text);
  }
  const short = await client.get(`${path}?limit=1`, { 'Accept-Encoding': 'gzip, br' });
  expect(short.headers['content-encoding']).toBeUndefined();
  expect(short.headers.vary).toBeUndefined();
});

it('is right for many readers at once, whether compressed or not', async () => {
  const client = await server.sandbox();
  const ids = await sent(client, 60);
  const headers = { Authorization: `Bearer ${client.key}`, encoding: 'gzip' };
  const all = await Promise.all(Array.from({ length: 12 }, () => bytesOf(`${server.url}/_sandbox/requests`, headers)));
  for (const { body, headers: told } of all) {
    const text = told['content-encoding'] === 'gzip' ? await DECODERS.gzip(body) : body;
    expect(JSON.parse(text.toString('utf8')).requests.map(({ id }: { id: string }) => id)).toEqual(ids);
  }
});

/** The bytes as they are sent. */
function bytesOf(url: string, { encoding, Authorization }: { encoding: string; Authorization: string }) {
  return new Promise<{ body: Buffer; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    get(url, { headers: { Authorization, 'Accept-Encoding': encoding } }, (res) => {
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part));
      res.on('error', reject);
      res.on('end', () => resolve({ body: Buffer.concat(parts), headers: res.headers }));
    }).on('error', reject);
  });
}
