/** Large bodies wait for room, small ones never, and a reader that takes nothing gives its room back. */
import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type MemoryPlan, planForProcess } from '../../src/base/memory.ts';
import type { Client } from '../support/client.ts';
import { startTestServer, type TestServerOptions } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { dial, exchangeBytes, headOf, postOf } from '../support/wire.ts';

/** Room for a single large list; the rest as on any machine. */
const narrow = (more: Partial<MemoryPlan> = {}): MemoryPlan => ({
  ...planForProcess(),
  inFlight: 1024 * 1024,
  ...more,
});

const LARGE = { maxBody: 2 ** 20 };

/** A narrow server with pets whose list is far larger than what a socket takes at once, with characters of every width. */
async function withLargePets(count: number, options: TestServerOptions = {}) {
  const server = await startTestServer({ memory: narrow(), settings: LARGE, ...options });
  const sandbox = await server.sandbox({ fixture: 'empty' });
  const texts: string[] = [];
  for (let n = 0; n < count; n++) {
    const name = `${n}${'a€😀'.repeat(30_000)}${'b'.repeat(n)}`;
    const reply = await sandbox.post('/v1/pets', { name, categoryId: n });
    expect(reply.status).toBe(201);
    texts.push(reply.text);
  }
  return { server, sandbox, texts };
}

/** Asks for a long list, and reads no more than its beginning. */
async function askAndSleep(client: Client) {
  const socket = await dial(client.url);
  socket.on('error', () => undefined);
  socket.write(headOf(client, 'GET /v1/pets?limit=100', 'Connection: close'));
  await once(socket, 'readable');
  return socket;
}

test('sends long lists in turn, and each of them whole', async () => {
  const { sandbox, texts } = await withLargePets(10);
  const expected = `[${texts.join(',')}]`;
  const replies = await Promise.all(Array.from({ length: 6 }, () => sandbox.get('/v1/pets?limit=100')));
  for (const { status, text } of replies) expect([status, text === expected]).toEqual([200, true]);
});

test('a body that the server did not read in time is not the fault of its client', async () => {
  const timeouts = { headersTimeout: 1_000, requestTimeout: 2_000, connectionsCheckingInterval: 50 };
  const { server, sandbox } = await withLargePets(50, { timeouts, readingMs: limit(10_000) });
  const fork = (await sandbox.post('/_sandbox/fork', {})).json;
  // Each takes its half.
  const sleepers = await Promise.all([sandbox, server.client(fork.key)].map(askAndSleep));
  const client = await server.sandbox();
  const [reply] = await exchangeBytes(client.url, postOf(client, ' '.repeat(600 * 1024), 'Connection: close'));
  for (const sleeper of sleepers) sleeper.destroy();
  expect(reply?.json).toMatchObject({
    code: 'request_timeout',
    message: expect.stringMatching(/^the server did not read the body in time/),
  });
  const report = (await client.get('/_sandbox/report')).json;
  expect(report).toMatchObject({ verdict: 'incomplete', counts: { malformed: 0 }, account: { total: 1 } });
  expect(report.reasons.join()).toContain('the connection ended before the request was served');
});

test('sends a list that is too long for the validator pet by pet, and counts it as not validated', async () => {
  const { server, sandbox, texts } = await withLargePets(10, { memory: narrow({ exchange: 2 ** 20 }) });
  server.expectTrouble(/^not validated: it is larger than 1048576 characters$/);
  const reply = await sandbox.get('/v1/pets?limit=100');
  expect(reply.text === `[${texts.join(',')}]`).toBe(true);
  expect(Number(reply.headers['content-length'])).toBe(Buffer.byteLength(reply.text));
  await server.validator.whenValidated();
  expect(server.validator.tallies).toMatchObject({ validationFailures: 1, brokenResponses: 0 });
  const { requests } = (await sandbox.get('/_sandbox/requests?limit=1')).json;
  expect(requests[0].response.bytes).toBe(Buffer.byteLength(reply.text));
  const kept = (await sandbox.get(`/_sandbox/requests/${requests[0].id}`)).json;
  expect(kept.response.truncated).toBe(true);
  expect(reply.text.startsWith(kept.response.body)).toBe(true);
});

test('gives room back where a client leaves before its body is there, and where it leaves while it waits', async () => {
  const server = await startTestServer({ memory: narrow(), settings: LARGE });
  const sandbox = await server.sandbox({ fixture: 'empty' });
  const head = (more: string) => headOf(sandbox, 'POST /v1/pets', 'Content-Type: application/json', more);
  const leavers = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const socket = await dial(server.url);
      socket.on('error', () => undefined);
      if (n % 2 === 0) socket.write(`${head('Content-Length: 900000')}${'x'.repeat(100_000)}`);
      else socket.write(`${head('Transfer-Encoding: chunked')}${(200_000).toString(16)}\r\n${'x'.repeat(100_000)}`);
      return socket;
    }),
  );
  // All are there, and wait for each other.
  expect((await sandbox.post('/v1/pets', { name: 'small', categoryId: 1 })).status).toBe(201);
  for (const socket of leavers) socket.destroy();
  const large = { name: 'n'.repeat(900_000), categoryId: 1 };
  const replies = await Promise.all([1, 2, 3].map(() => sandbox.post('/v1/pets', large)));
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
});

/** Asks for a long list, reads so many bytes every 20 ms for a time, then the rest at once; resolves with all that came. */
async function readSlowly(client: Client, bytes: number, ms: number): Promise<number> {
  const socket = await askAndSleep(client);
  const timer = setInterval(() => socket.read(bytes), 20);
  await Promise.race([after(ms), once(socket, 'close')]);
  clearInterval(timer);
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
  return socket.bytesRead;
}

test('slow readers of one sandbox hold up no large list of another, and none is waited for beyond its time', {
  timeout: limit(60_000),
}, async () => {
  const { server, sandbox, texts } = await withLargePets(50, { readingMs: 3_000 });
  const other = await server.sandbox({ fixture: 'empty' });
  // Its list needs room, and less than the half.
  await other.post('/v1/pets', { name: 'n'.repeat(100_000), categoryId: 1 });
  let ended = 0;
  const slow = Array.from({ length: 2 }, (_, n) =>
    readSlowly(sandbox, 200, 5_000 * (n + 1)).finally(() => {
      ended += 1;
    }),
  );
  for (let n = 0; n < 20; n++) expect((await other.get('/v1/pets')).status).toBe(200);
  expect(ended).toBe(0);
  // What is read at 10 KB a second is not waited for.
  expect(await slow[0]).toBeLessThan(Buffer.byteLength(texts.join()));
  await slow[1];
});
