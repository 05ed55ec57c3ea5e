/** Every mistake that integrators make shows in every form of the report: what was sent, and what to send instead. */
import { expect, it } from 'vitest';
import { newKey } from '../../src/api/api-key.ts';
import { type FormatName, formatNames } from '../../src/report/formats/formats.ts';
import type { Report } from '../../src/report/report.ts';
import { reportResults } from '../../src/report/report-results.ts';
import { findingsOf } from '../../src/report/results.ts';
import { type Client, type Reply, send } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { factsOf, fetchReport } from './clients.ts';

const server = await startTestServer();

const PET = { name: 'Rex', categoryId: 1 };

/** What a client does, the rule that it breaks, and the words that every form has for it. `golden/contract.*` have more. */
const MISTAKES: Readonly<Record<string, readonly [(client: Client) => Promise<unknown>, string, readonly string[]]>> = {
  'a misspelled field': [
    (client) => client.post('/v1/pets', { ...PET, staus: 'sold' }),
    'unknown-field',
    ['"staus":"sold"', '"status":"sold"'],
  ],
  'a wrong path': [(client) => client.get('/v1/pet/1'), 'no-operation', ['GET /v1/pet/1', 'GET /v1/pets']],
  'an ignored Retry-After': [
    async (client) => {
      await client.get('/v1/pets', { 'Sandbox-Fault': 'status=429; retryAfter=60' });
      await client.get('/v1/pets');
    },
    'retry-too-early',
    ['GET /v1/pets came again after', '60000 ms'],
  ],
  'a double creation': [
    async (client) => {
      await client.post('/v1/pets', PET, { 'Sandbox-Fault': 'connection=reset; when=after' }).catch(() => undefined);
      await client.post('/v1/pets', PET);
    },
    'duplicate-create',
    ['pet 13 was created by req_', 'created again as 14 by req_'],
  ],
};

/** A form of the report as plain text, where that is more than to undo what XML escapes. */
const FORMS: Partial<Record<FormatName, (client: Client) => Promise<string>>> = {
  // Its lines are broken between words.
  text: async (client) => (await read(client, 'text')).text.replaceAll(/\s+/g, ' '),
  json: async (client) => stringsIn(await withUnmatched(client)).join('\n'),
  html: async (client) => unescaped((await read(client, 'html')).text.replaceAll(/<[^>]*>/g, '')),
  markdown: async (client) =>
    unescaped((await read(client, 'markdown')).text.replaceAll(/<[^>]*>/g, '')).replaceAll(/&#(\d+);/g, (_, code) =>
      String.fromCharCode(Number(code)),
    ),
  github: async (client) =>
    decodeURIComponent((await read(client, 'github')).text.replaceAll(/%(?!25|0A|0D|2C|3A)/g, '%25')),
  sarif: async (client) => {
    const { results, invocations } = (await read(client, 'sarif')).json.runs[0];
    const all = [...results, ...invocations[0].toolExecutionNotifications];
    return withoutEscapes(
      [
        ...all.map(({ message }) => message.text),
        ...results.map(({ properties }: { properties: { message: string } }) => properties.message),
      ].join('\n'),
    );
  },
};

const plain = async (client: Client, format: FormatName): Promise<string> =>
  FORMS[format]?.(client) ?? unescaped((await read(client, format)).text);

async function expectInEveryForm(client: Client, words: readonly string[]): Promise<void> {
  for (const format of formatNames) {
    const text = await plain(client, format);
    for (const word of words) expect(text, format).toContain(word);
  }
}

const read = (client: Client, format: FormatName): Promise<Reply> =>
  client.get(`/_sandbox/report?format=${format}&unmatched=true`);
const withUnmatched = async (client: Client): Promise<Report> => (await read(client, 'json')).json;

/** Every text of a value. */
const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'" };
const unescaped = (text: string): string => text.replaceAll(/&(\w+|#39);/g, (_, name) => ENTITIES[name] ?? name);
const withoutEscapes = (text: string): string => text.replaceAll(/\\([\\[\]])|([{}])\2/g, '$1$2');

it.each(Object.entries(MISTAKES))(
  '%s shows in every form, with what was sent and what to send instead',
  async (_, row) => {
    const [act, rule, words] = row;
    const client = await server.sandbox();
    await act(client);
    expect(findingsOf(reportResults(await factsOf(client))).map((finding) => finding.rule)).toContain(rule);
    await expectInEveryForm(client, words);
  },
);

/** Requests that belong to no sandbox, and what every form says of them. */
const UNMATCHED: Readonly<Record<string, readonly [request: Parameters<typeof send>[1], words: readonly string[]]>> = {
  'a missing key': [{ path: '/v1/pets' }, ['1 × no API key was sent; send Authorization: Bearer <API_KEY>']],
  'an unknown key': [
    { path: '/v1/pets', headers: { Authorization: `Bearer ${newKey()}` } },
    ['1 × the API key is unknown', '; send Authorization: Bearer <API_KEY>'],
  ],
  'a path without /v1': [{ path: '/pets/1' }, ['1 × the API is under /v1; send GET /v1/pets']],
};

it.each(Object.entries(UNMATCHED))(
  '%s shows in every form, and the report is incomplete',
  async (_, [request, words]) => {
    const client = await server.sandbox();
    await client.get('/v1/pets');
    await send(server.url, request);
    expect((await withUnmatched(client)).verdict).toBe('incomplete');
    await expectInEveryForm(client, words);
  },
);

it('a creation whose response was lost shows as a note in every form', async () => {
  const client = await server.sandbox();
  await client.post('/v1/pets', PET, { 'Sandbox-Fault': 'connection=reset; when=after' }).catch(() => undefined);
  await client.post('/v1/pets', { ...PET, name: 'Tom' });
  expect((await withUnmatched(client)).verdict).toBe('pass');
  await expectInEveryForm(client, ['pet 13 was created by req_', ', whose response was lost']);
});

it('a right client passes, strictly too, and no form has a finding', async () => {
  const client = await server.sandbox();
  await client.get('/v1/pets?limit=2&status=available');
  await client.post('/v1/pets', { ...PET, status: 'sold' });
  await client.post('/v1/pets', { ...PET, name: 'Tom' });
  await client.post('/v1/pets', { ...PET, name: 'Tom' });
  await client.post('/v1/pets', { ...PET, name: 'Ada' }, { 'Sandbox-Fault': 'status=503' });
  await client.post('/v1/pets', { ...PET, name: 'Ada' });
  await client.get('/v1/pets?limit=100');
  const facts = await factsOf(client, true);
  expect([facts.verdict, facts.reasons, findingsOf(reportResults(facts))]).toEqual(['pass', [], []]);
  expect((await fetchReport(client, 'sarif', true)).json.runs[0].results).toEqual([]);
  expect((await fetchReport(client, 'junit', true)).text).not.toMatch(/<failure|<error|system-out/);
});
