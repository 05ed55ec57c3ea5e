/** The request log of servers that share a store: what it says after a server or the store lost some of it. */
import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import type { TestEngine } from '../support/engine.ts';
import { limit } from '../support/slow.ts';
import { exchangeBytes } from '../support/wire.ts';
import { ADMIN, create, engineWith, forwardTo, newClient, range, startOn, twoClients } from './support.ts';

const timeout = limit(60_000);
const soon = { timeout: limit(10_000) };

const getAt = (clients: readonly Client[], path: string) =>
  Promise.all(clients.map(async (client) => (await client.get(`/_sandbox/${path}`)).json));
const one = ([first]: readonly [Client, Client]): Client => first;
/** The request log of the only sandbox, in the store. */
const streamIn = async (engine: TestEngine) => (await engine.client.keys('*:requests'))[0] as string;

describe('the request log', () => {
  it('is the same at each server after both cleared it at once, again and again', {
    timeout: limit(90_000),
  }, async () => {
    const engine = await engineWith();
    const clients = await twoClients(engine.address());
    for (const round of range(0, 30)) {
      // Before, during and after both.
      const busy = clients.map(async (client) => {
        for (const _ of range(0, 8)) await Promise.all(range(0, 5).map(() => client.get('/v1/pets')));
      });
      const cleared = await Promise.all(clients.map((client) => client.delete('/_sandbox/requests')));
      await Promise.all(busy);
      expect(cleared.map(({ status }) => status)).toEqual([204, 204]);
      const [first, second] = await getAt(clients, 'report');
      expect([round, second.totals]).toEqual([round, first.totals]);
    }
    await one(clients).get('/v1/pets/1');
    const lists = await getAt(clients, 'requests?limit=1000');
    const ids = lists.map(({ requests }) => requests.map(({ id }: { id: string }) => id));
    expect(ids[1]).toEqual(ids[0]);
    expect(ids[0].length).toBeGreaterThan(0);
  });

  it('counts malformed requests and preflights at each server', { timeout }, async () => {
    const engine = await engineWith();
    const clients = await twoClients(engine.address());
    for (const { url, key } of clients) {
      const head = `Host: a\r\nAuthorization: Bearer ${key}\r\n`;
      await exchangeBytes(url, `GET /v1/pets?a b HTTP/1.1\r\n${head}\r\nGET /v1/pets HTTP/1.1\r\n${head}\r\n`);
      await exchangeBytes(url, 'OPTIONS /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    }
    const counts = { verdict: 'fail', account: { malformed: 2, notValidated: 2, skipped: 2 } };
    await expect.poll(() => getAt(clients, 'report?unmatched=true')).toMatchObject([counts, counts]);
  });

  it('lists a request whose key could not be looked up, once the store is back', { timeout }, async () => {
    const engine = await engineWith();
    const server = await startOn(engine.address());
    server.allowTrouble(/./);
    const { key } = await newClient(server.url);
    await engine.kill();
    expect((await new Client(server.url, key).get('/v1/pets')).status).toBe(503);
    await engine.start();
    const admin = new Client(server.url, ADMIN);
    const listed = async () => (await admin.get('/_sandbox/requests/unmatched')).json.requests;
    await expect.poll(listed).toMatchObject([{ reason: 'not-looked-up', path: '/v1/pets', status: 503 }]);
  });

  it('goes with its sandbox, whatever is written late', { timeout }, async () => {
    const engine = await engineWith();
    const clients = await twoClients(engine.address());
    const fork = async () => (await one(clients).post('/_sandbox/fork', {})).json.key as string;
    const forks = await Promise.all(range(0, 12).map(fork));
    await one(clients).delete('/_sandbox');
    await Promise.all(
      forks.flatMap((key) => {
        const [here, there] = clients.map(({ url }) => new Client(url, key)) as [Client, Client];
        return [
          ...range(0, 4).flatMap((n) => [create(here, `Pet ${n}`), there.get('/v1/pets')]),
          there.post('/_sandbox/keys', { shared: true }),
          here.delete('/_sandbox'),
        ];
      }),
    );
    for (const key of forks) expect((await new Client(clients[1].url, key).get('/v1/pets')).status).toBe(401);
    // What waits to be written, and the keys that were added meanwhile.
    const left = async () =>
      (await engine.client.keys('*')).filter((key) => !/^({sandbox}|sandbox:fixture):/.test(key));
    await expect.poll(left, soon).toEqual([]);
    expect(await engine.client.zcard('{sandbox}:expires')).toBe(0);
  });

  it('goes with its sandbox although another server adds a key meanwhile', async () => {
    const engine = await engineWith();
    const forwarder = await forwardTo(engine);
    const [client, other] = await twoClients(engine.address(), forwarder.store);
    await other.get('/v1/pets');
    const isHeld = forwarder.atRequest('"keys":[', () => forwarder.holdFrom(''));
    const adding = other.post('/_sandbox/keys', { shared: true });
    const letPass = await isHeld;
    // The log has the key; where it leads follows.
    await engine.client.ping();
    expect((await client.delete('/_sandbox')).status).toBe(204);
    letPass();
    await adding;
    expect(await engine.client.keys('sandbox:key:*')).toEqual([]);
    expect(await engine.client.zcard('{sandbox}:expires')).toBe(0);
  });

  it('counts a request without an answer as lost, at each server alike', { timeout: limit(90_000) }, async () => {
    const engine = await engineWith();
    const clients = await twoClients(engine.address());
    await one(clients).get('/v1/pets');
    const stream = await streamIn(engine);
    // As a server that was killed right after it confirmed the state.
    await engine.client.xadd(stream, '*', 'q', 'req_never-answered');
    for (const report of await getAt(clients, 'report')) {
      expect(report).toMatchObject({ totals: { exchanges: 1 }, verdict: 'incomplete' });
      expect(report.incompleteReasons).toContain('1 exchange ended with a server before being recorded');
    }
    // An answer that comes too late changes nothing anywhere.
    const [last] = await engine.client.xrevrange(stream, '+', '-', 'COUNT', 1);
    expect(last?.[1]).toEqual(['x', 'req_never-answered']);
  });

  it('gets what was answered while earlier exchanges were on their way to a slow store', { timeout }, async () => {
    const engine = await engineWith();
    const [client, other] = await twoClients(engine.address());
    const total = async () => (await other.get('/_sandbox/requests')).json.total as number;
    await client.get('/v1/pets');
    await expect.poll(total, soon).toBe(1);
    const answers = [400, 600].map((delay) => client.get('/v1/pets', { 'Sandbox-Fault': `delay=${delay}` }));
    const stream = await streamIn(engine);
    const entered = async () => {
      const entries = await engine.client.xrange(stream, '-', '+');
      return entries.flatMap(([, [field, ids]]) => (field === 'q' ? (ids as string).split(' ') : [])).length;
    };
    await expect.poll(entered, { ...soon, interval: 5 }).toBe(3);
    engine.pause();
    await Promise.all(answers);
    await later(100);
    engine.resume();
    await expect.poll(total, soon).toBe(3);
  });
});
