/** Every fix, followed word for word: the rule is gone, and what the client wanted is done. */
import { describe, expect, it } from 'vitest';
import { newKey } from '../../src/api/api-key.ts';
import type { Report } from '../../src/report/report.ts';
import { findingsOf } from '../../src/report/results.ts';
import { rules } from '../../src/report/rules.ts';
import type { Client, Reply, TestRequest } from '../support/client.ts';
import { harEntry, harReport } from '../support/har.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { exchangeBytes } from '../support/wire.ts';

const server = await startTestServer();

const JSON_TYPE = { 'Content-Type': 'application/json' };
const get = (path: string): TestRequest => ({ path });
const post = (body: string, headers: Record<string, string> = JSON_TYPE): TestRequest => ({
  ...{ method: 'POST', path: '/v1/pets', headers, body },
});

/** A pet in a JSON of this type, and one with more fields. */
const REX = '{"name":"Rex","categoryId":7}';
const rexAs = (type: string): TestRequest => post(REX, { 'Content-Type': type });
const rexWith = (fields: string): TestRequest => post(`{"name":"Rex","categoryId":7,${fields}}`);

const form = (body: string): TestRequest => post(body, { 'Content-Type': 'application/x-www-form-urlencoded' });
const multipart = (body: string): TestRequest => post(body, { 'Content-Type': 'multipart/form-data; boundary=xyz' });

interface Found {
  readonly rule: string;
  readonly location: string;
  readonly fix: string;
}

async function foundOf(client: Client): Promise<Found[]> {
  const report: Report = (await client.get('/_sandbox/report')).json;
  return [
    ...report.operations.flatMap(({ violations, rejected, warnings, rounded }) => [
      ...violations.map((each) => ({ ...each, rule: `request/${each.rule}` })),
      ...rounded.map((each) => ({ ...each, rule: 'int64-rounded' })),
      ...rejected,
      ...warnings,
    ]),
    ...report.noOperation.map((each) => ({ ...each, rule: 'no-operation', location: each.path })),
    ...report.malformed.map((each) => ({ ...each, rule: 'malformed-http', location: each.path })),
  ];
}

