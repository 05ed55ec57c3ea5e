/** Fault rules, and which requests each acts on: by petId and query; from a match on; by a pattern; over a rate. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultFields } from '../../../src/base/generated/facts.ts';
import { newRule, takeTurn } from '../../../src/sandbox/fault-turns.ts';
import type { Client } from '../../support/client.ts';
import { newFolder } from '../../support/folder.ts';
import { heldClock } from '../../support/held-clock.ts';
import { startTestServer } from '../../support/server.ts';

/** A clock that stands still until a test moves it. */
const clock = heldClock(Date.parse('2026-11-22T10:00:00.250Z'));
const server = await startTestServer({ clock });

const rules = async (client: Client) => (await client.get('/_sandbox/faults')).json.faults;
const addRule = async (client: Client, rule: unknown) => {
  const added = await client.post('/_sandbox/faults', rule);
  expect(added.status, added.text).toBe(201);
  return added.json;
};
const WITH_EVERY_FIELD: readonly object[] = [
  { operation: 'getPet', petId: '42', query: 'x=1', when: 'after', status: 503, retryAfter: 2, retryAfterAs: 'date' },
  { delayMs: 1, delayToMs: 5, bytesPerSecond: 99, vary: ['code', 'order'], corrupt: 'required', from: 2, times: 3 },
  { status: 500, limit: { requests: 3, seconds: 60 } },
  { status: 500, pattern: 'x..' },
  { connection: 'truncate', probability: 0.2, seed: 7 },
];
/** A new sandbox with these rules. */
const withRules = async (on: typeof server, ...all: object[]): Promise<Client> => {
  const client = await on.sandbox();
  for (const rule of all) expect(await addRule(client, rule)).toMatchObject(rule);
  return client;
};
const withRule = (rule: object): Promise<Client> => withRules(server, rule);
const with503 = (rule: object): Promise<Client> => withRule({ status: 503, ...rule });
/** The statuses of requests in a row. */
const statuses = async (client: Client, ...paths: readonly string[]): Promise<number[]> => {
  const all: number[] = [];
  for (const path of paths) all.push((await client.get(`/v1${path}`)).status);
  return all;
};
const lists = (client: Client, times: number) => statuses(client, ...Array<string>(times).fill('/pets'));

