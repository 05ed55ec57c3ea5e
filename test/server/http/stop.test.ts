/** A server that stops: requests that were sent are answered, idle connections close, and the end is bounded. */

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { stopwatch } from '../../../src/base/clock.ts';
import { TIMEOUTS } from '../../../src/base/limits.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { dial, headOf, readReplies } from '../../support/wire.ts';

/** A server whose validator is ready: otherwise the end waits for that. */
async function startReady(idleMs = 150): Promise<TestServer> {
  const server = await startTestServer({ idleMs });
  await server.validator.ready;
  return server;
}

/** Connections that carry no request: each has had a response. */
async function idleConnections(url: string, count: number): Promise<Socket[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => dial(url)));
  for (const socket of sockets) {
    socket.write('GET /_sandbox/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
  }
  return sockets;
}

/** Whether the address takes no connection any more. */
const rejects = (url: string): Promise<boolean> =>
  dial(url).then(
    (socket) => socket.destroy() === undefined,
    () => true,
  );

test('an idle connection is closed, but not under a request that arrived while the process was held up', async () => {
  const timeouts = { ...TIMEOUTS, keepAliveTimeout: 50 };
  const server = await startTestServer({ timeouts });
  const [socket] = (await idleConnections(server.url, 1)) as [Socket];
  // Since Node 24, connections stay open for a second longer.
  for (const until = stopwatch() + 1_200; stopwatch() < until; );
  socket.write('GET /_sandbox/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 200 /);
  await once(socket, 'close');
});

describe('while a server stops', () => {
  test('requests on a connection that was idle are answered, and the last says that it closes', async () => {
    const server = await startReady(3_000);
    const client = await server.sandbox();
    const [socket] = (await idleConnections(server.url, 1)) as [Socket];
    const reading = readReplies(socket);
    const closed = server.close();
    await expect.poll(() => rejects(server.url)).toBe(true);
    socket.write([1, 2, 3].map((id) => headOf(client, `GET /v1/pets/${id}`)).join(''));
    const replies = await reading;
    expect(replies.map(({ json }) => json.id)).toEqual([1, 2, 3]);
    expect(replies.map(({ headers }) => headers.connection)).toEqual(['keep-alive', 'keep-alive', 'close']);
    await closed;
  });

  test('a response that its client takes slowly arrives whole', async () => {
    const server = await startReady(0);
    const client = await server.sandbox({ fixture: 'empty' });
    const name = 'a'.repeat(90_000);
    for (let i = 0; i < 100; i += 1) await client.post('/v1/pets', { name, categoryId: 1 });
    const socket = await dial(server.url);
    socket.write(headOf(client, 'GET /v1/pets?limit=100'));
    await once(socket, 'readable');
    const closed = server.close();
    // Idle connections stay open for no time at all: this one is not idle while its response is under way.
    await expect.poll(() => rejects(server.url)).toBe(true);
    const [reply] = await readReplies(socket);
    expect(reply?.json).toHaveLength(100);
    await closed;
  });

  test('connections on which nothing was ever sent do not hold it up', async () => {
    const server = await startReady();
    const silent = await dial(server.url);
    const gone = once(silent, 'close');
    silent.resume();
    const part = await dial(server.url);
    part.on('error', () => part.destroy());
    part.write('GET /v1/pets HTTP/1.1\r\n');
    const cut = once(part, 'close').then(() => 'cut');
    // What came before this was read.
    await idleConnections(server.url, 1);
    const closed = server.close();
    // The other has begun a request, and is given time to end it.
    expect(await Promise.race([gone.then(() => 'let go'), cut])).toBe('let go');
    part.destroy();
    await closed;
  });

  test('no connection is no reason to wait', async () => {
    const [alone, kept] = [await startReady(), await startReady()];
    await idleConnections(kept.url, 20);
    expect(await Promise.race([alone.close().then(() => 'alone'), kept.close().then(() => 'kept')])).toBe('alone');
    await kept.close();
  });
});