const SENTENCE = /^(?:(Send) (.+?) instead of (.+?)|(Add) (.+?)|(Leave out) (.+?))(?:\. [A-Z].*)?(?: \(encode .*)?$/s;

/** Does what a fix says, and nothing else. */
function follow(request: TestRequest, fix: string): TestRequest {
  const [, send, instead = '', sent = '', add, added = '', , left = ''] = SENTENCE.exec(fix) ?? [];
  const { method = 'GET', path, headers = {}, body } = request;
  const type = (headers as Record<string, string>)['Content-Type'];
  const lines = [`${method} ${path}`, `Content-Type: ${type}`, String(body ?? '')] as [string, string, string];
  if (send) lines[lines.findIndex((line) => line.includes(sent))] = replaced(lines, sent, instead);
  else if (add && added.startsWith('Content-Type')) lines[1] = added;
  else if (add && added.startsWith('"'))
    lines[2] = lines[2].replace('{', lines[2] === '{}' ? `{${added}` : `{${added},`);
  else if (add) lines[2] = added;
  else if (left !== '') {
    lines[0] = lines[0].replace(left, '').replace('?&', '?').replace(/[?&]$/, '').replace('&&', '&');
    lines[2] = lines[2].replace(`,${left}`, '').replace(`${left},`, '');
  }
  const [, form] = /Write the values of the form as JSON: (.*)$/.exec(fix) ?? [];
  if (form) lines[2] = form;
  const [newMethod = '', newPath = ''] = lines[0].split(' ');
  const withBody = newMethod === 'POST' ? { headers: { 'Content-Type': lines[1].slice(14) }, body: lines[2] } : {};
  return { method: newMethod, path: newPath, ...withBody };
}

const replaced = (lines: readonly string[], sent: string, instead: string): string =>
  (lines.find((line) => line.includes(sent)) ?? '').replace(sent, () => instead);

const partsOf = (values: Readonly<Record<string, string>>): string =>
  `${Object.entries(values)
    .map(([name, value]) => `--xyz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--xyz--\r\n`;

const isPet =
  (...wanted: unknown[]) =>
  ({ json }: Reply): void =>
    expect([json.name, json.categoryId, json.status].slice(0, wanted.length)).toEqual(wanted);
const isList =
  (length: number, status?: string) =>
  ({ json }: Reply): void => {
    expect(json).toHaveLength(length);
    if (status) expect(json.every((each: { status: string }) => each.status === status)).toBe(true);
  };
const hasPet =
  (id: number) =>
  ({ json }: Reply): void =>
    expect(json.map((each: { id: number }) => each.id)).toContain(id);

const BEYOND = 'rejected-beyond-specification';

/** The default fixture has twelve pets: two are sold. */
const ALL = 12;

describe('a fix that says what to send', () => {
  it.each<[what: string, rule: string, request: TestRequest, isDone: (reply: Reply) => void]>([
    ['a misspelled field', 'request/required', post('{"nmae":"Rex","categoryId":7}'), isPet('Rex', 7)],
    ['a missing field', 'request/required', post('{"name":"Rex"}'), isPet('Rex')],
    ['no body', 'request/required', post(''), isPet()],
    ['a nested category', 'request/required', post('{"name":"Rex","category":{"id":7,"name":"x"}}'), isPet('Rex', 7)],
    ['an object for an id', 'request/type', post('{"name":"Rex","categoryId":{"id":7}}'), isPet('Rex', 7)],
    ['digits in quotes', 'request/type', post('{"name":"Rex","categoryId":"7"}'), isPet('Rex', 7)],
    ['a number as a name', 'request/type', post('{"name":5,"categoryId":7}'), isPet('5', 7)],
    ['a field that is null', 'request/type', post('{"name":"Rex","categoryId":7,"status":null}'), isPet('Rex', 7)],
    ['a list of one', 'request/type', post('[{"name":"Rex","categoryId":7}]'), isPet('Rex', 7)],
    ['several pets at once', 'request/type', post(`[${REX},{"name":"Tom","categoryId":7}]`), isPet('Rex', 7)],
    ['JSON in JSON', 'request/type', post('"{\\"name\\":\\"Rex\\",\\"categoryId\\":7}"'), isPet('Rex', 7)],
    ['another writing of a status', 'request/enum', rexWith('"status":"Sold"'), isPet('Rex', 7, 'sold')],
    ['an unknown status', 'request/enum', rexWith('"status":"lost"'), isPet('Rex', 7)],
    ['an unknown status in a query', 'request/enum', get('/v1/pets?status=lost'), isList(6, 'available')],
    ['two statuses in one', 'request/enum', get('/v1/pets?status=sold,pending'), isList(2, 'sold')],
    ['an unset variable in a query', 'request/enum', get('/v1/pets?status=undefined&limit=5'), isList(5)],
    ['a limit of 0', 'request/minimum', get('/v1/pets?limit=0'), isList(1)],
    ['a limit of 500', 'request/maximum', get('/v1/pets?limit=500'), isList(ALL)],
    ['a limit behind two question marks', 'unknown-parameter', get('/v1/pets??limit=500'), isList(ALL)],
    ['a limit in another form', 'request/type', get('/v1/pets?limit=5.0'), isList(5)],
    ['an id in another form', 'request/type', get('/v1/pets/1e0'), ({ json }) => expect(json.id).toBe(1)],
    ['a last comma', 'request/syntax', post('{"name":"Rex","categoryId":7,}'), isPet('Rex', 7)],
    ['single quotes', 'request/syntax', post("{'name':'Rex','categoryId':7}"), isPet('Rex', 7)],
    ['no quotes', 'request/syntax', post('{name:"Rex",categoryId:7}'), isPet('Rex', 7)],
    ['a form', 'request/syntax', post('name=Rex&categoryId=7'), isPet('Rex', 7)],
    ['another type of JSON', 'request/content-type', rexAs('text/plain'), isPet('Rex', 7)],
    ['an HTML form', 'request/content-type', form('name=Max+M&categoryId=7&status=sold'), isPet('Max M', 7, 'sold')],
    [
      'a multipart form',
      'request/content-type',
      multipart(partsOf({ name: 'Rex', categoryId: '9007199254740993' })),
      ({ text }) => expect(text).toContain('"name":"Rex","categoryId":9007199254740993'),
    ],
    ['another charset', BEYOND, rexAs('application/json; charset=latin1'), isPet('Rex', 7)],
    ['a field twice', BEYOND, post('{"name":"Rex","name":"Tom","categoryId":7}'), isPet('Tom', 7)],
    ['an unknown field', 'unknown-field', post('{"id":5,"name":"Rex","categoryId":7}'), isPet('Rex', 7)],
    ['a wrapped pet', 'unknown-field', post('{"pet":{"name":"Rex","categoryId":7}}'), isPet('Rex', 7)],
    ['another writing of a parameter', 'unknown-parameter', get('/v1/pets?Limit=5'), isList(5)],
    ['an encoded pair', 'unknown-parameter', get('/v1/pets?limit%3D5'), isList(5)],
    ['two encoded pairs', 'unknown-parameter', get('/v1/pets?limit%3D2%26status%3Dsold'), isList(2, 'sold')],
    ['a page', 'unknown-parameter', get('/v1/pets?limit=5&page=2'), isList(5)],
    ['an offset', 'unknown-parameter', get('/v1/pets?offset=20'), isList(ALL)],
    ['a page size', 'unknown-parameter', get('/v1/pets?per_page=5'), isList(5)],
    ['a deprecated get', 'deprecated', get('/v1/pets/3'), hasPet(3)],
    ['another deprecated get', 'deprecated', get('/v1/pets/7'), hasPet(7)],
    ['a finder of another petstore', 'request/type', get('/v1/pets/findByStatus?status=sold'), isList(2, 'sold')],
    ['a slash at the end', 'no-operation', get('/v1/pets/?limit=5'), isList(5)],
    ['an encoded question mark', 'no-operation', get('/v1/pets%3Flimit=5&status=sold'), isList(2, 'sold')],
    ['an encoded slash', 'no-operation', get('/v1/pets%2F7'), hasPet(7)],
    ['a backslash', 'no-operation', get('/v1\\pets?limit=5'), isList(5)],
    ['a singular', 'no-operation', get('/v1/pet?status=sold'), isList(2, 'sold')],
    ['an extension', 'no-operation', get('/v1/pets.json'), isList(ALL)],
    ['a lost base path', 'no-operation', get('/pets?limit=5'), isList(5)],
    ['an id behind a lost base path', 'no-operation', get('/pets/3'), hasPet(3)],
  ])('ends in the task done: %s', async (_, rule, request, isDone) => {
    const client = await server.sandbox();
    await client.send(request);
    const wrong = await foundOf(client);
    const ofRule = wrong.filter((each) => each.rule === rule);
    expect(wrong.map((each) => each.rule)).toContain(rule);
    // The findings of one mistake share a fix; other mistakes of the request have their own.
    const all = [...ofRule, ...wrong.filter((each) => each.rule.startsWith('request/') && rule !== 'request/type')];
    const fixed = [...new Set(all.map(({ fix }) => fix))].reduce(follow, request);
    await client.delete('/_sandbox/requests');
    const reply = await client.send(fixed);
    expect([fixed, reply.status >= 200 && reply.status < 300]).toEqual([fixed, true]);
    const left = (await foundOf(client)).map((each) => `${each.rule} ${each.location}`);
    for (const { location } of ofRule) expect(left).not.toContain(`${rule} ${location}`);
    isDone(reply);
  });

  it.each([
    ['a blank', '/v1/pets?status=sold&x=a b'],
    ['an umlaut', '/v1/pets?status=sold&x=ü'],
  ])('ends in HTTP: %s', async (_, path) => {
    const client = await server.sandbox();
    await exchangeBytes(server.url, `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.key}\r\n\r\n`);
    const [{ fix, rule } = { fix: '', rule: '' }] = await foundOf(client);
    expect(rule).toBe('malformed-http');
    isList(2, 'sold')(await client.send(follow({ path }, fix)));
  });

  it('ends in a list that has the pet, on the day on which the operation is removed', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets/3');
    const { breaks } = (await client.get('/_sandbox/preview?at=2030-12-05')).json;
    expect(breaks).toMatchObject([{ rule: 'removed', instead: expect.stringMatching(/^GET /) }]);
    await client.put('/_sandbox/clock', { now: '2030-12-05T00:00:00Z' });
    await client.delete('/_sandbox/requests');
    hasPet(3)(await client.send({ path: breaks[0].instead.slice('GET '.length) }));
    expect((await client.get('/_sandbox/preview?at=2030-12-05')).json.breaks).toEqual([]);
  });

  it('ends in a rejection that the request declares, and in no declaration where nothing is rejected', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets/999');
    await client.get('/v1/pets', { 'Sandbox-Expect': 'invalid' });
    const found = await foundOf(client);
    expect(found.find(({ rule }) => rule === 'rejected')?.fix).toContain('mark it: `Sandbox-Expect: invalid`');
    expect(found.find(({ rule }) => rule === 'expected-invalid-but-valid')?.fix).toContain('remove the header');
    await client.delete('/_sandbox/requests');
    await client.get('/v1/pets/999', { 'Sandbox-Expect': 'invalid' });
    await client.get('/v1/pets');
    expect(await foundOf(client)).toEqual([]);
  });

  it('ends in all digits where they may have come back rounded', async () => {
    const wrong = '{"name":"Rex","categoryId":9007199254740992}';
    for (const [body, isFound] of [
      [wrong, true],
      [wrong.replace('992', '993'), false],
    ] as const) {
      const client = await server.sandbox();
      await client.post('/v1/pets', '{"name":"Tom","categoryId":9007199254740993}');
      await client.send(post(body));
      const found = (await foundOf(client)).find(({ rule }) => rule === 'int64-possibly-rounded');
      expect([body, found !== undefined]).toEqual([body, isFound]);
      if (found) expect(found.fix).toContain('read it into a 64-bit integer');
    }
  });

  it('ends in a key that is sent, and in an id without a stray percent sign, in a HAR', async () => {
    const rejection = { status: 401, content: { text: '{"code":"unauthorized","message":"no","status":401}' } };
    const entry = (headers: object[], url: string) =>
      harEntry({ url: `https://a.example/v1/pets${url}`, headers }, headers.length === 0 ? rejection : {});
    const key = [{ name: 'Authorization', value: 'Bearer key' }];
    const rulesOf = async (headers: object[], url = ''): Promise<string> => {
      // A file in which no request has a key says nothing about keys.
      const har = JSON.stringify({ log: { entries: [entry(key, ''), entry(headers, url)] } });
      return findingsOf(await harReport(Buffer.from(har)))
        .map(({ rule, fix }) => `${rule}: ${fix}`)
        .join();
    };
    const added = 'Authorization: Bearer <API_KEY>';
    expect(await rulesOf([])).toContain(`request/security: Add ${added}`);
    expect(await rulesOf(key)).toBe('');
    expect(await rulesOf(key, '/%zz')).toContain('request/percent-encoding: Send the `id` of a pet from a response');
    expect(await rulesOf(key, '/1')).not.toContain('percent-encoding');
  });

  it('ends in the exact id where it came back rounded, as Go writes it too', async () => {
    for (const write of ['9007199254740992', '9.007199254740992e+15', '9.007199254740992e%2B15']) {
      const client = await server.sandbox({ fixture: 'boundary' });
      const { json } = await client.get('/v1/pets?limit=100');
      expect(JSON.stringify(json)).toContain('9007199254740992');
      await client.get(`/v1/pets/${write}`);
      const rounded = (await foundOf(client)).find(({ rule }) => rule === 'int64-rounded');
      expect([write, rounded?.fix]).toEqual([write, expect.stringContaining('Send /v1/pets/9007199254740993')]);
    }
  });
});

