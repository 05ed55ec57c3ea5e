/** The request log of servers that share a store: what it says after a server or the store lost some of it. */
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { startForwarder } from '../support/forwarder.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { ADMIN, create, newClient, range } from './support.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function engineWith(...args: string[]): Promise<TestEngine> {
  const engine = await startEngine(args);
  endings.push(() => engine.close());
  return engine;
}

/** Two servers behind one address of a store, and a client of each for one new sandbox. */
async function twoServers(store: string) {
  const start = () => startTestServer({ settings: { store, adminToken: ADMIN } });
  const servers = [await start(), await start()] as const;
  for (const server of servers) server.allowTrouble(/a request failed|the sweep could not|an exchange is lost/);
  const one = await newClient(servers[0].url);
  return [one, new Client(servers[1].url, one.key)] as const;
}

const reportOf = async (client: Client) => (await client.get('/_sandbox/report')).json;

/** Once both have their connections again. */
async function reports(clients: readonly Client[]) {
  for (const client of clients) {
    await expect.poll(async () => (await client.get('/_sandbox/report')).status, { timeout: limit(20_000) }).toBe(200);
  }
  return Promise.all(clients.map(reportOf));
}

describe('a store that comes back older', () => {
  it('leaves no report that passes, at any server, and all servers have the same pets', {
    timeout: limit(90_000),
  }, async () => {
    const [primary, older] = [await engineWith(), await engineWith()];
    const forwarder = await startForwarder(primary.port);
    endings.push(() => forwarder.close());
    const clients = await twoServers(`valkey://127.0.0.1:${forwarder.port}/0`);
    const [one, other] = clients;
    await create(one, 'Kept');
    await reports(clients);
    // The other one is as a replica was some time ago.
    await older.client.replicaof('127.0.0.1', primary.port);
    await expect.poll(() => older.client.dbsize(), { timeout: limit(20_000) }).toBe(await primary.client.dbsize());
    await older.client.replicaof('NO', 'ONE');
    // A violation that nobody sees in the store that takes over.
    expect((await one.post('/v1/pets', { name: 'Rex' })).status).toBe(400);
    await create(other, 'Lost');
    await reportOf(other);
    forwarder.switchTo(older.port);
    // As many changes as were lost.
    await expect.poll(async () => (await create(one, 'After')).status, { timeout: limit(20_000) }).toBe(201);
    for (const report of await reports(clients)) {
      expect(report.incompleteReasons).toContainEqual(
        expect.stringMatching(/exchanges are missing.*lost its latest data/),
      );
      expect(report.verdict).not.toBe('pass');
    }
    const lists = await Promise.all(clients.map(async (client) => (await client.get('/v1/pets?limit=100')).json));
    expect(lists[1]).toEqual(lists[0]);
    expect(lists[0].map(({ name }: { name: string }) => name)).toContain('After');
    // A cleared request log is whole again.
    expect((await one.delete('/_sandbox/requests')).status).toBe(204);
    await one.get('/v1/pets');
    for (const report of await reports(clients)) {
      expect([
        report.totals.exchanges,
        report.incompleteReasons.filter((why: string) => why.includes('missing')),
      ]).toEqual([1, []]);
    }
  });
});

describe('a store that is full', () => {
  it('still answers requests that only read, and the report says that they are missing', {
    timeout: limit(90_000),
  }, async () => {
    const engine = await engineWith('--maxmemory-policy', 'noeviction');
    const clients = await twoServers(engine.address());
    const [one, other] = clients;
    await create(one, 'Before');
    await reports(clients);
    await engine.client.config('SET', 'maxmemory', '1mb');
    expect((await create(one, 'Full')).json.message).toContain('full');
    expect((await other.get('/v1/pets?limit=1')).status).toBe(200);
    expect((await other.get('/v1/pets?limit=1')).status).toBe(200);
    for (const { incompleteReasons } of await reports(clients)) {
      expect(incompleteReasons).toContainEqual(expect.stringMatching(/exchanges are missing: the store was full/));
    }
    expect((await one.delete('/_sandbox')).status).toBe(204);
  });
});

describe('the request log', () => {
  it('is the same at each server after both cleared it at once, again and again', {
    timeout: limit(90_000),
  }, async () => {
    const engine = await engineWith();
    const clients = await twoServers(engine.address());
    for (const round of range(0, 15)) {
      const busy = clients.flatMap((client) => range(0, 5).map(() => client.get('/v1/pets')));
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

  it('goes with its sandbox, whatever is written late', { timeout: limit(60_000) }, async () => {
    const engine = await engineWith();
    const clients = await twoServers(engine.address());
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

  it('counts a request without an answer as lost, at each server alike', { timeout: limit(90_000) }, async () => {
    const engine = await engineWith();
    const clients = await twoServers(engine.address());
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
});

const one = ([first]: readonly [Client, Client]): Client => first;