describe('fault rules', () => {
  it('are added, listed in order, and deleted one by one or all at once', async () => {
    const client = await server.sandbox();
    const lost = { operation: 'createPet', when: 'after', status: 503, retryAfter: 2, times: 1 };
    const first = await addRule(client, lost);
    expect(first).toEqual({ ...lost, id: expect.stringMatching(/^flt_/), triggered: 0 });
    const second = await addRule(client, { delayMs: 1, probability: 0.5, seed: 7 });
    expect(second).toEqual({ id: second.id, when: 'before', delayMs: 1, probability: 0.5, seed: 7, triggered: 0 });
    const third = await addRule(client, { connection: 'truncate' });
    expect(third.when).toBe('after');
    expect(await rules(client)).toEqual([first, second, third]);
    expect((await client.delete(`/_sandbox/faults/${second.id}`)).status).toBe(204);
    expect(await rules(client)).toEqual([first, third]);
    expect((await client.delete(`/_sandbox/faults/${second.id}`)).status).toBe(404);
    expect((await client.delete('/_sandbox/faults')).status).toBe(204);
    expect(await rules(client)).toEqual([]);
    expect(await lists(client, 1)).toEqual([200]);
  });

  it('act on their operation only, as often as they may, the first that matches before the others', async () => {
    const client = await withRules(
      server,
      { operation: 'createPet', status: 500 },
      { operation: 'listPets', status: 503, times: 2 },
      { status: 502, times: 1 },
    );
    expect((await client.post('/v1/pets', { name: 'Ada', categoryId: 1 })).status).toBe(500);
    expect(await lists(client, 4)).toEqual([503, 503, 502, 200]);
    expect((await client.get('/v1/pets/1')).status).toBe(200);
    expect((await rules(client)).map((rule: { triggered: number }) => rule.triggered)).toEqual([1, 2, 1]);
  });

  it('match any value of a credential in the query, which is not recorded', async () => {
    const client = await withRules(server, { query: 'token=[key]', status: 503, times: 1 });
    const statuses = ['', '?token=a', '?token=b'].map(async (query) => (await client.get(`/v1/pets${query}`)).status);
    expect((await Promise.all(statuses)).toSorted()).toEqual([200, 200, 503]);
    expect(await rules(client)).toMatchObject([{ triggered: 1 }]);
  });

  it('are used once each by requests that come together', async () => {
    const client = await withRules(server, { status: 503, times: 10 });
    const replies = await Promise.all(Array.from({ length: 40 }, () => client.get('/v1/pets')));
    expect(replies.filter(({ status }) => status === 503)).toHaveLength(10);
  });

  it('act as often as their probability says; where it is not drawn the next rule has its turn', async () => {
    const often = { status: 503, probability: 0.25, seed: 1 };
    const client = await withRules(server, often, { status: 500, probability: 1e-12 }, { status: 502, probability: 1 });
    expect(await rules(client)).toMatchObject([
      { seed: 1 },
      { seed: expect.any(Number) },
      { seed: expect.any(Number) },
    ]);
    const statuses = await lists(client, 400);
    const acted = statuses.filter((status) => status === 503).length;
    expect(acted > 70 && acted < 130, `${acted}`).toBe(true);
    expect(new Set(statuses)).toEqual(new Set([502, 503]));
  });

  it('are a hundred at most', async () => {
    const client = await server.sandbox();
    for (let i = 0; i < 100; i++) await addRule(client, { delayMs: 0, times: 1 });
    const full = await client.post('/_sandbox/faults', { delayMs: 0 });
    expect([full.status, full.json.code]).toEqual([409, 'limit_reached']);
    expect(await rules(client)).toHaveLength(100);
  });

  it('are counted on disk before they act: a kill gives no turn back, and they go on with every field', async () => {
    const data = await newFolder();
    const before = await startTestServer({ settings: { data } });
    const random = { status: 503, probability: 0.5, seed: 42 };
    const [whole, parts] = [await withRules(before, random), await withRules(before, random)];
    const times = await withRules(before, { status: 503, times: 3 });
    const limiter = { status: 500, limit: { requests: 3, seconds: 3600 } };
    const turns = await withRules(before, { status: 503, from: 2, pattern: 'x..' }, limiter);
    expect(new Set(WITH_EVERY_FIELD.flatMap(Object.keys))).toEqual(new Set(faultFields));
    const all = await withRules(before, ...WITH_EVERY_FIELD);
    const stored = await rules(all);
    const sequence = await lists(whole, 30);
    const first = await lists(parts, 13);
    expect(await lists(times, 2)).toEqual([503, 503]);
    expect(await lists(turns, 3)).toEqual([200, 503, 200]);
    const killed = join(await newFolder(), 'killed');
    await cp(data, killed, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    const after = await startTestServer({ settings: { data: killed } });
    expect([...first, ...(await lists(after.client(parts.key), 17))]).toEqual(sequence);
    expect(await lists(after.client(times.key), 2)).toEqual([503, 200]);
    expect(await lists(after.client(turns.key), 4)).toEqual([200, 503, 500, 500]);
    expect(await rules(after.client(all.key))).toEqual(stored);
  });

  it('never touch the control API', async () => {
    const client = await withRules(server, { connection: 'reset' }, { status: 503 });
    expect((await client.get('/_sandbox')).status).toBe(200);
    expect((await client.get('/_sandbox', { 'Sandbox-Fault': 'status=503', Prefer: 'code=503' })).status).toBe(200);
  });
});

it('a rule with petId acts on getPet of this pet alone, and tells ids beyond 2^53 apart', async () => {
  const client = await with503({ petId: '2' });
  const found = await statuses(client, '/pets/1', '/pets/2', '/pets', '/pets/02', '/pets/2');
  expect(found).toEqual([200, 503, 200, 404, 503]);
  const large = await with503({ petId: '9007199254740993' });
  expect(await statuses(large, '/pets/9007199254740992', '/pets/9007199254740993')).toEqual([404, 503]);
});

it('a rule with query acts where the query has all of its parameters', async () => {
  const client = await with503({ query: 'status=sold&limit=5' });
  const queries = ['/pets?status=sold', '/pets?limit=5&status=sold&x=1', '/pets?limit=50&status=sold'];
  expect(await statuses(client, ...queries)).toEqual([200, 503, 200]);
});

it.each([
  ['acts and lets through as its pattern says, over and over', { pattern: 'xx.' }, [503, 503, 200, 503, 503, 200, 503]],
  ['begins with the match that `from` names, and ends with `times`', { from: 3, times: 2 }, [200, 200, 503, 503, 200]],
  ['does both', { from: 2, pattern: 'x.', times: 2 }, [200, 503, 200, 503, 200, 200]],
])('a rule %s', async (_, rule, expected) => {
  expect(await lists(await with503(rule), expected.length)).toEqual(expected);
});

it('a rule with a pattern counts only requests that it matches, and gives the next rule its turn', async () => {
  const client = await with503({ pattern: '.x', operation: 'listPets' });
  await client.post('/_sandbox/faults', { status: 500, times: 1 });
  expect(await statuses(client, '/pets', '/pets/1', '/pets', '/pets')).toEqual([500, 200, 503, 200]);
});

describe('a rate limiter', () => {
  it('lets so many requests of a window pass, and says truly when the window ends', async () => {
    const client = await withRule({ limit: { requests: 2, seconds: 10 } });
    expect(await lists(client, 2)).toEqual([200, 200]);
    clock.time += 3_400;
    const rejected = await client.get('/v1/pets');
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '7']);
    clock.time += 6_599;
    expect((await client.get('/v1/pets')).headers['retry-after']).toBe('1');
    clock.time += 1;
    expect(await lists(client, 3)).toEqual([200, 200, 429]);
    const [rule] = (await client.get('/_sandbox/faults')).json.faults;
    expect(rule).toMatchObject({ triggered: 3, limit: { requests: 2, seconds: 10 } });
    expect(rule).not.toHaveProperty('window');
  });

  it('answers with another status where one is given, and is nobody’s violation', async () => {
    const client = await with503({ limit: { requests: 1, seconds: 60 } });
    expect(await lists(client, 2)).toEqual([200, 503]);
    const [last] = (await client.get('/_sandbox/requests?limit=1')).json.requests;
    expect(last).toMatchObject({ injectedFault: { when: 'before', status: 503, retryAfter: 60 } });
    expect((await client.get('/_sandbox/report')).json.verdict).toBe('pass');
  });
});