describe('a fix of what a client does over several requests', () => {
  const busy = { 'Sandbox-Fault': 'status=429; retryAfter=1' };
  const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

  const bad = (client: Client) => client.post('/v1/pets', '{"name":5}');
  const list = (client: Client) => client.get('/v1/pets?limit=100');
  type Acts = (client: Client) => Promise<unknown>;

  it.each<[rule: string, wrong: Acts, right: Acts]>([
    [
      'retry-too-early',
      async (client) => [await client.get('/v1/pets', busy), await client.get('/v1/pets')],
      async (client) => [await client.get('/v1/pets', busy), await pause(1_001), await client.get('/v1/pets')],
    ],
    [
      'rejected-body-resent',
      async (client) => [await bad(client), await bad(client)],
      async (client) => [await bad(client), await client.post('/v1/pets', '{"name":"5","categoryId":7}')],
    ],
    [
      'removed-operation-called',
      async (client) => [await removed(client), await client.get('/v1/pets/1'), await client.get('/v1/pets/2')],
      async (client) => [await removed(client), await client.get('/v1/pets/1'), await list(client)],
    ],
    [
      'duplicate-create',
      async (client) => [await lose(client), await lose(client, {})],
      async (client) => [await lose(client), await list(client)],
    ],
  ])('ends it: %s', { timeout: limit(10_000) }, async (rule, wrong, right) => {
    const clients = [await server.sandbox(), await server.sandbox()] as const;
    await Promise.all([wrong(clients[0]), right(clients[1])]);
    const rulesOf = async (client: Client): Promise<string[]> =>
      (await client.get('/_sandbox/report')).json.behavior.found.map((each: { rule: string }) => each.rule);
    expect(await Promise.all(clients.map(rulesOf))).toEqual([[rule], []]);
  });

  const removed = (client: Client): Promise<Reply> => client.put('/_sandbox/clock', { now: '2031-01-01T00:00:00Z' });
  const lose = (
    client: Client,
    headers: Record<string, string> = { 'Sandbox-Fault': 'status=503; when=after' },
  ): Promise<Reply> => client.post('/v1/pets', { name: 'Rex', categoryId: 7 }, headers);
});

