/** Work is linear in the size of what comes, wherever it comes in. */
import { describe, expect, test } from 'vitest';
import { type Client, type Reply, send, type TestRequest } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { exchangeBytes } from '../support/wire.ts';
import { costOf, expectLinearWork } from './linear-work.ts';
import { get, JSON_TYPE, PLACES, type Place, pet, post } from './places.ts';

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

const typed = (type: string): TestRequest => post('/v1/pets', '{}', { 'Content-Type': type });
/** Where a text says nothing of a secret, but may take long to read. */
const MORE: readonly Place[] = [
  ['a part of a path', 0, (text) => get(`/v1/${text}pets`)],
  ['a target of another form', 0, (text) => get(`http://${text}/v1/pets`)],
  ['the name of a file', 0, (text) => get(`/assets/${text}.js`)],
  ['a parameter of a media type', 0, (text) => typed(`application/json; ${text}`)],
  ['a suffix of a media type', 0, (text) => typed(`application/${text}+json${text}`)],
  ['a port', 0, (text) => get('/_sandbox/health', { Host: `localhost:${text}` })],
  ['a credential', 0, (text) => get('/v1/pets', { Authorization: `Bearer ${text}` })],
  ['a preference', 0, (text) => get('/v1/pets', { Prefer: text })],
  ['Accept-Encoding', 0, (text) => get('/assets/main-AAAAAAAA.js', { 'Accept-Encoding': `br;${text}` })],
  ['a body where none is described', 0, (text) => ({ ...get('/v1/pets/1', JSON_TYPE), body: text })],
  ['the name of a pet', 0, (text) => pet(`,"name":"${text}"`)],
  ['a number', 0, (text) => pet(`,"x":${text}`)],
  ['a body', 0, (text) => post('/v1/pets', text)],
  ['a control', 0, (text) => post('/_sandbox/keys', `{"ttlSeconds":${text}}`)],
];

const repeated =
  (part: string, before = '', after = '') =>
  (size: number): string =>
    before + part.repeat(size / part.length) + after;
const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  letters: repeated('a'),
  digits: repeated('1'),
  zeros: repeated('0', '1', '1'),
  'a fraction': repeated('0', '1.', '1'),
  'an exponent': repeated('0', '1e', '1'),
  blanks: repeated(' ', 'a', 'x'),
  'percent-encoded digits': repeated('%31'),
  'bad percents': repeated('%zz'),
  pairs: repeated('a=1&'),
  'one parameter': repeated('limit=1&'),
  parameters: repeated(';q=0'),
  commas: repeated('a,'),
  slashes: repeated('/a'),
  dots: repeated('../'),
  brackets: repeated('['),
  colons: repeated(':1'),
  quotes: repeated('"'),
  backslashes: repeated('\\'),
  keys: repeated('petsbx_a'),
};

const members = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join(',');
const LISTS: Readonly<Record<string, (size: number) => string>> = {
  'unknown members': (n) => members(n, (i) => `"m${i}":${i}`),
  'members like indices': (n) => members(n, (i) => `"${i * 1_025}":[]`),
  'one member again and again': (n) => members(n, () => '"a":{"b":[1.5,null,"c"]}'),
  'a large member twice': (n) => members(2, () => `"a":[${members(n / 2, (i) => `{"b":${i}}`)}]`),
  'items of a list': (n) => `"x":[${members(n, (i) => `${i}.5`)}]`,
  'lists in lists': (n) => `"x":[${members(n / 2, () => '[[]]')}]`,
};
const TAKES_LISTS: Readonly<Record<string, (members: string) => TestRequest>> = {
  'a new pet': (members) => pet(`,${members}`),
  'a new key': (members) => post('/_sandbox/keys', `{${members}}`),
  'a verification': (members) => post('/_sandbox/requests/verify', `{"body":{${members}}}`),
};

const sendOne = ({ headers, ...request }: TestRequest): Promise<Reply> =>
  send(server.url, { ...request, headers: { Authorization: `Bearer ${client.key}`, ...(headers as object) } });

/** The first request of its kind is the one that the report corrects. */
const sendFirst = async (request: TestRequest): Promise<Reply> => {
  await client.delete('/_sandbox/requests');
  return sendOne(request);
};

const rejectionOf = async (bytes: string): Promise<Reply> => (await exchangeBytes(server.url, bytes)).at(-1) as Reply;

// Collecting what deep lists leave behind may double a measurement; work by the square fails each of three.
describe('work grows no faster than what is sent', { retry: 2 }, () => {
  test.for([...PLACES, ...MORE])('in %s', async ([, , ask, takes]) => {
    const isInBody = String(ask('TEXT').body).includes('TEXT');
    for (const make of Object.values(SHAPES)) {
      const { path } = ask(make(100));
      // No client sends such a target.
      if (path.includes(' ') || takes?.test(make(100)) === false) continue;
      await expectLinearWork(server, (size) => ask(make(size)), sendOne, {
        size: isInBody ? BODY : HEAD,
        floor: FLOOR,
      });
    }
  });

  test.each(Object.entries(TAKES_LISTS))('in the members of %s', async (_, ask) => {
    for (const make of Object.values(LISTS))
      await expectLinearWork(server, (size) => ask(make(size)), sendOne, { size: MEMBERS, floor: FLOOR });
  });

  test('in a correction, with separators behind a pair', () =>
    expectLinearWork(server, (n) => get(`/v1/pets?limit=5;limit=5${';'.repeat(n)}x`), sendFirst, {
      size: HEAD,
      floor: FLOOR,
    }));

  test('in a head that is no HTTP, with blanks in its target', () =>
    expectLinearWork(server, repeated(' ', 'GET /', 'x'), rejectionOf, { size: PACKET, floor: FLOOR }));

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
});
