/** Servers that change the same sandboxes at the same time. */
import { afterAll, describe, expect, it } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import { randomFrom } from '../support/random.ts';
import { limit } from '../support/slow.ts';
import { create, forwardTo, newClient, range, startOn, startTwo, twoClients } from './support.ts';

const engine = await startEngine();
afterAll(() => engine.close());

/** The lines of the log of the only sandbox in a store. */
async function linesIn(store: string): Promise<number> {
  await engine.client.select(Number(new URL(store).pathname.slice(1)));
  const [log] = await engine.client.keys('*:log');
  return engine.client.llen(log as string);
}

/** Everything of a sandbox that must be the same at each server. */
async function stateOf(client: Client) {
  const paths = ['export?format=fixture', 'snapshots', 'faults', 'requests?limit=1000', 'report'];
  const all = await Promise.all(paths.map((path) => client.get(`/_sandbox/${path}`)));
  const [fixture, snapshots, faults, { requests, ...requestLog }, { totals, incompleteReasons }] = all.map(
    ({ json }) => json,
  );
  const exchanges = requests.map(({ id, status, validated }: never) => ({ id, status, validated }));
  return { fixture, snapshots, faults, requestLog, exchanges, totals, incompleteReasons };
}

/** Draws by chance, always the same. */
function drawing(seed: number) {
  const random = randomFrom(seed);
  return <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
}

/** What is done to a sandbox; nothing, where it cannot be done there. */
type Changes = Readonly<Record<string, (client: Client) => Promise<Reply | undefined>>>;

/** Does so many changes at once. @returns the names of those that succeeded */
async function doAtOnce(count: number, changes: Changes, clients: readonly Client[], pick: ReturnType<typeof drawing>) {
  const act = async (): Promise<string[]> => {
    const what = pick(Object.keys(changes));
    const reply = await changes[what]?.(pick(clients));
    return reply && reply.status < 300 ? [what] : [];
  };
  return (await Promise.all(range(0, count).map(act))).flat();
}

describe('two servers', () => {
  it('keep all pets while the log is rewritten', { timeout: limit(90_000) }, async () => {
    const store = engine.address();
    const [server] = await startTwo(store);
    const client = await newClient(server.url, { fixture: 'empty' });
    await Promise.all(range(0, 100).map((n) => create(client, `Pet ${n}`)));
    for (const round of range(0, 80)) {
      // Each line has all rules: with long ones the log grows soon.
      const rules = range(0, 4).map((n) => ({ status: 500, query: `${n}=`.padEnd(200, 'x') }));
      await Promise.all(rules.map((rule) => client.post('/_sandbox/faults', rule)));
      await client.delete('/_sandbox/faults');
      const states = [await stateOf(client), await stateOf(client)];
      expect([round, ...states.map(({ fixture }) => fixture.pets.length)]).toEqual([round, 100, 100]);
    }
    // Each round appended five.
    expect(await linesIn(store)).toBeLessThan(80 * 5);
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
    const pick = drawing(20_261_122);
    const name = (): string => pick(['a', 'b', 'c']);
    const changes: Changes = {
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
    for (const round of range(0, 60)) {
      for (const what of await doAtOnce(25, changes, clients, pick)) done.add(what);
      for (const client of clients) {
        const [one, other] = [await stateOf(client), await stateOf(client)];
        expect([round, other]).toEqual([round, one]);
      }
    }
    expect(done).toEqual(new Set(Object.keys(changes)));
    const late = await startOn(store);
    for (const client of clients) expect(await stateOf(late.client(client.key))).toEqual(await stateOf(client));
  });

  it('let each key open the same, while keys are shared and revoked and forks come and go', {
    timeout: limit(90_000),
  }, async () => {
    const [server] = await startTwo(engine.address());
    const root = await newClient(server.url);
    const [clients, forks] = [[root], new Set<Client>()];
    const opened = ({ status, json }: Reply, more: (client: Client) => unknown): void => {
      if (status === 201) more(new Client(root.url, json.key));
    };
    const changes: Changes = {
      create: (client) => create(client, 'One'),
      share: async (client) => {
        const reply = await client.post('/_sandbox/keys', { shared: true });
        opened(reply, (shared) => clients.push(shared));
        return reply;
      },
      fork: async (client) => {
        const reply = await client.post('/_sandbox/fork', {});
        opened(reply, (fork) => clients.push(fork) && forks.add(fork));
        return reply;
      },
      revoke: async (client) => {
        const { keys = [] } = (await client.get('/_sandbox/keys')).json;
        return keys.length > 1 ? client.delete(`/_sandbox/keys/${keys.at(-1).id}`) : undefined;
      },
      end: async (client) => (forks.has(client) ? client.delete('/_sandbox') : undefined),
    };
    const pick = drawing(7);
    const done = new Set<string>();
    for (const round of range(0, 30)) {
      for (const what of await doAtOnce(16, changes, clients, pick)) done.add(what);
      for (const client of [...clients]) {
        const [one, other] = [await client.get('/v1/pets?limit=100'), await client.get('/v1/pets?limit=100')];
        expect([round, other.status, other.json.length]).toEqual([round, one.status, one.json.length]);
        // Those of a sandbox that has ended, and enough others to keep the rounds short.
        if (client !== root && (one.status === 401 || clients.length > 12)) clients.splice(clients.indexOf(client), 1);
      }
    }
    expect(done).toEqual(new Set(Object.keys(changes)));
  });
});
