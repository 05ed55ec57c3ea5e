/**
 * Raw requests by class. Whatever comes over a connection ends in whole responses, each with an Error body where it is an
 * error, or in a clean close where nothing was asked; within a bounded time; and the server is well afterwards.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { checkAnswer } from '../support/sound.ts';
import { dial, readReplies } from '../support/wire.ts';

const PATIENCE = { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50 };
/** Far beyond the patience of the server: what takes longer was not answered. */
const WAIT_MS = 15_000;
const AT_ONCE = 20;

let server: TestServer;
let client: Client;
let head: string;
beforeAll(async () => {
  server = await startTestServer({ patience: PATIENCE });
  client = await server.sandbox();
  head = `Host: localhost\r\nAuthorization: Bearer ${client.key}\r\n`;
});

afterAll(async () => {
  const health = await client.get('/_sandbox/health');
  expect(health.json.judge).toMatchObject({ unjudged: 0, disagreements: 0, brokenAnswers: 0 });
  expect(server.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

const BODY = '{"name":"Rex","categoryId":1}';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const CLOSE = 'Connection: close\r\n';
const get = (target = '/v1/pets/1', more = ''): string => `GET ${target} HTTP/1.1\r\n${head}${more}\r\n`;
const post = (framing: string, body: string): string =>
  `POST /v1/pets HTTP/1.1\r\n${head}${JSON_TYPE}${framing}\r\n${body}`;
const whole = (): string => post(`Content-Length: ${BODY.length}\r\n`, BODY);
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** Sends bytes and reads to the end of the connection. @throws when it does not end, or a response is unsound */
async function statusesOf(bytes: string, { half = false } = {}): Promise<number[]> {
  const socket = await dial(server.url);
  const reading = readReplies(socket);
  if (half) socket.end(bytes, 'latin1');
  else socket.write(bytes, 'latin1');
  const late = setTimeout(() => socket.destroy(new Error('late')), WAIT_MS);
  let wasLate = false;
  socket.once('error', (error) => {
    wasLate ||= error.message === 'late';
  });
  const replies = await reading;
  clearTimeout(late);
  if (wasLate) throw new Error(`never ended: ${JSON.stringify(bytes.slice(0, 300))}`);
  for (const reply of replies) {
    const length = reply.headers['content-length'];
    if (length !== undefined && !bytes.startsWith('HEAD') && Buffer.byteLength(reply.text) !== Number(length))
      throw new Error('a response is cut off');
    checkAnswer({ path: '', method: bytes.startsWith('HEAD') ? 'HEAD' : 'GET' }, reply, client.key);
  }
  return replies.map(({ status }) => status);
}

/** What each of these gets, some at a time. */
async function statusesOfAll(all: readonly string[], options?: { half?: boolean }): Promise<number[][]> {
  const statuses: number[][] = [];
  for (let i = 0; i < all.length; i += AT_ONCE)
    statuses.push(...(await Promise.all(all.slice(i, i + AT_ONCE).map((bytes) => statusesOf(bytes, options)))));
  return statuses;
}

/** Each gets one refusal. */
async function expectRefused(all: readonly string[]): Promise<void> {
  const statuses = await statusesOfAll(all);
  const wrong = all.flatMap((bytes, i) => {
    const [status = 0, ...more] = statuses[i] as number[];
    return status >= 400 && status !== 500 && more.length === 0 ? [] : [[bytes.slice(0, 200), statuses[i]]];
  });
  expect(wrong).toEqual([]);
}

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'M-SEARCH',
  'QUERY',
  'SOURCE',
];
const FORMS = [
  ...[
    'http://[/',
    'http://[::1/',
    'http://',
    'http:///',
    'http://a b/',
    'http://u:p@a/',
    'http://a:b/',
    'http://a:99999/',
  ],
  ...['http://[/v1/pets', 'ftp://[x]/v1/pets', 'http://%zz/v1/pets', 'http://\u00e9/v1/pets', 'http://a\\b/v1/pets'],
  ...['', 'a', 'a:80', '?x', '#', 'mailto:a@b', 'javascript:x', 'http:', 'http:/v1/pets', '\\v1\\pets'],
];
const PATHS = [
  '/v1/pets',
  '//',
  '///v1/pets',
  '/./v1/pets',
  '/../v1/pets',
  '/v1//pets',
  '/\\',
  '/;',
  '/%',
  '/%00',
  '/v1/pets/%',
  '/*',
  '/%2f',
];

test('targets in every form, for every method', async () => {
  await expectRefused(
    METHODS.filter((each) => each !== 'HEAD').flatMap((method) =>
      FORMS.map((form) => `${method} ${form} HTTP/1.1\r\n${head}${CLOSE}\r\n`),
    ),
  );
  const all = METHODS.flatMap((method) =>
    [...PATHS, '*', 'http://localhost/v1/pets', 'HTTP://LOCALHOST:1/v1/pets?limit=1'].map(
      (target) => `${method} ${target} HTTP/1.1\r\n${head}${CLOSE}\r\n`,
    ),
  );
  for (const statuses of await statusesOfAll(all)) expect(statuses).toHaveLength(1);
});

test('request lines and versions that are none', async () => {
  await expectRefused(
    [
      ...['HELLO', 'GET', 'GET /v1/pets', ' GET /v1/pets HTTP/1.1'],
      ...['GET\t/v1/pets\tHTTP/1.1', 'get /v1/pets HTTP/1.1', 'FETCH /v1/pets HTTP/1.1', 'G\u0000T /v1/pets HTTP/1.1'],
      ...[
        'GET /v1/pets HTTP/1.1 x',
        'GET /v1/pets HTTP/',
        'GET /v1/pets HTTP/1',
        'GET /v1/pets HTTP/1.',
        'GET /v1/pets HTTP/1.10',
      ],
      ...[
        'GET /v1/pets HTTP/0.9',
        'GET /v1/pets HTTP/1.2',
        'GET /v1/pets HTTP/2.0',
        'GET /v1/pets HTTP/3.0',
        'GET /v1/pets http/1.1',
      ],
      ...[
        'GET /v1/pets HTTPS/1.1',
        'GET /v1/pets HTTP/-1.1',
        'GET /v1/pets HTTP/1,1',
        'CONNECT a:80 HTTP/1.1',
        'CONNECT /v1/pets HTTP/1.1',
      ],
      ...[
        'PRI * HTTP/2.0\r\n\r\nSM',
        'PRI /v1/pets HTTP/1.1',
        '\u0016\u0003\u0001\u0000\u00a5\u0001',
        'GET /v1/\u0000pets HTTP/1.1',
        'GET /v1/pets\u007f HTTP/1.1',
      ],
    ].map((line) => `${line}\r\n${head}${CLOSE}\r\n`),
  );
});

test('hosts that are none, and header syntax', async () => {
  const auth = head.split('\r\n')[1];
  const hosts = [
    '',
    'a b',
    '[',
    ']',
    '[]',
    '[::g]',
    '[1.2.3.4]',
    'x/y',
    'u@h',
    'a:x',
    'a:-1',
    'a:99999',
    'a:80:80',
    '::1',
    '?',
    '#',
    'a\\b',
    '"a"',
    '<a>',
    'a%',
    'a%zz',
    '\u00e9',
    'http://a',
  ];
  await expectRefused(hosts.map((host) => `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\n${auth}\r\n${CLOSE}\r\n`));
  const fields = [
    'X',
    'X\r\nY: 1',
    ': 1',
    ' X: 1',
    'X : 1',
    'X\t: 1',
    'X\u0000: 1',
    'X: \u0000',
    'X: \u0001',
    'X: \u007f',
    'X: a\rb',
    'X(: 1',
    'X: 1\n\n',
    'X: 1\r\n folded',
    '\u00e9: 1',
    'Host: b',
    'host: localhost',
  ];
  await expectRefused(fields.map((field) => get('/v1/pets?limit=0', `${field}\r\n${CLOSE}`)));
});

test('lengths and codings that contradict each other', async () => {
  const lengths = [
    '-1',
    '+1',
    '1e3',
    '0x10',
    '1 1',
    '1,1',
    '1, 2',
    ' ',
    'a',
    '1.0',
    '18446744073709551616',
    '99999999999999999999999999',
  ];
  const chunks = `${chunk(BODY)}0\r\n\r\n`;
  const codings = [
    'gzip',
    'identity',
    'gzip, chunked',
    'chunked, gzip',
    'chunked, chunked',
    'xchunked',
    '\u000bchunked',
    'chunked;x=1',
    '"chunked"',
    'chunked\u0000',
    '',
  ];
  await expectRefused([
    ...lengths.map((length) => post(`Content-Length: ${length}\r\n${CLOSE}`, BODY)),
    ...codings.map((coding) => post(`Transfer-Encoding: ${coding}\r\n${CLOSE}`, chunks)),
    post(`Content-Length: ${BODY.length}\r\nContent-Length: ${BODY.length + 1}\r\n`, `${BODY} `),
    post(`Content-Length: ${BODY.length}\r\nTransfer-Encoding: chunked\r\n`, chunks),
    post(`Transfer-Encoding: chunked\r\nContent-Length: 3\r\n`, chunks),
    post(`Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n`, chunks),
    post(`Transfer-Encoding: chunked\r\n`, chunks).replace('HTTP/1.1', 'HTTP/1.0'),
    post(`Transfer-Encoding : chunked\r\n`, chunks),
    post(`Transfer-Encoding\u0000: chunked\r\n`, chunks),
  ]);
});

test('no request is smuggled inside another', async () => {
  const before = (await client.get('/v1/pets?limit=100')).json.length;
  const hidden = post(`Content-Length: ${BODY.length}\r\n`, BODY);
  const all = [
    post(`Content-Length: ${hidden.length}\r\nTransfer-Encoding: chunked\r\n`, `0\r\n\r\n${hidden}`),
    post(`Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n`, `0\r\n\r\n${hidden}`),
    post(`Transfer-Encoding: identity, chunked\r\n`, `0\r\n\r\n${hidden}`),
    post(`Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n`, hidden),
    post(`Transfer-Encoding: chunked\r\n`, `0\r\nX: ${hidden}`),
    get('/v1/pets/1', `Content-Length: ${hidden.length}\r\n${CLOSE}`) + hidden,
    `${get('/v1/pets/1', `Content-Length: 3\r\nTransfer-Encoding: chunked\r\n`)}0\r\n\r\n${hidden}`,
  ];
  for (const statuses of await statusesOfAll(all)) expect(statuses).not.toContain(201);
  expect((await client.get('/v1/pets?limit=100')).json).toHaveLength(before);
});

test('chunks that are none', async () => {
  const chunked = (body: string): string => post('Transfer-Encoding: chunked\r\n', body);
  await expectRefused(
    [
      ...[
        'zz\r\n',
        '-1\r\n',
        '0x1\r\n',
        ' 1\r\na\r\n',
        '1\r\nab',
        '1\r\na\n',
        '5\r\nabcdeXX\r\n',
        '\r\n',
        'fffffffffffffffff\r\n',
        '1;\u0000\r\na\r\n',
      ],
      ...[
        '1\r\n',
        '1',
        '',
        `${chunk(BODY)}`,
        `${chunk(BODY)}0\r\n`,
        `${chunk(BODY)}0\r\nX\r\n\r\n`,
        `${chunk(BODY)}0\r\nX: \u0001\r\n\r\n`,
      ],
      `1;${'a'.repeat(17_000)}\r\n{\r\n0\r\n\r\n`,
    ].map(chunked),
  );
});

test('garbage behind requests takes no response from them', async () => {
  const garbage = [
    'X\r\n\r\n',
    '\u0000',
    'GET\r\n\r\n',
    '\u0016\u0003\u0001',
    'HTTP/1.1 200 OK\r\n\r\n',
    'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1\r\nHost',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}`,
  ];
  for (const count of [1, 2, 7]) {
    const all = garbage.map((bytes) => (get() + whole()).repeat(count) + bytes);
    const statuses = await statusesOfAll(all);
    for (const [i, each] of statuses.entries()) {
      const expected = Array.from({ length: count }, () => [200, 201]).flat();
      expect({ garbage: garbage[i], statuses: each.slice(0, -1) }).toEqual({ garbage: garbage[i], statuses: expected });
      expect(each.at(-1)).toBeGreaterThanOrEqual(400);
    }
  }
});

test('pipelines, in one piece and byte by byte', async () => {
  const many = `${get().repeat(200)}${get('/v1/pets/2', CLOSE)}`;
  expect(await statusesOf(many)).toEqual(Array.from({ length: 201 }, () => 200));
  const socket = await dial(server.url);
  const reading = readReplies(socket);
  for (const byte of `${whole()}${get('/v1/pets/404', CLOSE)}`) socket.write(byte);
  expect((await reading).map(({ status }) => status)).toEqual([201, 404]);
});

test('sockets that end their own side, at every point of a request', async () => {
  const request = whole();
  const cuts = Array.from({ length: request.length + 1 }, (_, i) => request.slice(0, i));
  const statuses = await statusesOfAll(cuts, { half: true });
  expect(statuses.at(0)).toEqual([]);
  expect(statuses.at(-1)).toEqual([201]);
  for (const each of statuses.slice(1, -1)) expect(each).toEqual([400]);
});

test('heads and bodies that come too slowly, or never', async () => {
  const request = whole();
  const cuts = [1, 3, 20, 60, request.indexOf('\r\n\r\n') + 2, request.indexOf('\r\n\r\n') + 4, request.length - 1];
  for (const each of await statusesOfAll(cuts.map((cut) => request.slice(0, cut)))) expect(each).toEqual([408]);
});

test('heads that are too large, also where they never end', async () => {
  await expectRefused([
    get('/v1/pets', `X: ${'a'.repeat(17_000)}\r\n`),
    get('/v1/pets', `X: ${'a'.repeat(2_000_000)}\r\n`),
    get(`/v1/pets?${'a'.repeat(2_000_000)}`),
    `${'G'.repeat(2_000_000)}`,
    get('/v1/pets', Array.from({ length: 5_000 }, (_, i) => `X-${i}: a\r\n`).join('')),
    `GET /v1/pets HTTP/1.1\r\n${head}X: ${'a'.repeat(2_000_000)}`,
  ]);
});

test('bytes at random, and requests with one byte changed', async () => {
  // A fixed sequence, so that a failure can be repeated (a linear congruential generator).
  let state = 20_301_205;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const noise = Array.from({ length: 200 }, () =>
    String.fromCharCode(...Array.from({ length: 1 + next(60) }, () => next(256))),
  );
  const request = get('/v1/pets/1', CLOSE);
  const changed = Array.from({ length: 600 }, () => {
    const at = next(request.length);
    return request.slice(0, at) + String.fromCharCode(next(256)) + request.slice(at + 1);
  });
  const all = [...noise.map((each) => `${each}\r\n\r\n`), ...changed];
  // They may ask for a connection that is kept: the end of the client's side is the end of it.
  for (const statuses of await statusesOfAll(all, { half: true }))
    for (const status of statuses) expect(status).not.toBe(500);
});
