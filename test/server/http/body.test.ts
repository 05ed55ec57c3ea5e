import type { OutgoingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import { sharedServer, startTestServer } from '../../support/server.ts';
import { dial, headOf } from '../../support/wire.ts';

const MIB = 2 ** 20;
/** Express's own default. */
const MOST = 100 * 1024;

const server = await sharedServer();
const client = await server.sandbox({ fixture: 'empty' });

const JSON_TYPE: OutgoingHttpHeaders = { 'Content-Type': 'application/json' };
const create = (body: string | readonly string[], headers = JSON_TYPE) =>
  client.send({ method: 'POST', path: '/v1/pets', headers, body });

/** A pet's JSON of exactly so many bytes. */
const petOf = (bytes: number): string => {
  const start = '{"categoryId":1,"name":"';
  return `${start}${'a'.repeat(bytes - start.length - 2)}"}`;
};
const TOO_LARGE = { status: 413, code: 'payload_too_large', message: expect.stringContaining(`${MOST} bytes`) };
const inChunks = (text: string, size = 65_536): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));

describe('a body', () => {
  test('may be of 100 KiB, with its length or in chunks', async () => {
    const body = petOf(MOST);
    expect((await create(body)).status).toBe(201);
    const reply = await create(inChunks(body));
    expect(reply.status).toBe(201);
    expect(reply.json.name).toHaveLength(JSON.parse(body).name.length);
  });

  const wide = (members: number) =>
    `{"name":"Rex","categoryId":1,"x":[${Array.from({ length: members - 3 }, () => '0').join(',')}]}`;

  test('may hold 10,000 members and items in all, and one more is too many, in the control API as well', async () => {
    expect((await client.post('/v1/pets', wide(10_000))).status).toBe(201);
    const wrong = wide(10_000).replace('"categoryId":1', '"categoryId":null');
    expect((await client.post('/v1/pets', wrong)).json).toMatchObject({ status: 400 });
    const rejected = await client.post('/v1/pets', wide(10_001));
    const message = 'body is limited to 10,000 fields and array items in all';
    expect(rejected.json).toEqual({ status: 413, code: 'payload_too_large', message });
    expect((await client.post('/_sandbox/keys', wide(10_001))).json).toEqual(rejected.json);
    const seen = await client.get(`/_sandbox/requests/${rejected.headers['sandbox-request-id']}`);
    expect(seen.json).toMatchObject({ violations: [], request: { body: null, unread: true } });
    expect(seen.json.warnings).toEqual([
      { location: 'body', rule: 'rejected-beyond-specification', message: message.replace('body ', '') },
    ]);
  });

  test.each([MOST + 1, MIB, 12 * MIB])('of %d bytes is too large, with its length or in chunks', async (bytes) => {
    const body = petOf(bytes);
    expect((await create(body)).json).toMatchObject(TOO_LARGE);
    expect((await create(inChunks(body))).json).toMatchObject(TOO_LARGE);
    const { json } = await client.get('/v1/pets?limit=100');
    expect(json.filter(({ name }: { name: string }) => name.length >= MOST)).toEqual([]);
  });

  test('that is declared too large is rejected before it comes', async () => {
    const headers = { ...JSON_TYPE, 'Content-Length': 2 ** 40, Connection: 'close' };
    expect((await create('{', headers)).json).toMatchObject(TOO_LARGE);
  });

  test('without end is cut off in the end', async () => {
    const socket = await dial(server.url);
    socket.on('error', () => socket.destroy());
    const gone = new Promise((done) => socket.once('close', done));
    socket.write(headOf(client, 'POST /v1/pets', 'Content-Type: application/json', 'Transfer-Encoding: chunked'));
    const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`;
    let sent = 0;
    while (!socket.destroyed && sent < 200 * MIB) {
      sent += chunk.length;
      if (!socket.write(chunk)) await Promise.race([new Promise((done) => socket.once('drain', done)), gone]);
    }
    expect(sent).toBeLessThan(100 * MIB);
  });

  test('of another type is rejected, however large, and the connection goes on', async () => {
    for (const body of ['x', petOf(3 * MIB), inChunks(petOf(3 * MIB))]) {
      const reply = await create(body, { 'Content-Type': 'text/plain' });
      expect(reply.json).toMatchObject({ status: 415, code: 'unsupported_media_type' });
      const { violations } = (await client.get(`/_sandbox/requests/${reply.requestId}`)).json;
      expect(violations).toMatchObject([{ rule: 'content-type' }]);
      expect((await client.get('/v1/pets?limit=1')).status).toBe(200);
    }
  });

  test('that is not read, because the key was revoked, is no missing body', async () => {
    const sandbox = await server.sandbox();
    const { id } = (await sandbox.get('/_sandbox/keys')).json.keys[0];
    const other = server.client((await sandbox.post('/_sandbox/keys', { shared: true })).json.key);
    await other.delete(`/_sandbox/keys/${id}`);
    const body = ['{"name":', '"Rex"}'];
    const rejected = await sandbox.send({ method: 'POST', path: '/v1/pets', headers: JSON_TYPE, body });
    expect(rejected.status).toBe(401);
    const seen = await other.get(`/_sandbox/requests/${rejected.headers['sandbox-request-id']}`);
    expect(seen.json).toMatchObject({ operation: 'createPet', violations: [] });
  });

  test('may be no larger than the settings say', async () => {
    const small = await startTestServer({ settings: { maxBody: 100 } });
    const sandbox = await small.sandbox();
    expect((await sandbox.post('/v1/pets', petOf(100))).status).toBe(201);
    expect((await sandbox.post('/v1/pets', petOf(101))).json).toMatchObject({ status: 413 });
  });
});
