/** Heads of requests by class: whatever they are, each ends in a whole response, and the server is well afterward. */
import { afterAll, expect, test } from 'vitest';
import { texts } from '../support/texts.ts';
import { CLOSE, RawTarget } from './raw-target.ts';

const raw = await RawTarget.start();
afterAll(() => raw.expectWell());

const METHODS = texts(
  'GET | HEAD | POST | PUT | PATCH | DELETE | OPTIONS | TRACE | PROPFIND | M-SEARCH | QUERY | SOURCE',
);
const FORMS = texts(
  'http://[/ | http://[::1/ | http:// | http:/// | http://a b/ | http://u:p@a/ | http://a:b/',
  'http://a:99999/ | http://[/v1/pets | ftp://[x]/v1/pets | http://%zz/v1/pets | http://\u00e9/v1/pets',
  'http://a\\b/v1/pets |  | a | a:80 | ?x | # | mailto:a@b | javascript:x | http: | http:/v1/pets',
  '\\v1\\pets',
);
const PATHS = texts(
  '/v1/pets | // | ///v1/pets | /./v1/pets | /../v1/pets | /v1//pets | /\\ | /; | /% | /%00 | /v1/pets/% | /*',
  '/%2f',
);

test('targets in every form, for every method', async () => {
  await raw.expectRejected(
    METHODS.filter((each) => each !== 'HEAD').flatMap((method) =>
      FORMS.map((form) => `${method} ${form} HTTP/1.1\r\n${raw.head}${CLOSE}\r\n`),
    ),
  );
  const all = METHODS.flatMap((method) =>
    [...PATHS, '*', 'http://localhost/v1/pets', 'HTTP://LOCALHOST:1/v1/pets?limit=1'].map(
      (target) => `${method} ${target} HTTP/1.1\r\n${raw.head}${CLOSE}\r\n`,
    ),
  );
  for (const statuses of await raw.statusesOfAll(all)) expect(statuses).toHaveLength(1);
});

test('request lines and versions that are none', async () => {
  await raw.expectRejected(
    texts(
      'HELLO | GET | GET /v1/pets |  GET /v1/pets HTTP/1.1 | GET\t/v1/pets\tHTTP/1.1 | get /v1/pets HTTP/1.1',
      'FETCH /v1/pets HTTP/1.1 | G\u0000T /v1/pets HTTP/1.1 | GET /v1/pets HTTP/1.1 x | GET /v1/pets HTTP/',
      'GET /v1/pets HTTP/1 | GET /v1/pets HTTP/1. | GET /v1/pets HTTP/1.10 | GET /v1/pets HTTP/0.9',
      'GET /v1/pets HTTP/1.2 | GET /v1/pets HTTP/2.0 | GET /v1/pets HTTP/3.0 | GET /v1/pets http/1.1',
      'GET /v1/pets HTTPS/1.1 | GET /v1/pets HTTP/-1.1 | GET /v1/pets HTTP/1,1 | CONNECT a:80 HTTP/1.1',
      'CONNECT /v1/pets HTTP/1.1 | PRI * HTTP/2.0\r\n\r\nSM | PRI /v1/pets HTTP/1.1',
      '\u0016\u0003\u0001\u0000\u00a5\u0001 | GET /v1/\u0000pets HTTP/1.1 | GET /v1/pets\u007f HTTP/1.1',
    ).map((line) => `${line}\r\n${raw.head}${CLOSE}\r\n`),
  );
});

test('hosts that are none, and header syntax', async () => {
  const auth = raw.head.split('\r\n')[1];
  const hosts = texts(
    ' | a b | [ | ] | [] | [::g] | [1.2.3.4] | x/y | u@h | a:x | a:-1 | a:99999 | a:80:80 | ::1 | ? | # | a\\b',
    '"a" | <a> | a% | a%zz | \u00e9 | http://a',
  );
  await raw.expectRejected(hosts.map((host) => `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\n${auth}\r\n${CLOSE}\r\n`));
  const fields = texts(
    'X | X\r\nY: 1 | : 1 |  X: 1 | X : 1 | X\t: 1 | X\u0000: 1 | X: \u0000 | X: \u0001 | X: \u007f | X: a\rb',
    'X(: 1 | X: 1\n\n | X: 1\r\n folded | \u00e9: 1 | Host: b | host: localhost',
  );
  await raw.expectRejected(fields.map((field) => raw.get('/v1/pets?limit=0', `${field}\r\n${CLOSE}`)));
});

test('heads that are too large, also where they never end', async () => {
  await raw.expectRejected([
    raw.get('/v1/pets', `X: ${'a'.repeat(17_000)}\r\n`),
    raw.get('/v1/pets', `X: ${'a'.repeat(2_000_000)}\r\n`),
    raw.get(`/v1/pets?${'a'.repeat(2_000_000)}`),
    `${'G'.repeat(2_000_000)}`,
    raw.get('/v1/pets', Array.from({ length: 5_000 }, (_, i) => `X-${i}: a\r\n`).join('')),
    `GET /v1/pets HTTP/1.1\r\n${raw.head}X: ${'a'.repeat(2_000_000)}`,
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
  const request = raw.get('/v1/pets/1', CLOSE);
  const changed = Array.from({ length: 600 }, () => {
    const at = next(request.length);
    return request.slice(0, at) + String.fromCharCode(next(256)) + request.slice(at + 1);
  });
  const all = [...noise.map((each) => `${each}\r\n\r\n`), ...changed];
  // They may ask for a connection that is kept: the end of the client's side is the end of it.
  for (const statuses of await raw.statusesOfAll(all, { half: true }))
    for (const status of statuses) expect(status).not.toBe(500);
});
