/** The request log of servers that share a store: what it says after a server or the store lost some of it. */
import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { limit } from '../support/slow.ts';
import { exchangeBytes } from '../support/wire.ts';
import { ADMIN, create, engineWith, forwardTo, newClient, range, startOn, twoClients } from './support.ts';

const reports = (clients: readonly Client[]) =>
  Promise.all(clients.map(async (client) => (await client.get('/_sandbox/report')).json));

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
      const [first, second] = await reports(clients);
      expect([round, second.totals]).toEqual([round, first.totals]);
    }
    await one(clients).get('/v1/pets/1');
    const lists = await Promise.all(clients.map((client) => client.get('/_sandbox/requests?limit=1000')));
    const ids = lists.map(({ json }) => json.requests.map(({ id }: { id: string }) => id));
    expect(ids[1]).toEqual(ids[0]);
    expect(ids[0].length).toBeGreaterThan(0);
  });

  it('counts malformed requests and preflights at each server', { timeout: limit(60_000) }, async () => {
    const engine = await engineWith();
    const clients = await twoClients(engine.address());
    for (const { url, key } of clients) {
      const head = `Host: a\r\nAuthorization: Bearer ${key}\r\n`;
      await exchangeBytes(url, `GET /v1/pets?a b HTTP/1.1\r\n${head}\r\nGET /v1/pets HTTP/1.1\r\n${head}\r\n`);
      await exchangeBytes(url, 'OPTIONS /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    }
    const accounts = async () =>
      (await Promise.all(clients.map((client) => client.get('/_sandbox/report?unmatched=true')))).map(
        ({ json: { account, verdict } }) => [verdict, account.malformed, account.notValidated, account.skipped],
      );
    await expect.poll(accounts).toEqual([
      ['fail', 2, 2, 2],
      ['fail', 2, 2, 2],
    ]);
  });

  it('lists a request whose key could not be looked up, once the store is back', {
    timeout: limit(60_000),
  }, async () => {
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

  it('goes with its sandbox, whatever is written late', { timeout: limit(60_000) }, async () => {
    const engine = await engineWith();
    const clients = await twoClients(engine.address());
    const forks = await Promise.all(
      range(0, 12).map(async () => (await one(clients).post('/_sandbox/fork', {})).json.key as string),
    );
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
    const left = async () => (await engine.client.keys('*')).filter((key) => !key.startsWith('{sandbox}:'));
    const settled = async () => (await left()).filter((key) => !key.startsWith('sandbox:fixture:'));
    await expect.poll(settled, { timeout: limit(10_000) }).toEqual([]);
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
    const [stream] = await engine.client.keys('*:requests');
    // As a server that was killed right after it confirmed the state.
    await engine.client.xadd(stream as string, '*', 'q', 'req_never-answered');
    for (const report of await reports(clients)) {
      expect(report.incompleteReasons).toContain('1 exchange ended with a server before being recorded');
      expect([report.totals.exchanges, report.verdict]).toEqual([1, 'incomplete']);
    }
    // An answer that comes too late changes nothing anywhere.
    const [[, fields]] = (await engine.client.xrevrange(stream as string, '+', '-', 'COUNT', 1)) as [
      [string, string[]],
    ];
    expect(fields).toEqual(['x', 'req_never-answered']);
  });

  it('gets what was answered while earlier exchanges were on their way to a slow store', {
    timeout: limit(60_000),
  }, async () => {
    const engine = await engineWith();
    const [client, other] = await twoClients(engine.address());
    const total = async () => (await other.get('/_sandbox/requests')).json.total as number;
    await client.get('/v1/pets');
    await expect.poll(total, { timeout: limit(10_000) }).toBe(1);
    const answers = [400, 600].map((delay) => client.get('/v1/pets', { 'Sandbox-Fault': `delay=${delay}` }));
    const [stream] = await engine.client.keys('*:requests');
    const entered = async () => {
      const entries = await engine.client.xrange(stream as string, '-', '+');
      return entries.flatMap(([, [field, ids]]) => (field === 'q' ? (ids as string).split(' ') : [])).length;
    };
    await expect.poll(entered, { timeout: limit(10_000), interval: 5 }).toBe(3);
    engine.pause();
    await Promise.all(answers);
    await later(100);
    engine.resume();
    await expect.poll(total, { timeout: limit(10_000) }).toBe(3);
  });
});

const one = ([first]: readonly [Client, Client]): Client => first;
