/** Work is linear in the size of what comes, wherever it comes in. */
import { describe, expect, test } from 'vitest';
import { type Client, type Reply, send, type TestRequest } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { exchangeBytes } from '../support/wire.ts';
import { costOf, expectLinearWork } from './linear-work.ts';

/** What one place is sent, by its size. */
type Generator = (size: number) => TestRequest;

/** Four times this is what fits into a request's head of 16 KiB. */
const HEAD = 3_500;
/** Four times this is what Node gives its parser at once. */
const PACKET = 16_000;
/** Characters of a body. */
const BODY = 30_000;
/** Members of a body: four times this is below their bound. */
const MEMBERS = 2_400;
/** What garbage and timers may cost beside a request, in milliseconds. */
const FLOOR = 60;

const server = await startTestServer();
const client = await server.sandbox({ fixture: 'empty' });
await client.get('/v1/pets');

const JSON_TYPE = { 'Content-Type': 'application/json' };
const key = () => ({ Authorization: `Bearer ${client.key}` });

const get = (path: string, headers: Record<string, string> = {}): TestRequest => ({
  path,
  headers: { ...key(), ...headers },
});
const header =
  (name: string, value: (size: number) => string): Generator =>
  (size) =>
    get('/v1/pets?limit=1', { [name]: value(size) });
const path =
  (of: (size: number) => string): Generator =>
  (size) =>
    get(of(size));
const posted =
  (to: string, body: (size: number) => string, type = 'application/json'): Generator =>
  (size) => ({ method: 'POST', path: to, headers: { ...key(), 'Content-Type': type }, body: body(size) });
const pet = (member: (size: number) => string): Generator =>
  posted('/v1/pets', (size) => `{"categoryId":1,${member(size)}}`);
const typed =
  (type: (size: number) => string, to = '/v1/pets'): Generator =>
  (size) => ({ method: 'POST', path: to, headers: { ...key(), 'Content-Type': type(size) }, body: '{}' });
const members = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join(',');

const heads: Record<string, Generator> = {
  'a path of slashes': path((n) => `/v1/${'/'.repeat(n)}`),
  'a path of parts': path((n) => `/v1/pets${'/a'.repeat(n / 2)}`),
  'a path of dots': path((n) => `/v1/${'../'.repeat(n / 3)}pets`),
  'a path outside': path((n) => `/${'a-'.repeat(n / 2)}`),
  'an id of digits': path((n) => `/v1/pets/${'1'.repeat(n)}`),
  'an id of zeros before a one': path((n) => `/v1/pets/1${'0'.repeat(n)}1`),
  'an id of percents': path((n) => `/v1/pets/${'%31'.repeat(n / 3)}`),
  'an id of bad percents': path((n) => `/v1/pets/${'%zz'.repeat(n / 3)}`),
  'a query of names': path((n) => `/v1/pets?${'a&'.repeat(n / 2)}`),
  'a query of different names': path((n) => `/v1/pets?${members(n / 6, (i) => `p${i}`).replaceAll(',', '&')}`),
  'a query of one parameter again and again': path((n) => `/v1/pets?${'limit=1&'.repeat(n / 8)}`),
  'a query of parameters in other recording': path((n) => `/v1/pets?${'LIMIT=1&'.repeat(n / 8)}limit=500`),
  'a query of digits': path((n) => `/v1/pets?limit=1${'0'.repeat(n)}1`),
  'a query of blanks': path((n) => `/v1/pets?status=${'+'.repeat(n)}x`),
  'a query of brackets': path((n) => `/v1/pets?limit${'[a]'.repeat(n / 3)}=1`),
  'a query of equals signs': path((n) => `/v1/pets?limit${'='.repeat(n)}`),
  'a target with number signs': path((n) => `/v1/pets${'#'.repeat(n)}`),
  'a target of another form': path((n) => `http://${'a.'.repeat(n / 2)}/v1/pets`),
  'a query of a control': path((n) => `/_sandbox/requests?${'limit=1&'.repeat(n / 8)}`),
  'a time of a control': path((n) => `/_sandbox/requests?since=2026-01-01T00:00:00.${'0'.repeat(n)}Z`),
  'the name of a snapshot': path((n) => `/_sandbox/snapshots/${'a-'.repeat(n / 2)}%20`),
  'the name of a request': path((n) => `/_sandbox/requests/req_${'a'.repeat(n)}-`),
  'the name of a file': path((n) => `/assets/${'a-A'.repeat(n / 3)}.js`),
  'a bad percent in the name of a file': path((n) => `/assets/${'a'.repeat(n)}%zz`),
  'blanks behind a media type': typed((n) => `application/json${' '.repeat(n)}x`),
  'blanks in front of a charset': typed((n) => `application/json;${' '.repeat(n)}charset${' '.repeat(n / 100)}x`),
  'blanks behind a charset': typed((n) => `application/json; charset=utf-8${' '.repeat(n)}x`),
  'parameters of a media type': typed((n) => `application/json${'; a=b'.repeat(n / 5)}`),
  'suffixes of a media type': typed((n) => `application/${'a+'.repeat(n / 2)}json`),
  'slashes of a media type': typed((n) => `application${'/a'.repeat(n / 2)}`),
  'a quoted parameter of a media type': typed((n) => `application/json; a="${'\\a'.repeat(n / 2)}`),
  'blanks behind the media type of a control': typed((n) => `application/json${' '.repeat(n)}x`, '/_sandbox/keys'),
  'a credential of blanks': header('Authorization', (n) => `Bearer ${' '.repeat(n)}x y`),
  'a credential of equals signs': header('Authorization', (n) => `Bearer a${'='.repeat(n)}x`),
  'a credential of letters': header('Authorization', (n) => `Bearer ${'a'.repeat(n)}!`),
  'a scheme of letters': header('Authorization', (n) => 'a'.repeat(n)),
  'a preference of commas': header('Prefer', (n) => ','.repeat(n)),
  'a preference of blanks': header('Prefer', (n) => `code${' '.repeat(n)}=x`),
  'a preference of parameters': header('Prefer', (n) => `a${';b'.repeat(n / 2)}`),
  'a fault of unknown parts': header('Sandbox-Fault', (n) => 'a;'.repeat(n / 2)),
  'a fault of one part again and again': header('Sandbox-Fault', (n) => 'delay=1;'.repeat(n / 8)),
  'a fault of blanks': header('Sandbox-Fault', (n) => `status${' '.repeat(n)}=${' '.repeat(n / 100)}x`),
  'an origin': header('Origin', (n) => `http://${'a:1'.repeat(n / 3)}`),
  'a host of colons': (n) => get('/_sandbox/health', { Host: ':1'.repeat(n / 2) }),
  'a host of digits': (n) => get('/_sandbox/health', { Host: `localhost:${'1'.repeat(n)}x` }),
  'encodings that are accepted': (n) => get('/assets/main-AAAAAAAA.js', { 'Accept-Encoding': 'a,'.repeat(n / 2) }),
  'encodings that are rejected': (n) =>
    get('/assets/main-AAAAAAAA.js', { 'Accept-Encoding': `br;q=0${';q=0'.repeat(n / 4)} x` }),
  'blanks in an encoding': (n) => get('/assets/main-AAAAAAAA.js', { 'Accept-Encoding': `br;${' '.repeat(n)}x` }),
  'zeros of an encoding': (n) => get('/assets/main-AAAAAAAA.js', { 'Accept-Encoding': `br;q=0.${'0'.repeat(n)}x` }),
  'a header that means nothing': header('X-Nothing', (n) => 'a'.repeat(n)),
  'a body where none is described': (n) => ({ ...get('/v1/pets/1', JSON_TYPE), body: '['.repeat(n) }),
};

