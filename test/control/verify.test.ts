import { describe, expect, it } from 'vitest';
import type { Client, Reply } from '../support/client.ts';
import { operationList } from '../support/documented.ts';
import { heldClock } from '../support/held-clock.ts';
import { startTestServer } from '../support/server.ts';

/** Time stands still, and moves between requests only. */
const clock = heldClock(Date.UTC(2026, 2, 2, 9, 30));
const server = await startTestServer({ clock });

/** A text goes as it is: no digit is lost. */
const verify = (client: Client, expected: unknown): Promise<Reply> =>
  client.post('/_sandbox/requests/verify', expected);

/** Four exchanges: two lists, a pet that was added, and one that was not. */
const traffic = async (): Promise<{ client: Client; ids: string[] }> => {
  const client = await server.sandbox({ fixture: 'empty' });
  const replies = [
    await client.get('/v1/pets'),
    await client.post(
      '/v1/pets',
      '{"name":"Rex","categoryId":9007199254740993,"status":"sold","tags":["a",1.50,{"b":null}]}',
    ),
    await client.post('/v1/pets', '{"name":"Tom"}'),
    await client.get('/v1/pets?status=sold&limit=5'),
  ];
  return { client, ids: replies.map(({ requestId }) => requestId) };
};

/** A response that found these of so many requests. */
const found = (total: number, ...requests: (string | undefined)[]) => ({
  ...{ matched: requests.length, dropped: 0, account: expect.objectContaining({ total }), requests },
});
/** The nearest requests by their ids, and how they differ. */
const closestIn = ({ json }: Reply): [id: string, differences: unknown[]][] =>
  json.closest.map(({ request, differences }: { request: { id: string }; differences: unknown[] }) => [
    request.id,
    differences,
  ]);

