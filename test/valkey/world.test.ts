/** What two servers on one store do together, beside what the suite `replicas` shows of them: each request goes to the next. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import { EventStream } from '../support/event-stream.ts';
import { limit } from '../support/slow.ts';
import { ADMIN, newClient, range, startOn, startTwo } from './support.ts';

let url: string;

const engine = await startEngine();
afterAll(() => engine.close());

beforeEach(async () => {
  const [first] = await startTwo(engine.address());
  url = first.url;
});

/** The database of the newest servers, which this selects. */
async function selectDatabase(): Promise<number> {
  const about = await engine.client.info('keyspace');
  const database = Math.max(...[...about.matchAll(/db(\d+):/g)].map(([, n]) => Number(n)));
  await engine.client.select(database);
  return database;
}

/** Characters of the only log in the servers' database. */
async function logLength(): Promise<number> {
  await selectDatabase();
  const [key, ...others] = await engine.client.keys('*}:log');
  expect([key, others]).toEqual([expect.any(String), []]);
  return (await engine.client.lrange(key as string, 0, -1)).join('').length;
}

/** Gets a pet so many times. */
const getPets = (client: Client, count: number) => client.getMany(count, () => '/v1/pets/1');

/** What a client sees of its history. */
async function historyOf(client: Client) {
  const { totals, incompleteReasons } = (await client.get('/_sandbox/report')).json;
  const { total, dropped } = (await client.get('/_sandbox/requests?limit=1')).json;
  const lost = incompleteReasons.filter((why: string) => why.includes('ended with a server'));
  return { exchanges: totals.exchanges, lost, total, dropped };
}

it('a snapshot and a reset cost the same at any size', { timeout: limit(60_000) }, async () => {
  const sizes: number[] = [];
  for (const pets of [1, 1_000]) {
    await engine.client.flushall();
    const client = await newClient(url, { fixture: 'empty' });
    await client.post('/_sandbox/pets', { count: pets });
    const before = await logLength();
    expect((await client.post('/_sandbox/snapshots', { name: 'saved' })).status).toBe(201);
    expect((await client.post('/_sandbox/reset', { snapshot: 'saved' })).status).toBe(200);
    sizes.push((await logLength()) - before);
    expect((await client.get('/_sandbox')).json.pets.total).toBe(pets);
  }
  const [small = 0, large = 0] = sizes;
  expect(small).toBeGreaterThan(0);
  // Beside the digits of the count.
  expect(large - small).toBeLessThan(40);
});

describe('the history', () => {
  it('counts exchanges that the request log no longer has', { timeout: limit(90_000) }, async () => {
    const client = await newClient(url);
    await getPets(client, 1_300);
    const seen = { exchanges: 1_300, lost: [], total: 1_000, dropped: 300 };
    for (const _ of range(0, 2)) expect(await historyOf(client)).toEqual(seen);
    // A server that has not read any of it starts from the counts that another one kept.
    const late = await startOn(engine.address().replace(/\d+$/, String(await selectDatabase())));
    expect(await historyOf(late.client(client.key))).toEqual(seen);
  });

  it('is counted at once by a server that is so far behind that others forgot what it lacks', {
    timeout: limit(60_000),
  }, async () => {
    const store = engine.address();
    const [busy, behind] = [await startOn(store), await startOn(store)];
    const client = await busy.sandbox();
    const reader = behind.client(client.key);
    await getPets(client, 10);
    const behindId = (await reader.get('/_sandbox/requests?limit=1')).json.requests[0].id;
    expect((await historyOf(reader)).exchanges).toBe(10);
    await getPets(client, 1_600);
    await client.get('/_sandbox/report');
    await selectDatabase();
    const [requestLog = ''] = await engine.client.keys('*:requests');
    const [first] = await engine.client.xrange(requestLog, '-', '+', 'COUNT', 1);
    expect(first?.[1].join()).not.toContain(behindId);
    expect(await historyOf(reader)).toEqual({ exchanges: 1_610, lost: [], total: 1_000, dropped: 610 });
  });

  it('names no unmatched request in a report while a sandbox is in use at another server', async () => {
    const store = engine.address();
    const [one, other] = [await startOn(store), await startOn(store)];
    const client = await one.sandbox();
    await client.get('/v1/pets');
    expect((await new Client(one.url).get('/v1/pets')).status).toBe(401);
    const reasons = async () => (await client.get('/_sandbox/report?unmatched=true')).json.incompleteReasons;
    const unmatched = expect.stringContaining('without a usable key');
    expect(await reasons()).toContainEqual(unmatched);
    await (await other.sandbox()).get('/v1/pets');
    expect(await reasons()).not.toContainEqual(unmatched);
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
