/** What an import takes opens as it was, outlives a restart and is exported the same; of what it rejects nothing is left. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newKey } from '../../../src/base/api/api-key.ts';
import type { Client } from '../../support/client.ts';
import { newFolder } from '../../support/folder.ts';
import { randomFrom } from '../../support/random.ts';
import { fileOf, lineWith, partsOf, whole } from '../../support/recording.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';
import { texts } from '../../support/texts.ts';
import { withoutTimes } from './without-times.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test changes at will, also into what is wrong
type Json = any;

const KEY = newKey();

/** Something of everything that a recording can have. */
let original: string;
beforeAll(async () => {
  const client = await (await startTestServer()).sandbox({ label: 'nightly' });
  await client.put('/_sandbox/drill', { drill: 'truncated-list' });
  await client.get('/v1/pets').catch(() => undefined);
  await client.post('/_sandbox/drill/outcome', { success: true, results: [] });
  await client.post('/_sandbox/reset', { fixture: { nextId: 40, pets: [{ id: 3, name: 'Ada', categoryId: 1 }] } });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  await client.post('/_sandbox/snapshots', { name: 'one' });
  await client.put('/_sandbox/clock', { now: '2030-12-04T23:59:59Z' });
  const late = { operation: 'listPets', query: 'limit=5', status: 500, when: 'after', delayMs: 1, times: 1 };
  const random = { operation: 'createPet', delayMs: 1, probability: 0.5, seed: 7 };
  await client.post('/_sandbox/faults', { operation: 'getPet', status: 503, retryAfter: 1, times: 2 });
  for (const rule of [late, random, { limit: { requests: 100, seconds: 60 } }])
    expect((await client.post('/_sandbox/faults', rule)).status).toBe(201);
  await client.get('/v1/pets/40');
  await client.post('/v1/pets', { name: 'Max', categoryId: 2, status: 'sold' }, { 'User-Agent': 'shop/1' });
  await client.post('/v1/pets', '{"name":5}', { 'Idempotency-Key': 'a' });
  await client.get('/v1/pets?status=nothing&color=red');
  await client.get('/v1/pets?limit=5');
  original = await exportOf(client);
}, limit(60_000));

async function exportOf(client: Client): Promise<string> {
  const { status, text } = await client.get('/_sandbox/export?format=recording');
  expect(status, text).toBe(200);
  return text;
}

/** The sandbox that a server made of a recording; `undefined` if it rejected the recording. */
async function imported(server: TestServer, recording: string): Promise<Client | undefined> {
  const { status, text, json } = await server.client().importRecording(recording);
  expect([recording, text, status]).toEqual([recording, text, expect.toBeOneOf([201, 400, 409, 413])]);
  return status === 201 ? server.client(json.key) : undefined;
}

/** What lasts: a restart begins a new request log, and ends a drill. */
function lasting(text: string): unknown {
  const { fixtures, log } = partsOf(text);
  const [first, ...others] = log.filter((line) => !line.set?.drill);
  return { fixtures, log: [first.set.label, ...others] };
}

/** A server with files, which takes recordings and starts again. */
async function startRestarting() {
  const data = await newFolder();
  let server = await startTestServer({ settings: { data } });
  const sandboxes: { readonly key: string | undefined; readonly text: string }[] = [];
  return {
    /** Whether it accepts the recording: then every control answers, and what is exported is imported as the same. */
    accepts: async (recording: string): Promise<boolean> => {
      const client = await imported(server, recording);
      if (!client) return false;
      const text = await exportOf(client);
      const again = await imported(server, text);
      expect([recording, again && same(await exportOf(again))]).toEqual([recording, same(text)]);
      // Fault rules count it.
      await client.get('/v1/pets').catch(() => undefined);
      for (const path of ['', '/faults', '/snapshots', '/clock', '/drill', '/requests?limit=1000', '/report']) {
        const { status } = await client.get(`/_sandbox${path}`);
        expect([recording, path, status]).toEqual([recording, path, path === '/drill' && status === 404 ? 404 : 200]);
      }
      sandboxes.push({ key: client.key, text: await exportOf(client) });
      await again?.delete('/_sandbox');
      return true;
    },
    /** Restarts the server: each sandbox is as it was, and its export is accepted again. */
    expectToLast: async (): Promise<void> => {
      await server.end();
      server = await startTestServer({ settings: { data } });
      for (const { key, text } of sandboxes) {
        const after = await exportOf(server.client(key));
        expect(lasting(after)).toEqual(lasting(text));
        for (const each of [text, after]) expect(await imported(server, each)).toBeDefined();
      }
    },
  };
}

