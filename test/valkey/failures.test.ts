/** Servers and engines that die, pause, fill up or change their role, while clients write. */
import { afterEach, describe, expect, it } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { startForwarder } from '../support/forwarder.ts';
import { addPeers } from '../support/peers.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { Program } from '../support/watched-program.ts';
import { ADMIN, create, newClient, range, startTwo } from './support.ts';

const engines: TestEngine[] = [];
const programs: Program[] = [];
afterEach(async () => {
  for (const program of programs.splice(0)) await program.kill();
  for (const engine of engines.splice(0)) await engine.close();
});

async function engineWith(...args: string[]): Promise<TestEngine> {
  const engine = await startEngine(args);
  engines.push(engine);
  return engine;
}

/** The program in a process of its own, which a test can kill. */
async function startProcess(store: string): Promise<{ program: Program; url: string }> {
  const args = ['serve', '--port', '0', '--store', store, '--log-format', 'json'];
  const program = new Program(args, { env: { SANDBOX_ADMIN_TOKEN: ADMIN, PATH: process.env['PATH'] ?? '' } });
  programs.push(program);
  const [url] = await program.wrote(/http:\/\/127\.0\.0\.1:\d+/);
  return { program, url };
}

/** Writes until it is told to stop; what was acknowledged is remembered. */
class Writing {
  readonly acknowledged = new Map<number, string>();
  readonly rejected: Reply[] = [];
  broken = 0;
  #isOver = false;
  readonly #all: Promise<void>;

  constructor(clients: readonly Client[]) {
    this.#all = Promise.all(clients.map((client, n) => this.#write(client, n))).then(() => undefined);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#all;
  }

  async #write(client: Client, writer: number): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const name = `Pet ${writer}-${n}`;
      try {
        const reply = await create(client, name);
        if (reply.status === 201) this.acknowledged.set(reply.json.id, name);
        else this.rejected.push(reply);
      } catch {
        this.broken += 1;
      }
      if (this.rejected.length + this.broken > 0) await new Promise((done) => setTimeout(done, 5));
    }
  }
}

/** Every acknowledged pet is there, once, under its id. */
async function expectAll(client: Client, { acknowledged }: Writing): Promise<void> {
  let saved = await client.get('/_sandbox/export?format=fixture');
  // One of the servers may not have reconnected to the store yet.
  for (let tries = 0; saved.status === 503 && tries < 50; tries++) {
    await new Promise((done) => setTimeout(done, 100));
    saved = await client.get('/_sandbox/export?format=fixture');
  }
  expect(saved).toMatchObject({ status: 200 });
  const pets = new Map((saved.json.pets as { id: number; name: string }[]).map(({ id, name }) => [id, name]));
  expect([...acknowledged].filter(([id, name]) => pets.get(id) !== name)).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(20);
}

const trouble = (servers: readonly TestServer[]): void => {
  for (const server of servers) server.allowTrouble(/a request failed|the sweep could not|an exchange is lost/);
};

describe('a server that is killed under load', () => {
  it('loses nothing acknowledged, and what it did not record is a gap of the report', {
    timeout: limit(90_000),
  }, async () => {
    const engine = await engineWith();
    const store = engine.address();
    const [stays] = await startTwo(store);
    const dies = await startProcess(store);
    const client = await newClient(stays.url, { fixture: 'empty' });
    const other = new Client(dies.url, client.key);
    expect((await other.get('/v1/pets')).status).toBe(200);
    const writing = new Writing([client, other, other, client]);
    await expect.poll(() => writing.acknowledged.size, { timeout: limit(20_000) }).toBeGreaterThan(200);
    await dies.program.kill();
    await expect.poll(() => writing.broken, { timeout: limit(20_000) }).toBeGreaterThan(0);
    await writing.stop();
    await expectAll(client, writing);
    // Both servers wait for what is missing, at the same time.
    const [{ json: report }, { json: list }] = await Promise.all([
      client.get('/_sandbox/report'),
      client.get('/_sandbox/requests?limit=1000'),
    ]);
    expect(list.total).toBe(list.requests.length);
    const lost = Number(/(\d+) exchanges? ended with a server/.exec(report.incompleteReasons.join())?.[1] ?? 0);
    // Every acknowledged create is in the report, or named as missing.
    expect(report.totals.exchanges + lost).toBeGreaterThanOrEqual(writing.acknowledged.size);
    if (lost > 0) expect(report.verdict).not.toBe('pass');
  });
});

