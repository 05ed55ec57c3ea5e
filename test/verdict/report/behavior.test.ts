/** What a client does wrong over several requests, and what a right client does that looks like it. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Client } from '../../support/client.ts';
import { heldClock } from '../../support/held-clock.ts';
import { startTestServer } from '../../support/server.ts';
import { dial, postOf } from '../../support/wire.ts';
import { factsOf, foundAs, revokedKey } from './clients.ts';

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

const behaviorOf = async () => foundAs(await factsOf(client), 'behavior');
const rulesOf = async () => (await behaviorOf()).map(({ rule }) => rule);

const PET = { name: 'Rex', categoryId: 1 };
const TOM = { name: 'Tom', categoryId: 1 };
const fault = (text: string) => ({ 'Sandbox-Fault': text });
const busy = fault('status=429; retryAfter=2');
const lost = fault('status=503; when=after');
const reset = fault('connection=reset; when=after');

const list = (headers = {}) => client.get('/v1/pets', headers);
const post = (body: string, headers = {}) =>
  client.send({
    ...{ method: 'POST', path: '/v1/pets', body },
    headers: { 'Content-Type': 'application/json', ...headers },
  });
const rejectedAs = async (body: string) => expect((await post(body)).status).toBe(400);
const create = (pet: object = PET, headers = {}) => client.post('/v1/pets', pet, headers);
const setClock = (now: string) => client.put('/_sandbox/clock', { now });
const poll = (everyMs: number) =>
  times(51, async () => {
    await client.get('/v1/pets?status=sold');
    wait(everyMs);
  });
const remove = () => setClock('2030-12-06T00:00:00Z');
const withDeadKey = async () => ({ Authorization: `Bearer ${await revokedKey(client)}` });
async function times(count: number, act: (n: number) => unknown): Promise<void> {
  for (let n = 0; n < count; n++) await act(n);
}
const atOnce = <T>(act: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, act));

/** What is no mistake, though it looks like one. */
const RIGHT: Readonly<Record<string, () => Promise<unknown>>> = {
  'waits for Retry-After, as exactly as timers do': async () => {
    await list(busy);
    wait(1_860);
    await list(busy);
    wait(2_000);
    await list();
  },
  'is asked for no wait, fetches another thing, or looks with HEAD': async () => {
    await list(fault('status=429'));
    await list(fault('status=429; retryAfter=0'));
    await list(busy);
    await client.get('/v1/pets?limit=1');
    await create();
    await client.send({ method: 'HEAD', path: '/v1/pets' });
  },
  'corrects a rejected body, or sends one again that was right or that a fault rejected': async () => {
    await create({ name: 'Rex' });
    await create();
    await create();
    await create(TOM, fault('status=400'));
    await create(TOM);
  },
  'sends a body again that is invalid on purpose': () =>
    times(3, () => create({ name: 'Rex' }, { 'Sandbox-Expect': 'invalid' })),
  'tries a dead key in each of twelve tests': async () => {
    const dead = await withDeadKey();
    await times(12, async () => [await list(), await list(dead)]);
  },
  'calls a removed operation once, or again after the clock went back': async () => {
    await client.get('/v1/pets/1');
    await remove();
    await client.get('/v1/pets/1');
    await client.get('/v1/pets?status=available');
    await setClock('2026-01-01T00:00:00Z');
    await client.get('/v1/pets/1');
    await remove();
    await client.get('/v1/pets/1');
  },
  'creates a pet again that was not created, that it looked for, or that a reset removed': async () => {
    await create(PET, fault('status=503'));
    await create();
    await create();
    await create(TOM, lost);
    await client.get('/v1/pets?limit=100');
    await client.post('/_sandbox/reset');
    await create(TOM);
  },
  'lists once in each of fifteen tests': () => times(15, () => list()),
  'polls not ten times a second, with a timer that is a little early': () => poll(95),
  'sends other integers beyond 53 bits in bodies that are rejected': async () => {
    for (const id of ['9007199254740992', '9007199254740993', '9223372036854775808', '9223372036854775809'])
      await rejectedAs(`{"categoryId":${id}}`);
  },
  'asks for other things in between, or by several workers at the same time': async () => {
    await times(15, (n) => client.get(`/v1/pets?limit=${(n % 2) + 1}`));
    // A delay, so that they overlap on any machine.
    await atOnce(() => list(fault('delay=50; when=after')));
  },
  'is many workers that share a key': async () => {
    const dead = await withDeadKey();
    await atOnce(() => list(busy));
    await atOnce(() => create({ name: 'Rex' }));
    await atOnce(() => list(dead));
    await atOnce(() => create(PET, lost));
  },
};

it.each(Object.entries(RIGHT))('nothing is found in a client that %s', async (_, act) => {
  await act();
  expect(await rulesOf()).toEqual([]);
});

