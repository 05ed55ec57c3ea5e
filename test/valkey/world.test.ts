/** What two servers on one store do together, beside what the suite `replicas` shows of them: each request goes to the next. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { EventStream } from '../support/event-stream.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { ADMIN, create, newClient, range, startTwo } from './support.ts';

let engine: TestEngine;
let url: string;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

beforeEach(async () => {
  const [first] = await startTwo(engine.address());
  url = first.url;
});

/** Characters of the only log in the servers' database. */
async function logLength(): Promise<number> {
  await engine.client.select(await database());
  const [key, ...others] = await engine.client.keys('*}:log');
  expect([key, others]).toEqual([expect.any(String), []]);
  return (await engine.client.lrange(key as string, 0, -1)).join('').length;
}

describe('the state of a sandbox', () => {
  it('is reset for every reader at once', async () => {
    const client = await newClient(url);
    await Promise.all(range(0, 30).map((n) => create(client, `Pet ${n}`)));
    const counts = new Set<number>();
    const reading = Promise.all(
      range(0, 100).map(async () => counts.add((await client.get('/v1/pets?limit=100')).json.length)),
    );
    await client.post('/_sandbox/reset', {});
    await reading;
    for (const _ of range(0, 2)) expect((await client.get('/v1/pets?limit=100')).json).toHaveLength(12);
    expect([...counts].filter((count) => count !== 12 && count !== 42)).toEqual([]);
  });

  it('costs a snapshot and a reset the same at any size', { timeout: limit(60_000) }, async () => {
    const sizes: number[] = [];
    for (const pets of [1, 1_000]) {
      await engine.client.flushall();
      const client = await newClient(url, { fixture: 'empty' });
      for (let created = 0; created < pets; created += 50) {
        const replies = await Promise.all(range(created, Math.min(50, pets)).map((n) => create(client, `Pet ${n}`)));
        expect(replies.every(({ status }) => status === 201)).toBe(true);
      }
      const before = await logLength();
      expect((await client.post('/_sandbox/snapshots', { name: 'saved' })).status).toBe(201);
      expect((await client.post('/_sandbox/reset', { snapshot: 'saved' })).status).toBe(200);
      sizes.push((await logLength()) - before);
      expect((await client.get('/_sandbox')).json.pets.total).toBe(pets);
    }
    expect(sizes[0]).toBeGreaterThan(0);
    // Beside the digits of the count.
    expect((sizes[1] as number) - (sizes[0] as number)).toBeLessThan(40);
  });
});

describe('the history', () => {
  it('counts exchanges that the request log no longer has', { timeout: limit(90_000) }, async () => {
    const client = await newClient(url);
    for (const _ of range(0, 26)) await Promise.all(range(0, 50).map(() => client.get('/v1/pets/1')));
    for (const _ of range(0, 2)) {
      const { totals } = (await client.get('/_sandbox/report')).json;
      expect(totals.exchanges).toBe(1_300);
      const { total, dropped } = (await client.get('/_sandbox/requests?limit=1')).json;
      expect([total, dropped]).toEqual([1_000, 300]);
    }
    // A server that has not read any of it starts from the counts that another one kept.
    const [late] = await startTwo(engine.address().replace(/\d+$/, String(await database())));
    const reader = new Client(late.url, client.key);
    expect((await reader.get('/_sandbox/report')).json.totals.exchanges).toBe(1_300);
  });

  it('is counted at once by a server that is so far behind that others forgot what it lacks', {
    timeout: limit(60_000),
  }, async () => {
    const store = engine.address();
    const settings = { store, adminToken: ADMIN };
    const [busy, behind] = [await startTestServer({ settings }), await startTestServer({ settings })];
    const client = await busy.sandbox();
    const reader = new Client(behind.url, client.key);
    for (const _ of range(0, 10)) await client.get('/v1/pets/1');
    const behindId = (await reader.get('/_sandbox/requests?limit=1')).json.requests[0].id;
    expect((await reader.get('/_sandbox/report')).json.totals.exchanges).toBe(10);
    for (const _ of range(0, 32)) await Promise.all(range(0, 50).map(() => client.get('/v1/pets/1')));
    await client.get('/_sandbox/report');
    await engine.client.select(Number(new URL(store).pathname.slice(1)));
    const [requestLog] = await engine.client.keys('*:requests');
    const [first] = await engine.client.xrange(requestLog as string, '-', '+', 'COUNT', 1);
    expect(first?.[1].join()).not.toContain(behindId);
    const { totals, incompleteReasons } = (await reader.get('/_sandbox/report')).json;
    expect([totals.exchanges, incompleteReasons.filter((gap: string) => gap.includes('ended with a server'))]).toEqual([
      1_610,
      [],
    ]);
    const { total, dropped } = (await reader.get('/_sandbox/requests?limit=1')).json;
    expect([total, dropped]).toEqual([1_000, 610]);
  });

  it('names no unmatched request in a report while a sandbox is in use at another server', async () => {
    const settings = { store: engine.address(), adminToken: ADMIN };
    const [one, other] = [await startTestServer({ settings }), await startTestServer({ settings })];
    const client = await one.sandbox();
    await client.get('/v1/pets');
    expect((await new Client(one.url).get('/v1/pets')).status).toBe(401);
    const unmatchedIn = async (): Promise<string[]> =>
      (await client.get('/_sandbox/report?unmatched=true')).json.incompleteReasons.filter((gap: string) =>
        /without a usable key/.test(gap),
      );
    expect(await unmatchedIn()).toHaveLength(1);
    await (await other.sandbox()).get('/v1/pets');
    expect(await unmatchedIn()).toEqual([]);
  });

  it('does not wait for a request that is still under way at the other server', async () => {
    const client = await newClient(url);
    await client.post('/_sandbox/faults', { operation: 'listPets', delayMs: 60_000, times: 1 });
    const slow = client.get('/v1/pets').catch(() => undefined);
    await expect.poll(async () => (await client.get('/_sandbox/faults')).json.faults[0].triggered).toBe(1);
    for (const _ of range(0, 2)) expect((await client.get('/_sandbox/requests')).json.total).toBe(0);
    await client.delete('/_sandbox');
    void slow;
  });
});

it('servers on another database of the same engine hear nothing of it', async () => {
  const client = await newClient(url);
  const stream = await EventStream.open(url, { headers: { Authorization: `Bearer ${client.key}` } });
  const [elsewhere] = await startTwo(engine.address());
  await new Client(elsewhere.url).get('/v1/pets');
  // The engine delivers in order: an event of the other database would come first.
  const admin = new Client(elsewhere.url, ADMIN);
  await expect.poll(async () => (await admin.get('/_sandbox/requests/unmatched')).json.requests.length).toBe(1);
  await client.get('/v1/pets/1');
  expect((await stream.next()).data.target).toBe('/v1/pets/1');
});

/** The database of the newest servers. */
async function database(): Promise<number> {
  const about = await engine.client.info('keyspace');
  return Math.max(...[...about.matchAll(/db(\d+):/g)].map(([, n]) => Number(n)));
}