/** But for times, and for the names of runs, which follow from texts that were redacted. */
const same = (text: string): unknown => withoutTimes(text.replaceAll(/"run":"[^"]*"/g, '"run":"x"'));

/** The recording with a value in place of another: a function makes it of what was there, and `undefined` leaves it out. */
function edited(place: string, value: Json): string {
  const parts = partsOf(original);
  const { set } = lineWith(parts, 'faults');
  const [fixture, begin, snapshot] = [parts.fixtures[0], parts.log[0], lineWith(parts, 'snapshot')];
  const [exchange, creation] = parts.exchanges;
  const more = { fixture, begin, snapshot, set, rule: set.faults[0], exchange, creation };
  const named: Json = Object.assign(parts, more);
  const names = place.split('/');
  const last = names.pop() as string;
  const owner = names.reduce((inner, name) => inner[name], named);
  owner[last] = typeof value === 'function' ? value(owner[last], named) : value;
  return fileOf(parts);
}

/** A list with these at its end. */
const plus =
  (...more: Json[]) =>
  (all: Json[]): Json[] => [...all, ...more];
const again = (all: Json[]): Json[] => [...all, all[0]];
const rules =
  (of: (rule: Json) => Json) =>
  (_: Json, { rule }: Json) => [of(rule)];
/** With rules that only a snapshot has. */
const beforeSnapshot =
  (of: (rule: Json) => Json) =>
  (log: Json[], { rule }: Json) =>
    log.toSpliced(1, 0, { set: { faults: [of(rule)] } });

const NOW = '2026-11-23T00:00:00.000Z';
const LAST_MS = 253402300799999;
const LAST = '9999-12-31T23:59:59-00:01';
const LARGEST = {
  ...{ id: 'flt_most', when: 'before', delayMs: 0, pattern: 'x' },
  ...{ triggered: Number.MAX_SAFE_INTEGER, drawn: 0, seen: Number.MAX_SAFE_INTEGER },
};

const ACCEPTED: readonly (readonly [place: string, value: Json])[] = [
  ['head/dropped', [{ run: null, requests: 2 ** 31, failures: 3, broken: 0 }]],
  ['head/exportedAt', '0000-01-01T00:00:00Z'],
  ['begin/set/label', null],
  ['snapshot/createdAt', 0],
  ['snapshot/createdAt', LAST_MS],
  ['set/clock', { offset: 0, frozenAt: 0 }],
  ['set/clock', { offset: 0, frozenAt: LAST_MS }],
  ['set/clock', { offset: -LAST_MS, frozenAt: null }],
  ['set/clock', null],
  ['set/faults', []],
  ['set/faults', (all: Json[]) => [LARGEST, ...all]],
  ['rule/triggered', 2],
  ['log', (log: Json[]) => log.filter((line) => !('snapshot' in line))],
  ['log', plus({ drop: 'one' })],
  ['log', plus({ reset: { snapshot: 'one' } })],
  ['exchanges', []],
  ['exchange/disconnectedAt', NOW],
  ['fixture/description', ''],
  ['fixture/nextId', '9223372036854775807'],
  ['fixture/nextId', '9223372036854775808'],
];

test('what is accepted outlives a restart, and its export is accepted again', { timeout: limit(60_000) }, async () => {
  const host = await startRestarting();
  expect(await host.accepts(original)).toBe(true);
  expect(await host.accepts(`\ufeff${original}`)).toBe(true);
  for (const [place, value] of ACCEPTED)
    expect([place, value, await host.accepts(edited(place, value))]).toEqual([place, value, true]);
  await host.expectToLast();
});

test('credentials in a recording of others are dropped by their names', async () => {
  const server = await startTestServer();
  const secret = 'sk_live_4eC39HqLyjWDarjtT1zdp7dcEXAMPLE';
  const places: readonly (readonly [place: string, value: Json])[] = [
    ['exchange/target', `/v1/pets?limit=0&token=${secret}`],
    ['exchange/request/headers', { Authorization: `Bearer ${secret}` }],
    ['exchange/response/headers', { 'Set-Cookie': `a=${secret}` }],
  ];
  for (const [place, value] of places) {
    const client = (await imported(server, edited(place, value))) as Client;
    const { requests } = (await client.get('/_sandbox/requests')).json;
    const shown = [await exportOf(client), ...requests.map(({ id }: Json) => `/_sandbox/requests/${id}`)];
    for (const path of shown.splice(1)) shown.push((await client.get(path)).text);
    expect([place, requests.length, shown.join().includes(secret)]).toEqual([place, 7, false]);
  }
});

const DRILL = {
  ...{ drill: 'lost-create', startedAt: NOW, petName: 'Drill-1', outcome: null, faults: [] },
};

type Rejected = readonly [place: string, value: Json, why: RegExp];

const wrongIn = (place: string, why: RegExp, ...values: Json[]): Rejected[] =>
  values.map((value) => [place, value, why]);
const wrongAt = (value: Json, why: RegExp, ...places: string[]): Rejected[] =>
  places.map((place) => [place, value, why]);
const withDrill = (wrong: Json): Json => plus({ set: { drill: { ...DRILL, ...wrong } } });

/** Beyond what the schemas say alone: of those a few rows show that they are obeyed, the mutants below all others. */
const REJECTED: readonly Rejected[] = [
  ...wrongAt(1, /more is not known here/, 'head/more', 'rule/more', 'exchange/more', 'creation/changes/more'),
  ...wrongAt(
    LAST,
    /At is a time in UTC|\/at is a time in UTC|[aA]t is an RFC 3339 time/,
    'head/exportedAt',
    'exchange/at',
    'exchange/respondedAt',
  ),
  ['head/recording', 1, /version 1.*reads version 2: open it with the version that wrote it/],
  ['fixtures', again, /there already/],
  ['fixture/fixture', 'other', /must be one of the recording/],
  ['fixture/nextId', '9223372036854775809', /nextId is an int64/],
  ['fixture/pets', again, /ids must ascend; 3 comes after 3/],
  ['fixture/pets', plus({ id: 1, name: 'Zoe', categoryId: 1 }), /ids must ascend; 1 comes after 3/],
  ['log', (log: Json[]) => log.slice(1), /has not begun/],
  ['log', again, /has begun already/],
  ['log', plus({ drop: 'two' }), /no snapshot named two/],
  ['log', plus({ reset: { snapshot: 'none' } }), /no snapshot named none/],
  ['log', plus({ pets: [{ id: 4, name: 'Zoe', categoryId: 1 }] }), /ids must ascend; 4 comes after 41/],
  ['log', (log: Json[], { snapshot }: Json) => [...log, snapshot], /a snapshot named one exists/],
  ['log', plus(...Array.from(Array(50), (_, n) => ({ snapshot: `s${n}`, createdAt: 0 }))), /keeps 50 snapshots/],
  ['log/1/pets', again, /line \d: ids must ascend; 40 comes after 40/],
  ...wrongIn('begin/seed', /must be one of the recording/, 'nothing', { nextId: '1', pets: [] }),
  ...wrongIn('snapshot/snapshot', /line \d: \/snapshot is/, '', '__proto__', '../../etc'),
  ['snapshot/snapshot', KEY.toLowerCase(), /snapshot:? must not contain a key/],
  ...wrongIn('snapshot/createdAt', /createdAt is/, LAST_MS + 1, -1, 0.5, NOW),
  ['set/clock/frozenAt', LAST_MS + 1, /frozenAt is at most/],
  ['set/faults', again, /an id of their own/],
  ['set/faults', rules((rule) => JSON.parse(JSON.stringify(rule).replace('{', '{"__proto__":{},'))), /__proto__/],
  ['rule/query', KEY, /faults\/query:? must not contain a key/],
  ['rule/probability', 0.5, /must have a seed/],
  ['rule/status', 7, /\/set\/faults\/0\/status is/],
  ['rule/window', { startedAt: 1 }, /window\/passed is required/],
  ['log', beforeSnapshot(({ status: _, retryAfter: __, ...rule }) => rule), /flt_\w+ needs at least one of/],
  ['log', withDrill({ drill: 'no-such' }), /no-such/],
  ['log', withDrill({ outcome: { success: true, crashed: false, missing: null, at: LAST } }), /outcome\/at is/],
  ['exchanges', again, /that of an exchange before it/],
  ...wrongIn('creation/changes/created', /\/changes/, ['x'], [1], ['9223372036854775808']),
  ...wrongIn('exchange/method', /\/method is/, 'CONNECT', '', 'get', 'GET /', 'TRACEROUTE', 'GET\r\nX: y', '-X', 1),
  ...wrongIn(
    'exchange/target',
    /\/target is/,
    ...texts('@evil.example/v1/pets | evil |  | http://evil.example/v1/pets | * | /v1/pets HTTP/1.1'),
    ...['/a\r\nHost: b', '/\0', `/${'x'.repeat(20_000)}`, '/v1/\u0100'],
  ),
  ['exchange/response/contentType', 'a\nb', /contentType is/],
  ['exchange/request/body', 'x'.repeat(20_000), /16384 characters/],
  ...wrongIn('exchange/request/headers/Accept', /\/Accept is/, '\u0100', ['*/*'], 'a\r\nCookie: b'),
  ...['Host', 'host', 'Cookie', 'Transfer-Encoding', 'Connection', 'Upgrade', 'Proxy-Authorization'].map(
    (name): Rejected => [`exchange/request/headers/${name}`, 'x', /must only have headers of the request log/],
  ),
  ...['X y', '', 'Accept\r\nX'].map((name): Rejected => [`exchange/request/headers/${name}`, 'x', /request\/headers/]),
  ...wrongAt('c', /response\/headers/, 'exchange/response/headers/a b', 'exchange/response/headers/petsbx_1'),
];

/** Texts that no edit of a value makes. */
const wrongTexts = (text: string): (readonly [file: string, why: RegExp, what?: string])[] => {
  const before = (end: string): string => text.replace(/(?=\{"end":)/, `${end}\n`);
  const lines = text.trimEnd().split('\n');
  return [
    ['{', /line 1: not valid JSON/],
    ['[]', /line 1: this is no recording/],
    ['{}', /line 1: this is no recording/],
    ['\n', /line 1: not valid JSON/],
    [`${text}\n`, /line \d+: must not be there/],
    [`${text}{"end":1}`, /must not be there/],
    [text.slice(0, -30), /line \d+: not valid JSON/],
    ...lines
      .slice(1)
      .map(
        (_, n) => [lines.slice(0, n + 1).join('\n'), /the last line, .*, is missing|the journal is missing/] as const,
      ),
    [text.replace('"about"', '"__proto__":{"x":1},"about"'), /__proto__/],
    [text.replace(/"bytes":\d+/, '"bytes":1e400'), /\/bytes is/],
    [text.replace(/\{"pets":.*\n/, ''), /must have \d+ lines before this one/],
    [text.replace(/(?=\{"begin")/, `${lines.at(-2)}\n`), /must come after the journal/],
    [text.replace(/\{"fixture":.*\n/, ''), /must come after their fixture/],
    [text.replace(/(?=\{"exchange")/, `${lines[1]}\n`), /must come before the journal/],
    [text.replace(/(?<=\{"pets":\[\{"id":40.*\])(?=\}\n)/, ',"more":1'), /must not have more fields/],
    [text.replace(/(?<=\{"exchange":.*)\}\n/, ',"more":1}\n'), /must hold an exchange alone/],
    [text.replace(/(?=\{"exchange")/, 'null\n'), /line 9: /],
    [before('{"drop":"one"}'), /must come before the exchanges/],
    [before(`{"exchange":${'['.repeat(200)}${']'.repeat(200)}}`), /nested/],
    [before('{"more":1}'), /begins with "more"/],
  ];
};

test('a wrong recording is rejected with its place, and leaves nothing behind', {
  timeout: limit(60_000),
}, async () => {
  const data = await newFolder();
  const server = await startTestServer({ settings: { data } });
  const files = async () => (await readdir(join(data, 'sandboxes'))).sort();
  const before = await files();
  const rows = REJECTED.map(([place, value, why]) => [edited(place, value), why, `${place}: ${value}`] as const);
  for (const [file, why, what = file] of [...rows, ...wrongTexts(original)]) {
    const { status, json } = await server.client().importRecording(file);
    expect([what, status, json.message]).toEqual([what, expect.toBeOneOf([400, 409]), expect.stringMatching(why)]);
  }
  expect(await files()).toEqual(before);
  expect(await countOf(server)).toBe(0);
});

/** Everything that a server has of sandboxes. */
const countOf = async (server: TestServer): Promise<number> =>
  (await server.client(server.adminToken).get('/_sandbox/sandboxes')).json.sandboxes.length;

type Place = readonly string[];

/** The places of all values in lines. */
function* placesIn(value: unknown, place: Place = []): Generator<Place> {
  if (place.length > 1) yield place;
  if (typeof value !== 'object' || value === null) return;
  for (const name of Object.keys(value)) yield* placesIn((value as Json)[name], [...place, name]);
}

const linesIn = (text: string): Json[] =>
  text
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  string: [
    ...['', 'x', ' x ', 'ü', '-1', KEY, `a ${KEY}`, Buffer.from(KEY).toString('base64'), '?api_key=secret-of-mine'],
    ...['a\u0000b', 'a\nb', '\u007f', '\ud800', 'x'.repeat(300), 'x'.repeat(2_000), '__proto__'],
    ...['9223372036854775808', '2030-01-01T00:00:00.000Z', '9999-12-31T23:59:59-23:59'],
  ],
  number: [0, -1, 1, 2, 2 ** 31, 0.5, 1e21, -1e300, 200, 404, 12],
  boolean: [true, false],
  object: [{ toString: 1 }, [null]],
};

/** With something else in one place: another value of its kind mostly, or nothing, or a field or a line more. */
function mutantOf(lines: Json[], random: () => number): Json[] {
  const any = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const place = any([...placesIn(lines)]);
  const owner = place.slice(0, -1).reduce((inner: Json, each) => inner[each], lines);
  const name = place.at(-1) as string;
  const value = owner[name];
  const what = random();
  if (what < 0.05) return lines.toSpliced(Number(place[0]), what < 0.02 ? 1 : 0, any(lines));
  if (what < 0.12) delete owner[name];
  else if (what < 0.17) owner[name] = null;
  else if (what < 0.25) owner[name] = any(any(Object.values(VALUES)));
  else if (Array.isArray(value) && value.length > 0) value.push(any(value));
  else if (typeof value === 'object' && value !== null) delete value[any(Object.keys(value))];
  else owner[name] = any(VALUES[typeof value] ?? (VALUES['string'] as unknown[]));
  return lines;
}

test('a mutant that is imported is exported so that it is imported again, and outlives a restart', {
  timeout: limit(120_000),
}, async () => {
  const random = randomFrom(Math.floor(Math.random() * 2 ** 31));
  const host = await startRestarting();
  let accepted = 0;
  for (let n = 0; n < 250; n++) if (await host.accepts(whole(mutantOf(linesIn(original), random)))) accepted += 1;
  expect(accepted).toBeGreaterThan(20);
  await host.expectToLast();
});

test('a drill goes on where it was', async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  const { petName } = (await client.put('/_sandbox/drill', { drill: 'lost-create' })).json;
  await client.post('/v1/pets', { name: petName, categoryId: 1 }).catch(() => undefined);
  const opened = await imported(server, await exportOf(client));
  const { checks } = (await client.get('/_sandbox/drill')).json;
  expect((await opened?.get('/_sandbox/drill'))?.json).toMatchObject({ petName, checks });
});

test('only the admin opens a case where only the admin issues keys', async () => {
  const server = await startTestServer({ settings: { keyIssuing: 'admin' } });
  for (const who of [server.client(), await server.sandbox()])
    expect((await who.importRecording(original)).status).toBe(403);
  const admin = server.client(server.adminToken);
  expect((await admin.importRecording(original)).status).toBe(201);
  expect((await admin.importRecording(original, { Origin: 'https://evil.example' })).status).toBe(403);
});

test('a recording that this server has no room for is rejected, and nothing of it is left', async () => {
  const client = await (await startTestServer()).sandbox();
  await client.post('/_sandbox/pets', { count: 500, seed: 1 });
  const text = await exportOf(client);
  for (const settings of [{ maxPets: 100 }, { maxBytes: 2_000 }]) {
    const server = await startTestServer({ settings });
    expect((await server.client().importRecording(text)).json).toMatchObject({ code: 'limit_reached' });
    expect([await countOf(server), server.store.figures.bytes]).toEqual([0, 0]);
  }
});

test('a recording brings its own sandbox only: the requests that belong to none are not in it', async () => {
  const server = await startTestServer();
  await server.client().get('/v1/pets');
  const unmatched = async () => (await server.client(server.adminToken).get('/_sandbox/requests/unmatched')).json;
  const before = await unmatched();
  expect(before.requests).toHaveLength(1);
  const text = await exportOf(await server.sandbox());
  expect(text).not.toContain(before.requests[0].id);
  const line = `${JSON.stringify({ unmatched: before.requests })}\n`;
  const reply = await server.client().importRecording(text.replace(/(?=\{"end":)/, line));
  expect([reply.status, reply.json.message]).toEqual([400, expect.stringContaining('unmatched')]);
  expect(await imported(server, text)).toBeDefined();
  expect(await unmatched()).toEqual(before);
});

test('a request for no path is left out and counted: a recording has no place for it', async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  await client.send({ method: 'OPTIONS', path: '*' });
  await client.get('/v1/pets');
  const text = await exportOf(client);
  expect(text).toContain('"dropped":[{"run":"client, run 1","requests":1,"failures":0,"broken":0}]');
  expect(await imported(server, text)).toBeDefined();
});
