/** What a recording becomes on a server, and what is rejected before anything of it exists. */
import { expect, test } from 'vitest';
import { newKey } from '../../src/api/api-key.ts';
import { formatNames } from '../../src/report/formats/formats.ts';
import type { Client } from '../support/client.ts';
import { fileOf, lineWith, type Parts, partsOf } from '../support/recording.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { withoutTimes } from './without-times.ts';

const KEY = newKey();

async function someRecording(client: Client): Promise<string> {
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  await client.post('/_sandbox/snapshots', { name: 'one' });
  await client.post('/v1/pets', '{"name":"Max","categoryId":-9223372036854775808}');
  await client.post('/_sandbox/faults', { operation: 'getPet', status: 500, times: 1 });
  await client.get('/v1/pets/13');
  await client.get('/v1/pets/13');
  return (await client.get('/_sandbox/export?format=recording')).text;
}

const drillCalled = (drill: string) => ({
  ...{ drill, startedAt: '2026-01-01T00:00:00.000Z', petName: null, outcome: null, faults: [] },
});

/** Everything that a server has of sandboxes. */
const countOf = async (server: TestServer): Promise<number> =>
  (await server.client(server.adminToken).get('/_sandbox/sandboxes')).json.sandboxes.length;

test('a recording opens as it was: pets, ids, snapshots, rules that are used up, request log with verdicts', async () => {
  const server = await startTestServer();
  const text = await someRecording(await server.sandbox({ label: 'red job' }));
  const issued = await server.client().importRecording(text);
  expect(issued.status).toBe(201);
  expect(issued.json).toMatchObject({ label: 'red job', fixture: 'default', baseUrl: `${server.url}/v1` });
  const client = server.client(issued.json.key);
  const { requests } = (await client.get('/_sandbox/requests')).json;
  expect(requests.map(({ status }: { status: number }) => status)).toEqual([200, 500, 201, 201]);
  expect((await client.get('/v1/pets/14')).text).toContain('-9223372036854775808');
  expect((await client.get('/v1/pets/13')).status).toBe(200);
  expect((await client.post('/v1/pets', { name: 'Next', categoryId: 1 })).json.id).toBe(15);
  await client.post('/_sandbox/reset', { snapshot: 'one' });
  expect((await client.post('/v1/pets', { name: 'Next', categoryId: 1 })).json.id).toBe(14);
});

test('a drill goes on where it was', async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  const headers = { 'Content-Type': 'application/json' };
  const start = await client.send({ method: 'PUT', path: '/_sandbox/drill', headers, body: '{"drill":"lost-create"}' });
  await client.post('/v1/pets', { name: start.json.petName, categoryId: 1 }).catch(() => undefined);
  const { text } = await client.get('/_sandbox/export?format=recording');
  const { key } = (await server.client().importRecording(text)).json;
  const [before, after] = [await client.get('/_sandbox/drill'), await server.client(key).get('/_sandbox/drill')];
  expect(after.json.checks).toEqual(before.json.checks);
  expect(after.json.petName).toBe(start.json.petName);
});

test('only the admin opens a case where only the admin issues keys', async () => {
  const server = await startTestServer({ settings: { keyIssuing: 'admin' } });
  const client = await server.sandbox();
  const text = await someRecording(client);
  for (const who of [server.client(), client]) expect((await who.importRecording(text)).status).toBe(403);
  expect((await server.client(server.adminToken).importRecording(text)).status).toBe(201);
  const foreign = await server.client(server.adminToken).importRecording(text, { Origin: 'https://evil.example' });
  expect(foreign.status).toBe(403);
});

