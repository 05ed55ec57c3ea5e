/** Tests that break the specification on purpose, and requests that came without a usable key. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '../../../src/verdict/report/report.ts';
import type { Client } from '../../support/client.ts';
import { startTestServer } from '../../support/server.ts';
import { foundAs } from './clients.ts';

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
    expect(report).toMatchObject({ verdict: 'pass', counts: { violation: 0, warning: 0, expectedInvalid: 1 } });
    const { responses } = operationIn(report, 'createPet');
    expect(foundAs(report, 'expectedInvalid').map(({ location, rule }) => [location, rule])).toEqual([
      ['body/categoryId', 'request/required'],
    ]);
    expect(responses.find(({ status }) => status === 400)?.seen).toBe(1);
    for (const format of ['text', 'junit', 'html'])
      expect((await client.get(`/_sandbox/report?format=${format}`)).text).toMatch(/on\s+purpose/);
    // The request log shows what the validator said of it.
    expect((await client.get('/_sandbox/requests?violations=true')).json.total).toBe(1);
  });

  it('fails nothing where no operation matches, or a number comes back rounded', async () => {
    await client.post('/v1/pets', '{"name":"Ada","categoryId":9007199254740993}');
    await client.post('/v1/pets', '{"name":"Ada","categoryId":9007199254740992}', INVALID);
    await client.send({ method: 'PATCH', path: '/v1/pets/1', headers: INVALID });
    expect(await reportOf()).toMatchObject({ verdict: 'pass', counts: { exchanges: 3, noOperation: 0, rounded: 0 } });
  });

  it('is a warning where it turns out valid', async () => {
    await client.get('/v1/pets', INVALID);
    const report = await reportOf();
    expect(report.verdict).toBe('pass');
    expect(foundAs(report, 'warning')).toMatchObject([{ rule: 'expected-invalid-but-valid', count: 1 }]);
    expect((await reportOf('?strict=true')).verdict).toBe('fail');
  });

  it('is one that another value of the header does not make it', async () => {
    await client.get('/v1/pets?limit=500', { 'Sandbox-Expect': 'valid' });
    expect((await reportOf()).verdict).toBe('fail');
  });

  it('may be named by its response instead: no other operation or status is meant', async () => {
    const countsOf = async (expected: string) => (await reportOf(`?expectedInvalid=${expected}`)).counts;
    await client.post('/v1/pets', '{}');
    const { violation } = (await reportOf()).counts;
    expect(violation).toBeGreaterThan(0);
    expect(await countsOf('createPet:400')).toMatchObject({ violation: 0, expectedInvalid: violation });
    await client.get('/v1/pets?limit=500');
    expect(await countsOf('createPet:400')).toMatchObject({ violation: 1 });
    expect(await countsOf('createPet:400,listPets:400')).toMatchObject({ violation: 0 });
    // The same finding with another status.
    await client.post('/v1/pets', '{}', { 'Sandbox-Fault': 'status=503; when=after' });
    expect(await countsOf('createPet:400,createPet:404,listPets:400')).toMatchObject({ violation });
  });

  it.each(['createPets:400', 'createPet', 'createPet:200', 'createPet:400,'])('is not named by %s', async (named) => {
    const { status, json } = await client.get(`/_sandbox/report?expectedInvalid=${named}`);
    const message = `query/expectedInvalid is a string like createPet:400,getPet:404; "${named}" was sent`;
    expect([status, json.message]).toEqual([400, message]);
  });
});