describe('a fix of what only the client knows', () => {
  const onPet = (method: string): TestRequest => ({ method, path: '/v1/pets/1' });
  const encoded = (body: string, encoding: BufferEncoding): TestRequest => ({
    ...{ ...post(''), body: [Buffer.from(body, encoding)] },
  });

  it.each<[what: string, request: TestRequest, fix: RegExp]>([
    ['DELETE', onPet('DELETE'), /^Leave this request out: the API has no DELETE.*GET \/v1\/pets/],
    ['PATCH', onPet('PATCH'), /the API has no PATCH/],
    ['PUT', onPet('PUT'), /the API has no PUT/],
    ['a uuid', get('/v1/pets/550e8400-e29b-41d4-a716-446655440000'), /ids, which are integers/],
    ['a name as an id', get('/v1/pets/Rex'), /ids, which are integers/],
    ['an id beyond int64', get('/v1/pets/99999999999999999999'), /64-bit integer/],
    ['a category beyond int64', post('{"name":"Rex","categoryId":99999999999999999999}'), /64-bit integer/],
    ['an unset id', get('/v1/pets/undefined'), /^Set the variable/],
    ['a template', get('/v1/pets/%7BpetId%7D'), /^Set the variable/],
    ['a bad encoding', get('/v1/pets/%zz'), /%25/],
    ['an HTML form', form('name=Rex'), /Content-Type: application\/json.*values of the form as JSON/],
    ['a multipart form', multipart('--xyz--'), /values of the form as JSON/],
    ['Latin-1', encoded('{"name":"M\xfcller","categoryId":1}', 'latin1'), /^Encode the body as UTF-8/],
    ['UTF-16', encoded(REX, 'utf16le'), /"name":"Rex".*UTF-8, not as UTF-16/s],
    ['compression', post('{}', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }), /^Leave out Content-Encoding/],
    ['a body of a get', { ...post('{"limit":5}'), method: 'GET' }, /^Leave out the body.*`limit`/],
    ['no JSON at all', post('hello'), /JSON library, such as/],
  ])('says so, and what to do: %s', async (_, request, fix) => {
    const client = await server.sandbox();
    await client.send(request);
    const fixes = (await foundOf(client)).map((each) => each.fix);
    expect(fixes.find((each) => fix.test(each))).toBeDefined();
    // It is no fix to send something else.
    if (/DELETE|PATCH|PUT/.test(fix.source)) expect(fixes.join()).not.toMatch(/^Send/);
  });

  it.each(['undefined', 'None', 'null', `\${KEY}`, '<API_KEY>', '{{key}}', ''])(
    'names the variable that was not set: Bearer %s',
    async (token) => {
      const client = await server.sandbox();
      await client.delete('/_sandbox/requests/unmatched');
      await client.send({ path: '/v1/pets', headers: { Authorization: `Bearer ${token}` } });
      const { unmatched } = (await client.get('/_sandbox/report?unmatched=true')).json;
      expect(unmatched).toMatchObject([{ reason: 'unset-variable', fix: expect.stringMatching(/^Set the variable/) }]);
    },
  );

  it.each([
    [
      'of another scheme',
      'Basic YTpi',
      /^Send Authorization: Bearer <API_KEY> instead of Authorization: …\. The scheme is Bearer$/,
    ],
    ['with an unknown key', `Bearer ${newKey()}`, /instead of Authorization: …\. Take a key of this server/],
    ['with a cut key', `Bearer ${newKey().slice(0, -4)}`, /instead of Authorization: …\. Send the whole key/],
  ])('never says to add the header that was sent: %s', async (_, authorization, fix) => {
    const client = await server.sandbox();
    await client.delete('/_sandbox/requests/unmatched');
    await client.send({ path: '/v1/pets', headers: { Authorization: authorization } });
    const { unmatched } = (await client.get('/_sandbox/report?unmatched=true')).json;
    expect(unmatched).toMatchObject([{ fix: expect.stringMatching(fix) }]);
  });

  it('has a text for every rule', () => {
    expect(rules.every(({ help }) => /^[A-Z`].*\.$/s.test(help))).toBe(true);
  });
});