const bodies: Record<string, Generator> = {
  'a number with zeros inside': pet((n) => `"x":1${'0'.repeat(n)}1.0`),
  'a number with zeros at its end': pet((n) => `"x":1${'0'.repeat(n)}.0`),
  'a fraction with zeros': pet((n) => `"x":1.${'0'.repeat(n)}1`),
  'a number with a long exponent': pet((n) => `"x":1e${'0'.repeat(n)}1`),
  'a category of digits': posted('/v1/pets', (n) => `{"name":"Rex","categoryId":${'1'.repeat(n)}}`),
  'a category of zeros': posted('/v1/pets', (n) => `{"name":"Rex","categoryId":0.${'0'.repeat(n)}1}`),
  'a number for anyone': (n) => ({
    method: 'POST',
    path: '/_sandbox/keys',
    headers: JSON_TYPE,
    body: `{"ttlSeconds":1${'0'.repeat(n)}1.0}`,
  }),
  'a name of letters': pet((n) => `"name":"${'a'.repeat(n)}","x":[]`),
  'a name of escapes': pet((n) => `"name":"${'\\n'.repeat(n / 2)}","x":[]`),
  'a name of backslashes': pet((n) => `"name":"${'\\\\'.repeat(n / 2)}","x":[]`),
  'a name of code points': pet((n) => `"name":"${'\\ud83d\\ude00'.repeat(n / 12)}","x":[]`),
  'a name like keys': pet((n) => `"name":"${'petsbx_a '.repeat(n / 9)}","x":[]`),
  'blanks between members': pet((n) => `${' '.repeat(n)}"name":"Rex"${' '.repeat(n)}`),
  'blanks behind a name': posted('/v1/pets', (n) => `{"categoryId"${' '.repeat(n)}:${' '.repeat(n)}x`),
  'a string without an end': posted('/v1/pets', (n) => `{"name":"${'a'.repeat(n)}`),
  'quotes and nothing else': posted('/v1/pets', (n) => '"'.repeat(n)),
  'backslashes and nothing else': posted('/v1/pets', (n) => `"${'\\'.repeat(n)}`),
  'a text that is no JSON': posted('/v1/pets', (n) => 'a'.repeat(n)),
  'brackets that never close': posted('/v1/pets', (n) => '['.repeat(n)),
  'an unknown control': posted('/_sandbox/nothing', (n) => 'a'.repeat(n)),
  'a label': posted('/_sandbox/keys', (n) => `{"label":"${'a'.repeat(n)}"}`),
  'a string to look for': posted('/_sandbox/requests/verify', (n) => `{"body":{"name":"${'a'.repeat(n)}"}}`),
  'a number to look for': posted('/_sandbox/requests/verify', (n) => `{"body":{"x":1${'0'.repeat(n)}.5}}`),
  'a path to look for': posted('/_sandbox/requests/verify', (n) => `{"path":"/${'a'.repeat(n)}"}`),
};

