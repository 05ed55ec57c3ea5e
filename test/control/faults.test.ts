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
/** The statuses of so many lists in a row. */
const lists = async (client: Client, times: number): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) statuses.push((await client.get('/v1/pets')).status);
  return statuses;
};

describe('fault rules', () => {
  it('go with a reset, come back with a snapshot as far as they had come, and go along with a fork', async () => {
    const client = await server.sandbox();
    await addRule(client, { status: 503, times: 3 });
    expect(await lists(client, 1)).toEqual([503]);
    await client.post('/_sandbox/snapshots', { name: 'one-used-up' });
    expect(await lists(client, 1)).toEqual([503]);
    const fork = server.client((await client.post('/_sandbox/fork')).json.key);
    await client.post('/_sandbox/reset');
    expect(await rules(client)).toEqual([]);
    expect(await lists(client, 1)).toEqual([200]);
    await client.post('/_sandbox/reset', { snapshot: 'one-used-up' });
    expect(await lists(client, 3)).toEqual([503, 503, 200]);
    expect(await lists(fork, 2)).toEqual([503, 200]);
    // What was counted meanwhile is not written over the snapshot's.
    await client.post('/_sandbox/reset', { snapshot: 'one-used-up' });
    expect((await rules(client))[0].triggered).toBe(1);
  });

  it('are added, listed in order, and deleted one by one or all at once', async () => {
    const client = await server.sandbox();
    expect(await rules(client)).toEqual([]);
    const first = await addRule(client, {
      operation: 'createPet',
      when: 'after',
      status: 503,
      retryAfter: 2,
      times: 1,
    });
    expect(first).toEqual({
      id: expect.stringMatching(/^flt_/),
      operation: 'createPet',
      when: 'after',
      status: 503,
      retryAfter: 2,
      times: 1,
      triggered: 0,
    });
    const second = await addRule(client, { delayMs: 1, probability: 0.5, seed: 7 });
    expect(second).toEqual({ id: second.id, when: 'before', delayMs: 1, probability: 0.5, seed: 7, triggered: 0 });
    const third = await addRule(client, { connection: 'truncate' });
    expect(third.when).toBe('after');
    expect(await rules(client)).toEqual([first, second, third]);
    expect((await client.delete(`/_sandbox/faults/${second.id}`)).status).toBe(204);
    expect(await rules(client)).toEqual([first, third]);
    const gone = await client.delete(`/_sandbox/faults/${second.id}`);
    expect([gone.status, gone.json.code]).toEqual([404, 'not_found']);
    expect((await client.delete('/_sandbox/faults')).status).toBe(204);
    expect(await rules(client)).toEqual([]);
    expect(await lists(client, 1)).toEqual([200]);
  });

  it('act on their operation only, as often as they may, the first that matches before the others', async () => {
    const client = await server.sandbox();
    await addRule(client, { operation: 'createPet', status: 500 });
    await addRule(client, { operation: 'listPets', status: 503, times: 2 });
    await addRule(client, { status: 502, times: 1 });
    expect((await client.post('/v1/pets', { name: 'Ada', categoryId: 1 })).status).toBe(500);
    expect(await lists(client, 4)).toEqual([503, 503, 502, 200]);
    expect((await client.get('/v1/pets/1')).status).toBe(200);
    expect((await rules(client)).map((rule: { triggered: number }) => rule.triggered)).toEqual([1, 2, 1]);
  });

  it('are used once each by requests that come together', async () => {
    const client = await server.sandbox();
    await addRule(client, { status: 503, times: 10 });
    const replies = await Promise.all(Array.from({ length: 40 }, () => client.get('/v1/pets')));
    expect(replies.filter(({ status }) => status === 503)).toHaveLength(10);
  });

  it('with a seed act in the same sequence each time; without one a seed is drawn and told', async () => {
    const [one, two] = [await server.sandbox(), await server.sandbox()];
    await addRule(one, { status: 503, probability: 0.4, seed: 7 });
    const sequence = await lists(one, 40);
    expect(new Set(sequence)).toEqual(new Set([200, 503]));
    await addRule(two, { status: 503, probability: 0.4, seed: 7 });
    expect(await lists(two, 40)).toEqual(sequence);
    await two.post('/_sandbox/reset');
    const drawn = await addRule(two, { status: 503, probability: 0.4 });
    const other = await lists(two, 40);
    expect(other).not.toEqual(sequence);
    await two.post('/_sandbox/reset');
    await addRule(two, { status: 503, probability: 0.4, seed: drawn.seed });
    expect(await lists(two, 40)).toEqual(other);
  });

  it('act as often as their probability says; where it is not drawn the next rule has its turn', async () => {
    const client = await server.sandbox();
    await addRule(client, { status: 503, probability: 0.25, seed: 1 });
    await addRule(client, { status: 500, probability: 0 });
    await addRule(client, { status: 502, probability: 1 });
    const statuses = await lists(client, 400);
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(70);
    expect(statuses.filter((status) => status === 503).length).toBeLessThan(130);
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
    const withRules = async (...all: object[]): Promise<Client> => {
      const client = await before.sandbox();
      for (const rule of all) expect(await addRule(client, rule)).toMatchObject(rule);
      return client;
    };
    const random = { status: 503, probability: 0.5, seed: 42 };
    const [whole, parts] = [await withRules(random), await withRules(random)];
    const times = await withRules({ status: 503, times: 3 });
    const turns = await withRules(
      { status: 503, from: 2, pattern: 'x..' },
      { status: 500, limit: { requests: 3, seconds: 3600 } },
    );
    const all = await withRules(...rulesByField.map(([, rule]) => rule));
    const stored = await rules(all);
    const sequence = await lists(whole, 30);
    const first = await lists(parts, 13);
    expect([await lists(times, 2), await lists(turns, 3)]).toEqual([
      [503, 503],
      [200, 503, 200],
    ]);
    const killed = join(await newFolder(), 'killed');
    await cp(data, killed, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    const after = await startTestServer({ settings: { data: killed } });
    expect([...first, ...(await lists(after.client(parts.key), 17))]).toEqual(sequence);
    expect(await lists(after.client(times.key), 2)).toEqual([503, 200]);
    expect(await lists(after.client(turns.key), 4)).toEqual([200, 503, 500, 500]);
    expect(await rules(after.client(all.key))).toEqual(stored);
  });

  // specification.test.ts rejects whatever the schema does not allow. Here is how each kind of mistake is worded, and which
  // fields go together.
  it.each([
    [
      { operation: 'listPets' },
      'body: must have at least one of status, delayMs, bytesPerSecond, connection, limit, vary, corrupt',
    ],
    [{ status: 200 }, 'body/status: must be an integer from 400 to 599; got 200'],
    [{ connection: 'drop' }, 'body/connection: must be one of reset, empty, truncate; got "drop"'],
    [{ status: 503, probability: 1.5 }, 'body/probability: must be a number from 0 to 1; got 1.5'],
    [{ delayToMs: 5 }, 'body/delayMs: is required together with delayToMs'],
    [{ delayMs: 1, delayToMs: 5, delayDeviationMs: 5 }, 'body: must not have delayToMs together with delayDeviationMs'],
    [{ bytesPerSecond: 100, connection: 'reset' }, 'body: must not have bytesPerSecond together with connection'],
    [{ delayMs: 5, retryAfter: 1 }, 'body/status: is required together with retryAfter'],
    [{ status: 503, retryAfterAs: 'date' }, 'body/retryAfter: is required together with retryAfterAs'],
    [{ status: 503, petId: '05' }, 'body/petId: must be a string like 42; got "05"'],
    [{ status: 503, query: '/pets?limit=5' }, 'body/query: must be a string like status=sold; got "/pets?limit=5"'],
    [{ status: 503, name: 'petsbx_0123' }, 'body/name: must not contain a key'],
    [{ status: 503, query: 'status=petsbx_0123' }, 'body/query: must not contain a key'],
    [{ vary: ['color'] }, 'body/vary/0: must be one of field, order, space, status, code; got "color"'],
    [{ limit: { requests: 5 } }, 'body/limit/seconds: is required (an integer from 1 to 86400)'],
    [{ limit: { requests: 1, seconds: 1 }, pattern: 'x' }, 'body: must not have limit together with pattern'],
    [{ status: 503, pattern: 'x', probability: 0.5 }, 'body: must not have pattern together with probability'],
    [
      { vary: ['field'], connection: 'reset' },
      'body: must not have vary together with a connection that is reset or empty',
    ],
    [
      { status: 503, connection: 'reset' },
      'body: must not have status together with a connection that is reset or empty',
    ],
  ])('reject %j, naming the field', async (rule, message) => {
    const client = await server.sandbox();
    const rejected = await client.post('/_sandbox/faults', rule);
    expect([rejected.status, rejected.json.code]).toEqual([400, 'invalid_request']);
    expect(rejected.json.message).toContain(message);
    expect(await rules(client)).toEqual([]);
  });

  it.each([[null], ['createPet'], [[{ status: 503 }]]])('reject %j as no object, and name no field', async (rule) => {
    const client = await server.sandbox();
    const { json } = await client.post('/_sandbox/faults', JSON.stringify(rule));
    expect(json.message).toMatch(/^body: must be a JSON object; got [^;]+$/);
  });

  it('never touch the control API', async () => {
    const client = await server.sandbox();
    await addRule(client, { connection: 'reset' });
    await addRule(client, { status: 503 });
    expect((await client.get('/_sandbox')).status).toBe(200);
    expect((await client.get('/_sandbox', { 'Sandbox-Fault': 'status=503', Prefer: 'code=503' })).status).toBe(200);
  });
});
