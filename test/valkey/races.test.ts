/** Servers that change the same sandboxes at the same time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { randomFrom } from '../support/random.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { ADMIN, create, forwardTo, newClient, range, startTwo, twoClients } from './support.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

/** The lines of the log of the only sandbox in a store. */
async function linesIn(store: string): Promise<number> {
  await engine.client.select(Number(new URL(store).pathname.slice(1)));
  const [log] = await engine.client.keys('*:log');
  return engine.client.llen(log as string);
}

/** Everything of a sandbox that must be the same at each server. */
async function stateOf(client: Client): Promise<unknown> {
  const paths = ['export?format=fixture', 'snapshots', 'faults', 'requests?limit=1000', 'report'];
  const all = await Promise.all(paths.map((path) => client.get(`/_sandbox/${path}`)));
  const [fixture, snapshots, faults, { requests, ...requestLog }, { totals, incompleteReasons }] = all.map(
    ({ json }) => json,
  );
  const exchanges = requests.map(({ id, status, validated }: never) => ({ id, status, validated }));
  return { fixture, snapshots, faults, requestLog, exchanges, totals, incompleteReasons };
}

describe('two servers', () => {
  it('keep all pets while their requests compete for one fault, and the log is rewritten', {
    timeout: limit(90_000),
  }, async () => {
    const store = engine.address();
    const [server] = await startTwo(store);
    const client = await newClient(server.url, { fixture: 'empty' });
    await Promise.all(range(0, 100).map((n) => create(client, `Pet ${n}`)));
    for (const round of range(0, 80)) {
      await client.post('/_sandbox/faults', { status: 503, times: 1 });
      // Each line has all rules: with long ones the log grows soon.
      for (const n of range(0, 3))
        await client.post('/_sandbox/faults', { status: 500, query: `${n}=`.padEnd(200, 'x') });
      const replies = await Promise.all(range(0, 10).map(() => client.get('/v1/pets')));
      expect([round, replies.filter(({ status }) => status === 503).length]).toEqual([round, 1]);
      await client.delete('/_sandbox/faults');
      const sizes = [await stateOf(client), await stateOf(client)] as { fixture: { pets: unknown[] } }[];
      expect([round, ...sizes.map(({ fixture }) => fixture.pets.length)]).toEqual([round, 100, 100]);
    }
    // Each round appended six.
    expect(await linesIn(store)).toBeLessThan(80 * 6);
  });

  it('read what was acknowledged while one of them loads the sandbox', { timeout: limit(60_000) }, async () => {
    const forwarder = await forwardTo(engine);
    const [client, other] = await twoClients(`valkey://127.0.0.1:${engine.port}/0`, forwarder.store);
    await create(client, 'Early');
    const isLoaded = forwarder.holdFrom('Early');
    const reading = [other.get('/_sandbox')];
    const letPass = await isLoaded;
    await create(client, 'Late');
    reading.push(other.get('/_sandbox'));
    // By then it waits for the same load.
    await new Client(other.url).get('/_sandbox/health');
    letPass();
    expect((await reading[1])?.json.pets.total).toBe(14);
  });

  it('have the same state after any changes at once, and so has one that starts later', {
    timeout: limit(120_000),
  }, async () => {
    const store = engine.address();
    const [server] = await startTwo(store);
    const clients = [await newClient(server.url)];
    const random = randomFrom(20_261_122);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const name = (): string => pick(['a', 'b', 'c']);
    const changes: Readonly<Record<string, (client: Client) => Promise<Reply>>> = {
      create: (client) => create(client, 'One'),
      createAnother: (client) => create(client, 'Another'),
      list: (client) => client.get('/v1/pets?limit=100'),
      generate: (client) => client.post('/_sandbox/pets', { count: 5, seed: 1 }),
      reset: (client) => client.post('/_sandbox/reset', {}),
      goBack: (client) => client.post('/_sandbox/reset', { snapshot: name() }),
      save: (client) => client.post('/_sandbox/snapshots', { name: name() }),
      drop: (client) => client.delete(`/_sandbox/snapshots/${name()}`),
      fail: (client) => client.post('/_sandbox/faults', { status: 503, times: 2, probability: 0.5 }),
      recover: (client) => client.delete('/_sandbox/faults'),
      clear: (client) => client.delete('/_sandbox/requests'),
      advance: (client) => client.post('/_sandbox/clock/advance', { duration: 'PT1M' }),
      fork: async (client) => {
        const reply = await client.post('/_sandbox/fork', {});
        if (clients.length < 4) clients.push(new Client(client.url, reply.json.key));
        return reply;
      },
    };
    const done = new Set<string>();
    const act = async (client: Client): Promise<void> => {
      const what = pick(Object.keys(changes));
      const reply = await changes[what]?.(client);
      if (reply && reply.status < 300) done.add(what);
    };
    for (const round of range(0, 60)) {
      await Promise.all(range(0, 25).map(() => act(pick(clients))));
      for (const client of clients) {
        const [one, other] = [await stateOf(client), await stateOf(client)];
        expect([round, other]).toEqual([round, one]);
      }
    }
    expect([...done].sort()).toEqual(Object.keys(changes).sort());
    const late = await startTestServer({ settings: { store, adminToken: ADMIN } });
    for (const client of clients) expect(await stateOf(late.client(client.key))).toEqual(await stateOf(client));
  });

  it('let each key open the same, while keys are shared and revoked and forks come and go', {
    timeout: limit(90_000),
  }, async () => {
    const [server] = await startTwo(engine.address());
    const random = randomFrom(7);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const root = await newClient(server.url);
    const clients = [root];
    const forks = new Set<Client>();
    const made = ({ status, json }: Reply): Client[] => (status === 201 ? [new Client(root.url, json.key)] : []);
    const done = new Set<string>();
    const changes: Readonly<Record<string, (client: Client) => Promise<Reply | undefined>>> = {
      create: (client) => create(client, 'One'),
      share: async (client) => {
        const reply = await client.post('/_sandbox/keys', { shared: true });
        clients.push(...made(reply));
        return reply;
      },
      fork: async (client) => {
        const reply = await client.post('/_sandbox/fork', {});
        for (const fork of made(reply)) clients.push(fork) && forks.add(fork);
        return reply;
      },
      revoke: async (client) => {
        const { keys = [] } = (await client.get('/_sandbox/keys')).json;
        return keys.length > 1 ? client.delete(`/_sandbox/keys/${keys.at(-1).id}`) : undefined;
      },
      end: async (client) => (forks.has(client) ? client.delete('/_sandbox') : undefined),
    };
    for (const round of range(0, 30)) {
      const acting = range(0, 16).map(() => [pick(Object.keys(changes)), pick(clients)] as const);
      const replies = await Promise.all(acting.map(([what, client]) => changes[what]?.(client)));
      for (const [n, reply] of replies.entries()) if (reply && reply.status < 300) done.add(acting[n]?.[0] as string);
      for (const client of [...clients]) {
        const [one, other] = [await client.get('/v1/pets?limit=100'), await client.get('/v1/pets?limit=100')];
        expect([round, other.status, other.json.length]).toEqual([round, one.status, one.json.length]);
        // Those of a sandbox that has ended, and enough others to keep the rounds short.
        if (client !== root && (one.status === 401 || clients.length > 12)) clients.splice(clients.indexOf(client), 1);
      }
    }
    expect([...done].sort()).toEqual(Object.keys(changes).sort());
  });
});
