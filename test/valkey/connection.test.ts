/** What a server does about its connection to the store, and about a store that it must not use. */
import { describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { limit } from '../support/slow.ts';
import { create, engineWith, forwardTo, newClient, replicaOf, startOn, startProcess } from './support.ts';

describe('a connection whose other end is gone', () => {
  it('is noticed without a request and opened again', { timeout: limit(60_000) }, async () => {
    const forwarder = await forwardTo(await engineWith());
    const server = await startOn(forwarder.store);
    const client = await newClient(server.url);
    forwarder.halfOpen();
    await expect
      .poll(() => server.lines.map(({ message }) => message), { timeout: limit(10_000) })
      .toContain('the store is reachable again');
    expect((await create(client, 'After')).status).toBe(201);
  });

  it('makes the health check fail while the store does not reply', { timeout: limit(60_000) }, async () => {
    const engine = await engineWith();
    const server = await startOn(engine.address());
    const health = async () => (await new Client(server.url).get('/_sandbox/health')).status;
    expect(await health()).toBe(200);
    engine.pause();
    await expect.poll(health, { timeout: limit(10_000) }).toBe(503);
    engine.resume();
    await expect.poll(health, { timeout: limit(10_000) }).toBe(200);
  });
});

describe('a server does not start', () => {
  it('on a store that cannot be reached', { timeout: limit(60_000) }, async () => {
    const engine = await engineWith();
    await engine.kill();
    const program = startProcess(`valkey://user:secret@127.0.0.1:${engine.port}`);
    expect(await program.ended()).toBe(2);
    expect(program.err).toMatch(/the store cannot be reached: .*ECONNREFUSED/);
    expect(program.err).not.toContain('secret');
  });

  it('on a store that removes sandboxes by itself', async () => {
    const engine = await engineWith('--maxmemory-policy', 'allkeys-lru');
    await expect(startOn(engine.address())).rejects.toThrow(/allkeys-lru.*volatile-lru or noeviction/);
  });

  it('on a replica', { timeout: limit(60_000) }, async () => {
    const replica = await replicaOf(await engineWith());
    await expect(startOn(replica.address())).rejects.toThrow(/the store is a replica.*address of the primary/);
  });

  it('on a database with other data', async () => {
    const engine = await engineWith();
    await engine.client.set('somebody', 'else');
    await expect(startOn(engine.address())).rejects.toThrow(
      /database 0 of the store holds other data; use an empty one/,
    );
  });

  it('on a database with another layout', async () => {
    const engine = await engineWith();
    const store = engine.address();
    await startOn(store);
    await engine.client.set('{sandbox}:installation', '1 an-earlier-one');
    await expect(startOn(store)).rejects.toThrow(/has layout 1, and this version needs 4; use another database/);
  });

  it('on a database that the store does not have', async () => {
    const { port } = await engineWith('--databases', '4');
    await expect(startOn(`valkey://127.0.0.1:${port}/4`)).rejects.toThrow(/DB index is out of range/);
  });

  it('on a cluster if replicas must confirm writes', async () => {
    const { port } = await engineWith();
    await expect(startOn(`valkey://127.0.0.1:${port}?cluster=true`, { storeWait: 1 })).rejects.toThrow(
      /--store-wait does not work with a cluster/,
    );
  });
});

it('a server rejects requests once its store has become that of another installation', {
  timeout: limit(60_000),
}, async () => {
  const [engine, other] = [await engineWith(), await engineWith()];
  const forwarder = await forwardTo(engine);
  const server = await startOn(forwarder.store);
  const client = await newClient(server.url);
  await startOn(other.address());
  forwarder.switchTo(other.port);
  const health = () => new Client(server.url).get('/_sandbox/health');
  await expect.poll(async () => (await health()).text, { timeout: limit(10_000) }).toContain('another installation');
  expect((await create(client, 'Rex')).status).toBe(503);
});

it('a start finds a database whose data was removed while servers used it', { timeout: limit(60_000) }, async () => {
  const engine = await engineWith();
  const store = engine.address();
  const server = await startOn(store);
  await engine.client.flushall();
  await newClient(server.url);
  await expect.poll(() => engine.client.exists('{sandbox}:installation'), { timeout: limit(20_000) }).toBe(1);
  const late = await startOn(store);
  expect((await new Client(late.url).get('/_sandbox/health')).status).toBe(200);
});

it('a write that too few replicas of the store may take is a 503 that says so', {
  timeout: limit(60_000),
}, async () => {
  const engine = await engineWith();
  const server = await startOn(engine.address());
  const client = await newClient(server.url);
  await engine.client.config('SET', 'min-replicas-to-write', '1');
  const reply = await create(client, 'Rex');
  expect([reply.status, reply.json.message]).toEqual([
    503,
    expect.stringMatching(/too few replicas.*nothing happened/),
  ]);
});

describe('with --store-wait', () => {
  it('nothing is acknowledged that only the primary has', { timeout: limit(90_000) }, async () => {
    const primary = await engineWith();
    const link = await forwardTo(primary);
    const replica = await replicaOf(link);
    const server = await startOn(primary.address(), { storeWait: 1 });
    const client = await newClient(server.url);
    const fork = new Client(server.url, (await client.post('/_sandbox/fork', {})).json.key);
    await client.get('/v1/pets');
    replica.pause();
    const replies = [
      await create(client, 'Rex'),
      await client.post('/_sandbox/keys', { shared: true }),
      await client.post('/_sandbox/snapshots', { name: 'saved' }),
      await client.delete('/_sandbox/requests'),
      await fork.delete('/_sandbox'),
    ];
    replica.resume();
    expect(replies.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
    for (const { json } of replies) expect(json.message).toContain('may have happened or not');
    // The replica has the change of the sandbox, and not where its new key leads.
    const isHeld = link.holdFrom('sandbox:key:');
    expect((await client.post('/_sandbox/keys', { shared: true })).status).toBe(503);
    (await isHeld)();
    expect((await client.post('/_sandbox/keys', { shared: true })).status).toBe(201);
  });
});
