/** The contract report of traffic that was recorded elsewhere: `report --har`. */
import { describe, expect, it } from 'vitest';
import { harInMemory } from '../../src/recording/har-file.ts';
import { formatNames, inFormat } from '../../src/report/formats/formats.ts';
import type { Report } from '../../src/report/report.ts';
import type { Results } from '../../src/report/results.ts';
import { factsOf, KINDS } from '../report/clients.ts';
import { harEntry as entry, harReport, SECRET } from '../support/har.ts';
import { startTestServer } from '../support/server.ts';
import { exchangeBytes } from '../support/wire.ts';

const server = await startTestServer();

// biome-ignore lint/suspicious/noExplicitAny: what a test changes at will, also into what is wrong
type Json = any;

const BASE = 'https://api.example.com/petstore/v1';

const created = (body: string, request: Json = {}): Json =>
  entry(
    { method: 'POST', url: `${BASE}/pets`, postData: { mimeType: 'application/json', text: body }, ...request },
    { status: 201, ...json('{"id":1,"name":"Rex","categoryId":1}') },
  );

const json = (text: string): Json => ({ content: { mimeType: 'application/json', text } });
const problem = (status: number, code: string): Json => ({
  status,
  ...json(JSON.stringify({ code, message: 'x', status })),
});

async function resultsOf(har: Json, base?: string): Promise<Results> {
  const bytes = Buffer.from(typeof har === 'string' || Buffer.isBuffer(har) ? har : JSON.stringify(har));
  // Every entry is split between parts.
  const parts = Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, at) =>
    bytes.subarray(at * 1000, (at + 1) * 1000),
  );
  const file = {
    ...harInMemory(bytes),
    async *parts() {
      yield* parts;
    },
  };
  return harReport(file, base === undefined ? [] : [base]);
}

const archive = (...entries: Json[]): Json => ({
  log: { version: '1.2', creator: { name: 'x', entries: [1] }, entries },
});

const reportOf = async (har: Json, base?: string): Promise<Report> => (await resultsOf(har, base)).data as Report;

/** What a report found, without ids and times. */
const found = ({ operations, noOperation, totals }: Report): unknown => ({
  violations: operations.flatMap(({ operation, violations }) =>
    violations.map(({ rule, location, pointer, count }) => [operation, rule, location, pointer, count]),
  ),
  noOperation: noOperation.map(({ method, path, count }) => [method, path, count]),
  counts: [totals.exchanges, totals.violations, totals.noOperation, totals.brokenResponses, totals.warnings],
});

