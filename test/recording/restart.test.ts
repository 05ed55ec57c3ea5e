/** Whatever an import accepts, a restart opens, an export writes, and an import accepts again. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { changedAt, randomFrom } from '../support/random.ts';
import { fileOf, lineWith, type Parts, partsOf, whole } from '../support/recording.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { texts } from '../support/texts.ts';

type Edit = (found: Parts) => unknown;

/** An export with something of everything: an own fixture, snapshots, a clock, fault rules with counts, a drill. */
let original: string;
beforeAll(async () => {
  const server = await startTestServer();
  original = await richExport(server);
}, limit(60_000));

async function richExport(server: TestServer): Promise<string> {
  const client = await server.sandbox({ label: 'nightly' });
  await client.post('/_sandbox/reset', { fixture: { nextId: 40, pets: [{ id: 3, name: 'Ada', categoryId: 1 }] } });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  await client.post('/_sandbox/snapshots', { name: 'one' });
  await client.send({
    method: 'PUT',
    path: '/_sandbox/clock',
    headers: { 'Content-Type': 'application/json' },
    body: '{"now":"2030-12-04T23:59:59Z"}',
  });
  await client.post('/_sandbox/faults', { operation: 'getPet', status: 503, retryAfter: 1, times: 2 });
  await client.post('/_sandbox/faults', { limit: { requests: 100, seconds: 60 }, probability: 0.5, seed: 7 });
  await client.get('/v1/pets/40');
  await client.post('/v1/pets', { name: 'Max', categoryId: 2, status: 'sold' });
  await client.get('/v1/pets?status=nothing');
  return (await client.get('/_sandbox/export?format=recording')).text;
}

const edited = (edit: Edit): string => {
  const found = partsOf(original);
  edit(found);
  return fileOf(found);
};

/** What must be the same in two exports of one sandbox: a restart begins a new request log, and ends a drill. */
const lasting = (text: string): unknown => {
  const { fixtures, log } = partsOf(text);
  const [first, ...others] = log.filter((line) => !('start' in line) && !line.set?.drill);
  const timeless = ({ ms: _, ...line }: { ms?: number }) => line;
  return { fixtures, log: [first.set.label, ...others.map(timeless)] };
};

const exportOf = async (client: Client): Promise<string> => {
  const { status, text } = await client.get('/_sandbox/export?format=recording');
  expect(status, text).toBe(200);
  return text;
};

/** A server with files, which starts again on request. */
class Restarting {
  readonly #data: string;
  server: TestServer;

  private constructor(data: string, server: TestServer) {
    this.#data = data;
    this.server = server;
  }

  static async start(): Promise<Restarting> {
    const data = await mkdtemp(join(tmpdir(), 'petstore-restart-'));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    return new Restarting(data, await startTestServer({ settings: { data } }));
  }

