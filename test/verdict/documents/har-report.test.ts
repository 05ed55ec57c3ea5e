/** The contract report of traffic that was recorded elsewhere: `report --har`. */
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src/verdict/report/report.ts';
import type { Results } from '../../../src/verdict/report/results.ts';
import { harEntry as entry, harOf, harReport } from '../../support/har.ts';
import { startTestServer } from '../../support/server.ts';
import { exchangeBytes } from '../../support/wire.ts';
import { factsOf, foundAs, KINDS } from '../report/clients.ts';

const server = await startTestServer();

// biome-ignore lint/suspicious/noExplicitAny: what a test changes at will, also into what is wrong
type Json = any;

const BASE = 'https://api.example.com/petstore/v1';

const json = (text: string): Json => ({ content: { mimeType: 'application/json', text } });
const problem = (status: number, code: string): Json => ({
  status,
  ...json(JSON.stringify({ code, message: 'x', status })),
});

const resultsOf = (har: string, bases: readonly string[] = []): Promise<Results> => harReport(Buffer.from(har), bases);

const archive = (...entries: Json[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'x', entries: [1] }, entries } });

const reportOf = async (har: string, bases?: readonly string[]) => (await resultsOf(har, bases)).data as Report;

/** What a report found, without ids and times. */
const found = ({ counts, findings }: Report): unknown => ({
  findings: foundAs({ findings } as Report, 'violation', 'noOperation').map(
    ({ operation, rule, location, pointer, count }) => [operation, rule, location, pointer, count],
  ),
  counts: [counts.exchanges, counts.violation, counts.noOperation, counts.brokenResponse, counts.warning],
});

describe('the report of a HAR', () => {
  it.each(['passes the contract check', 'gets warnings', 'breaks the specification', 'goes astray'])(
    'is that of the sandbox, where a client that %s was recorded',
    async (kind) => {
      const client = await server.sandbox();
      await KINDS[kind]?.(client);
      const { text } = await client.get('/_sandbox/export?format=har');
      expect(found(await reportOf(text, [`${server.url}/v1`]))).toEqual(found(await factsOf(client)));
    },
  );

  it('names the address where a server has no list, and no flag that a file cannot take', async () => {
    const [rejected] = foundAs(await reportOf(archive(entry({}, problem(404, 'not_found')))), 'rejected');
    expect(rejected).toMatchObject({ location: 'operation', message: expect.stringContaining('no such address') });
    expect(rejected?.fix).toMatch(/mark it: `Sandbox-Expect: invalid`$/);
  });

  it('counts and ignores other addresses, and takes the base address that it is given', async () => {
    const staging = 'https://staging.example.com/v1';
    const cdn = 'https://cdn.example.com/app.js';
    const har = harOf(cdn, 'https://api.example.com/other/v1/cats', `${BASE}/pets`, `${staging}/pets`);
    const recognized = await resultsOf(har);
    expect((recognized.data as Report).counts.exchanges).toBe(2);
    expect(recognized.about).toContain(`${BASE}, ${staging}`);
    const others = `2 requests to other addresses than ${BASE}, ${staging}`;
    expect(recognized.notes).toEqual(
      expect.arrayContaining([`1 request to ${BASE}`, `1 request to ${staging}`, others]),
    );
    const given = await reportOf(har, [staging]);
    expect([given.counts.exchanges, given.label]).toEqual([1, staging]);
    const both = await resultsOf(har, [BASE, 'https://other.example.com/v1']);
    expect(both.notes).toContain('no request to https://other.example.com/v1');
    const none = await resultsOf(harOf(cdn));
    expect([none.verdict, none.notes[0]]).toEqual(['incomplete', expect.stringContaining('give its base address')]);
  });

  it('asks which of too many base addresses count', async () => {
    const har = harOf(...Array.from({ length: 51 }, (_, at) => `https://${at}.example.com/v1/pets`));
    await expect(reportOf(har)).rejects.toThrow('more than 50 base addresses');
    const { account } = await reportOf(har, ['https://7.example.com/v1']);
    expect(account).toMatchObject({ validated: 1, otherAddress: 50 });
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
});
