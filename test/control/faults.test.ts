import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { rulesByField } from '../support/faults.ts';
import { newFolder } from '../support/folder.ts';
import { sharedServer, startTestServer } from '../support/server.ts';

const server = await sharedServer();

const rules = async (client: Client) => (await client.get('/_sandbox/faults')).json.faults;
const addRule = async (client: Client, rule: unknown) => {
  const added = await client.post('/_sandbox/faults', rule);
  expect(added.status, added.text).toBe(201);
  return added.json;
};
/** A new sandbox with these rules. */
const withRules = async (on: typeof server, ...all: object[]): Promise<Client> => {
  const client = await on.sandbox();
  for (const rule of all) expect(await addRule(client, rule)).toMatchObject(rule);
  return client;
};
/** The statuses of so many lists in a row. */
const lists = async (client: Client, times: number): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) statuses.push((await client.get('/v1/pets')).status);
  return statuses;
};

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
    const all = await withRules(before, ...rulesByField.map(([, rule]) => rule));
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
