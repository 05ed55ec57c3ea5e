/** What a server does about its connection to the store, and about a store that it must not use. */
import { expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import type { TestEngine } from '../support/engine.ts';
import { limit } from '../support/slow.ts';
import { create, engineWith, forwardTo, newClient, replicaOf, startOn, startProcess } from './support.ts';

const timeout = limit(60_000);
const soon = { timeout: limit(10_000) };
const healthOf = ({ url }: { readonly url: string }) => new Client(url).get('/_sandbox/health');

it('a connection whose other end is gone is noticed without a request and opened again', { timeout }, async () => {
  const forwarder = await forwardTo(await engineWith());
  const server = await startOn(forwarder.store);
  const client = await newClient(server.url);
  forwarder.halfOpen();
  const messages = () => server.lines.map(({ message }) => message);
  await expect.poll(messages, soon).toContain('the store is reachable again');
  expect((await create(client, 'After')).status).toBe(201);
});

it('a store that does not reply makes the health check fail', { timeout }, async () => {
  const engine = await engineWith();
  const server = await startOn(engine.address());
  const health = async () => (await healthOf(server)).status;
  expect(await health()).toBe(200);
  engine.pause();
  await expect.poll(health, soon).toBe(503);
  engine.resume();
  await expect.poll(health, soon).toBe(200);
});

it('a server does not start on a store that cannot be reached', { timeout }, async () => {
  const engine = await engineWith();
  await engine.kill();
  const program = startProcess(`valkey://user:secret@127.0.0.1:${engine.port}`);
  expect(await program.ended()).toBe(2);
  expect(program.err).toMatch(/the store cannot be reached: .*ECONNREFUSED/);
  expect(program.err).not.toContain('secret');
});

const lru = ['--maxmemory-policy', 'allkeys-lru'];
const addressOf = ({ port }: TestEngine, rest: string): string => `valkey://127.0.0.1:${port}${rest}`;

it.each<[string, () => Promise<unknown>, RegExp]>([
  [
    'that removes sandboxes by itself',
    async () => startOn((await engineWith(...lru)).address()),
    /allkeys-lru.*volatile-lru or noeviction/,
  ],
  [
    'that is a replica',
    async () => startOn((await replicaOf(await engineWith())).address()),
    /the store is a replica.*address of the primary/,
  ],
  [
    'whose database holds other data',
    async () => {
      const engine = await engineWith();
      await engine.client.set('somebody', 'else');
      return startOn(engine.address());
    },
    /database 0 of the store holds other data; use an empty one/,
  ],
  [
    'whose database has another layout',
    async () => {
      const engine = await engineWith();
      const store = engine.address();
      await startOn(store);
      await engine.client.set('{sandbox}:installation', '1 an-earlier-one');
      return startOn(store);
    },
    /has layout 1, and this version needs 4; use another database/,
  ],
  [
    'that does not have the database',
    async () => startOn(addressOf(await engineWith('--databases', '4'), '/4')),
    /DB index is out of range/,
  ],
  [
    'that is a cluster, if replicas must confirm writes',
    async () => startOn(addressOf(await engineWith(), '?cluster=true'), { storeWait: 1 }),
    /--store-wait does not work with a cluster/,
  ],
])('a server does not start on a store %s', { timeout }, async (_, start, message) => {
  await expect(start()).rejects.toThrow(message);
});

it('a server rejects requests once its store has become that of another installation', { timeout }, async () => {
  const [engine, other] = [await engineWith(), await engineWith()];
  const forwarder = await forwardTo(engine);
  const server = await startOn(forwarder.store);
  const client = await newClient(server.url);
  await startOn(other.address());
  forwarder.switchTo(other.port);
  await expect.poll(async () => (await healthOf(server)).text, soon).toContain('another installation');
  expect((await create(client, 'Rex')).status).toBe(503);
});

it('a start finds a database whose data was removed while servers used it', { timeout }, async () => {
  const engine = await engineWith();
  const store = engine.address();
  const server = await startOn(store);
  await engine.client.flushall();
  await newClient(server.url);
  await expect.poll(() => engine.client.exists('{sandbox}:installation'), { timeout: limit(20_000) }).toBe(1);
  expect((await healthOf(await startOn(store))).status).toBe(200);
});

it('a write that too few replicas of the store may take is a 503 that says so', { timeout }, async () => {
  const engine = await engineWith();
  const client = await newClient((await startOn(engine.address())).url);
  await engine.client.config('SET', 'min-replicas-to-write', '1');
  const { json } = await create(client, 'Rex');
  expect(json).toMatchObject({ status: 503, message: expect.stringMatching(/too few replicas.*nothing happened/) });
});

it('with --store-wait nothing is acknowledged that only the primary has', { timeout: limit(90_000) }, async () => {
  const primary = await engineWith();
  const link = await forwardTo(primary);
  const replica = await replicaOf(link);
  const server = await startOn(primary.address(), { storeWait: 1 });
  const client = await newClient(server.url);
  const fork = new Client(server.url, (await client.post('/_sandbox/fork', {})).json.key);
  await client.get('/v1/pets');
  const share = () => client.post('/_sandbox/keys', { shared: true });
  replica.pause();
  const replies = [
    await create(client, 'Rex'),
    await share(),
    await client.post('/_sandbox/snapshots', { name: 'saved' }),
    await client.delete('/_sandbox/requests'),
    await fork.delete('/_sandbox'),
  ];
  replica.resume();
  for (const { json } of replies)
    expect(json).toMatchObject({ status: 503, message: expect.stringContaining('may have happened or not') });
  // The replica has the change of the sandbox, and not where its new key leads.
  const isHeld = link.holdFrom('sandbox:key:');
  expect((await share()).status).toBe(503);
  (await isHeld)();
  expect((await share()).status).toBe(201);
});