it('Retry-After can be an HTTP date by the real clock, cut to the second', async () => {
  const client = await with503({ retryAfter: 3, retryAfterAs: 'date' });
  const { headers } = await client.get('/v1/pets');
  const due = Math.floor((clock.time + 3000) / 1000) * 1000;
  expect(headers['retry-after']).toBe(new Date(due).toUTCString());
});

it('a rule with a range of delays spreads them evenly', () => {
  let rule = newRule({ delayMs: 100, delayToMs: 300, seed: 7 });
  const delays = Array.from({ length: 4_000 }, () => {
    const turn = takeTurn(rule, 0);
    rule = turn.rule;
    return turn.delayMs as number;
  }).sort((a, b) => a - b);
  for (const [at, from, to] of [
    [0, 100, 105],
    [1_999, 190, 210],
    [3_999, 295, 300],
  ] as const) {
    expect(delays[at]).toBeGreaterThanOrEqual(from);
    expect(delays[at]).toBeLessThanOrEqual(to);
  }
});

it('a rule with a seed has the same turns and delays each time; without one a seed is drawn and returned', async () => {
  const drawnBy = async (own: object) => {
    const client = await server.sandbox();
    const rule = { status: 503, probability: 0.5, delayMs: 0, delayToMs: 9, ...own };
    const { seed } = (await client.post('/_sandbox/faults', rule)).json;
    await lists(client, 24);
    const { requests } = (await client.get('/_sandbox/requests')).json;
    const drawn: number[][] = requests.map(({ status, delayMs }: Record<string, number>) => [status, delayMs]);
    return { seed, drawn };
  };
  const first = await drawnBy({});
  expect(new Set(first.drawn.map(([status]) => status))).toEqual(new Set([200, 503]));
  expect(new Set(first.drawn.map(([, delay]) => delay)).size).toBeGreaterThan(2);
  expect(await drawnBy({ seed: first.seed })).toEqual(first);
  expect((await drawnBy({})).drawn).not.toEqual(first.drawn);
  const delays = await drawnBy({ probability: undefined });
  expect(await drawnBy({ probability: undefined, seed: delays.seed })).toEqual(delays);
  // A probability takes its own numbers of the sequence.
  expect((await drawnBy({ probability: 1, seed: delays.seed })).drawn).not.toEqual(delays.drawn);
});

it('HEAD uses up no turn of a rule for listPets', async () => {
  const client = await server.sandbox();
  await client.post('/_sandbox/faults', { operation: 'listPets', status: 503, times: 1 });
  expect((await client.send({ method: 'HEAD', path: '/v1/pets' })).status).toBe(200);
  expect(await lists(client, 2)).toEqual([503, 200]);
});
