import { describe, expect, it } from 'vitest';
import type { Client, Reply } from '../../support/client.ts';
import { startTestServer } from '../../support/server.ts';

const server = await startTestServer();

/** A text goes as it is: no digit is lost. */
const verify = (client: Client, expected: unknown): Promise<Reply> =>
  client.post('/_sandbox/requests/verify', expected);

/** Four exchanges, which most tests look at: two lists, a pet that was added, and one that was not. */
const client = await server.sandbox({ fixture: 'empty' });
const REX = '{"name":"Rex","categoryId":9007199254740993,"status":"sold","tags":["a",1.50,{"b":null}]}';
const ids = [
  (await client.get('/v1/pets')).requestId,
  (await client.post('/v1/pets', REX)).requestId,
  (await client.post('/v1/pets', '{"name":"Tom"}')).requestId,
  (await client.get('/v1/pets?status=sold&limit=5')).requestId,
] as const;

/** A response that found these of so many requests. */
const found = (total: number, ...requests: string[]) => {
  const account = expect.objectContaining({ total });
  return { matched: requests.length, dropped: 0, account, requests };
};

interface Difference {
  readonly location: string;
  readonly expected: string;
  readonly actual: string;
}
/** How a request differs, one difference a line. */
const inLines = (differences: readonly Difference[]) =>
  differences.map(({ location, expected, actual }) => `${location}: ${expected}, not ${actual}`);
/** The nearest requests by their ids, and how they differ. */
const closestIn = ({ json }: Reply): string[][] =>
  json.closest.map(({ request, differences }: { request: { id: string }; differences: Difference[] }) => [
    request.id,
    ...inLines(differences),
  ]);

