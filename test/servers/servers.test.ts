/** Three servers that share nothing, behind HAProxy with the configuration of examples/servers. */
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FLAGS, findChromium } from '../browser/browsers.ts';
import { Client, send } from '../support/client.ts';
import { Crowd } from '../support/crowd.ts';
import { EventStream } from '../support/event-stream.ts';
import { limit } from '../support/slow.ts';
import { ADMIN, NAMES, PRECONFIGURED, type Server, type Servers, startServers } from './support.ts';

let servers: Servers;
beforeAll(async () => {
  servers = await startServers();
}, limit(60_000));
afterAll(() => servers.close());

/** A new sandbox, made through the balancer. */
async function made() {
  const { json, status } = await send(servers.url, { method: 'POST', path: '/_sandbox/keys' });
  expect(status).toBe(201);
  const { key, handle, sandbox } = json as { key: string; handle: string; sandbox: string };
  return { key, handle, sandbox, server: sandbox.split('_')[1] as string, client: new Client(servers.url, key) };
}

/** One on each server. */
async function madeOnEach() {
  const found = new Map<string, Awaited<ReturnType<typeof made>>>();
  while (found.size < NAMES.length) {
    const one = await made();
    found.set(one.server, one);
  }
  return [...found.values()];
}

const at = (key: string): Client => new Client(servers.url, key);
const pet = (name: string) => ({ name, categoryId: 1 });

