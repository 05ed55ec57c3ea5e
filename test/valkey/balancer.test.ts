/** The balancer of examples/shared before two servers on one store. It needs haproxy: `apt-get install haproxy`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Reply, send } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import { EventStream } from '../support/event-stream.ts';
import { unusedAddress } from '../support/program.ts';
import { limit } from '../support/slow.ts';
import type { Program } from '../support/watched-program.ts';
import { ADMIN, startProcess } from './support.ts';

let programs: readonly Program[];
let urls: readonly string[];
let url: string;
let key: string;

const engine = await startEngine();
afterAll(() => engine.close());

beforeEach(async () => {
  const store = engine.address();
  programs = [startProcess(store), startProcess(store)];
  urls = await Promise.all(programs.map(async (each) => (await each.wrote(/http:\/\/127\.0\.0\.1:\d+/))[0]));
  url = await startBalancer(urls);
  key = '';
  key = (await ask('/_sandbox/keys', { method: 'POST' })).json.key;
}, limit(60_000));

/** Runs the recipe's configuration with these servers. */
async function startBalancer(servers: readonly string[]): Promise<string> {
  const address = await unusedAddress();
  const [SANDBOX_A, SANDBOX_B, BALANCER] = [...servers, address].map((each) => new URL(each).host);
  const env = { PATH: process.env['PATH'], SANDBOX_A, SANDBOX_B, BALANCER };
  const child = spawn('haproxy', ['-db', '-f', 'examples/shared/haproxy.cfg'], { stdio: 'ignore', env });
  await once(child, 'spawn');
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  await until('the balancer serves', async () => (await healthOf(address))?.status, 200);
  return address;
}

const healthOf = (base: string): Promise<Reply | undefined> =>
  send(base, { path: '/_sandbox/health', headers: { Connection: 'close' } }).catch(() => undefined);

/** Waits until something is seen. */
const until = <T>(message: string, look: () => T | Promise<T>, value: T) =>
  expect.poll(look, { timeout: limit(30_000), interval: 20, message }).toBe(value);

/** Sends a request on a connection of its own, so that the balancer chooses a server. */
function ask(path: string, { method = 'GET', body, ...headers }: Record<string, string> = {}): Promise<Reply> {
  const own = { Connection: 'close', ...(key && { Authorization: `Bearer ${key}` }), ...headers };
  return send(url, { method, path, headers: own, ...(body !== undefined && { body }) });
}
const create = () =>
  ask('/v1/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}', 'Content-Type': 'application/json' });

/** The creates that a server answered. */
async function createsAt(server: string): Promise<number> {
  const headers = { Authorization: `Bearer ${ADMIN}` };
  const { text } = await send(server, { path: '/_sandbox/metrics', headers });
  return Number(/^petstore_sandbox_requests_total\{[^}]*createPet[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

describe('the balancer', { timeout: limit(60_000) }, () => {
  it('gives requests of one key to both servers, which give out every id once', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 10; n++) ids.push((await create()).json.id);
    expect(ids).toEqual(Array.from({ length: 10 }, (_, n) => 13 + n));
    expect(await Promise.all(urls.map(createsAt))).toEqual([5, 5]);
  });

  it('passes events on at once', async () => {
    const stream = await EventStream.open(url, { headers: { Authorization: `Bearer ${key}` } });
    onTestFinished(() => stream.close());
    await create();
    expect((await stream.next()).data).toMatchObject({ operation: 'createPet', status: 201 });
  });

  it('breaks connections as the servers do, and sends no request again', async () => {
    const kinds = ['reset', 'empty', 'truncate'];
    for (const kind of kinds)
      await expect(ask('/v1/pets', { 'Sandbox-Fault': `connection=${kind}` })).rejects.toThrow();
    expect((await ask('/_sandbox/requests')).json.requests).toHaveLength(kinds.length);
  });

  it('loses no request that reached a server which is stopped', async () => {
    const statuses: number[] = [];
    let reset = 0;
    let isOver = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const reply = await create().catch(() => undefined);
        if (reply) statuses.push(reply.status);
        else reset += 1;
      }
    });
    const more = (count: number, enough = statuses.length + count) =>
      until('requests', () => statuses.length > enough, true);
    await more(50);
    programs[0]?.process.kill('SIGTERM');
    expect(await programs[0]?.ended()).toBe(0);
    await more(50);
    isOver = true;
    await Promise.all(clients);
    expect(statuses.filter((status) => status !== 201)).toEqual([]);
    // The system resets a connection that is opened in the moment in which the port closes: nobody read its request.
    expect(reset).toBeLessThanOrEqual(2);
    expect((await ask('/_sandbox')).json.pets.total).toBe(12 + statuses.length);
  });

  it('uses the other server when one is killed', async () => {
    await programs[0]?.kill();
    for (let n = 0; n < 10; n++) expect((await create()).status).toBe(201);
  });

  it('lets the servers say that the store is down', async () => {
    await engine.kill();
    try {
      await until('the servers are unhealthy', async () => (await healthOf(url))?.json.code, 'storage_failed');
      // Longer than the balancer takes to see it.
      await later(3_000);
      expect((await create()).json.code).toBe('storage_failed');
    } finally {
      await engine.start();
    }
    await until('the servers serve again', async () => (await create()).status, 201);
  });
});