describe('a verification', () => {
  it('answers 200 with the requests that are as described', async () => {
    const { client, ids } = await traffic();
    const reply = await verify(client, { operation: 'listPets' });
    expect([reply.status, reply.json]).toEqual([200, found(4, ids[3], ids[0])]);
  });

  it.each<[string, string, number[]]>([
    ['an operation', '{"operation":"createPet"}', [1, 2]],
    ['a method', '{"method":"POST"}', [1, 2]],
    ['a status', '{"status":400}', [2]],
    ['a path', '{"path":"/v1/pets","method":"GET"}', [0, 3]],
    ['a path without the version', '{"path":"/pets","method":"GET"}', [0, 3]],
    ['a path with a parameter among others', '{"path":"/pets?status=sold"}', [3]],
    ['a path with all parameters, in any order', '{"path":"/v1/pets?limit=5&status=sold"}', [3]],
    ['members of a body among others', '{"body":{"name":"Rex"}}', [1]],
    ['an int64 to its last digit', '{"body":{"categoryId":9007199254740993}}', [1]],
    ['an int64 in another form', '{"body":{"categoryId":9007199254740993.0}}', [1]],
    ['lists whole, with members of objects in them', '{"body":{"tags":["a",1.5,{}]}}', [1]],
    ['null', '{"body":{"tags":["a",1.5,{"b":null}]}}', [1]],
    ['any body that is an object', '{"body":{}}', [1, 2]],
    ['the body of a response', '{"responseBody":{"id":1,"categoryId":9007199254740993}}', [1]],
    ['the body of a response that is a list', '{"responseBody":[]}', [0]],
    [
      'everything at once',
      '{"operation":"createPet","method":"POST","path":"/pets","status":201,"body":{"name":"Rex"}}',
      [1],
    ],
    ['anything', '{}', [0, 1, 2, 3]],
  ])('finds requests by %s', async (_, expected, found) => {
    const { client, ids } = await traffic();
    const reply = await verify(client, expected);
    expect([reply.status, reply.json.requests?.reverse()]).toEqual([200, found.map((index) => ids[index])]);
  });

  it.each([
    '{"body":{"categoryId":9007199254740992}}',
    '{"body":{"categoryId":"9007199254740993"}}',
    '{"body":{"tags":["a",1.5]}}',
    '{"body":{"tags":["a",1.51,{}]}}',
    '{"body":{"tags":["a",1.5,{"b":false}]}}',
    '{"body":[]}',
    '{"body":null}',
    '{"path":"/v1/pets/"}',
    '{"path":"/pets?status=sold&page=2"}',
    '{"method":"PUT"}',
  ])('does not take %s for something like it', async (expected) => {
    const { client } = await traffic();
    const reply = await verify(client, expected);
    expect([reply.status, reply.json.matched]).toEqual([409, 0]);
  });

  it.each<[object, number, string?]>([
    [{}, 200],
    [{ atLeast: 2 }, 200],
    [{ atLeast: 3 }, 409, 'expected at least 3 of such requests, found 2'],
    [{ atMost: 2 }, 200],
    [{ atMost: 1 }, 409, 'expected at most 1 of such requests, found 2'],
    [{ exactly: 2 }, 200],
    [{ exactly: 0 }, 409, 'expected exactly 0 of such requests, found 2'],
    [{ exactly: 3 }, 409, 'expected exactly 3 of such requests, found 2'],
    [{ atLeast: 1, atMost: 2 }, 200],
    [{ atLeast: 3, atMost: 5 }, 409, 'expected at least 3 and at most 5 of such requests, found 2'],
  ])('holds %j against two requests', async (counts, status, message) => {
    const { client } = await traffic();
    const reply = await verify(client, { operation: 'listPets', ...counts });
    expect([reply.status, reply.json.message]).toEqual([status, message]);
  });

  it('is content with none where at most none is asked for', async () => {
    const client = await server.sandbox();
    for (const counts of [{ exactly: 0 }, { atMost: 3 }]) expect((await verify(client, counts)).json).toEqual(found(0));
    const { requests: _, ...none } = found(0);
    expect((await verify(client, {})).json).toEqual({
      ...{ code: 'verification_failed', message: 'expected at least 1 of such requests, found 0', status: 409 },
      ...{ ...none, closest: [] },
    });
  });

  it('tells how the nearest requests differ, the nearest first', async () => {
    const { client, ids } = await traffic();
    const reply = await verify(
      client,
      '{"operation":"createPet","status":201,"body":{"name":"Rex","categoryId":9007199254740992,"age":3}}',
    );
    expect(reply.json.closest[0].request.request.body).toContain('Rex');
    expect(closestIn(reply)).toEqual([
      [
        ids[1],
        [
          { location: 'body/categoryId', expected: '9007199254740992', actual: '9007199254740993' },
          { location: 'body/age', expected: '3', actual: 'none' },
        ],
      ],
      [
        ids[2],
        [
          { location: 'status', expected: '201', actual: '400' },
          { location: 'body/name', expected: '"Rex"', actual: '"Tom"' },
          { location: 'body/categoryId', expected: '9007199254740992', actual: 'none' },
          { location: 'body/age', expected: '3', actual: 'none' },
        ],
      ],
      [
        ids[3],
        [
          { location: 'operation', expected: 'createPet', actual: 'listPets' },
          { location: 'status', expected: '201', actual: '200' },
          { location: 'body', expected: '{"name":"Rex","categoryId":9007199254740992,"age":3}', actual: 'no body' },
        ],
      ],
    ]);
  });

  it('tells of paths, parameters and bodies that cannot be read', async () => {
    const client = await server.sandbox();
    await client.post('/v1/pets?dry=1', '{"name":', { 'Content-Type': 'application/json' });
    const { json } = await verify(client, { method: 'GET', path: '/pets/1?dry=2&limit=3', body: { name: 'Rex' } });
    expect(json.closest[0].differences).toEqual([
      { location: 'method', expected: 'GET', actual: 'POST' },
      { location: 'path', expected: '/v1/pets/1', actual: '/v1/pets' },
      { location: 'path?dry', expected: '2', actual: '1' },
      { location: 'path?limit', expected: '3', actual: 'none' },
      { location: 'body', expected: '{"name":"Rex"}', actual: 'a body that is not JSON' },
    ]);
  });

  it('does not guess at what was cut off a body', async () => {
    const client = await server.sandbox();
    await client.post('/v1/pets', { name: 'x'.repeat(20_000), categoryId: 1 });
    const { json } = await verify(client, { body: { categoryId: 1 } });
    expect(json.closest[0].differences).toEqual([
      { location: 'body', expected: '{"categoryId":1}', actual: 'a body that is not stored as a whole' },
    ]);
  });

  it('shows the requests themselves where there were too many', async () => {
    const { client, ids } = await traffic();
    const reply = await verify(client, { exactly: 1 });
    expect(reply.json.matched).toBe(4);
    expect(closestIn(reply)).toEqual([ids[3], ids[2], ids[1]].map((id) => [id, []]));
  });

  it('looks at what came since a request, or a time', async () => {
    const { client, ids } = await traffic();
    expect((await verify(client, { since: ids[1] })).json).toEqual(found(2, ids[3], ids[2]));
    expect((await verify(client, { since: '2020-01-01T00:00:00Z' })).json.matched).toBe(4);
    expect((await verify(client, { since: '2100-01-01T00:00:00Z', exactly: 0 })).status).toBe(200);
    expect((await verify(client, { since: 'req_0000000000000000' })).status).toBe(404);
  });

  it('sees its own sandbox only, and what was answered just before, however much comes at once', async () => {
    const [one, other] = [await server.sandbox(), await server.sandbox()];
    await Promise.all(Array.from({ length: 80 }, (_, i) => (i % 2 ? one : other).get(`/v1/pets/${i}`)));
    const [ofOne, ofOther] = await Promise.all([verify(one, { exactly: 40 }), verify(other, { exactly: 40 })]);
    expect([ofOne.status, ofOther.status]).toEqual([200, 200]);
    const twos = await verify(one, { path: '/pets/2' });
    expect(twos.status).toBe(409);
  });

  it('lets others through while it reads a thousand long bodies', async () => {
    const [busy, other] = [await server.sandbox({ fixture: 'empty' }), await server.sandbox()];
    const body = JSON.stringify({ name: 'Rex', categoryId: 1, more: Array.from({ length: 1_500 }, (_, i) => i) });
    for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 50 }, () => busy.post('/v1/pets', body)));
    let answered = false;
    const verified = verify(busy, { body: { name: 'Tom' }, exactly: 0 }).finally(() => {
      answered = true;
    });
    let meanwhile = 0;
    while (!answered) {
      await other.get('/v1/pets/1');
      if (!answered) meanwhile += 1;
    }
    expect((await verified).status).toBe(200);
    expect(meanwhile).toBeGreaterThan(5);
  });

  it('names twenty differences of a request, and counts the rest', async () => {
    const client = await server.sandbox();
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const members = Object.fromEntries(Array.from({ length: 2_500 }, (_, index) => [`m${index}`, index]));
    const path = `/pets/1?${Array.from({ length: 5 }, (_, index) => `p${index}`).join('&')}`;
    const { json } = await verify(client, { path, body: { name: 'Rex', deep: [{ a: 1 }], ...members } });
    const [{ differences, more }] = json.closest;
    expect(differences).toHaveLength(20);
    // The path, five parameters, a list, and 2,500 members.
    expect(more).toBe(1 + 5 + 1 + 2_500 - 20);
    expect(differences.slice(0, 2)).toEqual([
      { location: 'path', expected: '/v1/pets/1', actual: '/v1/pets' },
      { location: 'path?p0', expected: '', actual: 'none' },
    ]);
    expect(differences[6]).toEqual({ location: 'body/deep', expected: '[{"a":1}]', actual: 'none' });
    const few = await verify(client, { body: { name: 'Tom' } });
    expect(Object.keys(few.json.closest[0])).toEqual(['request', 'differences']);
  });

  it('cuts long values, names and places, as many as there are', async () => {
    const client = await server.sandbox();
    await client.post('/v1/pets', { name: 'R'.repeat(1_000), categoryId: 1 });
    const name = 'n'.repeat(5_000);
    const values = [name, { [name]: 1 }, [[name]], `${'\u0001'.repeat(1_000)}`, { a: [1, { b: name }] }];
    const { json } = await verify(client, { body: { name: values, [name]: values } });
    const expected = `${JSON.stringify(values).slice(0, 200)}…`;
    expect(json.closest[0].differences).toEqual([
      { location: 'body/name', expected, actual: `"${'R'.repeat(199)}…` },
      { location: `body/${'n'.repeat(195)}…`, expected, actual: 'none' },
    ]);
  });
});