describe('through the balancer', () => {
  it('a key works, wherever it was made, on both APIs', async () => {
    const all = await Promise.all(Array.from({ length: 30 }, made));
    expect([...new Set(all.map(({ server }) => server))].sort()).toEqual([...NAMES]);
    for (const { client, handle, sandbox, key } of all) {
      expect((await client.post('/v1/pets', pet(sandbox))).status).toBe(201);
      expect((await client.get('/v1/pets/1')).json.name).toBe(sandbox);
      expect((await new Client(servers.url, handle).get('/_sandbox')).json.id).toBe(sandbox);
      const admin = new Client(servers.url, ADMIN);
      expect((await admin.get(`/_sandbox?sandbox=${sandbox}`)).json.id).toBe(sandbox);
      const shared = (await client.post('/_sandbox/keys', { shared: true })).json.key;
      expect((await new Client(servers.url, shared).get('/v1/pets')).json).toHaveLength(1);
      const report = (await client.get('/_sandbox/report')).json;
      expect([report.sandbox, report.account.total, key]).toEqual([sandbox, 3, client.key]);
    }
  });

  it('what the operator creates goes to every server', async () => {
    const admin = new Client(servers.url, ADMIN);
    const ids = await Promise.all(
      Array.from({ length: 9 }, async () => (await admin.post('/_sandbox/keys')).json.sandbox),
    );
    expect([...new Set(ids.map((id) => id.split('_')[1]))].sort()).toEqual([...NAMES]);
  });

  it('the address of a sandbox works, and has all that comes to it', async () => {
    for (const { sandbox, key, client } of await madeOnEach()) {
      const at = (path: string, headers = {}) => send(servers.url, { path: `/${sandbox}${path}`, headers });
      expect((await at('/v1/pets', { Authorization: `Bearer ${key}` })).status).toBe(200);
      expect((await at('/v1/pets')).status).toBe(401);
      expect((await at('/_sandbox', { Authorization: `Bearer ${key}` })).json.id).toBe(sandbox);
      const { account, reasons } = (await client.get('/_sandbox/report')).json;
      expect([account.total, reasons.join()]).toEqual([2, expect.not.stringContaining('another server')]);
    }
  });

  it('a report on a client that uses /v1 is incomplete: its requests without a key may be elsewhere', async () => {
    const { client } = await made();
    await client.get('/v1/pets');
    const { verdict, reasons } = (await client.get('/_sandbox/report')).json;
    expect([verdict, reasons.join()]).toEqual(['incomplete', expect.stringContaining('another server')]);
  });

  it('the dashboard signs in by its link, and reconnects after a restart of its server', async () => {
    const browser = await chromium.launch({ executablePath: findChromium(), args: [...FLAGS] });
    onTestFinished(() => browser.close());
    const { client, sandbox, server } = await made();
    const { url } = (await client.post(`/${sandbox}/_sandbox/sign-in-codes`)).json;
    expect(url).toContain(`${servers.url}/${sandbox}/`);
    const page = await browser.newPage();
    page.setDefaultTimeout(limit(15_000));
    await page.goto(url);
    const row = (text: string) => page.locator('.exchange').filter({ hasText: text });
    await client.get('/v1/pets?limit=11');
    await row('limit=11').waitFor();
    await servers.of(server).stop();
    await servers.of(server).start();
    await client.get('/v1/pets?limit=22');
    await row('limit=22').waitFor();
    await page.getByText('Not connected').waitFor({ state: 'hidden' });
  });

  it('a preconfigured key stays on one server', async () => {
    const client = new Client(servers.url, PRECONFIGURED);
    const names = Array.from({ length: 20 }, (_, n) => `pet ${n}`);
    for (const name of names) await client.post('/v1/pets', pet(name));
    expect((await client.get('/v1/pets')).json.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it('a broken connection is broken, and no request is sent twice', async () => {
    const { client } = await made();
    const kinds = ['reset', 'empty', 'truncate'];
    for (const kind of kinds) {
      const headers = { 'Sandbox-Fault': `connection=${kind}`, 'Content-Type': 'application/json' };
      const asked = client.send({ method: 'POST', path: '/v1/pets', body: JSON.stringify(pet(kind)), headers });
      await expect(asked).rejects.toThrow();
    }
    const { status } = await client.get('/v1/pets', { 'Sandbox-Fault': 'status=503' });
    expect(status).toBe(503);
    expect((await client.get('/_sandbox/requests')).json.total).toBe(kinds.length + 1);
  });

  it('events arrive at once, and again after a restart of their server', async () => {
    const { client, key, server } = await made();
    const open = () => EventStream.open(servers.url, { headers: { Authorization: `Bearer ${key}` } });
    const stream = await open();
    await client.get('/v1/pets');
    expect((await stream.next()).data).toMatchObject({ operation: 'listPets', status: 200 });
    await servers.of(server).stop();
    await stream.ended;
    // It waits for the server.
    const reopening = open();
    await servers.of(server).start();
    const again = await reopening;
    onTestFinished(() => again.close());
    await client.get('/v1/pets');
    expect((await again.next()).data).toMatchObject({ operation: 'listPets', status: 200 });
  });
});

/** A request without the response that was due. Times are of `performance`. */
interface Failure {
  readonly server: string;
  readonly startedAt: number;
  readonly failedAt: number;
  readonly why: string;
}

/** Clients that create pets one after another, each in a sandbox of its own, and what the servers told them. */
class Load {
  readonly failures: Failure[] = [];
  acknowledged = 0;
  #isOver = false;
  readonly #running: Promise<void>[] = [];
  readonly #crowds: Crowd[] = [];

  /** @param each how many sandboxes on each server */
  async start(each: number): Promise<void> {
    for (let n = 0; n < each; n++) {
      for (const { key, server } of await madeOnEach()) {
        const crowd = new Crowd(key);
        this.#crowds.push(crowd);
        this.#running.push(this.#create(crowd, server));
      }
    }
  }

  async #create(crowd: Crowd, server: string): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const startedAt = performance.now();
      try {
        await crowd.create(at, `pet ${n}`);
        this.acknowledged += 1;
      } catch (error) {
        this.failures.push({ server, startedAt, failedAt: performance.now(), why: String(error) });
      }
    }
  }

  /** Until so many more creates are acknowledged. */
  async more(count: number): Promise<void> {
    const enough = this.acknowledged + count;
    await expect.poll(() => this.acknowledged >= enough, { timeout: limit(30_000), interval: 5 }).toBe(true);
  }

  /** Stops it, and compares all that there is with all that was acknowledged: what failed may be there or not. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
    for (const crowd of this.#crowds) expect(await crowd.wrongs(at)).toEqual([]);
  }
}

describe('under load', { timeout: limit(120_000) }, () => {
  /** More in a run by hand: `SERVER_KILLS=30`. */
  const rounds = Number(process.env['SERVER_KILLS'] ?? 6);

  it('a killed server loses nothing that was acknowledged, and only its requests in flight fail', async () => {
    const load = new Load();
    await load.start(3);
    const kills: { readonly name: string; readonly from: number; readonly until: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      await load.more(60);
      const server = servers.all[round % servers.all.length] as Server;
      const from = performance.now();
      await server.kill();
      kills.push({ name: server.name, from, until: performance.now() });
      await server.start();
    }
    await load.more(60);
    await load.end();
    const inFlight = ({ server, startedAt, failedAt }: Failure): boolean =>
      kills.some(({ name, from, until }) => name === server && startedAt <= until && failedAt >= from);
    expect(load.failures.filter((failure) => !inFlight(failure))).toEqual([]);
  });

  it('servers restart one after another without a failed request', async () => {
    const load = new Load();
    await load.start(3);
    for (let round = 0; round < rounds; round++) {
      await load.more(60);
      const server = servers.all[round % servers.all.length] as Server;
      await server.stop();
      await server.start();
    }
    await load.more(60);
    await load.end();
    expect(load.failures).toEqual([]);
  });
});