describe('an engine', () => {
  it('that is killed and started again under load loses nothing acknowledged', { timeout: limit(90_000) }, async () => {
    const engine = await engineWith('--appendfsync', 'always');
    const servers = await startTwo(engine.address());
    trouble(servers);
    const client = await newClient(servers[0].url, { fixture: 'empty' });
    const writing = new Writing(range(0, 4).map(() => client));
    await expect.poll(() => writing.acknowledged.size, { timeout: limit(20_000) }).toBeGreaterThan(100);
    await engine.kill();
    await expect.poll(() => writing.rejected.length, { timeout: limit(20_000) }).toBeGreaterThan(0);
    const before = writing.acknowledged.size;
    await engine.start();
    await expect.poll(() => writing.acknowledged.size, { timeout: limit(20_000) }).toBeGreaterThan(before + 50);
    await writing.stop();
    await expectAll(client, writing);
    expect(writing.rejected.map(({ status }) => status).filter((status) => status !== 503)).toEqual([]);
    expect(writing.rejected.every(({ json }) => /store/.test(json.message))).toBe(true);
  });

  it('that pauses gives 503, and the servers go on by themselves', { timeout: limit(60_000) }, async () => {
    const engine = await engineWith();
    const servers = await startTwo(engine.address());
    trouble(servers);
    const client = await newClient(servers[0].url, { fixture: 'empty' });
    await create(client, 'Before');
    engine.pause();
    const reply = await create(client, 'Meanwhile');
    expect([reply.status, reply.json.code]).toEqual([503, 'storage_failed']);
    expect(reply.json.message).toMatch(/did not confirm in time|not reachable/);
    expect(reply.json.message).not.toMatch(/did not happen/);
    engine.resume();
    await expect.poll(async () => (await client.get('/v1/pets')).status, { timeout: limit(20_000) }).toBe(200);
    const after = await create(client, 'After');
    expect(after.status).toBe(201);
    // The one in doubt may have happened; the next id is free either way.
    const names = (await client.get('/v1/pets')).json.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => name !== 'Meanwhile')).toEqual(['Before', 'After']);
  });

  it('that is full rejects creates, says so, and goes on when it has room', { timeout: limit(90_000) }, async () => {
    const engine = await engineWith('--maxmemory', '6mb', '--maxmemory-policy', 'noeviction');
    const servers = await startTwo(engine.address());
    trouble(servers);
    const client = await newClient(servers[0].url, { fixture: 'empty' });
    const name = 'x'.repeat(60_000);
    let reply = await create(client, name);
    for (let n = 0; n < 200 && reply.status === 201; n++) reply = await create(client, name);
    expect([409, 503]).toContain(reply.status);
    expect(reply.json.message).toContain('full');
    expect([200, 503]).toContain((await client.get('/v1/pets?limit=1')).status);
    expect([200, 503]).toContain((await client.get('/_sandbox/report')).status);
    await engine.client.config('SET', 'maxmemory', '0');
    expect((await create(client, 'Small')).status).toBe(201);
  });

  it('that forgot its scripts is taught them again', async () => {
    const engine = await engineWith();
    const [first] = await startTwo(engine.address());
    const client = await newClient(first.url);
    await engine.client.script('FLUSH');
    expect((await create(client, 'Ada')).status).toBe(201);
    await engine.client.script('FLUSH');
    expect((await client.get('/v1/pets/13')).json.name).toBe('Ada');
  });

  it('that fails over to its replica keeps what was acknowledged', { timeout: limit(90_000) }, async () => {
    const primary = await engineWith();
    const replica = await engineWith('--replicaof', '127.0.0.1', String(primary.port));
    await expect
      .poll(() => replica.client.info('replication'), { timeout: limit(20_000) })
      .toContain('master_link_status:up');
    const forwarder = await startForwarder(primary.port);
    const store = `valkey://127.0.0.1:${forwarder.port}/0`;
    const servers = await Promise.all(
      range(0, 2).map(() => startTestServer({ settings: { store, adminToken: ADMIN, storeWait: 1 } })),
    );
    addPeers(servers.map(({ url }) => url));
    trouble(servers);
    const client = await newClient((servers[0] as TestServer).url, { fixture: 'empty' });
    const writing = new Writing(range(0, 4).map(() => client));
    await expect.poll(() => writing.acknowledged.size, { timeout: limit(20_000) }).toBeGreaterThan(50);
    await primary.kill();
    await replica.client.replicaof('NO', 'ONE');
    forwarder.switchTo(replica.port);
    // Nothing replicates from the new primary yet, so nothing more is acknowledged.
    await expect.poll(() => writing.rejected.length, { timeout: limit(20_000) }).toBeGreaterThan(0);
    await writing.stop();
    await expect.poll(async () => (await client.get('/v1/pets')).status, { timeout: limit(20_000) }).toBe(200);
    await expectAll(client, writing);
    forwarder.close();
  });

  it('that became a replica takes no writes, and says so', { timeout: limit(60_000) }, async () => {
    const engine = await engineWith();
    const other = await engineWith();
    const servers = await startTwo(engine.address());
    trouble(servers);
    const client = await newClient(servers[0].url);
    await create(client, 'Before');
    await other.client.flushall();
    await engine.client.config('SET', 'replica-serve-stale-data', 'yes');
    await engine.client.replicaof('127.0.0.1', 1);
    await expect
      .poll(async () => (await create(client, 'Demoted')).json.message, { timeout: limit(20_000) })
      .toMatch(/takes no writes|not reachable/);
    await engine.client.replicaof('NO', 'ONE');
    await expect.poll(async () => (await create(client, 'Again')).status, { timeout: limit(20_000) }).toBe(201);
  });

  it('that cannot be reached stops the start with its reason', { timeout: limit(60_000) }, async () => {
    const engine = await engineWith();
    await engine.kill();
    const args = ['serve', '--port', '0', '--store', `valkey://user:secret@127.0.0.1:${engine.port}`];
    const program = new Program(args, { env: { SANDBOX_ADMIN_TOKEN: ADMIN, PATH: process.env['PATH'] ?? '' } });
    programs.push(program);
    expect(await program.ended()).toBe(2);
    expect(program.err).toMatch(/the store cannot be reached: .*ECONNREFUSED/);
    expect(program.err).not.toContain('secret');
  });

  it('that would remove sandboxes by itself stops the start', { timeout: limit(60_000) }, async () => {
    const engine = await engineWith('--maxmemory-policy', 'allkeys-lru');
    await expect(startTwo(engine.address())).rejects.toThrow(/allkeys-lru.*volatile-lru or noeviction/);
  });
});

it('the health check tells a server without its engine from one that is ready', {
  timeout: limit(60_000),
}, async () => {
  const engine = await engineWith();
  const servers = await startTwo(engine.address());
  trouble(servers);
  const health = (): Promise<Reply> => new Client(servers[0].url).get('/_sandbox/health');
  expect((await health()).json).toMatchObject({ status: 'ok', store: 'valkey' });
  await engine.kill();
  await expect.poll(async () => (await health()).status, { timeout: limit(20_000) }).toBe(503);
  await engine.start();
  await expect.poll(async () => (await health()).status, { timeout: limit(20_000) }).toBe(200);
});