describe('a sequence', () => {
  const create = (client: Client, fault?: string): Promise<Reply> =>
    client.post('/v1/pets', { name: 'Rex', categoryId: 1 }, fault === undefined ? {} : { 'Sandbox-Fault': fault });

  it('is found in its order, with others between its requests', async () => {
    const { client, ids } = await traffic();
    const steps = [{ operation: 'listPets' }, { status: 400 }, { path: '/pets?limit=5' }];
    const reply = await verify(client, { sequence: steps });
    expect([reply.status, reply.json]).toEqual([200, found(4, ids[0], ids[2], ids[3])]);
    expect((await verify(client, { sequence: steps.toReversed() })).status).toBe(409);
  });

  it('takes a request for one step only', async () => {
    const { client, ids } = await traffic();
    const list = { operation: 'listPets' };
    expect((await verify(client, { sequence: [list, list] })).json.requests).toEqual([ids[0], ids[3]]);
    expect((await verify(client, { sequence: [list, list, list] })).json.matched).toBe(2);
    expect((await verify(client, { since: ids[0], sequence: [list, list] })).json.matched).toBe(1);
  });

  it('names the step that was not found, and how the nearest later requests differ from it', async () => {
    const { client, ids } = await traffic();
    const reply = await verify(
      client,
      '{"sequence":[{"status":201},{"operation":"createPet","body":{"categoryId":9007199254740993}},{}]}',
    );
    expect(reply.json).toMatchObject({
      status: 409,
      message: `found no request for step 2 of 3, after ${ids[1]}`,
      matched: 1,
    });
    expect(closestIn(reply)).toEqual([
      [ids[2], [{ location: 'body/categoryId', expected: '9007199254740993', actual: 'none' }]],
      [ids[3], expect.arrayContaining([expect.objectContaining({ actual: 'listPets' })])],
    ]);
    const first = await verify(client, { sequence: [{ status: 500 }, {}] });
    expect(first.json).toMatchObject({ message: 'found no request for step 1 of 2', matched: 0 });
    expect(first.json.closest).toHaveLength(3);
  });

  it('limits the wait from the response of one step to the request of the next', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const { requestId } = await create(client, 'status=503');
    clock.time += 1_500;
    await create(client);
    const waits = (limits: object) =>
      verify(client, { sequence: [{ status: 503 }, { operation: 'createPet', status: 201, ...limits }] });

    expect((await waits({ waitAtLeastMs: 1_500, waitAtMostMs: 1_500 })).status).toBe(200);
    const early = await waits({ waitAtLeastMs: 2_000 });
    expect([early.status, early.json.message]).toEqual([409, `found no request for step 2 of 2, after ${requestId}`]);
    expect(early.json.closest[0].differences).toEqual([
      { location: 'wait', expected: 'at least 2000 ms', actual: '1500 ms' },
    ]);
    const late = await waits({ waitAtMostMs: 1_000 });
    expect(late.json.closest[0].differences).toEqual([
      { location: 'wait', expected: 'at most 1000 ms', actual: '1500 ms' },
    ]);
  });

  it('is found by a later request for a step, if the first one is too early for the next step', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const ids: string[] = [];
    for (const fault of ['status=503', 'status=503', undefined]) {
      ids.push((await create(client, fault)).requestId);
      clock.time += 1_000;
    }
    const steps = [{ status: 503 }, { status: 201, waitAtMostMs: 1_000 }];
    expect((await verify(client, { sequence: steps })).json).toEqual(found(3, ...ids.slice(1)));
    // There is nothing to wait for before the first step.
    expect((await verify(client, { sequence: [{ waitAtMostMs: 60_000 }, {}] })).json.matched).toBe(0);
    // Nor does a request follow itself.
    const twice = [{ status: 201 }, { status: 201, waitAtLeastMs: 0 }];
    expect((await verify(client, { sequence: twice })).json.matched).toBe(1);
  });
});

