import { describe, expect, it } from 'vitest';
import controlApi from '../../../src/base/generated/control-api.json' with { type: 'json' };
import { FORMATS, formatNames } from '../../../src/verdict/report/formats/formats.ts';
import type { Report } from '../../../src/verdict/report/report.ts';
import { reportResults } from '../../../src/verdict/report/report-results.ts';
import { findingsOf } from '../../../src/verdict/report/results.ts';
import type { Client } from '../../support/client.ts';
import { heldClock } from '../../support/held-clock.ts';
import { startTestServer } from '../../support/server.ts';
import { BROKEN_RESPONSE, factsOf, KINDS, reportOfVerdicts, revokedKey } from './clients.ts';

const real = heldClock(Date.UTC(2026, 2, 2, 9, 30));

const server = await startTestServer({ clock: real });

/** A client that has done what its kind does. */
async function clientThat(kind: string): Promise<Client> {
  const client = await server.sandbox();
  await KINDS[kind]?.(client);
  return client;
}

const shown = ({ verdict, reasons }: Report): unknown => [verdict, ...reasons];

const NOTHING = ['incomplete', 'no request was seen'];
const UNSEEN = 'no documented response was seen';
const ASTRAY = [
  'fail',
  '3 requests match no operation',
  UNSEEN,
  '1 request could not be validated: a response to HEAD has no body to validate',
];
const [DEPRECATED, ROUNDED] = ['1 use of a deprecated operation', '1 large integer came back rounded'];
const REJECTED = '1 request was rejected unexpectedly';

describe('the verdict', () => {
  it.each<[string, unknown[], unknown[]]>([
    ['passes the contract check', ['pass'], ['pass']],
    ['sees every documented response', ['pass'], ['fail', DEPRECATED]],
    ['gets warnings', ['pass'], ['fail', '3 warnings', DEPRECATED]],
    ['sends nothing', NOTHING, NOTHING],
    ['rounds integers', ['fail', ROUNDED, REJECTED], ['fail', ROUNDED, REJECTED, '1 warning', DEPRECATED]],
    ['asks for faults', ['incomplete', UNSEEN], ['incomplete', UNSEEN]],
    ['goes astray', ASTRAY, ASTRAY],
  ])('on a client that %s is %j, and in a strict report %j', async (kind, lenient, strict) => {
    const client = await clientThat(kind);
    expect(shown(await factsOf(client))).toEqual(lenient);
    const report = await factsOf(client, true);
    expect(shown(report)).toEqual(strict);
    expect(report.strict).toBe(true);
  });

  it('fails where the client broke the specification, although the sandbox did, too', () => {
    const [violation] = BROKEN_RESPONSE.violations;
    const ofClient = { ...violation, side: 'request' } as never;
    const both = reportOfVerdicts({ violations: [ofClient, violation as never], warnings: [] });
    const ofServer = '1 response of the server broke the specification';
    expect(shown(both)).toEqual(['fail', '1 violation of the specification', ofServer]);
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
  });

  it('is incomplete where a fault rule tested nothing, but not where chance decides', async () => {
    const client = await server.sandbox();
    await client.post('/_sandbox/faults', { operation: 'createPet', status: 503, probability: 0.5, seed: 1 });
    await client.post('/_sandbox/faults', { limit: { requests: 9, seconds: 9 } });
    const { id } = (await client.post('/_sandbox/faults', { operation: 'createPet', query: 'x=1', status: 503 })).json;
    await client.get('/v1/pets?limit=2&status=available');
    const rule = `${id} (operation=createPet; query=x=1; status=503)`;
    const facts = await factsOf(client);
    expect(shown(facts)).toEqual(['incomplete', `no request triggered the fault rule ${rule}`]);
    expect(facts.counts).toMatchObject({ untriggeredFault: 1, untriggeredByChance: 2 });
    expect(reportResults(facts).notes.join()).toMatch(/operation=createPet; status=503.*limit=9\/9/);
    await client.delete(`/_sandbox/faults/${id}`);
    expect(shown(await factsOf(client))).toEqual(['pass']);
    const used = (await client.post('/_sandbox/faults', { operation: 'listPets', status: 503, times: 1 })).json;
    await client.get('/v1/pets?limit=2&status=available');
    expect([used.triggered, ...(shown(await factsOf(client)) as string[])]).toEqual([0, 'pass']);
  });

  it('is incomplete where more was handed out than could be watched', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const bodyOf = (n: number): string => `{"name":"Rex","categoryId":${2n ** 60n + 1_024n * BigInt(n) + 1n}}`;
    for (let sent = 0; sent < 1_050; sent += 50)
      await Promise.all(Array.from({ length: 50 }, (_, n) => client.post('/v1/pets', bodyOf(sent + n))));
    const noRoom = expect.stringMatching(/^there was no room to watch \d+ large integers for rounding$/);
    expect(shown(await factsOf(client))).toEqual(['incomplete', noRoom]);
  });
});

describe('the report', () => {
  it('counts the 401 of a revoked and of an expired key, and not that of an unknown one or of none', async () => {
    const client = await server.sandbox();
    const seen = async () =>
      (await factsOf(client)).operations
        .find(({ operation }) => operation === 'listPets')
        ?.responses.find(({ status }) => status === 401)?.seen;
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

  it('begins again when its request log is cleared, alone or with the sandbox, and goes on over another reset', async () => {
    const client = await clientThat('breaks the specification');
    await client.post('/_sandbox/reset');
    expect((await factsOf(client)).verdict).toBe('fail');
    for (const clear of [
      () => client.delete('/_sandbox/requests'),
      () => client.post('/_sandbox/reset', { requestLog: true }),
    ]) {
      real.time += 5_000;
      await clear();
      const report = await factsOf(client);
      expect([report.verdict, report.since, report.counts.violation]).toEqual([
        'incomplete',
        new Date(real.time).toISOString(),
        0,
      ]);
      await client.get('/v1/pets?limit=500');
    }
  });

  it('comes in the formats that the program has, and in no other', async () => {
    const rejected = await (await server.sandbox()).get('/_sandbox/report?format=pdf');
    expect([rejected.status, rejected.json.message]).toEqual([400, expect.stringContaining(formatNames.join(', '))]);
    const { parameters, responses } = controlApi.components;
    expect(parameters.ReportFormat.schema.enum).toEqual(formatNames);
    const types = Object.values(FORMATS).map(({ mediaType }) => mediaType.split(';')[0]);
    expect(Object.keys(responses.Report.content).sort()).toEqual([...new Set(types)].sort());
  });
});
