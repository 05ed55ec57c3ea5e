/**
 * The law of conservation: whatever a client sends ends in exactly one count, in every way to a verdict, and what is not
 * known makes that verdict incomplete. Random traffic, the same for the same seed.
 */
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { planMemory } from '../../src/base/memory.ts';
import { type Account, type AccountKind, KIND_WORDS } from '../../src/traffic/account.ts';
import type { Report } from '../../src/verdict/report/report.ts';
import { overHttp } from '../server/mcp/connect.ts';
import type { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { harReport } from '../support/har.ts';
import { randomFrom } from '../support/random.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { dial, exchangeBytes, headOf, postOf, readReplies } from '../support/wire.ts';

type Counts = Partial<Record<AccountKind, number>>;

/** Where the requests end that belong to the sandbox, what a client does, and where others end. */
type Deed = readonly [own: Counts, act: (client: Client) => Promise<unknown>, others?: Counts];

const server = await startTestServer();

const PET = { name: 'Rex', categoryId: 7 };
const LARGE = { ...PET, name: 'x'.repeat(2_000_000) };
const JSON_TYPE = 'Content-Type: application/json';
const CHUNKED = 'Transfer-Encoding: chunked';
const CLOSE = 'Connection: close';
const LONG = 'Content-Length: 99';
const FORM = 'Content-Type: application/x-www-form-urlencoded';
const BEGUN = '{"name":"Rex","categoryId":1}';
const A_CHUNK = `${BEGUN.length.toString(16)}\r\n${BEGUN}\r\n`;
const PREFLIGHT = { Origin: 'http://a', 'Access-Control-Request-Method': 'GET' };
const RESET = { 'Sandbox-Fault': 'connection=reset' };
const INVALID = { 'Sandbox-Expect': 'invalid' };
const VALIDATED = { validated: 1 };
const EXPECTED = { expectedInvalid: 1 };
const INJECTED = { injected: 1 };
const SKIPPED = { skipped: 1 };
const UNKNOWN = { notValidated: 1 };
const ASTRAY = { notRecognized: 1 };
const MALFORMED = { malformed: 1 };

const raw = (c: Client, text: string): Promise<unknown> => exchangeBytes(c.url, text);
const list = (c: Client, ...headers: readonly string[]): string => headOf(c, 'GET /v1/pets', ...headers);
const post = (c: Client, ...headers: readonly string[]): string => headOf(c, 'POST /v1/pets', JSON_TYPE, ...headers);
const withBlank = (c: Client, ...headers: readonly string[]): string => headOf(c, 'GET /v1/pets?a b', ...headers);
/** The address of a sandbox. */
const addressOf = async (c: Client): Promise<string> => `/${(await c.get('/_sandbox')).json.id}`;

/** The server's ends of the connections, by the port of the client. */
const accepted = new Map<number, Socket>();
subscribe('net.server.socket', (message) => {
  const { socket } = message as { socket: Socket };
  accepted.set(socket.remotePort as number, socket);
});

/** Sends bytes, and waits until the server has read all that came on this connection. */
async function sendRead(socket: Socket, text: string): Promise<void> {
  socket.write(text);
  const isRead = (end = accepted.get(socket.localPort as number)): boolean =>
    end !== undefined && (end.destroyed || end.bytesRead >= socket.bytesWritten);
  while (!isRead()) await nextTurn();
}

/** Bytes in several packets: each goes when the one before was read. */
async function packets({ url }: Client, ...texts: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(url);
  // It goes on sending when the server has said its last.
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
  const replies = readReplies(socket);
  await once(socket, 'connect');
  for (const text of texts) await sendRead(socket, text);
  socket.end();
  await replies;
}

/** Leaves in the turn in which the server has read this, or after something else. */
async function leave({ url }: Client, text: string, after?: () => Promise<unknown>): Promise<void> {
  const socket = await dial(url);
  await sendRead(socket, text);
  await after?.();
  const closed = once(socket, 'close');
  socket.resetAndDestroy();
  await closed;
}

const DEEDS: Readonly<Record<string, Deed>> = {
  'a list': [VALIDATED, (c) => c.get('/v1/pets?limit=5')],
  'a create': [VALIDATED, (c) => c.post('/v1/pets', PET)],
  'a deprecated get': [VALIDATED, (c) => c.get('/v1/pets/1')],
  'an invalid limit': [VALIDATED, (c) => c.get('/v1/pets?limit=0')],
  'a body that is no JSON': [VALIDATED, (c) => c.post('/v1/pets', '{')],
  'a body over the limit': [VALIDATED, (c) => c.post('/v1/pets', LARGE).catch(() => undefined)],
  'an expected rejection': [EXPECTED, (c) => c.get('/v1/pets?limit=0', INVALID)],
  'an expected unknown path': [EXPECTED, (c) => c.get('/v1/nothing', INVALID)],
  'an injected status': [INJECTED, (c) => c.get('/v1/pets', { 'Sandbox-Fault': 'status=503' })],
  'an injected reset': [INJECTED, (c) => c.get('/v1/pets', RESET).catch(() => undefined)],
  'one of the dashboard': [SKIPPED, (c) => c.get('/v1/pets', { 'Sandbox-Source': 'dashboard' })],
  'OPTIONS with a key': [SKIPPED, (c) => c.send({ method: 'OPTIONS', path: '/v1/pets' })],
  HEAD: [UNKNOWN, (c) => c.send({ method: 'HEAD', path: '/v1/pets' })],
  'an unknown path': [ASTRAY, (c) => c.get('/v1/nothing')],
  'a path outside': [ASTRAY, (c) => c.get('/api/v1/pets')],
  'another method': [ASTRAY, (c) => c.delete('/v1/pets/1')],
  'a blank': [{}, (c) => raw(c, withBlank(c)), MALFORMED],
  'a blank, at its address': [MALFORMED, async (c) => raw(c, withBlank(c).replace('/v1', `${await addressOf(c)}/v1`))],
  'a blank, and the rest in the next packet': [{}, (c) => packets(c, ...withBlank(c).split(/(?=Bearer)/)), MALFORMED],
  'a large head': [
    MALFORMED,
    (c) => packets(c, list(c, 'X: ').slice(0, -4), 'a'.repeat(12_000), `${'a'.repeat(9_000)}\r\n\r\n`),
  ],
  'two chunks, the second broken': [
    MALFORMED,
    (c) => raw(c, `${headOf(c, 'POST /v1/pets', JSON_TYPE, CHUNKED)}2\r\n{"\r\nzz\r\n`),
  ],
  'an expectation': [MALFORMED, (c) => raw(c, list(c, 'Expect: x', CLOSE))],
  // What comes behind these is not read: the connection closes.
  'CONNECT, and others behind it': [MALFORMED, (c) => packets(c, headOf(c, 'CONNECT a:1') + list(c), list(c))],
  'an upgrade, and one behind it': [VALIDATED, (c) => raw(c, list(c, 'Connection: Upgrade', 'Upgrade: h2c') + list(c))],
  'two behind a malformed one': [{}, (c) => raw(c, withBlank(c) + list(c).repeat(2)), MALFORMED],
  'two behind a malformed one, in later packets': [
    {},
    (c) => packets(c, withBlank(c), list(c).slice(0, 10), list(c).slice(10, 70), list(c).slice(70) + list(c)),
    MALFORMED,
  ],
  'several on a connection': [
    { validated: 3 },
    (c) => raw(c, list(c).repeat(2) + list(c, CLOSE).replace('HTTP/1.1', 'HTTP/1.0')),
  ],
  'one behind the last': [VALIDATED, (c) => raw(c, list(c, CLOSE).repeat(2)), MALFORMED],
  'one behind the last, at its address': [
    { validated: 1, notValidated: 1 },
    async (c) =>
      raw(
        c,
        list(c, CLOSE)
          .replace('/v1', `${await addressOf(c)}/v1`)
          .repeat(2),
      ),
  ],
  'a body that is cut off': [UNKNOWN, (c) => leave(c, post(c, LONG) + BEGUN)],
  'a body that is cut off between two chunks': [UNKNOWN, (c) => leave(c, post(c, CHUNKED) + A_CHUNK)],
  'a body that is cut off, and expected to be invalid': [
    UNKNOWN,
    (c) => leave(c, post(c, LONG, 'Sandbox-Expect: invalid') + BEGUN),
  ],
  'a form that is cut off': [UNKNOWN, (c) => leave(c, `${headOf(c, 'POST /v1/pets', FORM, LONG)}name=R`)],
  'a half-closed body': [UNKNOWN, (c) => packets(c, post(c, LONG), BEGUN)],
  'a body that is never sent': [UNKNOWN, (c) => leave(c, post(c, LONG, 'Expect: 100-continue'))],
  'a body that is cut off under an injected status': [
    UNKNOWN,
    (c) => leave(c, post(c, LONG, 'Sandbox-Fault: status=503') + BEGUN),
  ],
  'a body that is cut off during a delay': [
    UNKNOWN,
    (c) => leave(c, post(c, LONG, 'Sandbox-Fault: delay=20000') + BEGUN, () => c.get('/_sandbox/')),
  ],
  'a client that leaves during a delay': [
    INJECTED,
    (c) => leave(c, postOf(c, JSON.stringify(PET), 'Sandbox-Fault: delay=20000'), () => c.get('/_sandbox/')),
  ],
  'a list with a body': [VALIDATED, (c) => packets(c, list(c, 'Content-Length: 2'), '{}')],
  'a list with a body that is cut off': [UNKNOWN, (c) => leave(c, `${list(c, LONG)}{`)],
  'no key': [{}, () => server.client().get('/v1/pets'), UNKNOWN],
  'a wrong key': [{}, (c) => c.get('/v1/pets', { Authorization: 'Bearer petsbx_nobody' }), UNKNOWN],
  'a preflight': [{}, () => server.client().send({ method: 'OPTIONS', path: '/v1/pets', headers: PREFLIGHT }), SKIPPED],
  'a lost base path': [{}, () => server.client().get('/pets'), ASTRAY],
  'no HTTP': [{}, (c) => raw(c, 'HELLO\r\n\r\n'), MALFORMED],
  'a head that is cut off': [{}, (c) => leave(c, 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nX'), MALFORMED],
};

const KINDS = Object.keys(KIND_WORDS) as AccountKind[];
/** Where nothing is known of a request, or of the client's part of it. */
const IN_DOUBT: readonly AccountKind[] = ['notValidated', 'notRecognized', 'malformed', 'dropped'];

const sumOf = (...all: readonly (Counts | undefined)[]): Record<AccountKind, number> =>
  Object.fromEntries(
    KINDS.map((kind) => [kind, all.reduce((sum, counts) => sum + (counts?.[kind] ?? 0), 0)]),
  ) as Record<AccountKind, number>;

/** The counts add up, and what is not known is not green. */
function holds({ account, verdict }: { readonly account: Account; readonly verdict: string }): void {
  expect(account.total).toBe(KINDS.reduce((sum, kind) => sum + account[kind], 0));
  if (IN_DOUBT.some((kind) => account[kind] > 0)) expect(verdict).not.toMatch(/^(?:pass|same)$/);
}

/** Each way to a verdict of what a sandbox has in its log. */
const WAYS: Readonly<Record<string, (client: Client) => Promise<{ account: Account; verdict: string }>>> = {
  'the report': async (client) => (await client.get('/_sandbox/report')).json,
  'the report, strict': async (client) => (await client.get('/_sandbox/report?strict=true')).json,
  'the preview of a date': async (client) => (await client.get('/_sandbox/preview?at=2031-01-01')).json,
  'the preview of no change': async (client) => (await client.get('/_sandbox/preview?at=2026-01-01')).json,
  'the preview of a draft': async (client) => {
    const { text: body } = await client.get('/_sandbox/openapi.yaml');
    const headers = { 'Content-Type': 'application/yaml' };
    return (await client.send({ method: 'POST', path: '/_sandbox/preview', headers, body })).json;
  },
  'a verification': async (client) => {
    const { json } = await client.post('/_sandbox/requests/verify', { path: '/v1/pets', exactly: 1_000_000 });
    return { account: json.account, verdict: json.code };
  },
  'the verdict of an agent': async (client) => {
    const { data } = await (await overHttp(client.url, client.key)).call('verdict');
    return data;
  },
  // What a file leaves out, it counts as dropped.
  'its HAR': async (client) => {
    const { text } = await client.get('/_sandbox/export?format=har');
    return harReport(Buffer.from(text));
  },
};

/** All that a client did is in the counts, and each way to a verdict has what belongs to its sandbox. */
async function expectCounted(client: Client, deeds: readonly Deed[], ways = Object.keys(WAYS)): Promise<void> {
  const sent = sumOf(...deeds.flatMap(([own, , others]) => [own, others]));
  const reported = async (): Promise<Report> => (await client.get('/_sandbox/report?unmatched=true')).json;
  await expect.poll(async () => (await reported()).account).toMatchObject(sent);
  holds(await reported());
  const totalOf = (counts: Record<AccountKind, number>): number => Object.values(counts).reduce((a, b) => a + b, 0);
  const total = totalOf(sumOf(...deeds.map(([own]) => own)));
  // They may be of this client: no verdict is green, and a file, which cannot say more, counts them as dropped.
  const others = sumOf(...deeds.map(([, , each]) => each));
  const unattributed = totalOf(others) - others.skipped;
  for (const way of ways) {
    const found = await (WAYS[way] as (typeof WAYS)[string])(client);
    expect([way, found.account.total]).toEqual([way, total + (way === 'its HAR' ? unattributed : 0)]);
    holds(found);
    if (unattributed > 0) expect([way, found.verdict]).not.toEqual([way, expect.stringMatching(/^(?:pass|same)$/)]);
  }
}

it.each(Object.entries(DEEDS))('counts %s where it belongs', async (_, deed) => {
  const client = await server.sandbox();
  await deed[1](client);
  await expectCounted(client, [deed], ['the report', 'the preview of no change', 'its HAR']);
});

it.each([1, 2])('adds up whatever a client sends at once (seed %i)', async (seed) => {
  const client = await server.sandbox();
  const random = randomFrom(seed);
  const all = Object.values(DEEDS);
  const done = Array.from({ length: 60 }, () => all[Math.floor(random() * all.length)] as Deed);
  for (let at = 0; at < done.length; ) {
    const together = 1 + Math.floor(random() * 6);
    await Promise.all(done.slice(at, at + together).map(([, act]) => act(client)));
    at += together;
  }
  await expectCounted(client, done);
});

it('does not wait out a delay whose client left before it, during the write', async () => {
  const stored = await startTestServer({ settings: { data: await newFolder() } });
  const client = await stored.sandbox();
  await leave(client, postOf(client, JSON.stringify(PET), 'Sandbox-Fault: delay=60000; when=after'));
  await expectCounted(client, [[INJECTED, async () => undefined]], ['the report']);
});

it('adds up when the log is small, and when the list of unmatched requests is full', async () => {
  const plan = planMemory({ limit: { bytes: 2 ** 30, source: 'machine' } as never, heap: 2 ** 29 });
  const small = await startTestServer({ memory: { ...plan, requestLogs: 16 * 1024 } });
  await small.client().getMany(300, () => '/v1/pets');
  const client = await small.sandbox();
  await client.getMany(100, (n) => `/v1/pets?limit=${1 + (n % 100)}`);
  await small.client().getMany(250, () => '/v1/pets');
  await small.client().send({ method: 'OPTIONS', path: '/v1/pets' });
  await small.client().getMany(310, () => '/v1/pets');
  const { account, ...report }: Report = (await client.get('/_sandbox/report?unmatched=true')).json;
  expect(account).toMatchObject({ total: 661, notValidated: 499, skipped: 1 });
  expect(account.validated + account.dropped).toBe(161);
  expect(report.verdict).toBe('incomplete');
  expect(report.reasons).toContain('61 unmatched requests are no longer in their list, which holds the last 500');
  expect(account.dropped).toBeGreaterThan(61 + 10);
});

it('counts a request whose sandbox ends before its response among those of nobody', async () => {
  const [client, other] = [await server.sandbox(), await server.sandbox()];
  const slow = client.get('/v1/pets', { 'Sandbox-Fault': 'delay=300' });
  await expect.poll(async () => (await client.get('/_sandbox/')).status).toBe(200);
  await client.delete('/_sandbox/');
  await slow;
  const { requests } = (await other.get('/_sandbox/requests/unmatched')).json;
  expect(requests[0]).toMatchObject({ reason: 'unknown-key', path: '/v1/pets' });
});

describe('a request that is still being answered', () => {
  /** A bad create that is answered much later, though the pet is there when `when` says so. */
  const slowly = async (client: Client, when: 'before' | 'after'): Promise<{ answered: Promise<unknown> }> => {
    await client.get('/v1/pets');
    const fault = `delay=30000; when=${when}`;
    const answered = client.post('/v1/pets', { name: 'Rex' }, { 'Sandbox-Fault': fault }).catch(() => undefined);
    const issues = async (): Promise<string[]> => (await client.get('/_sandbox/issues')).json.reasons;
    await expect
      .poll(issues)
      .toEqual([expect.stringMatching(/^1 request is still being answered: POST \/v1\/pets \(req_/)]);
    return { answered };
  };

  it('leaves every verdict incomplete, and names it', async () => {
    const client = await server.sandbox();
    await slowly(client, 'after');
    const ways = Object.entries(WAYS).filter(([way]) => way !== 'its HAR');
    const found = await Promise.all(ways.map(async ([way, ask]) => [way, (await ask(client)).verdict]));
    for (const [way, verdict] of found) expect([way, verdict]).toEqual([way, expect.stringMatching(/incomplete/)]);
    const { runs } = (await client.get('/_sandbox/runs')).json;
    expect(runs).toMatchObject([{ verdict: 'incomplete', reasons: [expect.stringContaining('still being answered')] }]);
    const verify = async (query: object) => (await client.post('/_sandbox/requests/verify', query)).json;
    const [none, others] = await Promise.all([
      verify({ operation: 'createPet', exactly: 0 }),
      verify({ operation: 'listPets', exactly: 1 }),
    ]);
    expect(none).toMatchObject({
      code: 'verification_incomplete',
      message: expect.stringContaining('POST /v1/pets (req_'),
    });
    expect(others).toMatchObject({ matched: 1 });
    await client.get('/_sandbox/report?finish=true');
  });

  it.each(['before', 'after'] as const)(
    'is in the report at the end, which ends its delay %s it happens',
    async (when) => {
      const client = await server.sandbox();
      const { answered } = await slowly(client, when);
      const { verdict, reasons } = (await client.get('/_sandbox/report?finish=true')).json;
      expect([verdict, reasons]).toEqual(['fail', ['1 violation of the specification']]);
      await answered;
    },
  );
});

it('begins again at a restart, and is incomplete until the log is cleared', async () => {
  const settings = { data: await newFolder(), keys: ['petsbx_conservation_0123456789'] };
  const listing = async (of: TestServer): Promise<Client> => {
    const client = of.client(settings.keys[0]);
    await client.get('/v1/pets');
    return client;
  };
  const report = async (client: Client): Promise<Report> => (await client.get('/_sandbox/report')).json;
  const before = await startTestServer({ settings });
  expect(await report(await listing(before))).toMatchObject({ verdict: 'pass', account: { total: 1 } });
  await before.end();
  const after = await startTestServer({ settings });
  const client = await listing(after);
  const { account, since, reasons: why } = await report(client);
  expect([account.total, why]).toEqual([1, [expect.stringContaining(`requests before ${since} are unknown`)]]);
  for (const [way, ask] of Object.entries(WAYS))
    expect([way, (await ask(client)).verdict]).not.toEqual([way, expect.stringMatching(/^(?:pass|same)$/)]);
  const [{ reasons }, verify] = [
    (await client.get('/_sandbox/issues')).json,
    async (query: object) =>
      (await client.post('/_sandbox/requests/verify', { operation: 'createPet', ...query })).json,
  ];
  expect(reasons).toEqual(why);
  expect(await verify({ atMost: 0 })).toMatchObject({ code: 'verification_incomplete' });
  expect(await verify({ atMost: 0, since })).toMatchObject({ matched: 0 });
  // Another sandbox, the run that is now, and what comes after a clear are whole.
  const other = await after.sandbox();
  await other.get('/v1/pets');
  expect((await report(other)).verdict).toBe('pass');
  expect((await client.get('/_sandbox/report?run=last')).json.verdict).toBe('pass');
  // A run that its client named may have begun before the restart.
  await client.get('/v1/pets', { 'Sandbox-Run': 'checkout' });
  const unknown = expect.stringContaining(`requests before ${since} are unknown`);
  for (const way of ['report', 'preview'])
    expect((await client.get(`/_sandbox/${way}?run=checkout`)).json).toMatchObject({
      verdict: 'incomplete',
      reasons: [unknown],
    });
  expect((await client.get('/_sandbox/runs')).json.runs).toMatchObject([
    { run: 'checkout', verdict: 'incomplete', reasons: [unknown] },
    { verdict: 'pass' },
  ]);
  expect(await verify({ atMost: 0, run: 'checkout' })).toMatchObject({ code: 'verification_incomplete' });
  expect(await verify({ atMost: 0, run: 'checkout', since })).toMatchObject({ matched: 0 });
  await client.post('/_sandbox/reset', {});
  expect((await report(client)).verdict).toBe('incomplete');
  await client.delete('/_sandbox/requests');
  await client.get('/v1/pets');
  expect((await report(client)).verdict).toBe('pass');
});
