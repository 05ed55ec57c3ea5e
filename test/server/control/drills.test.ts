/** The controls of drills: the catalog, a drill's start, its outcome and its end. */
import { describe, expect, it } from 'vitest';
import type { Client, Reply } from '../../support/client.ts';
import { heldClock } from '../../support/held-clock.ts';
import { sharedServer, startTestServer } from '../../support/server.ts';
import { statuses } from '../../verdict/drills/run.ts';

const server = await sharedServer();

const start = (client: Client, drill: string): Promise<Reply> => client.put('/_sandbox/drill', { drill });
const result = async (client: Client) => (await client.get('/_sandbox/drill')).json;

const faultsOf = async (client: Client) => (await client.get('/_sandbox/faults')).json.faults;
const idsOf = (all: readonly { id: string }[]) => all.map(({ id }) => id);

it('the catalog is open, and names each drill and check once', async () => {
  const { status, json } = await server.client().get('/_sandbox/drills');
  expect(status).toBe(200);
  expect(idsOf(json.drills)).toContain('lost-create');
  for (const ids of [json.drills, ...json.drills.map(({ checks }: { checks: [] }) => checks)].map(idsOf))
    expect(new Set(ids).size).toBe(ids.length);
});

describe('a drill', () => {
  it('starts from its fixture with an empty request log, its faults and a task', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    await client.get('/v1/pets');
    const started = await start(client, 'lost-create');
    const task = { drill: 'lost-create', group: 'writes', task: 'create', times: 1, petId: null, secondKey: null };
    expect([started.status, started.json]).toMatchObject([200, task]);
    expect(started.json.petName).toMatch(/^Drill-\w+$/);
    expect((await client.get('/_sandbox')).json).toMatchObject({ fixture: 'default', drill: 'lost-create' });
    expect((await client.get('/_sandbox/requests')).json.requests).toEqual([]);
    expect(await faultsOf(client)).toMatchObject([{ connection: 'reset' }]);
  });

  it('knows what came after its start, and in which order, even in the same millisecond', async () => {
    const own = await startTestServer({ clock: heldClock(Date.UTC(2026, 2, 2, 9, 30)) });
    const client = await own.sandbox();
    const slow = (query: string) => client.get(`/v1/pets?limit=${query}`, { 'Sandbox-Fault': 'delay=600' });
    const early = slow('1');
    await expect.poll(async () => (await client.get('/_sandbox/issues')).json.reasons.join()).toMatch(/answered/);
    await start(client, 'lost-create');
    const late = slow('2');
    await early;
    await client.get('/v1/pets?limit=3');
    await late;
    const { requests } = await result(client);
    expect(requests.map(({ target }: { target: string }) => target)).toEqual(['/v1/pets?limit=2', '/v1/pets?limit=3']);
  });

  it('is incomplete until the client met the fault and the outcome is known', async () => {
    const client = await server.sandbox();
    await start(client, 'retry-after-seconds');
    const unmet = { verdict: 'incomplete', reason: 'the client never met what goes wrong', outcome: null };
    expect(await result(client)).toMatchObject(unmet);
    expect((await client.get('/v1/pets')).status).toBe(429);
    expect(await result(client)).toMatchObject({ verdict: 'incomplete', reason: 'the outcome is not known' });
    await client.post('/_sandbox/drill/outcome', { success: false });
    const done = await result(client);
    const outcome = { success: false, crashed: false };
    expect(done).toMatchObject({ verdict: 'not-applicable', reason: 'the client did not try again', outcome });
    expect(statuses(done)).toEqual({ waited: 'skipped', result: 'pass' });
    expect(done.requests).toMatchObject([{ operation: 'listPets', status: 429 }]);
  });

  it('fails by a should only where strict is asked for', async () => {
    const client = await server.sandbox();
    await start(client, 'deprecated-operation');
    await client.get('/v1/pets/2');
    await client.post('/_sandbox/drill/outcome', { success: false });
    expect((await result(client)).verdict).toBe('pass');
    const strict = (await client.get('/_sandbox/drill?strict=true')).json;
    expect(strict).toMatchObject({ verdict: 'fail', strict: true, reason: '1 request used getPet' });
  });

  it('needs a key to revoke: the admin cannot start revoked-key', async () => {
    const { id } = (await (await server.sandbox()).get('/_sandbox')).json;
    const admin = server.client(server.adminToken);
    const { json } = await admin.put(`/_sandbox/drill?sandbox=${id}`, { drill: 'revoked-key' });
    expect(json).toMatchObject({ status: 409, code: 'conflict' });
  });

  it('ends with its faults and its clock, also by the next one or a reset; the pets stay', async () => {
    const client = await server.sandbox();
    await start(client, 'removed-operation');
    expect((await client.get('/v1/pets/2')).status).toBe(410);
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    expect((await client.delete('/_sandbox/drill')).status).toBe(204);
    expect((await client.get('/_sandbox')).json.drill).toBeNull();
    expect((await client.get('/v1/pets/2')).status).toBe(200);
    expect((await client.get('/v1/pets?limit=100')).text).toContain('"Rex"');
    await start(client, 'outage');
    await client.post('/_sandbox/faults', { delayMs: 1 });
    await client.delete('/_sandbox/drill');
    expect(await faultsOf(client)).toMatchObject([{ delayMs: 1 }]);
    await start(client, 'outage');
    await start(client, 'removed-operation');
    expect((await result(client)).drill).toBe('removed-operation');
    expect(await faultsOf(client)).toEqual([]);
    await start(client, 'outage');
    await client.post('/_sandbox/reset');
    expect((await client.get('/_sandbox/drill')).status).toBe(404);
    expect((await client.get('/v1/pets')).status).toBe(200);
  });

  it.each([
    ['its end', (client: Client) => client.delete('/_sandbox/drill')],
    ['the next one', (client: Client) => start(client, 'outage')],
    ['a reset', (client: Client) => client.post('/_sandbox/reset', { requestLog: true })],
  ])('leaves its last result with the sandbox after %s, if a client began it', async (_, end) => {
    const client = await server.sandbox();
    for (const verdict of ['fail', 'pass']) {
      await start(client, 'new-field');
      const results = verdict === 'pass' ? [(await client.get('/v1/pets')).json] : [];
      if (verdict === 'fail') await client.get('/v1/pets');
      await client.post('/_sandbox/drill/outcome', { success: true, results });
      await end(client);
      const { drillResults } = (await client.get('/_sandbox')).json;
      expect(drillResults).toMatchObject([{ drill: 'new-field', verdict }]);
    }
    await start(client, 'truncated-list');
    await end(client);
    await client.post('/_sandbox/reset');
    expect((await client.get('/_sandbox')).json.drillResults).toHaveLength(1);
  });

  it('keeps what each check found and the first requests after the request log is cleared, without secrets', async () => {
    const client = await server.sandbox();
    await start(client, 'outage');
    expect((await client.get('/_sandbox/drill/results/outage')).status).toBe(404);
    for (let n = 0; n < 40; n += 1) await client.get(`/v1/pets?limit=${n + 1}&status=${client.key}${'x'.repeat(400)}`);
    await client.post('/_sandbox/drill/outcome', { success: true });
    const { verdict, reason, checks, requests } = await result(client);
    await start(client, 'new-field');
    const { status, text, json } = await client.get('/_sandbox/drill/results/outage');
    expect([status, json]).toMatchObject([200, { verdict, reason, outcome: { success: true } }]);
    // Only what the catalog says of a check is left out.
    expect(checks).toMatchObject(json.checks);
    expect(Object.keys(json.checks[0])).toEqual(['id', 'status', 'words', 'requests']);
    expect(idsOf(json.requests)).toEqual(idsOf(requests.slice(0, 30)));
    expect(json.requests[0].target.length).toBeLessThanOrEqual(301);
    expect(text).not.toContain(String(client.key).slice(0, 20));
    const { message } = (await client.get('/_sandbox/drill/results/lost-creat')).json;
    expect(message).toContain('did you mean lost-create?');
  });

  it('that is not known is 404, with the one that was probably meant; so is each of its controls where none runs', async () => {
    const client = await server.sandbox();
    const rejected = await start(client, 'lost-creat');
    expect(rejected.json).toMatchObject({ status: 404, message: expect.stringContaining('did you mean lost-create?') });
    expect((await client.get('/_sandbox/drill')).status).toBe(404);
    expect((await client.delete('/_sandbox/drill')).status).toBe(404);
    expect((await client.post('/_sandbox/drill/outcome', { success: true })).status).toBe(404);
    expect((await client.post('/_sandbox/drill/outcome', { succes: true })).status).toBe(400);
  });
});
