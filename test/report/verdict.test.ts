import { describe, expect, it } from 'vitest';
import controlApi from '../../src/generated/control-api.json' with { type: 'json' };
import { FORMATS, formatNames } from '../../src/report/formats/formats.ts';
import type { Report } from '../../src/report/report.ts';
import { reportResults } from '../../src/report/report-results.ts';
import { findingsOf } from '../../src/report/results.ts';
import type { Client } from '../support/client.ts';
import { documented } from '../support/documented.ts';
import { heldClock } from '../support/held-clock.ts';
import { startTestServer } from '../support/server.ts';
import { BROKEN_RESPONSE, factsOf, fetchReport, KINDS, reportOfVerdict, revokedKey, UNJUDGED } from './clients.ts';

const real = heldClock(Date.UTC(2026, 2, 2, 9, 30));

const server = await startTestServer({ clock: real });

/** A client that has done what its kind does. */
async function clientThat(kind: string): Promise<Client> {
  const client = await server.sandbox();
  await KINDS[kind]?.(client);
  return client;
}

const listPets = (report: Report) =>
  report.operations.find(({ operation }) => operation === 'listPets') as Report['operations'][number];
const shown = ({ verdict, reasons }: Report): unknown => [verdict, ...reasons];

const ASTRAY = [
  'fail',
  '3 requests match no operation',
  'no documented response was seen',
  '1 HEAD request was not validated',
];

const REJECTED = '1 request was rejected unexpectedly';

describe('the verdict', () => {
  it.each<[string, unknown[], unknown[]]>([
    ['passes the contract check', ['pass'], ['pass']],
    ['sees every documented response', ['pass'], ['fail', '1 use of a deprecated operation']],
    ['gets warnings', ['pass'], ['fail', '3 warnings', '1 use of a deprecated operation']],
    ['sends nothing', ['incomplete', 'no request was seen'], ['incomplete', 'no request was seen']],
    [
      'rounds integers',
      ['fail', '1 large integer came back rounded', REJECTED],
      [
        'fail',
        '1 large integer came back rounded',
        '1 unexpected rejection',
        '1 warning',
        '1 use of a deprecated operation',
        REJECTED,
      ],
    ],
    [
      'asks for faults',
      ['incomplete', 'no documented response was seen'],
      ['incomplete', 'no documented response was seen'],
    ],
    ['goes astray', ASTRAY, ASTRAY],
  ])('on a client that %s is %j, and in a strict report %j', async (kind, lenient, strict) => {
    const client = await clientThat(kind);
    expect(shown(await factsOf(client))).toEqual(lenient);
    const report = await factsOf(client, true);
    expect(shown(report)).toEqual(strict);
    expect(report.strict).toBe(true);
  });

  it('is incomplete where the validator failed or the sandbox broke the specification, and still fails where the client did', () => {
    const validationError = reportOfVerdict(UNJUDGED);
    expect(shown(validationError)).toEqual(['incomplete', '1 request could not be validated: the validator <broke>']);
    const broken = reportOfVerdict(BROKEN_RESPONSE);
    expect(shown(broken)).toEqual(['incomplete', '1 response of the sandbox broke the specification']);
    expect([broken.totals.violations, broken.totals.brokenResponses]).toEqual([0, 1]);
    const [violation] = BROKEN_RESPONSE.violations;
    const both = reportOfVerdict({
      violations: [{ ...violation, side: 'request' } as never, violation as never],
      warnings: [],
    });
    expect(shown(both)).toEqual([
      'fail',
      '1 violation of the specification',
      '1 response of the sandbox broke the specification',
    ]);
    expect(both.incompleteReasons).toEqual(['1 response of the sandbox broke the specification']);
  });

  it('passes a right client, strictly too, whatever faults it met', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets?limit=2&status=available');
    for (const name of ['Rex', 'Tom', 'Tom']) await client.post('/v1/pets', { name, categoryId: 1, status: 'sold' });
    await client.post('/v1/pets', { name: 'Ada', categoryId: 1 }, { 'Sandbox-Fault': 'status=503' });
    await client.post('/v1/pets', { name: 'Ada', categoryId: 1 });
    await client.get('/v1/pets?limit=100');
    const facts = await factsOf(client, true);
    expect([shown(facts), findingsOf(reportResults(facts))]).toEqual([['pass'], []]);
    expect((await fetchReport(client, 'sarif', true)).json.runs[0].results).toEqual([]);
    expect((await fetchReport(client, 'junit', true)).text).not.toMatch(/<failure|<error|system-out/);
  });

  it('is incomplete where more was handed out than could be watched', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    for (let i = 0; i < 21; i++) {
      await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          client.post('/v1/pets', `{"name":"Rex","categoryId":${2n ** 60n + 1_024n * BigInt(50 * i + n) + 1n}}`),
        ),
      );
    }
    const { verdict, incompleteReasons } = await factsOf(client);
    expect([verdict, incompleteReasons]).toEqual([
      'incomplete',
      [expect.stringMatching(/^there was no room to watch \d+ large integers for rounding$/)],
    ]);
  });
});