describe('a verification', () => {
  it.each<[string, string, number[]]>([
    ['an operation', '{"operation":"createPet"}', [2, 1]],
    ['a method', '{"method":"POST"}', [2, 1]],
    ['a status', '{"status":400}', [2]],
    ['a path', '{"path":"/v1/pets","method":"GET"}', [3, 0]],
    ['a path without the version', '{"path":"/pets","method":"GET"}', [3, 0]],
    ['a path with a parameter among others', '{"path":"/pets?status=sold"}', [3]],
    ['a path with all parameters, in any order', '{"path":"/v1/pets?limit=5&status=sold"}', [3]],
    ['members of a body among others', '{"body":{"name":"Rex"}}', [1]],
    ['an int64 to its last digit', '{"body":{"categoryId":9007199254740993}}', [1]],
    ['an int64 in another form', '{"body":{"categoryId":9007199254740993.0}}', [1]],
    ['lists whole, with members of objects in them', '{"body":{"tags":["a",1.5,{}]}}', [1]],
    ['null', '{"body":{"tags":["a",1.5,{"b":null}]}}', [1]],
    ['any body that is an object', '{"body":{}}', [2, 1]],
    ['the body of a response', '{"responseBody":{"id":1,"categoryId":9007199254740993}}', [1]],
    ['the body of a response that is a list', '{"responseBody":[]}', [0]],
    ['all at once', '{"operation":"createPet","path":"/pets","status":201,"body":{"name":"Rex"},"method":"POST"}', [1]],
    ['anything', '{}', [3, 2, 1, 0]],
    ['those since a time', '{"since":"2020-01-01T00:00:00Z"}', [3, 2, 1, 0]],
  ])('finds requests by %s', async (_, expected, which) => {
    const { status, json } = await verify(client, expected);
    expect([status, json]).toEqual([200, found(4, ...which.map((index) => ids[index] as string))]);
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
    expect(await verify(client, expected)).toMatchObject({ status: 409, json: { matched: 0 } });
  });

  it.each<[object, string?]>([
    [{}],
    [{ atLeast: 3 }, 'expected at least 3 of such requests, found 2'],
    [{ atMost: 1 }, 'expected at most 1 of such requests, found 2'],
    [{ exactly: 2 }],
    [{ exactly: 3 }, 'expected exactly 3 of such requests, found 2'],
    [{ atLeast: 1, atMost: 2 }],
    [{ atLeast: 3, atMost: 5 }, 'expected at least 3 and at most 5 of such requests, found 2'],
  ])('holds %j against two requests', async (counts, message) => {
    const { status, json } = await verify(client, { operation: 'listPets', ...counts });
    expect([status, json.message]).toEqual([message === undefined ? 200 : 409, message]);
  });

  it('is content with none where at most none is asked for', async () => {
    const client = await server.sandbox();
    for (const counts of [{ exactly: 0 }, { atMost: 3 }, { since: '2100-01-01T00:00:00Z', exactly: 0 }])
      expect((await verify(client, counts)).json).toEqual(found(0));
    const { requests: _, ...none } = found(0);
    const message = 'expected at least 1 of such requests, found 0';
    const failed = { code: 'verification_failed', message, status: 409, closest: [] };
    expect((await verify(client, {})).json).toEqual({ ...failed, ...none });
  });

  it('tells how the nearest requests differ, the nearest first', async () => {
    const body = '{"name":"Rex","categoryId":9007199254740992,"age":3}';
    const reply = await verify(client, `{"operation":"createPet","status":201,"body":${body}}`);
    expect(reply.json.closest[0].request.request.body).toContain('Rex');
    expect(reply.json.closest[0].differences).toEqual([
      { location: 'body/categoryId', expected: '9007199254740992', actual: '9007199254740993' },
      { location: 'body/age', expected: '3', actual: 'none' },
    ]);
    const category = 'body/categoryId: 9007199254740992';
    expect(closestIn(reply)).toEqual([
      [ids[1], `${category}, not 9007199254740993`, 'body/age: 3, not none'],
      [ids[2], 'status: 201, not 400', 'body/name: "Rex", not "Tom"', `${category}, not none`, 'body/age: 3, not none'],
      [ids[3], 'operation: createPet, not listPets', 'status: 201, not 200', `body: ${body}, not no body`],
    ]);
  });

  it('tells of paths, parameters and bodies that cannot be read', async () => {
    const client = await server.sandbox();
    const { requestId } = await client.post('/v1/pets?dry=1', '{"name":');
    const reply = await verify(client, { method: 'GET', path: '/pets/1?dry=2&limit=3', body: { name: 'Rex' } });
    const body = 'body: {"name":"Rex"}, not a body that is not JSON';
    const path = ['path: /v1/pets/1, not /v1/pets', 'path?dry: 2, not 1', 'path?limit: 3, not none'];
    expect(closestIn(reply)).toEqual([[requestId, 'method: GET, not POST', ...path, body]]);
  });

  it('does not guess at what was cut off a body, and is incomplete where that would decide', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    await client.post('/v1/pets', `{"pad":"${'a'.repeat(20_000)}","name":"Rex","categoryId":1}`);
    const { json } = await verify(client, { operation: 'createPet', body: { name: 'Rex' }, atMost: 0 });
    expect(json).toMatchObject({ code: 'verification_incomplete', message: expect.stringContaining('whole body') });
    const [[, ...differences] = []] = closestIn(await verify(client, { body: { categoryId: 1 } }));
    expect(differences).toEqual(['body: {"categoryId":1}, not a body that is not stored as a whole']);
  });

  it('looks at what came since a request', async () => {
    expect((await verify(client, { since: ids[1] })).json).toEqual(found(2, ids[3], ids[2]));
  });

  it('shows the requests themselves where there were too many', async () => {
    const reply = await verify(client, { exactly: 1 });
    expect(reply.json.matched).toBe(4);
    expect(closestIn(reply)).toEqual([[ids[3]], [ids[2]], [ids[1]]]);
  });

  it('knows what was answered just before, however much comes at once', async () => {
    const client = await server.sandbox();
    await client.getMany(40, (n) => `/v1/pets/${n}`);
    expect((await verify(client, { exactly: 40 })).status).toBe(200);
    expect((await verify(client, { since: 'req_0000000000000000' })).status).toBe(404);
  });

  it('names twenty differences of a request, and counts the rest', async () => {
    const client = await server.sandbox();
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const members = Object.fromEntries(Array.from({ length: 2_500 }, (_, index) => [`m${index}`, index]));
    const path = '/pets/1?p0&p1&p2&p3&p4';
    const { json } = await verify(client, { path, body: { name: 'Rex', deep: [{ a: 1 }], ...members } });
    const [{ differences, more }] = json.closest;
    expect(differences).toHaveLength(20);
    // The path, five parameters, a list, and 2,500 members.
    expect(more).toBe(1 + 5 + 1 + 2_500 - 20);
    const lines = inLines(differences);
    expect(lines.slice(0, 2)).toEqual(['path: /v1/pets/1, not /v1/pets', 'path?p0: , not none']);
    expect(lines[6]).toBe('body/deep: [{"a":1}], not none');
    const few = await verify(client, { body: { name: 'Tom' } });
    expect(Object.keys(few.json.closest[0])).toEqual(['request', 'differences']);
  });

  it('cuts long values, names and places, as many as there are', async () => {
    const client = await server.sandbox();
    await client.post('/v1/pets', { name: 'R'.repeat(1_000), categoryId: 1 });
    const name = 'n'.repeat(5_000);
    const values = [name, { [name]: 1 }, [[name]], `${'\u0001'.repeat(1_000)}`, { a: [1, { b: name }] }];
    const [[, ...differences] = []] = closestIn(await verify(client, { body: { name: values, [name]: values } }));
    const expected = `${JSON.stringify(values).slice(0, 200)}…`;
    expect(differences).toEqual([
      `body/name: ${expected}, not "${'R'.repeat(199)}…`,
      `body/${'n'.repeat(195)}…: ${expected}, not none`,
    ]);
  });
});

it('says how many requests the log dropped, and is incomplete wherever one of them could decide', async () => {
  const client = await server.sandbox({ fixture: 'empty' });
  const replies = await client.getMany(10_010, () => '/v1/pets');
  const incomplete = { status: 409, code: 'verification_incomplete', dropped: 10 };
  for (const [expected, result] of [
    [{ operation: 'listPets' }, { matched: 10_000, dropped: 10 }],
    [{ operation: 'listPets', exactly: 10_000 }, incomplete],
    [{ operation: 'createPet', atMost: 3 }, incomplete],
    [{ operation: 'getPet', exactly: 0 }, incomplete],
    [{ operation: 'getPet' }, incomplete],
    // Too many are too many, and nothing was dropped since a request that is there.
    [{ operation: 'listPets', atMost: 1 }, { code: 'verification_failed' }],
    [
      { operation: 'getPet', atMost: 0, since: replies.at(-1)?.requestId },
      { matched: 0, dropped: 0 },
    ],
  ])
    expect([expected, (await verify(client, expected)).json]).toMatchObject([expected, result]);
});

// What no request can meet: test/server/control/strict.test.ts.
it('takes what some request can meet, also outside of the base path', async () => {
  const client = await server.sandbox();
  await client.get('/store/orders');
  for (const expected of [
    { operation: 'listPets', method: 'HEAD', atMost: 0 },
    { operation: 'getPet', path: '/v1/pets/1', atMost: 0 },
    { path: '/toys', atMost: 0 },
    { path: '/store/orders', exactly: 1 },
  ])
    expect([expected, (await verify(client, expected)).status]).toEqual([expected, 200]);
});
