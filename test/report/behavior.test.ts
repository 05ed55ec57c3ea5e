/** What a client does wrong over several requests, and what a right client does that looks like it. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Client } from '../support/client.ts';
import { heldClock } from '../support/held-clock.ts';
import { startTestServer } from '../support/server.ts';
import { dial, postOf } from '../support/wire.ts';
import { factsOf, revokedKey } from './clients.ts';

/** A wait takes no time. */
const real = heldClock(Date.UTC(2026, 2, 2, 9, 30));
const wait = (ms: number): void => {
  real.time += ms;
};

let client: Client;
const server = await startTestServer({ clock: real });
beforeEach(async () => {
  client = await server.sandbox();
});

const behaviorOf = async () => (await factsOf(client)).behavior.found;
const rulesOf = async () => (await behaviorOf()).map(({ rule }) => rule);

const setClock = (now: string) => client.put('/_sandbox/clock', { now });

const PET = { name: 'Rex', categoryId: 1 };
const busy = { 'Sandbox-Fault': 'status=429; retryAfter=2' };
const lost = { 'Sandbox-Fault': 'status=503; when=after' };

describe('coming back before Retry-After is over', () => {
  it('is found, with both requests and both times', async () => {
    const first = await client.get('/v1/pets', busy);
    wait(150);
    const again = await client.get('/v1/pets');
    expect(await behaviorOf()).toMatchObject([
      {
        rule: 'retry-too-early',
        operation: 'listPets',
        message: 'GET /v1/pets came again after 150 ms, and 429 with Retry-After had asked for 2000 ms',
        count: 1,
        requests: [first.requestId, again.requestId],
        last: again.requestId,
      },
    ]);
  });

  it('is not found in a client that waits, as exactly as timers do', async () => {
    await client.get('/v1/pets', busy);
    wait(1_860);
    await client.get('/v1/pets', busy);
    wait(2_000);
    await client.get('/v1/pets');
    expect(await rulesOf()).toEqual([]);
  });

  it('is not found where nothing was asked for, another thing is fetched, or HEAD looks', async () => {
    await client.get('/v1/pets', { 'Sandbox-Fault': 'status=429' });
    await client.get('/v1/pets', { 'Sandbox-Fault': 'status=429; retryAfter=0' });
    await client.get('/v1/pets', busy);
    await client.get('/v1/pets?limit=1');
    await client.post('/v1/pets', PET);
    await client.send({ method: 'HEAD', path: '/v1/pets' });
    expect(await rulesOf()).toEqual([]);
  });
});

describe('a rejected body that comes again', () => {
  it('is found, once for each body', async () => {
    for (let i = 0; i < 3; i++) await client.post('/v1/pets', { name: 'Rex' });
    expect(await behaviorOf()).toMatchObject([
      {
        rule: 'rejected-body-resent',
        message: 'POST /v1/pets was rejected with 400, and the same body came again',
        count: 2,
        sample: { request: 'POST /v1/pets', status: 400 },
      },
    ]);
  });

  it('is not found where the body was corrected, was right, or was rejected by a fault', async () => {
    await client.post('/v1/pets', { name: 'Rex' });
    await client.post('/v1/pets', PET);
    await client.post('/v1/pets', PET);
    await client.post('/v1/pets', { name: 'Tom', categoryId: 1 }, { 'Sandbox-Fault': 'status=400' });
    await client.post('/v1/pets', { name: 'Tom', categoryId: 1 });
    expect(await rulesOf()).toEqual([]);
  });

  it('is not found where the test says that it is invalid on purpose', async () => {
    for (let i = 0; i < 3; i++) await client.post('/v1/pets', { name: 'Rex' }, { 'Sandbox-Expect': 'invalid' });
    expect(await rulesOf()).toEqual([]);
  });
});

describe('a dead key', () => {
  it.each([
    [10, []],
    [11, ['invalid-key-reused']],
  ])('that is used %i times is %j', async (times, rules) => {
    const Authorization = `Bearer ${await revokedKey(client)}`;
    for (let i = 0; i < times; i++) {
      wait(200);
      await client.get('/v1/pets', { Authorization });
    }
    const found = await behaviorOf();
    expect(found.map(({ rule }) => rule)).toEqual(rules);
    for (const { message, count } of found) {
      expect(message).toBe(`${times} requests in a row came with a key that had expired or was revoked`);
      expect(count).toBe(times);
    }
  });
});