test('a wrong file is rejected with its place, and nothing of it is left', { timeout: limit(60_000) }, async () => {
  const server = await startTestServer();
  const text = await someRecording(await server.sandbox());
  const changed = (edit: (parts: Parts) => unknown): string => {
    // `JSON.parse` would round it.
    const parts = partsOf(text.replaceAll('-9223372036854775808', '7'));
    edit(parts);
    return fileOf(parts);
  };
  const faultsOf = (parts: Parts) => lineWith(parts, 'faults').set.faults;
  const start = (parts: Parts) => parts.log.findIndex((line) => 'start' in line);
  const ended = (line: string): string => text.replace(/(?=\{"end":)/, `${line}\n`);
  const wrong: [string, RegExp][] = [
    ['{', /line 1: not valid JSON/],
    ['[]', /line 1: this is no recording/],
    ['{}', /line 1: this is no recording/],
    ['\n', /line 1: not valid JSON/],
    [`${text}\n`, /line \d+: must not be there/],
    [text.slice(0, -30), /line \d+: not valid JSON/],
    [text.split('\n', 1).join(), /the log is missing/],
    [changed(({ head }) => (head.recording = 2)), /version 2.*use a newer one/],
    [changed(({ head }) => (head.more = 1)), /line 1: it .*more/],
    [changed(({ head }) => (head.baseline = 99)), /baseline must be at most 2/],
    [changed(({ log }) => log.shift()), /must come after their fixture|has not begun/],
    [changed(({ log }) => log.push(log[0])), /has begun already/],
    [changed(({ log }) => (log[1].pets[0].id = 'x')), /line 5: pets\[0\]\/id must be/],
    [changed(({ log }) => (log[1].pets[0].color = 'red')), /color/],
    [changed(({ log }) => log.splice(1, 0, log[1])), /line 6: ids must ascend; 13 comes after 13/],
    [changed(({ log }) => (log[0].seed = 'nothing')), /must be one of the recording/],
    [changed(({ log }) => (log[0].seed = { nextId: '1', pets: [] })), /must be one of the recording/],
    [changed(({ fixtures, log }) => fixtures[0].pets.push(log[1].pets[0])), /the id 13, which its fixture has/],
    [changed((parts) => faultsOf(parts).push(faultsOf(parts)[0])), /an id of their own/],
    [changed((parts) => delete faultsOf(parts)[0].when), /must have .*when/],
    [changed((parts) => (faultsOf(parts)[0].probability = 0.5)), /must have a seed/],
    [changed((parts) => (faultsOf(parts)[0].name = KEY)), /faults\/name: must not contain a key/],
    [changed(({ log }) => (log[2].snapshot = KEY.toLowerCase())), /snapshot: must not contain a key/],
    [changed(({ exchanges }) => (exchanges[0].request.contentType = 'a\u0000b')), /contentType must match/],
    [changed(({ exchanges }) => (exchanges[0].response.contentType = 'a\nb')), /contentType must match/],
    [changed((parts) => (faultsOf(parts)[0].status = 7)), /\/set\/faults\/0\/status must be/],
    [changed((parts) => (parts.log[start(parts)].start.faults = [{ ...faultsOf(parts)[0], status: 7 }])), /start/],
    [changed((parts) => parts.log.push({ drop: 'two' })), /no snapshot named two/],
    [changed(({ log }) => (log[2].snapshot = '../../etc')), /line 6: \/snapshot must match/],
    [changed(({ log }) => log.push(log[2])), /a snapshot named one exists/],
    [
      changed(({ log }) => log.push(...Array.from({ length: 50 }, (_, n) => ({ ...log[2], snapshot: `s${n}` })))),
      /keeps 50 snapshots/,
    ],
    [changed(({ fixtures }) => fixtures.push({ ...fixtures[0], pets: [], fixture: 'more' })), /not needed/],
    [changed(({ fixtures }) => fixtures.push({ ...fixtures[0], pets: [] })), /there already/],
    [changed(({ exchanges }) => (exchanges[0].changes = { created: ['x'] })), /\/changes/],
    [changed(({ exchanges }) => (exchanges[1] = exchanges[0])), /that of an exchange before it/],
    [changed(({ exchanges }) => (exchanges[0].request.body = 'x'.repeat(20_000))), /16384 characters/],
    [changed(({ log }) => log.push({ set: { drill: drillCalled('no-such') }, ms: 1 })), /no-such/],
    [text.replace('"about"', '"__proto__":{"x":1},"about"'), /__proto__/],
    [ended(`{"exchange":${'['.repeat(200)}${']'.repeat(200)}}`), /nested/],
    [ended(`{"more":1}`), /begins with "more"/],
    [`\ufeff${text}`, /line 1: not valid JSON/],
    ...text.split('\n').flatMap((_, n, lines): [string, RegExp][] => {
      const cut = lines.slice(0, n).join('\n');
      return n === 0 || cut === text.trimEnd()
        ? []
        : [[cut, /the last line, \{"end":…\}, is missing|the log is missing/]];
    }),
    [text.replace(/\{"pets":.*\n/, ''), /must have \d+ lines before this one/],
    [`${text}{"end":1}`, /must not be there/],
    [changed(({ exchanges, log }) => log.unshift({ exchange: exchanges.pop() })), /must come after the log/],
    [ended(JSON.stringify({ drop: 'one' })), /must come before the exchanges/],
    [text.replace(/"nextId":"13"\}\n\{"pets":\[.*\]/, '$&,"ms":1'), /must not have "ms"/],
    [changed(({ exchanges }) => (exchanges[0].method = 'CONNECT')), /other than CONNECT/],
    [changed(({ exchanges }) => (exchanges[0].target = `/${'x'.repeat(20_000)}`)), /\/target must/],
    [changed(({ exchanges }) => (exchanges[0].target = '/v1/\u0100')), /\/target must/],
    [changed(({ exchanges }) => (exchanges[0].request.headers.Accept = '\u0100')), /\/Accept must/],
    [changed(({ exchanges }) => (exchanges[0].response.headers.petsbx_1 = 'x')), /\/response\/headers/],
    [changed(({ exchanges }) => (exchanges[0].status = 42)), /\/status must/],
    [text.replace('"dropped":0', '"dropped":1e400'), /\/dropped must/],
    [text.replace(/"bytes":\d+/, '"bytes":1e400'), /\/bytes must/],
  ];
  const before = await countOf(server);
  for (const [file, why] of wrong) {
    const reply = await server.client().importRecording(file);
    expect([400, 409].includes(reply.status), reply.text).toBe(true);
    expect(reply.json.message).toMatch(why);
  }
  expect(await countOf(server)).toBe(before);
});

test('a recording that this server has no room for is rejected, and nothing of it is left', async () => {
  const roomy = await startTestServer();
  const client = await roomy.sandbox();
  await client.post('/_sandbox/pets', { count: 500, seed: 1 });
  const { text } = await client.get('/_sandbox/export?format=recording');
  const small = await startTestServer({ settings: { maxPets: 100 } });
  expect((await small.client().importRecording(text)).json).toMatchObject({ code: 'limit_reached' });
  const short = await startTestServer({ settings: { maxBytes: 2_000 } });
  expect((await short.client().importRecording(text)).json).toMatchObject({ code: 'limit_reached' });
  expect([await countOf(small), await countOf(short)]).toEqual([0, 0]);
  expect(short.store.figures.bytes).toBe(0);
});

test('a long case is exported and opened whole', { timeout: limit(60_000) }, async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  await client.post('/_sandbox/pets', { count: 10_000, seed: 1 });
  for (let n = 0; n < 50; n++) await client.get('/v1/pets?limit=100');
  const first = await client.get('/_sandbox/export?format=recording');
  const { key } = (await server.client().importRecording(first.text)).json;
  const second = await server.client(key).get('/_sandbox/export?format=recording');
  expect(withoutTimes(second.text)).toEqual(withoutTimes(first.text));
  for (const form of ['har', 'curl']) {
    expect((await client.get(`/_sandbox/export?format=${form}`)).text.length).toBeGreaterThan(5_000);
  }
});

test('a recording brings its own sandbox only: the requests that belong to none are not in it', async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  await server.client().get('/v1/pets');
  const unmatched = async () => (await server.client(server.adminToken).get('/_sandbox/requests/unmatched')).json;
  const before = await unmatched();
  expect(before.requests).toHaveLength(1);
  const text = await someRecording(client);
  for (const { id } of before.requests) expect(text).not.toContain(id);
  const reply = await server
    .client()
    .importRecording(text.replace(/(?=\{"end":)/, `${JSON.stringify({ unmatched: before.requests })}\n`));
  expect([reply.status, reply.json.message]).toEqual([400, expect.stringContaining('unmatched')]);
  expect((await server.client().importRecording(text)).status).toBe(201);
  expect(await unmatched()).toEqual(before);
});

test('no form of a report passes on control characters or directional marks of a recording', async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  await client.get('/v1/pets?limit=500');
  const found = partsOf((await client.get('/_sandbox/export?format=recording')).text);
  const MARKS = '\u202e\u2066\u200f\u061c\u001b';
  for (const violation of found.exchanges[0].violations)
    for (const name of ['rule', 'location', 'pointer', 'message']) violation[name] += MARKS;
  const reply = await server.client().importRecording(fileOf(found));
  expect(reply.status).toBe(201);
  for (const format of formatNames) {
    const { status, text } = await server.client(reply.json.key).get(`/_sandbox/report?format=${format}`);
    expect([format, status, [...MARKS].filter((mark) => text.includes(mark))]).toEqual([format, 200, []]);
  }
});

test('a request for no path is left out and counted: a recording has no place for it', async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  await client.send({ method: 'OPTIONS', path: '*' });
  await client.get('/v1/pets');
  const { text } = await client.get('/_sandbox/export?format=recording');
  expect(text).toContain('"dropped":1');
  expect((await server.client().importRecording(text)).status).toBe(201);
});