const lists: Record<string, Generator> = {
  'unknown members': pet((n) => `"name":"Rex",${members(n, (i) => `"m${i}":${i}`)}`),
  'members like indices': pet((n) => `"name":"Rex",${members(n, (i) => `"${i * 1_025}":[]`)}`),
  'one member again and again': pet((n) => `"name":"Rex",${members(n, () => '"a":{"b":[1.5,null,"c"]}')}`),
  'a large member twice': pet(
    (n) => `"name":"Rex",${members(2, () => `"a":[${members(n / 2, (i) => `{"b":${i}}`)}]`)}`,
  ),
  'items of a list': pet((n) => `"name":"Rex","x":[${members(n, (i) => `${i}.5`)}]`),
  'lists in lists': pet((n) => `"name":"Rex","x":[${members(n / 2, () => '[[]]')}]`),
  'a control with unknown members': posted('/_sandbox/keys', (n) => `{${members(n, (i) => `"m${i}":${i}`)}}`),
  'members to look for': posted('/_sandbox/requests/verify', (n) => `{"body":{${members(n, (i) => `"m${i}":${i}`)}}}`),
  'items to look for': posted('/_sandbox/requests/verify', (n) => `{"body":[${members(n, String)}]}`),
};

/** Bytes that Node's parser rejects. */
const broken: Record<string, (size: number) => string> = {
  'blanks in a target': (n) => `GET /${' '.repeat(n)}x`,
};

const growsLinearly = (make: Generator, size: number): Promise<void> =>
  expectLinearWork(server, make, (request) => send(server.url, request), { size, floor: FLOOR });

/** The first request of its kind is the one that the report corrects. */
const firstOf = async (request: TestRequest): Promise<Reply> => {
  await client.delete('/_sandbox/requests');
  return send(server.url, request);
};

const rejectionOf = async (bytes: string): Promise<Reply> => (await exchangeBytes(server.url, bytes)).at(-1) as Reply;

// Collecting what deep lists leave behind may double a measurement; work by the square fails each of three.
describe('work grows no faster than what is sent', { retry: 2 }, () => {
  test.each(Object.entries(heads))('in a head, with %s', (_, generate) => growsLinearly(generate, HEAD));
  test.each(Object.entries(bodies))('in a body, with %s', (_, generate) => growsLinearly(generate, BODY));
  test('in a correction, with separators behind a pair', () =>
    expectLinearWork(
      server,
      path((n) => `/v1/pets?limit=5;limit=5${';'.repeat(n)}x`),
      firstOf,
      { size: HEAD, floor: FLOOR },
    ));
  test.each(Object.entries(broken))('in a head that is no HTTP, with %s', (_, generate) =>
    expectLinearWork(server, generate, rejectionOf, { size: PACKET, floor: FLOOR }),
  );
  test.each(Object.entries(lists))('in a body, with %s', (_, generate) => growsLinearly(generate, MEMBERS));

  test('and a large expectation costs about as much with a full request log as with an empty one', async () => {
    const [full, empty] = [await server.sandbox({ fixture: 'empty' }), await server.sandbox({ fixture: 'empty' })];
    for (let i = 0; i < 20; i++) {
      await Promise.all(Array.from({ length: 50 }, () => full.post('/v1/pets', { name: 'Rex', categoryId: 1 })));
    }
    const body = `{"body":{${members(9_000, (i) => `"m${i}":"${'x'.repeat(60)}"`)}}}`;
    const query = `{"path":"/pets?${'a&b&'.repeat(490)}"}`;
    for (const expectation of [body, query]) {
      const verify = (of: Client) => () => of.post('/_sandbox/requests/verify', expectation);
      const once = await costOf(server, verify(empty), { enough: FLOOR / 4, runs: 4 });
      const most = 10 * once + 10 * FLOOR;
      const grown = await costOf(server, verify(full), { enough: most, runs: 4 });
      // A thousand times as much, if the expectation were read for each exchange.
      expect(grown, `${once} ms and ${grown} ms`).toBeLessThan(most);
    }
  });

  test('and the server is well at the end', async () => {
    expect((await client.get('/v1/pets?limit=1')).status).toBe(200);
    expect(server.validator.tallies).toMatchObject({ validationFailures: 0, disagreements: 0, brokenResponses: 0 });
  });
});