it('a dead key is not found in tests that each try one, or that declare it', async () => {
  const Authorization = `Bearer ${await revokedKey(client)}`;
  for (let i = 0; i < 12; i++) {
    await client.get('/v1/pets');
    await client.get('/v1/pets', { Authorization });
  }
  expect(await rulesOf()).toEqual([]);
  for (let i = 0; i < 12; i++) await client.get('/v1/pets?limit=1', { Authorization });
  expect(await rulesOf()).toEqual(['invalid-key-reused']);
  const declared = (await client.get('/_sandbox/report?strict=true&expectedInvalid=listPets:401')).json;
  expect([declared.verdict, declared.behavior.found]).toEqual(['pass', []]);
});

describe('an operation after its 410', () => {
  const removed = () => setClock('2030-12-06T00:00:00Z');

  it('is found where it is called again', async () => {
    await removed();
    for (let i = 0; i < 3; i++) await client.get(`/v1/pets/${i + 1}`);
    expect(await behaviorOf()).toMatchObject([{ rule: 'removed-operation-called', operation: 'getPet', count: 2 }]);
  });

  it('is not found after one 410, or where the clock went back in between', async () => {
    await client.get('/v1/pets/1');
    await removed();
    await client.get('/v1/pets/1');
    await client.get('/v1/pets?status=available');
    await setClock('2026-01-01T00:00:00Z');
    await client.get('/v1/pets/1');
    await removed();
    await client.get('/v1/pets/1');
    expect(await rulesOf()).toEqual([]);
  });

  it('is announced by the days that are left by the sandbox’s clock', async () => {
    await client.get('/v1/pets/1');
    const message = async () =>
      (await factsOf(client)).operations.find(({ operation }) => operation === 'getPet')?.warnings[0]?.message;
    expect(await message()).toBe(
      "getPet is deprecated and will be removed on 2030-12-05; 1,739 days are left by the sandbox's clock",
    );
    await setClock('2030-12-04T12:00:00Z');
    expect(await message()).toContain('; 1 day is left by');
    await removed();
    expect(await message()).toContain('was removed on 2030-12-05, by');
  });
});

describe('the same pet created again', () => {
  it.each([
    ['its response was replaced', lost, '503 stood in for it'],
    ['its connection was reset', { 'Sandbox-Fault': 'connection=reset; when=after' }, 'the connection broke'],
    ['its response was cut off', { 'Sandbox-Fault': 'connection=truncate' }, 'the connection broke'],
  ])('after %s is found, with both requests and both ids', async (_what, headers, why) => {
    await client.post('/v1/pets', PET, headers).catch(() => undefined);
    const again = await client.post('/v1/pets', PET);
    const [warning] = await behaviorOf();
    const [first] = warning?.requests ?? [];
    expect(warning).toMatchObject({
      rule: 'duplicate-create',
      operation: 'createPet',
      requests: [first, again.requestId],
    });
    expect(warning?.message).toBe(
      `pet 13 was created by ${first}, whose response was lost: ${why}, and the same pet was created again as 14 by ${again.requestId}`,
    );
  });

  it('before a late response came is found', async () => {
    const late = client.post('/v1/pets', PET, { 'Sandbox-Fault': 'delay=400; when=after' });
    await vi.waitFor(async () => expect((await client.get('/_sandbox')).json.nextId).toBe(14));
    wait(200);
    await client.post('/v1/pets', PET);
    wait(200);
    await late;
    expect((await behaviorOf()).map(({ message }) => message)).toEqual([
      expect.stringContaining(
        'whose response was late: it came after 400 ms, and the same pet was created again as 14',
      ),
    ]);
  });

  it('after the client left is found', async () => {
    const socket = await dial(client.url);
    socket.write(postOf(client, JSON.stringify(PET), 'Sandbox-Fault: delay=60000; when=after'));
    await vi.waitFor(async () => expect((await client.get('/_sandbox')).json.nextId).toBe(14));
    socket.resetAndDestroy();
    await vi.waitFor(async () => expect((await client.get('/_sandbox/requests')).json.total).toBe(1));
    await client.post('/v1/pets', PET);
    expect((await behaviorOf()).map(({ message }) => message)).toEqual([
      expect.stringContaining('whose response was late: the client had left, and the same pet was created again as 14'),
    ]);
  });

  it('is not found where nothing was created, the pet is another, the list was looked at, or the sandbox was reset', async () => {
    await client.post('/v1/pets', PET, { 'Sandbox-Fault': 'status=503' });
    await client.post('/v1/pets', PET);
    await client.post('/v1/pets', PET);
    await client.post('/v1/pets', { ...PET, name: 'Tom' }, lost);
    await client.get('/v1/pets?limit=100');
    await client.post('/_sandbox/reset');
    await client.post('/v1/pets', { ...PET, name: 'Tom' });
    expect(await rulesOf()).toEqual([]);
  });
});