it.each<[does: string, act: () => Promise<unknown>, found: object]>([
  [
    'comes back before Retry-After is over',
    async () => [await list(busy), wait(150), await list()],
    {
      ...{ rule: 'retry-too-early', operation: 'listPets', count: 1 },
      message: 'GET /v1/pets came again after 150 ms, and 429 with Retry-After had asked for 2000 ms',
    },
  ],
  [
    'comes back early with its query in another order',
    async () => [
      await client.get('/v1/pets?limit=5&status=sold', busy),
      await client.get('/v1/pets?status=%73old&limit=5'),
    ],
    { rule: 'retry-too-early', count: 1 },
  ],
  [
    'sends a rejected body again',
    () => times(3, () => create({ name: 'Rex' })),
    {
      ...{ rule: 'rejected-body-resent', count: 2, sample: { request: 'POST /v1/pets', status: 400 } },
      message: 'POST /v1/pets was rejected with 400, and the same body came again',
    },
  ],
  [
    'sends a rejected body again in another order, with another one in between',
    async () => {
      await rejectedAs('{"status":"lost","categoryId":1}');
      await rejectedAs('{ "categoryId": 1 }');
      await rejectedAs('{"categoryId":1,"status":"lost"}');
    },
    { rule: 'rejected-body-resent', count: 1 },
  ],
  [
    'sends a rejected body again with other escapes, and a number in another form',
    async () => {
      await rejectedAs('{"name":"Räx","weight":1.5,"status":1}');
      await rejectedAs('{"name":"R\\u00e4x","weight":15e-1,"status":1.0}');
    },
    { rule: 'rejected-body-resent', count: 1 },
  ],
  [
    'calls an operation again after its 410',
    async () => [await remove(), await times(3, (n) => client.get(`/v1/pets/${n + 1}`))],
    { rule: 'removed-operation-called', operation: 'getPet', count: 2 },
  ],
  ['polls twenty times a second', () => poll(50), { rule: 'polling', count: 51 }],
  [
    'creates a lost pet again with its fields in another order, and an address that counts the attempt',
    async () => {
      await create(PET, lost);
      await client.post('/v1/pets?attempt=2', '{"categoryId":1,"name":"Rex"}');
    },
    { rule: 'duplicate-create', count: 1 },
  ],
])('one warning is found in a client that %s', async (_, act, found) => {
  await act();
  expect(await behaviorOf()).toMatchObject([found]);
});

it('a dead key that is used more than ten times in a row is found, unless the report is told of it', async () => {
  const dead = await withDeadKey();
  const use = () => client.get('/v1/pets?limit=1', dead);
  await times(10, use);
  expect(await behaviorOf()).toEqual([]);
  await use();
  expect(await behaviorOf()).toMatchObject([{ rule: 'invalid-key-reused', count: 11 }]);
  await list();
  const declared = (await client.get('/_sandbox/report?strict=true&expectedInvalid=listPets:401')).json;
  expect([declared.verdict, foundAs(declared, 'behavior')]).toEqual(['pass', []]);
});

describe('the same pet created again', () => {
  it.each([
    ['its connection was reset', reset, 'the connection broke'],
    ['its response was cut off', fault('connection=truncate'), 'the connection broke'],
  ])('after %s is found, with both requests and both ids', async (_what, headers, why) => {
    await create(PET, headers).catch(() => undefined);
    const again = await create();
    const [warning] = await behaviorOf();
    const [first] = warning?.requests ?? [];
    expect(warning).toMatchObject({
      rule: 'duplicate-create',
      operation: 'createPet',
      requests: [first, again.requestId],
      message: `pet 13 was created by ${first}, whose response was lost: ${why}, and the same pet was created again as 14 by ${again.requestId}`,
    });
  });

  const isCreated = () => vi.waitFor(async () => expect((await client.get('/_sandbox')).json.nextId).toBe(14));
  const isFoundAs = async (why: string) =>
    expect((await behaviorOf()).map(({ message }) => message)).toEqual([
      expect.stringContaining(`whose response was late: ${why}, and the same pet was created again as 14`),
    ]);

  it('before a late response came is found', async () => {
    const late = create(PET, fault('delay=400; when=after'));
    await isCreated();
    wait(200);
    await create();
    wait(200);
    await late;
    await isFoundAs('it came after 400 ms');
  });

  it('after the client left is found', async () => {
    const socket = await dial(client.url);
    socket.write(postOf(client, JSON.stringify(PET), 'Sandbox-Fault: delay=60000; when=after'));
    await isCreated();
    socket.resetAndDestroy();
    await vi.waitFor(async () => expect((await client.get('/_sandbox/requests')).json.total).toBe(1));
    await create();
    await isFoundAs('the client had left');
  });
});

it('a strict report is incomplete where requests left the log before it was searched', async () => {
  const verdict = async (query: string) => {
    const { verdict, reasons } = (await client.get(`/_sandbox/report${query}`)).json;
    return [verdict, reasons];
  };
  await client.getMany(1_001, () => '/v1/pets?limit=1');
  expect(await verdict('')).toEqual(['pass', []]);
  const where = 'behavior warnings were looked for in the last 1000 requests, and not in the 1 before';
  expect(await verdict('?strict=true')).toEqual(['incomplete', [where]]);
});

it('the use of a deprecated operation says the days that are left by the sandbox’s clock', async () => {
  await client.get('/v1/pets/1');
  const message = async () => foundAs(await factsOf(client), 'deprecated')[0]?.message;
  expect(await message()).toBe("is deprecated, removal date 2030-12-05; 1,739 days left by the sandbox's clock");
  await setClock('2030-12-04T12:00:00Z');
  expect(await message()).toContain('; 1 day left by');
  await remove();
  expect(await message()).toContain('removal date 2030-12-05; the date is past by');
});
