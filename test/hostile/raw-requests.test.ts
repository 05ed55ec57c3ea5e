/**
 * Raw requests by class: heads, framing and sockets that no client would send. Whatever they are, each ends in whole responses,
 * and the server is well afterward. What is answered to the usual mistakes: test/server/http/{malformed,broken-requests}.test.ts.
 */
import { expect, test } from 'vitest';
import { randomFrom } from '../support/random.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { checkResponse } from '../support/sound.ts';
import { texts } from '../support/texts.ts';
import { dial, headOf, readReplies } from '../support/wire.ts';

const TIMEOUTS = { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50 };
/** Far beyond the patience of the server: what takes longer was not answered. */
const WAIT_MS = limit(15_000);
const AT_ONCE = 20;
const CLOSE = 'Connection: close\r\n';
const BODY = '{"name":"Rex","categoryId":1}';

const server = await startTestServer({ timeouts: TIMEOUTS });
const client = await server.sandbox();
const HEAD = `Host: localhost\r\nAuthorization: Bearer ${client.key}\r\n`;

const get = (target: string, more: string): string => `GET ${target} HTTP/1.1\r\n${HEAD}${more}\r\n`;
/** @param framing the headers that say where the body ends */
const post = (framing = `Content-Length: ${BODY.length}\r\n`, body = BODY): string =>
  `POST /v1/pets HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n${framing}\r\n${body}`;
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** Sends bytes and reads to the end of the connection. @throws when it does not end, or a response is unsound */
async function statusesOf(bytes: string, half: boolean): Promise<number[]> {
  const socket = await dial(server.url);
  const reading = readReplies(socket);
  if (half) socket.end(bytes, 'latin1');
  else socket.write(bytes, 'latin1');
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, WAIT_MS);
  const replies = await reading;
  clearTimeout(late);
  expect([bytes.slice(0, 300), isLate]).toEqual([bytes.slice(0, 300), false]);
  const method = bytes.startsWith('HEAD') ? 'HEAD' : 'GET';
  for (const reply of replies) checkResponse({ path: '', method }, reply, client.key);
  return replies.map(({ status }) => status);
}

/** What each of these gets, some at a time. @param half whether the client ends its side */
async function statusesOfAll(all: readonly string[], half = false): Promise<number[][]> {
  const statuses: number[][] = [];
  for (let i = 0; i < all.length; i += AT_ONCE)
    statuses.push(...(await Promise.all(all.slice(i, i + AT_ONCE).map((bytes) => statusesOf(bytes, half)))));
  return statuses;
}

/** Each gets one rejection, and no failure of the server's. */
async function expectRejected(all: readonly string[]): Promise<void> {
  const statuses = await statusesOfAll(all);
  const wrong = all.flatMap((bytes, i) => {
    const [status = 0, ...more] = statuses[i] as number[];
    return status >= 400 && status !== 500 && more.length === 0 ? [] : [[bytes.slice(0, 200), statuses[i]]];
  });
  expect(wrong).toEqual([]);
}

const METHODS = texts('GET | POST | PUT | PATCH | DELETE | OPTIONS | TRACE | PROPFIND | M-SEARCH | QUERY | SOURCE');
const FORMS = texts(
  'http://[/ | http://[::1/ | http:// | http:/// | http://a b/ | http://u:p@a/ | http://a:b/',
  'http://a:99999/ | http://[/v1/pets | ftp://[x]/v1/pets | http://%zz/v1/pets | http://\u00e9/v1/pets',
  'http://a\\b/v1/pets |  | a | a:80 | ?x | # | mailto:a@b | javascript:x | http: | http:/v1/pets | \\v1\\pets',
);
const LINES = texts(
  'HELLO | GET | GET /v1/pets |  GET /v1/pets HTTP/1.1 | GET\t/v1/pets\tHTTP/1.1 | get /v1/pets HTTP/1.1',
  'FETCH /v1/pets HTTP/1.1 | G\u0000T /v1/pets HTTP/1.1 | GET /v1/pets HTTP/1.1 x | GET /v1/pets HTTP/',
  'GET /v1/pets HTTP/1 | GET /v1/pets HTTP/1. | GET /v1/pets HTTP/1.10 | GET /v1/pets HTTP/0.9',
  'GET /v1/pets HTTP/1.2 | GET /v1/pets HTTP/3.0 | GET /v1/pets http/1.1 | GET /v1/pets HTTP/-1.1',
  'CONNECT a:80 HTTP/1.1 | CONNECT /v1/pets HTTP/1.1 | PRI * HTTP/2.0\r\n\r\nSM | PRI /v1/pets HTTP/1.1',
  '\u0016\u0003\u0001\u0000\u00a5\u0001 | GET /v1/\u0000pets HTTP/1.1 | GET /v1/pets\u007f HTTP/1.1',
);
const HOSTS = texts(
  ' | a b | [ | ] | [] | [::g] | [1.2.3.4] | x/y | u@h | a:x | a:-1 | a:99999 | a:80:80 | ::1 | ? | # | a\\b',
  '"a" | <a> | a% | a%zz | \u00e9 | http://a',
);
const FIELDS = texts(
  'X | X\r\nY: 1 | : 1 |  X: 1 | X : 1 | X\t: 1 | X\u0000: 1 | X: \u0000 | X: \u0001 | X: \u007f | X: a\rb',
  'X(: 1 | X: 1\n\n | X: 1\r\n folded | \u00e9: 1 | Host: b | host: localhost',
);
const LENGTHS = texts(
  '-1 | +1 | 1e3 | 0x10 | 1 1 | 1,1 | 1, 2 |   | a | 1.0 | 18446744073709551616 | 99999999999999999999999999',
);
const CODINGS = texts(
  'gzip | identity | gzip, chunked | chunked, gzip | chunked, chunked | xchunked | \u000bchunked',
  'chunked;x=1 | "chunked" | chunked\u0000 | ',
);
const CHUNKS = [
  ...texts(
    'zz\r\n | -1\r\n | 0x1\r\n |  1\r\na\r\n | 1\r\nab | 1\r\na\n | 5\r\nabcdeXX\r\n | \r\n',
    'fffffffffffffffff\r\n | 1;\u0000\r\na\r\n | 1\r\n | 1 | ',
  ),
  `1;${'a'.repeat(17_000)}\r\n{\r\n0\r\n\r\n`,
  ...['', '0\r\n', '0\r\nX\r\n\r\n', '0\r\nX: \u0001\r\n\r\n'].map((end) => chunk(BODY) + end),
];
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const WHOLE = `${chunk(BODY)}0\r\n\r\n`;

