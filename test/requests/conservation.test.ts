/**
 * The law of conservation: whatever a client sends ends in exactly one count, in every way to a verdict, and what is not
 * known makes that verdict incomplete. Random traffic, the same for the same seed.
 */
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { planMemory } from '../../src/core/memory.ts';
import { readRecording } from '../../src/recording/read.ts';
import { replay } from '../../src/recording/replay.ts';
import { replayResults } from '../../src/recording/replay-results.ts';
import type { Report } from '../../src/report/report.ts';
import { type Account, type AccountKind, KIND_WORDS } from '../../src/requests/account.ts';
import { startTarget } from '../../src/server/replay-target.ts';
import { overHttp } from '../mcp/connect.ts';
import type { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { harReport } from '../support/har.ts';
import { randomFrom } from '../support/random.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { dial, exchangeBytes, readReplies } from '../support/wire.ts';

type Counts = Partial<Record<AccountKind, number>>;

/** One thing that a client does, and where its requests end. */
interface Deed {
  readonly name: string;
  /** Of requests that belong to the sandbox, and of others. */
  readonly own?: Counts;
  readonly others?: Counts;
  do(client: Client): Promise<unknown>;
}

const head = ({ key }: Client): string => `Host: a\r\nAuthorization: Bearer ${key}\r\n`;
const bytes =
  (text: (client: Client) => string) =>
  (client: Client): Promise<unknown> =>
    exchangeBytes(client.url, text(client));
const JSON_BODY = 'Content-Type: application/json\r\n';
const PET = { name: 'Rex', categoryId: 7 };
const one = (kind: AccountKind): Counts => ({ [kind]: 1 });

/** Bytes in several packets: each goes when the one before was sent. */
async function packets(client: Client, ...texts: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(client.url);
  // It goes on sending when the server has said its last.
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
  const replies = readReplies(socket);
  for (const text of texts) {
    await new Promise((done) => socket.write(text, done));
    await new Promise((done) => setTimeout(done, 5));
  }
  socket.end();
  await replies;
}

async function leave(client: Client, text: string): Promise<void> {
  const socket = await dial(client.url);
  await new Promise((done) => socket.write(text, done));
  // The server has begun it before the client leaves.
  await new Promise((done) => setTimeout(done, 20));
  const closed = new Promise((done) => socket.once('close', done));
  socket.resetAndDestroy();
  await closed;
}

const deed = (name: string, own: Counts, act: Deed['do']): Deed => ({ name, own, do: act });
const foreign = (name: string, others: Counts, act: Deed['do']): Deed => ({ name, others, do: act });

const DEEDS: readonly Deed[] = [
  deed('a list', one('validated'), (client) => client.get('/v1/pets?limit=5')),
  deed('a create', one('validated'), (client) => client.post('/v1/pets', PET)),
  deed('a deprecated get', one('validated'), (client) => client.get('/v1/pets/1')),
  deed('an invalid limit', one('validated'), (client) => client.get('/v1/pets?limit=0')),
  deed('a body that is no JSON', one('validated'), (client) => client.post('/v1/pets', '{')),
  deed('a body over the limit', one('validated'), (client) =>
    client.post('/v1/pets', { ...PET, name: 'x'.repeat(2_000_000) }).catch(() => undefined),
  ),
  deed('an expected rejection', one('expectedInvalid'), (client) =>
    client.get('/v1/pets?limit=0', { 'Sandbox-Expect': 'invalid' }),
  ),
  deed('an expected unknown path', one('expectedInvalid'), (client) =>
    client.get('/v1/nothing', { 'Sandbox-Expect': 'invalid' }),
  ),
  deed('an injected status', one('injected'), (client) => client.get('/v1/pets', { 'Sandbox-Fault': 'status=503' })),
  deed('an injected reset', one('injected'), (client) =>
    client.get('/v1/pets', { 'Sandbox-Fault': 'connection=reset' }).catch(() => undefined),
  ),
  deed('one of the dashboard', one('skipped'), (client) => client.get('/v1/pets', { 'Sandbox-Source': 'dashboard' })),
  deed('OPTIONS with a key', one('skipped'), (client) => client.send({ method: 'OPTIONS', path: '/v1/pets' })),
  deed('HEAD', one('notValidated'), (client) => client.send({ method: 'HEAD', path: '/v1/pets' })),
  deed('an unknown path', one('notRecognized'), (client) => client.get('/v1/nothing')),
  deed('a path outside', one('notRecognized'), (client) => client.get('/api/v1/pets')),
  deed('another method', one('notRecognized'), (client) => client.delete('/v1/pets/1')),
  deed(
    'a blank',
    one('malformed'),
    bytes((client) => `GET /v1/pets?a b HTTP/1.1\r\n${head(client)}\r\n`),
  ),
  deed('a large head', one('malformed'), (client) =>
    packets(client, `GET /v1/pets HTTP/1.1\r\n${head(client)}X: `, 'a'.repeat(12_000), `${'a'.repeat(9_000)}\r\n\r\n`),
  ),
  deed('a blank, and the key in the next packet', one('malformed'), (client) =>
    packets(client, 'GET /v1/pets?a b HTTP/1.1\r\nHost: a\r\nAuthorization: ', `Bearer ${client.key}\r\n\r\n`),
  ),
  deed(
    'two chunks, the second broken',
    one('malformed'),
    bytes(
      (client) =>
        `POST /v1/pets HTTP/1.1\r\n${head(client)}${JSON_BODY}Transfer-Encoding: chunked\r\n\r\n2\r\n{"\r\nzz\r\n`,
    ),
  ),
  deed(
    'an expectation',
    one('malformed'),
    bytes((client) => `GET /v1/pets HTTP/1.1\r\n${head(client)}Expect: x\r\nConnection: close\r\n\r\n`),
  ),
  deed('CONNECT, and others behind it', { malformed: 1, notValidated: 2 }, (client) => {
    const next = `GET /v1/pets HTTP/1.1\r\n${head(client)}\r\n`;
    return packets(client, `CONNECT a:1 HTTP/1.1\r\n${head(client)}\r\n${next}`, next);
  }),
  deed(
    'an upgrade, and one behind it',
    { validated: 1, notValidated: 1 },
    bytes((client) => {
      const next = `GET /v1/pets HTTP/1.1\r\n${head(client)}\r\n`;
      return `GET /v1/pets HTTP/1.1\r\n${head(client)}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n${next}`;
    }),
  ),
  deed(
    'a malformed one that is expected',
    one('expectedInvalid'),
    bytes((client) => `GET /v1/pets?a b HTTP/1.1\r\n${head(client)}Sandbox-Expect: invalid\r\n\r\n`),
  ),
  deed(
    'one behind a malformed one',
    { malformed: 1, notValidated: 2 },
    bytes((client) => {
      const next = `GET /v1/pets/1 HTTP/1.1\r\n${head(client)}\r\n`;
      return `GET /v1/pets?a b HTTP/1.1\r\n${head(client)}\r\n${next}${next}`;
    }),
  ),
  deed('one behind a malformed one, in later packets', { malformed: 1, notValidated: 2 }, (client) => {
    const next = `GET /v1/pets/1 HTTP/1.1\r\n${head(client)}\r\n`;
    const malformed = `GET /v1/pets?a b HTTP/1.1\r\n${head(client)}\r\n`;
    return packets(client, malformed, next.slice(0, 10), next.slice(10, 70), `${next.slice(70)}${next}`);
  }),
  deed('several on a connection', { validated: 3 }, (client) =>
    exchangeBytes(
      client.url,
      `GET /v1/pets HTTP/1.1\r\n${head(client)}\r\n`.repeat(2) +
        `GET /v1/pets HTTP/1.0\r\n${head(client)}Connection: close\r\n\r\n`,
    ),
  ),
  deed(
    'one behind the last',
    { validated: 1, notValidated: 1 },
    bytes((client) => `GET /v1/pets HTTP/1.1\r\n${head(client)}Connection: close\r\n\r\n`.repeat(2)),
  ),
  deed('a body that is cut off', one('validated'), (client) =>
    leave(client, `POST /v1/pets HTTP/1.1\r\n${head(client)}${JSON_BODY}Content-Length: 99\r\n\r\n{"name"`),
  ),
  foreign('no key', one('notValidated'), ({ url }) =>
    server
      .client()
      .get('/v1/pets')
      .then(() => url),
  ),
  foreign('a wrong key', one('notValidated'), (client) =>
    client.get('/v1/pets', { Authorization: 'Bearer petsbx_nobody' }),
  ),
  foreign('a preflight', one('skipped'), (client) => options(client)),
  foreign('a lost base path', one('notRecognized'), (client) =>
    exchangeBytes(client.url, 'GET /pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
  ),
  foreign('no HTTP', one('malformed'), (client) => exchangeBytes(client.url, 'HELLO\r\n\r\n')),
  foreign('a head that is cut off', one('malformed'), (client) =>
    leave(client, 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nX'),
  ),
];

const options = ({ url }: Client): Promise<unknown> =>
  exchangeBytes(
    url,
    'OPTIONS /v1/pets HTTP/1.1\r\nHost: a\r\nOrigin: http://a\r\nAccess-Control-Request-Method: GET\r\nConnection: close\r\n\r\n',
  );

const server: TestServer = await startTestServer();

const KINDS = Object.keys(KIND_WORDS) as AccountKind[];
/** Where nothing is known of a request, or of the client's part of it. */
const UNKNOWN: readonly AccountKind[] = ['notValidated', 'notRecognized', 'malformed', 'dropped'];

const sumOf = (all: readonly (Counts | undefined)[]): Record<AccountKind, number> =>
  Object.fromEntries(
    KINDS.map((kind) => [kind, all.reduce((sum, counts) => sum + (counts?.[kind] ?? 0), 0)]),
  ) as Record<AccountKind, number>;
const totalOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The counts add up, and what is not known is not green. */
function holds({ account, verdict }: { readonly account: Account; readonly verdict: string }): void {
  expect(account.total).toBe(KINDS.reduce((sum, kind) => sum + account[kind], 0));
  if (UNKNOWN.some((kind) => account[kind] > 0)) expect(verdict).not.toMatch(/^(?:pass|same)$/);
}

const only = (account: Account): Counts => Object.fromEntries(KINDS.map((kind) => [kind, account[kind]]));

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
  'its recording, replayed': async (client) => {
    const { text } = await client.get('/_sandbox/export?format=recording');
    const found = await readRecording(Buffer.from(text));
    const { target, close } = await startTarget(found);
    try {
      return replayResults(await replay(found, target), '2026-11-22T10:00:00.000Z');
    } finally {
      await close();
    }
  },
};

async function holdsInEach(ways: readonly string[], client: Client, own: Counts = {}): Promise<void> {
  for (const way of ways) {
    const found = await (WAYS[way] as (typeof WAYS)[string])(client);
    expect([way, found.account.total]).toEqual([way, totalOf(own)]);
    holds(found);
  }
}

it.each(DEEDS)('counts $name where it belongs', async ({ own, others, do: act }) => {
  const client = await server.sandbox();
  await act(client);
  const sent = sumOf([own, others]);
  await expect.poll(async () => only((await client.get('/_sandbox/report?unmatched=true')).json.account)).toEqual(sent);
  holds((await client.get('/_sandbox/report?unmatched=true')).json);
  await holdsInEach(['the report', 'the preview of no change', 'its HAR'], client, own);
});

/** Every deed several times, in any order, some at once. */
async function traffic(client: Client, random: () => number, count: number): Promise<Deed[]> {
  const done = Array.from({ length: count }, () => DEEDS[Math.floor(random() * DEEDS.length)] as Deed);
  for (let at = 0; at < done.length; ) {
    const together = 1 + Math.floor(random() * 6);
    await Promise.all(done.slice(at, at + together).map((each) => each.do(client)));
    at += together;
  }
  return done;
}

it.each([1, 2])('adds up whatever a client sends at once (seed %i)', async (seed) => {
  const client = await server.sandbox();
  const done = await traffic(client, randomFrom(seed), 60);
  const sent = sumOf(done.flatMap(({ own, others }) => [own, others]));
  await expect.poll(async () => only((await client.get('/_sandbox/report?unmatched=true')).json.account)).toEqual(sent);
  await holdsInEach(Object.keys(WAYS), client, sumOf(done.map((each) => each.own)));
});

it('adds up when the log is small, and when the list of unmatched requests is full', async () => {
  const plan = planMemory({ limit: { bytes: 2 ** 30, source: 'machine' } as never, heap: 2 ** 29, maxBody: 2 ** 20 });
  const small = await startTestServer({ memory: { ...plan, requestLogs: 16 * 1024 } });
  await small.client().getMany(300, () => '/v1/pets');
  const client = await small.sandbox();
  await client.getMany(100, (n) => `/v1/pets?limit=${1 + (n % 100)}`);
  await small.client().getMany(250, () => '/v1/pets');
  await exchangeBytes(small.url, `OPTIONS /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  await small.client().getMany(310, () => '/v1/pets');
  const report: Report = (await client.get('/_sandbox/report?unmatched=true')).json;
  expect(only(report.account)).toEqual({ ...sumOf([]), validated: 100, notValidated: 499, dropped: 61, skipped: 1 });
  expect(report.verdict).toBe('incomplete');
  expect(report.reasons).toContain('61 unmatched requests are no longer in their list, which holds the last 500');
  expect(report.behavior.dropped).toBeGreaterThan(10);
  await holdsInEach(Object.keys(WAYS), client, { validated: 100 });
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

it('begins again at a restart, and says since when it counts', async () => {
  const folder = await newFolder();
  const settings = { data: folder, keys: ['petsbx_conservation_0123456789'] };
  const before = await startTestServer({ settings });
  const client = before.client(settings.keys[0]);
  await client.get('/v1/pets');
  const { account: first }: Report = (await client.get('/_sandbox/report')).json;
  expect(first.total).toBe(1);
  await before.end();
  const at = Date.now();
  const after = await startTestServer({ settings });
  onTestFinished(() => after.close());
  const again = after.client(settings.keys[0]);
  await again.get('/v1/pets');
  const { account, since }: Report = (await again.get('/_sandbox/report')).json;
  expect([account.total, Date.parse(since) >= at]).toEqual([1, true]);
});