describe('a verification of a request log that is not whole', () => {
  /** A log without its first requests, which anything could have been in. */
  async function dropped(): Promise<{ client: Client; last: string }> {
    const client = await server.sandbox({ fixture: 'empty' });
    const replies = await client.getMany(1_010, () => '/v1/pets');
    return { client, last: replies.at(-1)?.requestId as string };
  }

  it('says how many were dropped, and is incomplete wherever one of them could decide', async () => {
    const { client, last } = await dropped();
    const results = [
      ['atLeast is met', { operation: 'listPets' }, 200],
      ['exactly', { operation: 'listPets', exactly: 1_000 }, 409],
      ['at most', { operation: 'createPet', atMost: 3 }, 409],
      ['never', { operation: 'getPet', exactly: 0 }, 409],
      ['too few', { operation: 'getPet' }, 409],
      ['a sequence', { sequence: [{ operation: 'listPets' }, { operation: 'getPet' }] }, 409],
    ] as const;
    for (const [what, expected, status] of results) {
      const { json, ...reply } = await verify(client, expected);
      expect([what, reply.status, json.dropped]).toEqual([what, status, 10]);
      if (status === 409) expect([what, json.code]).toEqual([what, 'verification_incomplete']);
    }
    // Too many are too many, and nothing was dropped since a request that is there.
    const { json } = await verify(client, { operation: 'listPets', atMost: 1 });
    expect(json.code).toBe('verification_failed');
    expect((await verify(client, { operation: 'getPet', atMost: 0, since: last })).json.dropped).toBe(0);
  });

  it('is incomplete where the body that would decide is not stored as a whole', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    await client.post('/v1/pets', `{"pad":"${'a'.repeat(20_000)}","name":"Rex","categoryId":1}`);
    const { json } = await verify(client, { operation: 'createPet', body: { name: 'Rex' }, atMost: 0 });
    expect(json).toMatchObject({ code: 'verification_incomplete', message: expect.stringContaining('whole body') });
  });
});