describe('the report of a HAR', () => {
  it.each(['passes the contract check', 'gets warnings', 'breaks the specification', 'goes astray'])(
    'is that of the sandbox, where a client that %s was recorded',
    async (kind) => {
      const client = await server.sandbox();
      await KINDS[kind]?.(client);
      const own = await factsOf(client);
      const { text } = await client.get('/_sandbox/export?format=har');
      const report = await reportOf(text, `${server.url}/v1`);
      expect(found(report)).toEqual(found(own));
    },
  );

  it('names the address where a server has no list, and no flag that a file cannot take', async () => {
    const { operations } = await reportOf(archive(entry({}, problem(404, 'not_found'))));
    const [rejected] = operations.flatMap((each) => each.rejected);
    expect(rejected).toMatchObject({ location: 'operation', message: expect.stringContaining('no such address') });
    expect(rejected?.fix).toMatch(/mark it: `Sandbox-Expect: invalid`$/);
  });

  it('keeps int64 exact', async () => {
    const report = await reportOf(
      archive(
        created('{"name":"Rex","categoryId":9223372036854775807}'),
        created('{"name":"Rex","categoryId":9223372036854775808}'),
        entry({ url: `${BASE}/pets/9223372036854775808` }, problem(404, 'not_found')),
      ),
    );
    expect(found(report)).toMatchObject({
      violations: [
        ['createPet', 'format', 'body/categoryId', '#/components/schemas/NewPet/properties/categoryId/format', 1],
        ['getPet', 'format', 'path/petId', '#/paths/~1pets~1{petId}/get/parameters/0/schema/format', 1],
      ],
    });
  });

  it('counts and ignores other addresses, and takes the base address that it is given', async () => {
    const har = archive(
      entry({ url: 'https://cdn.example.com/app.js' }),
      entry({ url: 'https://api.example.com/other/v1/cats' }),
      entry(),
      entry({ url: 'https://staging.example.com/v1/pets' }),
    );
    const recognized = await resultsOf(har);
    expect((recognized.data as Report).totals.exchanges).toBe(2);
    expect(recognized.about).toContain(`${BASE}, https://staging.example.com/v1`);
    expect(recognized.notes).toEqual(
      expect.arrayContaining([
        `1 request to ${BASE}`,
        '1 request to https://staging.example.com/v1',
        `2 requests to other addresses than ${BASE}, https://staging.example.com/v1`,
      ]),
    );
    const given = await reportOf(har, 'https://staging.example.com/v1');
    expect([given.totals.exchanges, given.label]).toEqual([1, 'https://staging.example.com/v1']);
    const both = await harReport(Buffer.from(JSON.stringify(har)), [BASE, 'https://other.example.com/v1']);
    expect(both.notes).toContain('no request to https://other.example.com/v1');
    const none = await resultsOf(archive(entry({ url: 'https://cdn.example.com/app.js' })));
    expect([none.verdict, none.notes[0]]).toEqual(['incomplete', expect.stringContaining('give its base address')]);
  });

  it('counts a missing body as not validated, and still finds what is wrong with its request', async () => {
    const report = await reportOf(
      archive(
        entry({}, { content: { size: 200, mimeType: 'application/json' } }),
        entry({ url: `${BASE}/pets?limit=500` }, { status: 400, content: { size: 90, mimeType: 'application/json' } }),
        created('', { postData: undefined, bodySize: 40 }),
      ),
    );
    expect(report.totals).toMatchObject({ exchanges: 3, violations: 1, brokenResponses: 0, validationFailures: 2 });
    expect(report.reasons).toEqual([
      '1 violation of the specification',
      '1 request could not be validated: the file lacks the body of the response',
      '1 request could not be validated: the file lacks the body of the request',
    ]);
  });

  it('is incomplete where the file says that requests are missing from it', async () => {
    const client = await server.sandbox();
    const exported = async (): Promise<Results> => resultsOf((await client.get('/_sandbox/export?format=har')).text);
    await client.get('/v1/pets');
    expect((await exported()).verdict).toBe('pass');
    const head = `Authorization: Bearer ${client.key}\r\nSandbox-Expect: invalid\r\n`;
    await exchangeBytes(client.url, `GET /v1/pets?a b HTTP/1.1\r\n${head}\r\n`);
    const { verdict, reasons } = await exported();
    const why = '1 request not in the file: malformed, or dropped before it was saved';
    expect([verdict, reasons]).toEqual(['incomplete', [why]]);
  });

  it('says that a response is the fault of the server, not of a sandbox', async () => {
    const results = await resultsOf(archive(entry({}, json('{}'))));
    expect(results.reasons).toEqual(['1 response of the server broke the specification']);
    expect(JSON.stringify(results)).toContain('(a bug of the server, not of the client)');
    expect(JSON.stringify(results)).not.toContain('a bug of the sandbox, not');
  });

  it('shows no credential, and takes none for missing that the browser left out', async () => {
    const results = await resultsOf(
      archive(
        entry({ url: `${BASE}/pets?limit=500&key=${SECRET}` }),
        entry({ headers: [{ name: 'Cookie', value: SECRET }] }),
        entry({ headers: [] }, problem(401, 'unauthorized')),
        entry({ url: `https://gateway.example.com/${SECRET}/v1/pets` }),
        entry({ url: `https://gateway.example.com/${SECRET}/pets` }, problem(404, 'not_found')),
        entry({ url: 'https://cdn.example.com/app.js' }),
      ),
    );
    for (const format of formatNames) expect(await inFormat(format, results, { full: true })).not.toContain(SECRET);
    const { totals, account } = results.data as Report;
    // Of the limit. Nobody knows whether the 401 came to a request with a key, and whom the 404 concerns.
    expect([totals.violations, account.notValidated]).toEqual([1, 2]);
    expect(results.notes.join()).toContain('1 request without a credential in the file');
  });

  it('reads an entry that is split between chunks, and names that look like members', async () => {
    const name = `"],{"}\\\\"é`.repeat(30_000);
    const body = JSON.stringify({ name, categoryId: 1, __proto__: 1, log: { entries: [{}] } });
    const report = await reportOf(archive(created(body), created(body.replace('name', '__proto__'))));
    expect(report.totals).toMatchObject({ exchanges: 2, violations: 1 });
  });

  const whole = JSON.stringify(archive(entry()));
  it.each<[string, Json, string]>([
    ['an empty file', '', 'it is empty'],
    ['a cut file', whole.slice(0, -40), 'the file was cut'],
    ['another JSON', '{"log":{"entries":{}}}', 'it has no list log.entries'],
    ['a list', '[]', 'it must be one JSON object'],
    ['binary', Buffer.from([0, 255, 125, 125, 125]), 'it must be one JSON object'],
    ['two objects', `${whole}${whole}`, 'it must be one JSON object'],
    ['too many closing brackets', '{"log":{"entries":[]}}}', 'not valid JSON'],
    ['wrong JSON in an entry', whole.replace('12,', 'nul,'), 'log.entries[0]: not valid JSON'],
    ['a file without an end', '{"log":{"entries":['.padEnd(9_000_000, '['), 'the file was cut'],
    ['a file of quotes', '"'.repeat(1_000_001), 'the file was cut'],
  ])('rejects %s, and says where', async (_, har, message) => {
    await expect(resultsOf(har)).rejects.toThrow(message);
  });

  it('leaves out what a browser asks by itself, and takes a body in another file for missing', async () => {
    const preflight = entry({ method: 'OPTIONS', headers: [] }, { status: 204, content: { size: 0 } });
    const apart = { size: -1, mimeType: 'application/json', _file: 'body.json' };
    const report = await reportOf(
      archive(
        preflight,
        entry({}, { content: apart }),
        created('', { bodySize: -1, postData: { mimeType: 'application/json', _file: 'sent.json' } }),
        preflight,
      ),
    );
    expect(report.totals).toMatchObject({ exchanges: 2, violations: 0, noOperation: 0, validationFailures: 2 });
  });

  it('takes numbers, bodies and names that no program sends', async () => {
    const binary = { mimeType: 'application/json', text: 'AP/+ew==', encoding: 'base64' };
    const har = archive(
      { ...entry(), time: 1e308, startedDateTime: '-271821-04-20T00:00:00.000Z' },
      entry({ bodySize: 1e300 }, { status: 1e300, content: { size: -1e300, text: '\0', encoding: 'base64' } }),
      created('', { postData: binary }),
      entry({ note: { isPolluted: true } }, { note: { isPolluted: true }, headers: { length: 1e9 } }),
    );
    const report = await reportOf(JSON.stringify(har).replaceAll('"note"', '"__proto__"'));
    expect(report.totals.exchanges).toBe(4);
    expect(({} as Json).isPolluted).toBe(undefined);
  });

  it('takes wrong types where nothing depends on them', async () => {
    const report = await reportOf(
      archive({
        ...entry(
          { headers: [null, 1, { name: {}, value: 1 }], postData: 5, bodySize: 'x' },
          { headers: {}, content: { size: {}, text: '[]', mimeType: 'application/json' } },
        ),
        time: 'long',
      }),
    );
    expect(report.totals).toMatchObject({ exchanges: 1, violations: 0, brokenResponses: 0 });
  });
});