describe('the report', () => {
  it('says which documented responses were never seen, and how to see them', async () => {
    const { coverage } = await factsOf(await clientThat('passes the contract check'));
    const seen = ['listPets 200', 'createPet 201'];
    expect([coverage.documented, coverage.seen]).toEqual([documented.length, seen.length]);
    expect(coverage.untested.map(({ operation, status }) => `${operation} ${status}`)).toEqual(
      documented.filter((each) => !seen.includes(each)),
    );
    const missing = coverage.untested.find(({ operation, status }) => `${operation} ${status}` === 'getPet 404');
    expect(missing?.hint).toBe('ask for an id that no pet has');
    const all = await factsOf(await clientThat('sees every documented response'));
    expect(all.coverage).toEqual({ documented: documented.length, seen: documented.length, untested: [] });
  });

  it('counts the 401 of a revoked and of an expired key, and not that of an unknown one or of none', async () => {
    const client = await server.sandbox();
    const seen = async () => listPets(await factsOf(client)).responses.find(({ status }) => status === 401)?.seen;
    const get = (Authorization: string | undefined) =>
      server.client().get('/v1/pets', Authorization ? { Authorization } : {});
    expect((await get(undefined)).status).toBe(401);
    expect((await get('Bearer petsbx_unknown')).status).toBe(401);
    expect(await seen()).toBe(0);
    expect((await get(`Bearer ${await revokedKey(client)}`)).status).toBe(401);
    expect(await seen()).toBe(1);
    const { key } = (await client.post('/_sandbox/keys', { shared: true, ttlSeconds: 60 })).json;
    real.time += 61_000;
    expect((await get(`Bearer ${key}`)).status).toBe(401);
    expect(await seen()).toBe(2);
  });

  it('counts on when the request log drops its oldest exchanges', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets?limit=500');
    await client.getMany(1_050, () => '/v1/pets?limit=1');
    expect((await client.get('/_sandbox/requests?violations=true')).json.requests).toEqual([]);
    const report = await factsOf(client);
    expect([report.verdict, report.totals.exchanges, report.totals.violations]).toEqual(['fail', 1_051, 1]);
  });

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['its request log is cleared', (client) => client.delete('/_sandbox/requests')],
    ['its sandbox is reset with its request log', (client) => client.post('/_sandbox/reset', { requestLog: true })],
  ])('begins again when %s', async (_what, clear) => {
    const client = await clientThat('breaks the specification');
    real.time += 5_000;
    await clear(client);
    const report = await factsOf(client);
    expect(shown(report)).toEqual(['incomplete', 'no request was seen']);
    expect([report.since, report.totals.violations]).toEqual([new Date(real.time).toISOString(), 0]);
  });

  it('goes on over a reset that leaves the request log', async () => {
    const client = await clientThat('breaks the specification');
    await client.post('/_sandbox/reset');
    expect((await factsOf(client)).verdict).toBe('fail');
  });

  it('knows nothing of another sandbox', async () => {
    const [broken, kept] = await Promise.all([
      clientThat('breaks the specification'),
      clientThat('passes the contract check'),
    ]);
    const [one, other] = [await factsOf(broken), await factsOf(kept)];
    expect([one.verdict, other.verdict]).toEqual(['fail', 'pass']);
    expect([one.totals.exchanges, other.totals.exchanges]).toEqual([22, 2]);
    expect(one.sandbox).not.toBe(other.sandbox);
    expect(other.operations.flatMap(({ violations, warnings }) => [...violations, ...warnings])).toEqual([]);
  });

  it('goes to the admin for any sandbox, in the formats that the program has, and in no other', async () => {
    const client = await clientThat('breaks the specification');
    const { sandbox } = await factsOf(client);
    const admin = server.client(server.adminToken);
    expect((await admin.get(`/_sandbox/report?sandbox=${sandbox}`)).json.verdict).toBe('fail');
    const rejected = await client.get('/_sandbox/report?format=pdf');
    expect([rejected.status, rejected.json.message]).toEqual([400, expect.stringContaining(formatNames.join(', '))]);
    const { parameters, responses } = controlApi.paths['/report'].get;
    expect(parameters.flatMap(({ schema: { enum: names } }) => (names ? [names] : []))).toEqual([formatNames]);
    const types = Object.values(FORMATS).map(({ mediaType }) => mediaType.split(';')[0]);
    expect(Object.keys(responses['200'].content).sort()).toEqual([...new Set(types)].sort());
  });
});