describe('a creation whose response was lost', () => {
  const notes = async () => (await factsOf(client, true)).behavior.lostCreations;

  it('is a note where nobody looked for the pet: no verdict depends on it', async () => {
    const first = await client.post('/v1/pets', PET, lost);
    await client.get('/v1/pets', { 'Sandbox-Fault': 'status=503' });
    await client.post('/v1/pets', { ...PET, name: 'Tom' });
    const facts = await factsOf(client, true);
    expect([facts.verdict, facts.reasons, facts.behavior.found]).toEqual(['pass', [], []]);
    expect(facts.behavior.lostCreations).toEqual([
      {
        operation: 'createPet',
        message: `pet 13 was created by ${first.requestId}, whose response was lost: 503 stood in for it; no later request looked for it`,
        sample: {
          request: 'POST /v1/pets',
          sent: '{"name":"Rex","categoryId":1}',
          status: 503,
          instead: null,
          action: 'other',
        },
        count: 1,
        requests: [first.requestId],
        last: first.requestId,
        lines: [{ id: first.requestId, at: expect.any(String), request: 'POST /v1/pets', status: 503 }],
      },
    ]);
  });

  it.each(['/v1/pets?limit=100', '/v1/pets/13'])('is not named where the client looked: %s', async (path) => {
    for (const headers of [lost, { 'Sandbox-Fault': 'connection=reset; when=after' }]) {
      await client.post('/v1/pets', PET, headers).catch(() => undefined);
    }
    wait(200);
    await client.get(path);
    await client.post('/v1/pets', { ...PET, name: 'Tom' });
    expect(await notes()).toEqual([]);
  });

  it('is not named twice where the pet was created again', async () => {
    await client.post('/v1/pets', PET, lost);
    await client.post('/v1/pets', PET);
    expect(await rulesOf()).toEqual(['duplicate-create']);
    expect(await notes()).toEqual([]);
  });

  it('is not named where nothing was created, or the response was only late', async () => {
    await client.post('/v1/pets', PET, { 'Sandbox-Fault': 'status=503' });
    await client.post('/v1/pets', { name: 'Rex' }, lost);
    await client.post('/v1/pets', PET, { 'Sandbox-Fault': 'delay=20; when=after' });
    expect(await notes()).toEqual([]);
  });
});

describe('polling', () => {
  it.each([
    ['is found at twenty requests a second', 50, ['polling']],
    ['is not found at ten', 100, []],
    ['is not found at ten with a timer that is a little early', 95, []],
  ])('%s', async (_what, ms, rules) => {
    for (let i = 0; i < 51; i++) {
      await client.get('/v1/pets?status=sold');
      wait(ms);
    }
    expect(await rulesOf()).toEqual(rules);
  });

  it('is not found in fifteen tests that each list once', async () => {
    for (let i = 0; i < 15; i++) await client.get('/v1/pets');
    expect(await rulesOf()).toEqual([]);
  });

  it('is not found where other things are asked for in between, or workers ask at the same time', async () => {
    for (let i = 0; i < 15; i++) await client.get(`/v1/pets?limit=${(i % 2) + 1}`);
    // A delay, so that they overlap on any machine.
    const slow = { 'Sandbox-Fault': 'delay=50; when=after' };
    await Promise.all(Array.from({ length: 20 }, () => client.get('/v1/pets', slow)));
    expect(await rulesOf()).toEqual([]);
  });
});

describe('behavior', () => {
  it('are none of workers that share a key', async () => {
    const Authorization = `Bearer ${await revokedKey(client)}`;
    const all = <T>(act: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, act));
    await all(() => client.get('/v1/pets', busy));
    await all(() => client.post('/v1/pets', { name: 'Rex' }));
    await all(() => client.get('/v1/pets', { Authorization }));
    await all(() => client.post('/v1/pets', PET, lost));
    expect(await rulesOf()).toEqual([]);
  });

  it('are warnings: only a strict report fails for them', async () => {
    await client.get('/v1/pets', busy);
    await client.get('/v1/pets');
    const [lenient, strict] = [await factsOf(client), await factsOf(client, true)];
    expect(lenient.reasons.join()).not.toContain('behavior warning');
    expect([strict.verdict, strict.reasons, strict.totals.behavior]).toEqual(['fail', ['1 behavior warning'], 1]);
  });

  it('say how many requests they were found in, and how many the request log had dropped', async () => {
    await client.getMany(1_050, () => '/v1/pets?limit=1');
    const { behavior } = await factsOf(client);
    expect(behavior).toEqual({ exchanges: 1_000, dropped: 50, found: [], lostCreations: [] });
  });
});
