/** Tests that break the specification on purpose, and requests that came without a usable key. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { type Client, send } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

let client: Client;
const server = await startTestServer();
beforeEach(async () => {
  client = await server.sandbox();
});

const INVALID = { 'Sandbox-Expect': 'invalid' };
const reportOf = async (query = '', of = client): Promise<Report> => (await of.get(`/_sandbox/report${query}`)).json;
const operationIn = (report: Report, name: string) =>
  report.operations.find(({ operation }) => operation === name) as Report['operations'][number];

describe('a request that is invalid on purpose', () => {
  it('is validated, listed, covers its response and fails nothing', async () => {
    expect((await client.post('/v1/pets', '{"name":"Ada","catgoryId":1}', INVALID)).status).toBe(400);
    const report = await reportOf('?strict=true');
    const { violations, warnings, expectedInvalid: intended, responses } = operationIn(report, 'createPet');
    expect([report.verdict, report.totals.violations, report.totals.expectedInvalid]).toEqual(['pass', 0, 2]);
    expect([violations, warnings]).toEqual([[], []]);
    expect(intended.map(({ location, rule }) => [location, rule])).toEqual([
      ['body/categoryId', 'required'],
      ['body/catgoryId', 'unknown-field'],
    ]);
    expect(responses.find(({ status }) => status === 400)?.seen).toBe(1);
    for (const form of ['text', 'junit', 'html']) {
      expect((await client.get(`/_sandbox/report?format=${form}`)).text).toMatch(/on purpose/);
    }
    // The request log shows what the validator said of it.
    expect((await client.get('/_sandbox/requests?violations=true')).json.total).toBe(1);
  });

  it('fails nothing where no operation matches, or a number comes back rounded', async () => {
    await client.post('/v1/pets', '{"name":"Ada","categoryId":9007199254740993}');
    await client.post('/v1/pets', '{"name":"Ada","categoryId":9007199254740992}', INVALID);
    await client.send({ method: 'PATCH', path: '/v1/pets/1', headers: INVALID });
    expect(await reportOf()).toMatchObject({
      verdict: 'pass',
      noOperation: [],
      noOperationStatuses: [{ status: 405, count: 1 }],
    });
  });

  it('is a warning where it turns out valid', async () => {
    await client.get('/v1/pets', INVALID);
    const report = await reportOf();
    expect(report.verdict).toBe('pass');
    expect(operationIn(report, 'listPets').warnings).toMatchObject([{ rule: 'expected-invalid-but-valid', count: 1 }]);
    expect((await reportOf('?strict=true')).verdict).toBe('fail');
  });

  it('is one that another client’s header does not make it', async () => {
    await client.get('/v1/pets?limit=500', { 'Sandbox-Expect': 'valid' });
    expect((await reportOf()).verdict).toBe('fail');
  });

  it('is none of the client’s where the dashboard sent it: it is in the request log, and counts nowhere', async () => {
    await client.get('/v1/pets?limit=500', { 'Sandbox-Source': 'dashboard' });
    const { totals, verdict } = await reportOf();
    expect([totals.exchanges, totals.violations, verdict]).toEqual([0, 0, 'incomplete']);
    const { requests } = (await client.get('/_sandbox/requests')).json;
    expect(requests).toMatchObject([{ fromDashboard: true, violations: [{ location: 'query/limit' }] }]);
  });

  it('may be named by its response instead', async () => {
    await client.post('/v1/pets', '{}');
    expect((await reportOf()).verdict).toBe('fail');
    const report = await reportOf('?expectedInvalid=createPet:400');
    expect([report.verdict, operationIn(report, 'createPet').violations]).toEqual(['pass', []]);
    expect(operationIn(report, 'createPet').expectedInvalid.length).toBeGreaterThan(0);
    // Another operation, and another status with the same finding, are not meant.
    await client.get('/v1/pets?limit=500');
    expect((await reportOf('?expectedInvalid=createPet:400')).totals.violations).toBe(1);
    await client.post('/v1/pets', '{}', { 'Sandbox-Fault': 'status=503; when=after' });
    expect((await reportOf('?expectedInvalid=createPet:400,listPets:400')).verdict).toBe('fail');
    const { violations } = (await reportOf('?expectedInvalid=createPet:400,listPets:400')).totals;
    expect(violations).toBeGreaterThan(0);
    const both = await reportOf('?expectedInvalid=createPet:400,createPet:404,listPets:400');
    expect(both.totals.violations).toBe(violations);
  });

  it('counts one finding with several statuses as one', async () => {
    await client.get('/v1/pets?limit=500');
    await client.get('/v1/pets?limit=500', { 'Sandbox-Fault': 'status=503; when=after' });
    const { violations } = operationIn(await reportOf(), 'listPets');
    expect(violations.map(({ count, requests }) => [count, requests.length])).toEqual([[2, 2]]);
  });

  it('cannot be named by an operation that there is none of', async () => {
    const rejected = await client.get('/_sandbox/report?expectedInvalid=createPets:400');
    expect([rejected.status, rejected.json.message]).toEqual([
      400,
      'query/expectedInvalid: must be a string like createPet:400,getPet:404; got "createPets:400"',
    ]);
    for (const query of ['createPet', 'createPet:200', 'createPet:400,']) {
      expect((await client.get(`/_sandbox/report?expectedInvalid=${query}`)).status).toBe(400);
    }
  });
});

describe('requests without a usable key', () => {
  it('are a gap of a run whose client was alone, and named', async () => {
    const alone = await startTestServer();
    const own = await alone.sandbox();
    await own.get('/v1/pets');
    for (const headers of [{}, {}, { 'X-Api-Key': 'x' }]) await send(alone.url, { path: '/v1/pets', headers });
    await send(alone.url, { path: '/pets' });
    await send(alone.url, { path: '/v1/pets', headers: INVALID });
    expect((await reportOf('', own)).verdict).toBe('pass');
    const report = await reportOf('?unmatched=true', own);
    expect([report.verdict, report.incompleteReasons]).toEqual([
      'incomplete',
      [
        '3 requests came without a usable key: 1 × the API key came in a header such as `X-Api-Key`, which is not read, 2 × no API key was sent; send Authorization: Bearer <API_KEY>',
        '1 request came to no path of the API: 1 × the API is under /v1; send GET /v1/pets',
      ],
    ]);
    // They may be another client's.
    const other = await alone.sandbox();
    await other.get('/v1/pets');
    expect((await reportOf('?unmatched=true', own)).verdict).toBe('pass');
  });
});

describe('the fixture `boundary`', () => {
  it('has no large number that is another one, rounded: a client that rounds is found', async () => {
    const own = await server.sandbox({ fixture: 'boundary' });
    const { text } = await own.get('/v1/pets?limit=100');
    const ids = [...text.matchAll(/"id":(-?\d+)/g)].map(([, id]) => String(id));
    const rounding = ids.filter((id) => BigInt(Number(id)) !== BigInt(id));
    expect(rounding.some((id) => !id.startsWith('-')) && rounding.some((id) => id.startsWith('-'))).toBe(true);
    const found = async () => operationIn(await reportOf('', own), 'getPet').rounded.map(({ sent }) => sent);
    for (const id of rounding) await own.get(`/v1/pets/${BigInt(Number(id))}`);
    // The largest two are one double.
    expect((await found()).sort()).toEqual([...new Set(rounding.map((id) => String(BigInt(Number(id)))))].sort());
  });
});