const withoutHost = HEAD.replace(/^.*\r\n/, '');
test.each<[what: string, requests: string[]]>([
  ['targets', METHODS.flatMap((method) => FORMS.map((form) => `${method} ${form} HTTP/1.1\r\n${HEAD}${CLOSE}\r\n`))],
  ['request lines and versions', LINES.map((line) => `${line}\r\n${HEAD}${CLOSE}\r\n`)],
  ['hosts', HOSTS.map((host) => `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\n${withoutHost}${CLOSE}\r\n`)],
  ['headers', FIELDS.map((field) => get('/v1/pets?limit=0', `${field}\r\n${CLOSE}`))],
  ['lengths', LENGTHS.map((length) => post(`Content-Length: ${length}\r\n${CLOSE}`))],
  ['codings', CODINGS.map((coding) => post(`Transfer-Encoding: ${coding}\r\n${CLOSE}`, WHOLE))],
  ['chunks', CHUNKS.map((body) => post(CHUNKED, body))],
  [
    'lengths and codings together',
    [
      post(`Content-Length: ${BODY.length}\r\nContent-Length: ${BODY.length + 1}\r\n`, `${BODY} `),
      post(`Content-Length: ${BODY.length}\r\n${CHUNKED}`, WHOLE),
      post(`Transfer-Encoding: gzip\r\n${CHUNKED}`, WHOLE),
      post(CHUNKED, WHOLE).replace('HTTP/1.1', 'HTTP/1.0'),
      post(CHUNKED.replace(':', ' :'), WHOLE),
      post(CHUNKED.replace(':', '\u0000:'), WHOLE),
    ],
  ],
])('%s that are none are each rejected once', (_, requests) => expectRejected(requests));

test('no request is smuggled inside another', async () => {
  const before = (await client.get('/v1/pets?limit=100')).json.length;
  const hidden = post();
  const all = [
    post(`Content-Length: ${hidden.length}\r\n${CHUNKED}`, `0\r\n\r\n${hidden}`),
    post(`${CHUNKED}Transfer-Encoding: identity\r\n`, `0\r\n\r\n${hidden}`),
    post(`Transfer-Encoding: identity, chunked\r\n`, `0\r\n\r\n${hidden}`),
    post(`Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n`, hidden),
    post(CHUNKED, `0\r\nX: ${hidden}`),
    get('/v1/pets/1', `Content-Length: ${hidden.length}\r\n${CLOSE}`) + hidden,
    `${get('/v1/pets/1', `Content-Length: 3\r\n${CHUNKED}`)}0\r\n\r\n${hidden}`,
  ];
  for (const statuses of await statusesOfAll(all)) expect(statuses).not.toContain(201);
  expect((await client.get('/v1/pets?limit=100')).json).toHaveLength(before);
});

test('a request that comes byte by byte is one, and a socket that ends its side at any point of it gets one response', async () => {
  const socket = await dial(server.url);
  const reading = readReplies(socket);
  for (const byte of `${post()}${headOf(client, 'GET /v1/pets/404', 'Connection: close')}`) socket.write(byte);
  expect((await reading).map(({ status }) => status)).toEqual([201, 404]);
  const request = post();
  const cuts = Array.from({ length: request.length + 1 }, (_, i) => request.slice(0, i));
  const rejections = cuts.slice(1, -1).map(() => [400]);
  expect(await statusesOfAll(cuts, true)).toEqual([[], ...rejections, [201]]);
});

test('bytes at random, and requests with one byte changed, are no failure of the server', async () => {
  const random = randomFrom(20_301_205);
  const next = (below: number): number => Math.floor(random() * below);
  const noise = Array.from({ length: 200 }, () =>
    String.fromCharCode(...Array.from({ length: 1 + next(60) }, () => next(256))),
  );
  const request = get('/v1/pets/1', CLOSE);
  const changed = Array.from({ length: 600 }, () => {
    const at = next(request.length);
    return request.slice(0, at) + String.fromCharCode(next(256)) + request.slice(at + 1);
  });
  // They may ask for a connection that is kept: the end of the client's side is the end of it.
  const statuses = await statusesOfAll([...noise.map((each) => `${each}\r\n\r\n`), ...changed], true);
  expect(statuses.flat()).not.toContain(500);
});