describe('an expectation that is wrong, or that no request can meet', () => {
  it.each<[unknown, RegExp]>([
    ['[]', /body: must be a JSON object; got an array/],
    ['{', /body: not valid JSON/],
    [{ operation: 'addPet' }, new RegExp(`body/operation: must be one of ${operationList}; got "addPet"`)],
    [{ atLeast: -1 }, /body\/atLeast: must be an integer of at least 0; got -1/],
    [{ sequence: [{}] }, /body\/sequence: must be an array of 2 to 20 items; got an array/],
    [{ sequence: [{}, { since: 'req_x' }] }, /body\/sequence\/1\/since: is not known here/],
    [{ sequence: [{}, {}], status: 200 }, /body\/status: is not known here; there are sequence, since/],
    [{ operation: 'getPet', method: 'POST' }, /getPet is GET/],
    [{ operation: 'createPet', path: '/pets/1' }, /createPet is POST \/v1\/pets/],
    [{ path: '/pets/{petId}' }, /template/],
    [{ path: '/pets?name=a b' }, /%20/],
    [{ path: '/pets?name=\u00fc' }, /%C3%BC/],
    [{ operation: 'listPets', atLeast: 3, atMost: 2 }, /no number meets all/],
    [{ operation: 'listPets', exactly: 3, atMost: 2 }, /no number meets all/],
    [{ sequence: [{ operation: 'listPets' }, { operation: 'listPets', method: 'PUT' }] }, /listPets is GET/],
  ])('is rejected with the reason: %j', async (expected, message) => {
    const client = await server.sandbox();
    const { status, json } = await verify(client, expected);
    expect([status, json.code, json.message]).toEqual([400, 'invalid_request', expect.stringMatching(message)]);
  });

  it.each([
    { operation: 'listPets', method: 'HEAD', atMost: 0 },
    { operation: 'getPet', path: '/v1/pets/1', atMost: 0 },
    { path: '/toys', atMost: 0 },
  ])('is none of these: %j', async (expected) => {
    const client = await server.sandbox();
    expect((await verify(client, expected)).status).toBe(200);
  });

  it('finds a request outside of the base path by its path as sent', async () => {
    const client = await server.sandbox();
    await client.get('/store/orders');
    expect((await verify(client, { path: '/store/orders', exactly: 1 })).status).toBe(200);
  });
});
