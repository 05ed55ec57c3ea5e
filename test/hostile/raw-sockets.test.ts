/**
 * Framing and connections by class: bodies that contradict their heads, garbage behind requests, pipelines, half-closed and
 * slow sockets. Whatever was asked for in order gets its response, and the server is well afterward.
 */
import { afterAll, expect, test } from 'vitest';
import { texts } from '../support/texts.ts';
import { dial, readReplies } from '../support/wire.ts';
import { BODY, CLOSE, RawTarget } from './raw-target.ts';

const raw = await RawTarget.start();
afterAll(() => raw.expectWell());

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

test('lengths and codings that contradict each other', async () => {
  const lengths = texts(
    '-1 | +1 | 1e3 | 0x10 | 1 1 | 1,1 | 1, 2 |   | a | 1.0 | 18446744073709551616 | 99999999999999999999999999',
  );
  const chunks = `${chunk(BODY)}0\r\n\r\n`;
  const codings = texts(
    'gzip | identity | gzip, chunked | chunked, gzip | chunked, chunked | xchunked | \u000bchunked',
    'chunked;x=1 | "chunked" | chunked\u0000 | ',
  );
  await raw.expectRejected([
    ...lengths.map((length) => raw.post(`Content-Length: ${length}\r\n${CLOSE}`, BODY)),
    ...codings.map((coding) => raw.post(`Transfer-Encoding: ${coding}\r\n${CLOSE}`, chunks)),
    raw.post(`Content-Length: ${BODY.length}\r\nContent-Length: ${BODY.length + 1}\r\n`, `${BODY} `),
    raw.post(`Content-Length: ${BODY.length}\r\nTransfer-Encoding: chunked\r\n`, chunks),
    raw.post(`Transfer-Encoding: chunked\r\nContent-Length: 3\r\n`, chunks),
    raw.post(`Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n`, chunks),
    raw.post(`Transfer-Encoding: chunked\r\n`, chunks).replace('HTTP/1.1', 'HTTP/1.0'),
    raw.post(`Transfer-Encoding : chunked\r\n`, chunks),
    raw.post(`Transfer-Encoding\u0000: chunked\r\n`, chunks),
  ]);
});

test('no request is smuggled inside another', async () => {
  const before = (await raw.client.get('/v1/pets?limit=100')).json.length;
  const hidden = raw.post(`Content-Length: ${BODY.length}\r\n`, BODY);
  const all = [
    raw.post(`Content-Length: ${hidden.length}\r\nTransfer-Encoding: chunked\r\n`, `0\r\n\r\n${hidden}`),
    raw.post(`Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n`, `0\r\n\r\n${hidden}`),
    raw.post(`Transfer-Encoding: identity, chunked\r\n`, `0\r\n\r\n${hidden}`),
    raw.post(`Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n`, hidden),
    raw.post(`Transfer-Encoding: chunked\r\n`, `0\r\nX: ${hidden}`),
    raw.get('/v1/pets/1', `Content-Length: ${hidden.length}\r\n${CLOSE}`) + hidden,
    `${raw.get('/v1/pets/1', `Content-Length: 3\r\nTransfer-Encoding: chunked\r\n`)}0\r\n\r\n${hidden}`,
  ];
  for (const statuses of await raw.statusesOfAll(all)) expect(statuses).not.toContain(201);
  expect((await raw.client.get('/v1/pets?limit=100')).json).toHaveLength(before);
});

test('chunks that are none', async () => {
  const chunked = (body: string): string => raw.post('Transfer-Encoding: chunked\r\n', body);
  await raw.expectRejected(
    [
      ...texts(
        'zz\r\n | -1\r\n | 0x1\r\n |  1\r\na\r\n | 1\r\nab | 1\r\na\n | 5\r\nabcdeXX\r\n | \r\n',
        'fffffffffffffffff\r\n | 1;\u0000\r\na\r\n | 1\r\n | 1 | ',
      ),
      `${chunk(BODY)}`,
      `${chunk(BODY)}0\r\n`,
      `${chunk(BODY)}0\r\nX\r\n\r\n`,
      `${chunk(BODY)}0\r\nX: \u0001\r\n\r\n`,
      `1;${'a'.repeat(17_000)}\r\n{\r\n0\r\n\r\n`,
    ].map(chunked),
  );
});

test('garbage behind requests takes no response from them', async () => {
  const garbage = [
    ...texts(
      'X\r\n\r\n | \u0000 | GET\r\n\r\n | \u0016\u0003\u0001 | HTTP/1.1 200 OK\r\n\r\n',
      'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n | GET / HTTP/1.1\r\nHost',
    ),
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}`,
  ];
  for (const count of [1, 2, 7]) {
    const all = garbage.map((bytes) => (raw.get() + raw.post()).repeat(count) + bytes);
    const statuses = await raw.statusesOfAll(all);
    for (const [i, each] of statuses.entries()) {
      const expected = Array.from({ length: count }, () => [200, 201]).flat();
      expect({ garbage: garbage[i], statuses: each.slice(0, -1) }).toEqual({ garbage: garbage[i], statuses: expected });
      expect(each.at(-1)).toBeGreaterThanOrEqual(400);
    }
  }
});

test('pipelines, in one piece and byte by byte', async () => {
  const many = `${raw.get().repeat(200)}${raw.get('/v1/pets/2', CLOSE)}`;
  expect(await raw.statusesOf(many)).toEqual(Array.from({ length: 201 }, () => 200));
  const socket = await dial(raw.server.url);
  const reading = readReplies(socket);
  for (const byte of `${raw.post()}${raw.get('/v1/pets/404', CLOSE)}`) socket.write(byte);
  expect((await reading).map(({ status }) => status)).toEqual([201, 404]);
});

test('sockets that end their own side, at every point of a request', async () => {
  const request = raw.post();
  const cuts = Array.from({ length: request.length + 1 }, (_, i) => request.slice(0, i));
  const statuses = await raw.statusesOfAll(cuts, { half: true });
  expect(statuses.at(0)).toEqual([]);
  expect(statuses.at(-1)).toEqual([201]);
  for (const each of statuses.slice(1, -1)) expect(each).toEqual([400]);
});

test('heads and bodies that come too slowly, or never', async () => {
  const request = raw.post();
  const cuts = [1, 3, 20, 60, request.indexOf('\r\n\r\n') + 2, request.indexOf('\r\n\r\n') + 4, request.length - 1];
  for (const each of await raw.statusesOfAll(cuts.map((cut) => request.slice(0, cut)))) expect(each).toEqual([408]);
});