  async restart(): Promise<void> {
    await this.server.end();
    this.server = await startTestServer({ settings: { data: this.#data } });
  }

  /** All files that hold the state of sandboxes. */
  async files(): Promise<readonly string[]> {
    return (await readdir(join(this.#data, 'sandboxes'))).sort();
  }
}

/** What a server made of a recording: the export of its sandbox, or `undefined` if it rejected the recording. */
async function imported(server: TestServer, recording: string): Promise<{ key: string; text: string } | undefined> {
  const reply = await server.client().importRecording(recording);
  if (reply.status === 201) {
    const client = server.client(reply.json.key);
    // Fault rules count it.
    await client.get('/v1/pets');
    expect([200, 404]).toContain((await client.get('/_sandbox/drill')).status);
    expect((await client.get('/_sandbox/clock')).status).toBe(200);
    return { key: reply.json.key, text: await exportOf(client) };
  }
  expect([400, 409, 413], reply.text).toContain(reply.status);
  return undefined;
}

/** Restarts the server: each sandbox is as it was, and its export is accepted again. */
async function expectToLast(host: Restarting, accepted: readonly { key: string; text: string }[]): Promise<void> {
  await host.restart();
  for (const { key, text } of accepted) {
    const after = await exportOf(host.server.client(key));
    expect(lasting(after)).toEqual(lasting(text));
    for (const each of [text, after]) expect(await imported(host.server, each)).toBeDefined();
  }
}

/** What each edit of a valid recording leads to. */
const EDITS: Readonly<Record<'accepted' | 'rejected', Readonly<Record<string, Edit>>>> = {
  accepted: {
    'nothing is changed': () => undefined,
    'no label': ({ log }) => (log[0].set.label = null),
    'the first moment of a snapshot': (found) => (snapshotIn(found).createdAt = '0000-01-01T00:00:00Z'),
    'the last moment of a snapshot': (found) => (snapshotIn(found).createdAt = '9999-12-31T23:59:59.999Z'),
    'a moment in another zone': (found) => (snapshotIn(found).createdAt = '2026-01-01T00:00:00+14:00'),
    'the first moment of the export': (found) => (found.head.exportedAt = '0000-01-01T00:00:00Z'),
    'a clock that stands still in 1970': (found) => (lineWith(found, 'clock').set.clock = { offset: 0, frozenAt: 0 }),
    'a clock that stands still in 9999': (found) =>
      (lineWith(found, 'clock').set.clock = { offset: 0, frozenAt: 253402300799999 }),
    'a clock that is before 1970': (found) =>
      (lineWith(found, 'clock').set.clock = { offset: -253402300799999, frozenAt: null }),
    'no clock': (found) => (lineWith(found, 'clock').set.clock = null),
    'no fault rules': (found) => (rulesIn(found).length = 0),
    'a fault rule that is used up': (found) => (rulesIn(found)[0].triggered = 2),
    'a fault rule with the largest counts': (found) =>
      rulesIn(found).unshift({
        ...{ id: 'flt_most', when: 'before', delayMs: 0, pattern: 'x' },
        ...{ triggered: Number.MAX_SAFE_INTEGER, drawn: 0, seen: Number.MAX_SAFE_INTEGER },
      }),
    'no snapshots': (found) => (found.log = found.log.filter((line) => line !== snapshotIn(found))),
    'no exchanges': (found) => (found.exchanges = []),
    'exchanges that were dropped': (found) => (found.head.dropped = 2 ** 31),
    'an empty description of a fixture': (found) => (found.fixtures[0].description = ''),
    'a snapshot that is dropped again': (found) => found.log.push({ drop: 'one' }),
    'a reset at its end': (found) => found.log.push({ reset: { snapshot: 'one' }, ms: 1 }),
    'no exchange to begin with': (found) => (found.head.baseline = 0),
    'a next id that is the largest': (found) => (found.fixtures[0].nextId = '9223372036854775807'),
    'no next id left': (found) => (found.fixtures[0].nextId = '9223372036854775808'),
  },
  rejected: {
    'a fault rule with an unknown field': (found) => (rulesIn(found)[0].more = 1),
    'a fault rule with an unknown field at the start': (found) =>
      (startIn(found).faults = [ruleOf(found, { more: 1 })]),
    'a fault rule with an unknown field in a snapshot': (found) =>
      found.log.splice(1, 0, { set: { faults: [ruleOf(found, { more: 1 })] }, ms: 1 }),
    'a fault rule with an unknown field in a step': (found) =>
      startIn(found).steps.push({ ms: 1, faults: [ruleOf(found, { more: 1 })] }),
    'a fault rule in a snapshot that no server accepts': (found) =>
      found.log.splice(1, 0, { set: { faults: [without(ruleOf(found, {}), 'status')] }, ms: 1 }),
    'a fault rule whose id is of another kind': (found) => (rulesIn(found)[0].id = 'sbx_1'),
    'a fault rule with negative counts': (found) => (rulesIn(found)[0].triggered = -1),
    'a fault rule with counts beyond 53 bits': (found) => (rulesIn(found)[0].triggered = 1e300),
    'a fault rule with a window of another shape': (found) => (rulesIn(found)[0].window = { startedAt: 1 }),
    'a fault rule without effect': (found) =>
      (rulesIn(found)[0] = { id: 'flt_1', when: 'before', triggered: 0, drawn: 0 }),
    'a fault rule named __proto__': (found) =>
      (rulesIn(found)[0] = JSON.parse(JSON.stringify(rulesIn(found)[0]).replace('{', '{"__proto__":{},'))),
    'a snapshot in year 10000 by its zone': (found) => (snapshotIn(found).createdAt = '9999-12-31T23:59:59.999-23:59'),
    'a snapshot before year 0 by its zone': (found) => (snapshotIn(found).createdAt = '0000-01-01T00:00:00+23:59'),
    'a snapshot of no day': (found) => (snapshotIn(found).createdAt = '2026-02-30T00:00:00Z'),
    'an export in year 10000': (found) => (found.head.exportedAt = '9999-12-31T23:59:59-00:01'),
    'an exchange in year 10000': (found) => (found.exchanges[0].at = '9999-12-31T23:59:59-00:01'),
    'an exchange that ended in year 10000': (found) => (found.exchanges[0].respondedAt = '9999-12-31T23:59:59-00:01'),
    'an exchange whose effect has an unknown field': (found) => (found.exchanges[0].changes = { created: [], more: 1 }),
    'an exchange whose effect is beyond int64': (found) =>
      (found.exchanges[0].changes = { created: ['9223372036854775808'] }),
    'an exchange whose effect has no text': (found) => (found.exchanges[0].changes = { created: [1] }),
    'an exchange that begins beyond all time': (found) => (found.exchanges[0].startMs = 1e308),
    'an exchange that lasts beyond all time': (found) => (found.exchanges[0].durationMs = 1e308),
    'an exchange of a status beyond HTTP': (found) => (found.exchanges[0].status = 1e9),
    'an exchange with a delay beyond 53 bits': (found) => (found.exchanges[0].delayMs = 1e300),
    'an exchange with an unknown field': (found) => (found.exchanges[0].more = 1),
    'an exchange with a header that is no text': (found) => (found.exchanges[0].request.headers.Accept = ['*/*']),
    'an exchange with a violation that is none': (found) => (found.exchanges[0].violations = [1]),
    'an exchange of an unknown operation': (found) => (found.exchanges[0].operation = 'toString'),
    ...Object.fromEntries(
      texts(
        '@evil.example/v1/pets | evil |  | http://evil.example/v1/pets | * | /v1/pets HTTP/1.1',
        '/a\r\nHost: b | /\0',
      ).map((target) => [`an exchange to ${JSON.stringify(target)}`, (found) => (found.exchanges[0].target = target)]),
    ),
    ...Object.fromEntries(
      ['', 'get', 'GET /', 'TRACEROUTE', 'GET\r\nX: y', '-X', 1].map((method) => [
        `an exchange with the method ${JSON.stringify(method)}`,
        (found) => (found.exchanges[0].method = method),
      ]),
    ),
    ...Object.fromEntries(
      texts(
        'Host | host | Cookie | Transfer-Encoding | Connection | Upgrade | Proxy-Authorization | X y | ',
        'Accept\r\nX',
      ).map((name) => [
        `an exchange with the header ${JSON.stringify(name)}`,
        (found) => (found.exchanges[0].request.headers[name] = 'x'),
      ]),
    ),
    'an exchange with a header of two lines': (found) => (found.exchanges[0].request.headers.Accept = 'a\r\nCookie: b'),
    'a response with a header of two lines': (found) => (found.exchanges[0].response.headers['Content-Type'] = 'a\nb'),
    'a response with a header that has no name': (found) => (found.exchanges[0].response.headers['a b'] = 'c'),
    'a start beyond all time': (found) => (startIn(found).ms = 1e308),
    'a start before all time': (found) => (startIn(found).ms = -1e308),
    'a step beyond all time': (found) => startIn(found).steps.push({ ms: 1e308, clock: null }),
    'a step with pets beyond int64': (found) =>
      startIn(found).steps.push({ ms: 1, pets: ['1', '9223372036854775808'] }),
    'a clock beyond year 9999': (found) =>
      (lineWith(found, 'clock').set.clock = { offset: 0, frozenAt: 253402300800000 }),
    'a clock with an unknown field': (found) =>
      (lineWith(found, 'clock').set.clock = { offset: 0, frozenAt: null, more: 1 }),
    'a clock that is off by a fraction': (found) =>
      (lineWith(found, 'clock').set.clock = { offset: 0.5, frozenAt: null }),
    'a label of 201 characters': (found) => (found.log[0].set.label = 'x'.repeat(201)),
    'a snapshot without a name': (found) => (snapshotIn(found).snapshot = ''),
    'a snapshot named __proto__': (found) => (snapshotIn(found).snapshot = '__proto__'),
    'two snapshots of one name': (found) => found.log.push(snapshotIn(found)),
    'a fixture whose pets are not in the order of their ids': (found) =>
      found.fixtures[0].pets.push({ id: 1, name: 'Zoe', categoryId: 1 }),
    'a fixture with the same pet twice': (found) => found.fixtures[0].pets.push(found.fixtures[0].pets[0]),
    'a fixture with a next id beyond int64': (found) => (found.fixtures[0].nextId = '9223372036854775809'),
    'a fixture that nothing has': (found) => (found.fixtures[0].fixture = 'other'),
    'a fixture that nothing needs': (found) =>
      found.fixtures.push({ fixture: 'unused', description: '', nextId: '1', pets: [] }),
    'pets that come before those there are': (found) =>
      found.log.push({ pets: [{ id: 4, name: 'Zoe', categoryId: 1 }] }),
    'a fork of another id': (found) => (found.log[0].begin.id = 'key_1'),
    'a reset to no snapshot': (found) => found.log.push({ reset: { snapshot: 'none' }, ms: 1 }),
    'more exchanges before it than pets': (found) => (found.head.baseline = 1e9),
    ...Object.fromEntries(
      [
        { drill: 'no-such' },
        { outcome: { success: true, crashed: false } },
        { outcome: { success: true, crashed: false, at: '9999-12-31T23:59:59-00:01' } },
        { startedAt: '9999-12-31T23:59:59-00:01' },
        { more: 1 },
      ].map((wrong): [string, Edit] => [
        `a drill with ${JSON.stringify(wrong)}`,
        (found) => found.log.push({ set: { drill: { ...DRILL, ...wrong } }, ms: 1 }),
      ]),
    ),
  },
};

const DRILL = {
  ...{ drill: 'lost-create', startedAt: '2026-11-23T00:00:00.000Z', petName: 'Drill-1', outcome: null, faults: [] },
};
const rulesIn = (found: Parts) => lineWith(found, 'faults').set.faults;
const startIn = (found: Parts) => lineWith(found, 'start').start;
const snapshotIn = (found: Parts) => lineWith(found, 'snapshot');
const ruleOf = (found: Parts, more: object): Record<string, unknown> => ({ ...rulesIn(found)[0], ...more });
const without = (rule: Record<string, unknown>, field: string) =>
  Object.fromEntries(Object.entries(rule).filter(([name]) => name !== field && name !== 'retryAfter'));

test('what is accepted outlives a restart, and its export is accepted again', { timeout: limit(60_000) }, async () => {
  const host = await Restarting.start();
  const accepted: { key: string; text: string }[] = [];
  for (const [name, edit] of Object.entries(EDITS.accepted)) {
    const found = await imported(host.server, edited(edit));
    if (found === undefined) throw new Error(`a recording with ${name} is rejected`);
    accepted.push(found);
  }
  await expectToLast(host, accepted);
});

test('what is rejected leaves nothing behind', { timeout: limit(60_000) }, async () => {
  const host = await Restarting.start();
  const before = await host.files();
  const accepted: string[] = [];
  for (const [name, edit] of Object.entries(EDITS.rejected))
    if (await imported(host.server, edited(edit))) accepted.push(name);
  expect(accepted).toEqual([]);
  expect(await host.files()).toEqual(before);
});

test('whatever an import accepts of changed recordings, a restart opens', { timeout: limit(120_000) }, async () => {
  const host = await Restarting.start();
  const random = randomFrom(20_261_123);
  const accepted: { key: string; text: string }[] = [];
  for (let n = 0; n < 400; n++) {
    const changed = [changedAt(linesIn(original).slice(0, -1), random)].flat();
    const found = await imported(host.server, whole(changed));
    if (found) accepted.push(found);
  }
  expect(accepted.length).toBeGreaterThan(20);
  await expectToLast(host, accepted);
});

const linesIn = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The places of all values, of the first two items of each list. */
function* placesIn(value: unknown, path: readonly string[] = []): Generator<readonly string[], void> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const key of Array.isArray(value) ? Object.keys(value).slice(0, 2) : Object.keys(value))
    yield* placesIn((value as Record<string, unknown>)[key], [...path, key]);
}

test('a recording with a wrong type anywhere is an error of its sender, and changes nothing else', {
  timeout: limit(120_000),
}, async () => {
  const server = await startTestServer();
  const places = linesIn(original).flatMap((line, n) => [...placesIn(line)].map((path) => [String(n), ...path]));
  expect(places.length).toBeGreaterThan(100);
  for (const path of places) {
    for (const wrong of [{ toString: 1 }, [null], 'x\u202e', -1e300]) {
      const found = linesIn(original);
      // biome-ignore lint/suspicious/noExplicitAny: any place of it
      const holder = path.slice(0, -1).reduce((inner, key) => inner[key], found as any);
      holder[path.at(-1) as string] = wrong;
      const { status, text } = await server
        .client()
        .importRecording(found.map((each) => JSON.stringify(each)).join('\n'));
      expect(status < 500, `${path.join('/')}: ${text}`).toBe(true);
    }
  }
  expect((await server.client().get('/_sandbox/health')).status).toBe(200);
});
