/**
 * HAR files as programs write them: one good archive, changed along every axis on which they differ. What the file has
 * decides, and what it lacks makes the verdict incomplete.
 */
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { harReport } from '../support/har.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test changes at will, also into what is wrong
type Json = any;

const BASE = 'https://api.example.com/v1';
const PET = { id: 7, name: 'Rex', categoryId: 1 };
const NEW_PET = '{"name":"Rex","categoryId":1}';
const BEARER = { name: 'Authorization', value: 'Bearer an-example-of-a-key' };
const TYPE = { name: 'Content-Type', value: 'application/json' };

const content = (value: unknown): Json => {
  const text = JSON.stringify(value);
  return { size: text.length, mimeType: 'application/json', text };
};

const entry = (request: Json = {}, response: Json = {}, rest: Json = {}): Json => ({
  startedDateTime: '2026-10-01T10:00:00.000Z',
  time: 12,
  request: { method: 'GET', url: `${BASE}/pets`, headers: [BEARER], queryString: [], bodySize: 0, ...request },
  response: { status: 200, headers: [TYPE], content: content([PET]), ...response },
  ...rest,
});

const list = (request: Json = {}, response: Json = {}, rest: Json = {}): Json => entry(request, response, rest);

const create = (request: Json = {}, response: Json = {}): Json =>
  entry(
    {
      method: 'POST',
      headers: [BEARER, TYPE],
      postData: { mimeType: 'application/json', text: NEW_PET },
      bodySize: NEW_PET.length,
      ...request,
    },
    { status: 201, content: content(PET), ...response },
  );

const problem = (status: number): Json => ({ status, content: content({ code: 'x', message: 'x', status }) });

const elsewhere = (changes: Json = {}): Json => entry({ url: 'https://cdn.example.net/a.png', ...changes });

const without = (value: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** A request without some of its fields. */
const lacking = (each: Json, ...names: string[]): Json => ({ ...each, request: without(each.request, ...names) });

async function reportOf(entries: Json, base?: readonly string[]): Promise<Report> {
  const har = Buffer.from(JSON.stringify({ log: { version: '1.2', entries } }));
  return (await harReport(har, base)).data as Report;
}

type Verdict = 'pass' | 'fail' | 'incomplete';
interface Expected {
  /** What is found, as rule and place. */
  readonly found?: string;
  /** Counts beside the validated ones, or the validated ones if there are others. */
  readonly account?: Partial<Report['account']>;
  /** Part of a reason. */
  readonly why?: string;
}

/** A name, the entries, the verdict, and what else is expected. */
type Variant = readonly [name: string, entries: Json, verdict: Verdict, expected?: Expected];

const NO_BODY = 'the file lacks the body of the request';
const NO_KEY = 'the file has no Authorization header of it';
const NO_CONTENT = 'the file lacks the body of the response';
const NO_RESPONSE = 'the file has no response to it';
const wrongLimit = { found: 'maximum query/limit' };

const VARIANTS: Readonly<Record<string, readonly Variant[]>> = {
  'the base address': [
    ['a good archive', [list(), create()], 'pass'],
    [
      'a host in capital letters and the port of its scheme',
      [list({ url: 'HTTPS://API.Example.com:443/v1/pets' }), create()],
      'pass',
      { account: { validated: 2 } },
    ],
    ['another port', [list(), list({ url: 'https://api.example.com:8443/v1/pets?limit=500' })], 'fail', wrongLimit],
    ['http and https', [list(), list({ url: 'http://api.example.com/v1/pets?limit=500' })], 'fail', wrongLimit],
    ['a prefix', [list({ url: 'https://example.com/shop/api/v1/pets?limit=500' })], 'fail', wrongLimit],
    [
      'a prefix with another version',
      [list({ url: 'https://example.com/v1/proxy/v1/pets?limit=500' })],
      'fail',
      wrongLimit,
    ],
    ['an address of IPv6', [list({ url: 'http://[::1]:4020/v1/pets?limit=500' })], 'fail', wrongLimit],
    [
      'credentials in the URL',
      [list({ url: 'https://user:password@api.example.com/v1/pets?limit=500' })],
      'fail',
      wrongLimit,
    ],
    ['a fragment', [list({ url: `${BASE}/pets?limit=5#top` })], 'pass'],
    [
      'a wrong path first',
      [list({ url: `${BASE}/pet/1` }), list()],
      'fail',
      { account: { notRecognized: 1, validated: 1 } },
    ],
    [
      'a wrong method first',
      [list({ method: 'DELETE', url: `${BASE}/pets/1` }), list()],
      'fail',
      { account: { notRecognized: 1 } },
    ],
    [
      'a wrong method alone',
      [list({ method: 'DELETE', url: `${BASE}/pets/1` })],
      'fail',
      { account: { notRecognized: 1 } },
    ],
    [
      'no request of the API',
      [elsewhere()],
      'incomplete',
      { why: 'no request was seen', account: { otherAddress: 1 } },
    ],
    ['no entries', [], 'incomplete', { why: 'no request was seen' }],
    [
      'a path that only begins like the base',
      [list(), list({ url: 'https://api.example.com/v1beta/pets?limit=500' })],
      'pass',
      { account: { otherAddress: 1 } },
    ],
  ],
  'the query': [
    ['in the list alone', [list({ queryString: [{ name: 'limit', value: '500' }] })], 'fail', wrongLimit],
    ['in the list alone, as a number', [list({ queryString: [{ name: 'limit', value: 500 }] })], 'fail', wrongLimit],
    [
      'in the list, behind a lone question mark',
      [list({ url: `${BASE}/pets?`, queryString: [{ name: 'limit', value: '500' }] })],
      'fail',
      wrongLimit,
    ],
    [
      'in both, and they differ',
      [list({ url: `${BASE}/pets?limit=5`, queryString: [{ name: 'limit', value: '500' }] })],
      'pass',
    ],
    ['in the URL alone', [list({ url: `${BASE}/pets?limit=500` })], 'fail', wrongLimit],
    [
      'with signs to encode',
      [list({ queryString: [{ name: 'status', value: 'a&limit=500 \ud800' }] })],
      'fail',
      { found: 'enum query/status' },
    ],
    [
      'with an integer in another form',
      [list({ url: `${BASE}/pets?limit=010` })],
      'fail',
      { found: 'type query/limit' },
    ],
    ['with an empty value', [list({ url: `${BASE}/pets?status=` })], 'fail', { found: 'enum query/status' }],
    ['a list of another form', [list({ queryString: { limit: 500 } })], 'pass'],
  ],
  'the body of a request': [
    [
      'that is wrong',
      [create({ postData: { mimeType: 'application/json', text: '{"name":"Rex"}' } }, problem(400))],
      'fail',
      { found: 'required body' },
    ],
    [
      'in base64',
      [
        create({
          postData: { mimeType: 'application/json', text: Buffer.from(NEW_PET).toString('base64'), encoding: 'base64' },
        }),
      ],
      'pass',
    ],
    [
      'missing, with Content-Length',
      [
        lacking(
          create({ bodySize: 0, headers: [BEARER, TYPE, { name: 'content-length', value: 30 }] }, problem(400)),
          'postData',
        ),
      ],
      'incomplete',
      { why: NO_BODY },
    ],
    ['missing, with bodySize', [lacking(create({}, problem(400)), 'postData')], 'incomplete', { why: NO_BODY }],
    [
      'missing, in chunks',
      [
        lacking(
          create(
            { bodySize: 0, headers: [BEARER, TYPE, { name: 'Transfer-Encoding', value: 'chunked' }] },
            problem(400),
          ),
          'postData',
        ),
      ],
      'incomplete',
      { why: NO_BODY },
    ],
    ['missing, and created', [lacking(create({ bodySize: 0 }), 'postData')], 'incomplete', { why: NO_BODY }],
    [
      'missing, of unknown size, and created',
      [lacking(create({ bodySize: -1 }), 'postData')],
      'incomplete',
      { why: NO_BODY },
    ],
    [
      'missing, of a size that is none',
      [lacking(create({ bodySize: true }), 'postData')],
      'incomplete',
      { why: NO_BODY },
    ],
    [
      'missing, aborted',
      [lacking(create({ bodySize: -1 }, { status: 0, content: undefined }), 'postData')],
      'incomplete',
      { why: NO_BODY },
    ],
    [
      'missing, as the server said',
      [lacking(create({ bodySize: 0 }, problem(400)), 'postData')],
      'fail',
      { found: 'required body' },
    ],
    [
      'empty, with params',
      [
        create(
          {
            bodySize: -1,
            postData: { mimeType: 'application/json', text: '', params: [{ name: 'name', value: 'Rex' }] },
          },
          problem(400),
        ),
      ],
      'incomplete',
      { why: NO_BODY },
    ],
    [
      'empty, with a file',
      [create({ bodySize: -1, postData: { mimeType: 'application/json', text: '', _file: 'a.json' } })],
      'incomplete',
      { why: NO_BODY },
    ],
    [
      'left out by Playwright',
      [create({ bodySize: -1, postData: { mimeType: 'application/json', text: '', params: [] } }, problem(400))],
      'incomplete',
      { why: NO_BODY },
    ],
    [
      'of another type',
      [create({ postData: { mimeType: 'application/json', text: { name: 'Rex' } } })],
      'incomplete',
      { why: NO_BODY },
    ],
    [
      'cut by the program that wrote it',
      [create({ bodySize: 2_000_000, postData: { mimeType: 'application/json', text: NEW_PET.slice(0, 20) } })],
      'incomplete',
      { why: NO_BODY },
    ],
    [
      'with a type of another vendor',
      [create({ headers: [BEARER, { name: 'content-type', value: 'application/vnd.pet+json' }] }, problem(400))],
      'fail',
      { found: 'content-type header/content-type' },
    ],
    [
      'missing, of the size 0, and nobody read it',
      [lacking(create({ bodySize: 0 }, problem(500)), 'postData')],
      'incomplete',
      { why: NO_BODY },
    ],
    [
      'missing, with the length 0',
      [
        lacking(
          create({ bodySize: 0, headers: [BEARER, TYPE, { name: 'Content-Length', value: '0' }] }, problem(401)),
          'postData',
        ),
      ],
      'fail',
      { found: 'required body' },
    ],
    [
      'missing, with a size as text',
      [lacking(create({ bodySize: '30' }, problem(400)), 'postData')],
      'incomplete',
      { why: NO_BODY },
    ],
    [
      'missing, with a repeated length',
      [
        lacking(
          create({ bodySize: -1, headers: [BEARER, TYPE, { name: 'Content-Length', value: '30, 30' }] }, problem(400)),
          'postData',
        ),
      ],
      'incomplete',
      { why: NO_BODY },
    ],
    [
      'in BASE64',
      [
        create({
          postData: { mimeType: 'application/json', text: Buffer.from(NEW_PET).toString('base64'), encoding: 'BASE64' },
        }),
      ],
      'pass',
    ],
    ['as a text in place of postData', [create({ postData: NEW_PET })], 'incomplete', { why: NO_BODY }],
    [
      'with parameters of its type',
      [create({ headers: [BEARER, { name: 'content-type', value: 'application/json;odata=x; charset="UTF-8"' }] })],
      'pass',
    ],
    ['of a type that nothing names', [create({ headers: null, postData: { text: NEW_PET } })], 'pass'],
    ['of a GET', [list({ bodySize: 20 })], 'pass'],
    [
      'of more than a MiB',
      [
        create({
          postData: {
            mimeType: 'application/json',
            text: JSON.stringify({ name: 'x'.repeat(2 ** 20), categoryId: 1 }),
          },
        }),
      ],
      'incomplete',
      { why: 'too large: the body has more than 1,048,576 bytes' },
    ],
  ],
  'the response': [
    ['missing', [without(list(), 'response')], 'incomplete', { why: NO_RESPONSE }],
    ['missing, to a wrong request', [without(list({ url: `${BASE}/pets?limit=500` }), 'response')], 'fail', wrongLimit],
    ['missing, and no credential', [without(list({ headers: [] }), 'response')], 'incomplete', { why: NO_RESPONSE }],
    ['null', [{ ...list(), response: null }], 'incomplete', { why: NO_RESPONSE }],
    [
      'with the status 0',
      [list({}, { status: 0, content: { size: 0, mimeType: 'x-unknown' } })],
      'incomplete',
      { why: NO_RESPONSE },
    ],
    [
      'with the status −1',
      [list({}, { status: -1, content: { size: -1, mimeType: 'x-unknown' }, _failureText: 'net::ERR_ABORTED' })],
      'incomplete',
      { why: NO_RESPONSE },
    ],
    ['with no status', [list({}, { status: null })], 'incomplete', { why: NO_RESPONSE }],
    ['with a status as text', [list({}, { status: '200' })], 'pass'],
    ['304, from the cache', [list({}, { status: 304, content: { size: 0 } })], 'incomplete', { why: NO_CONTENT }],
    ['200, from the cache', [list({}, {}, { _fromCache: 'disk' })], 'pass'],
    [
      '204',
      [list({}, { status: 204, content: { size: 0, mimeType: 'x-unknown' } })],
      'incomplete',
      { why: '1 response of the server broke the specification' },
    ],
    ['without content', [list({}, { content: undefined })], 'incomplete', { why: NO_CONTENT }],
    [
      'with content of unknown size',
      [list({}, { content: { size: -1, mimeType: 'application/json' } })],
      'incomplete',
      { why: NO_CONTENT },
    ],
    [
      'with content that was left out',
      [list({}, { content: { size: 42, mimeType: 'application/json', text: '' } })],
      'incomplete',
      { why: NO_CONTENT },
    ],
    [
      'with content in another file',
      [list({}, { content: { size: 42, mimeType: 'application/json', _file: '../../etc/passwd' } })],
      'incomplete',
      { why: NO_CONTENT },
    ],
    [
      'with content in base64',
      [list({}, { content: { size: 2, mimeType: 'application/json', text: 'W10=', encoding: 'base64' } })],
      'pass',
    ],
    [
      'with compressed content',
      [
        list(
          {},
          {
            headers: [TYPE, { name: 'content-encoding', value: 'br' }],
            content: {
              size: 9,
              mimeType: 'application/json',
              text: 'H4sIAAAAAAAAA4uOBQApu0wNAgAAAA==',
              encoding: 'base64',
            },
          },
        ),
      ],
      'incomplete',
      { why: NO_CONTENT },
    ],
    [
      'with content that was cut',
      [list({}, { content: { size: 5_000_000, mimeType: 'application/json', text: '[{"id":7,"na' } })],
      'incomplete',
      { why: NO_CONTENT },
    ],
    [
      'that is wrong',
      [list({}, { content: content({}) })],
      'incomplete',
      { why: '1 response of the server broke the specification' },
    ],
    ['of a type that nothing names', [list({}, { headers: null, content: { text: '[]' } })], 'pass'],
    [
      '401, without headers in the file',
      [list({ headers: null }, problem(401)), list()],
      'incomplete',
      { why: 'rejected' },
    ],
    [
      '401 to a request without a key',
      [list({ headers: [] }, problem(401)), list()],
      'fail',
      { found: 'security header/authorization' },
    ],
    [
      '401 to a request without a key, in a file without any key',
      [list({ headers: [TYPE] }, problem(401))],
      'incomplete',
      { account: { notValidated: 1 }, why: NO_KEY },
    ],
    [
      '401 to a request without a key, in a file that lacks a key of an accepted request',
      [list({ headers: [] }, problem(401)), list(), list({ headers: [] })],
      'incomplete',
      { account: { notValidated: 1, validated: 2 }, why: NO_KEY },
    ],
  ],
  'the credential': [
    ...['', 'Bearer', '***', 'REDACTED', '[Authorization redacted]', '<removed>', 'xxxxxxxx', 'Bearer ***'].map(
      (value): Variant => [`as ${value}`, [list({ headers: [{ name: 'authorization', value }] })], 'pass'],
    ),
    [
      'redacted, and rejected',
      [list({ headers: [{ name: 'authorization', value: '***' }] }, problem(401))],
      'incomplete',
      { why: 'rejected' },
    ],
    ...['an-example-of-a-key', 'Basic ZXhhbXBsZTpleGFtcGxl', 'Basic ***'].map(
      (value): Variant => [
        `as ${value}, which is another scheme`,
        [list({ headers: [{ name: 'authorization', value }] })],
        'fail',
        { found: 'security header/authorization' },
      ],
    ),
  ],
  'odd entries': [
    [
      'null, numbers, texts and lists',
      [null, 5, 'x', [], [[]], {}, list()],
      'pass',
      { account: { total: 7, validated: 1, skipped: 6 } },
    ],
    ['no request', [{ response: {} }, list()], 'pass', { account: { skipped: 1 } }],
    ['no method elsewhere', [elsewhere({ method: null }), list()], 'pass', { account: { otherAddress: 1 } }],
    [
      'a method with a dash elsewhere',
      [elsewhere({ method: 'M-SEARCH' }), list()],
      'pass',
      { account: { otherAddress: 1 } },
    ],
    ['a method with a dash', [list({ method: 'M-SEARCH' }), list()], 'fail', { account: { notRecognized: 1 } }],
    ['no method', [list({ method: null }), list()], 'incomplete', { why: 'no method', account: { notValidated: 1 } }],
    ['an empty method', [list({ method: '' }), list()], 'incomplete', { why: 'no method' }],
    ['a method in small letters', [list({ method: 'get' })], 'pass'],
    [
      'a relative URL of an operation',
      [list({ url: '/v1/pets?limit=500' }), list()],
      'incomplete',
      { why: 'no complete URL' },
    ],
    ['a relative URL', [list({ url: '/a.png' }), list()], 'pass', { account: { skipped: 1 } }],
    ['an empty URL', [list({ url: '' }), list({ url: 5 }), list()], 'pass', { account: { skipped: 2 } }],
    [
      'a URL with a placeholder',
      [list({ url: '{{base_url}}/pets' }), list()],
      'incomplete',
      { why: 'no complete URL' },
    ],
    [
      'a path with a placeholder',
      [list({ url: `${BASE}/pets/{{petId}}` }), list()],
      'incomplete',
      { why: 'no complete URL' },
    ],
    [
      'a host with a placeholder',
      [list({ url: 'https://{{host}}/v1/pets/1' }), list()],
      'incomplete',
      { why: 'no complete URL' },
    ],
    [
      'other schemes',
      [list({ url: 'data:text/plain,/v1/pets' }), list({ url: 'chrome-extension://x/v1/pets' }), list()],
      'pass',
      { account: { otherAddress: 2 } },
    ],
    ['null for headers', [list({ headers: null }, { headers: null })], 'pass'],
    [
      'headers as an object',
      [create({ headers: { 'content-type': 'text/plain' } }, problem(400))],
      'fail',
      { found: 'content-type header/content-type' },
    ],
    [
      'pseudo-headers of HTTP/2',
      [
        list({
          httpVersion: 'h2',
          headers: [{ name: ':path', value: '/v1/pets?limit=500' }, { name: ':method', value: 'DELETE' }, BEARER],
        }),
      ],
      'pass',
    ],
    [
      'a preflight',
      [list({ method: 'OPTIONS', headers: [] }, { status: 204, content: { size: 0 } }), list()],
      'pass',
      { account: { skipped: 1 } },
    ],
    [
      'a WebSocket',
      [list({ url: 'wss://api.example.com/v1/events' }, { status: 101 }), list()],
      'pass',
      { account: { skipped: 1 } },
    ],
    [
      'a redirect within the browser',
      [
        list(
          { url: 'http://api.example.com/v1/pets' },
          { status: 307, statusText: 'Internal Redirect', content: { size: 0 } },
        ),
        list(),
      ],
      'pass',
      { account: { skipped: 1 } },
    ],
    [
      'a redirect',
      [
        list(
          { url: 'http://api.example.com/v1/pets?limit=500' },
          { status: 301, redirectURL: `${BASE}/pets?limit=500`, content: { size: 0 } },
        ),
        list(),
      ],
      'fail',
      wrongLimit,
    ],
    [
      'no time',
      [without(list(), 'startedDateTime', 'time'), { ...list(), startedDateTime: 'soon', time: 'long' }, list()],
      'pass',
      { account: { validated: 3 } },
    ],
    [
      'a large entry elsewhere',
      [elsewhere({ note: 'x'.repeat(5 * 2 ** 20) }), list()],
      'pass',
      { account: { otherAddress: 1 } },
    ],
    [
      'a deep entry elsewhere',
      [elsewhere({ note: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) }), list()],
      'pass',
      { account: { otherAddress: 1 } },
    ],
    [
      'a large entry',
      [list({ note: 'x'.repeat(5 * 2 ** 20) }), list()],
      'incomplete',
      { why: 'too large: an entry has at most' },
    ],
    [
      'a deep entry',
      [list({ note: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) }), list()],
      'incomplete',
      { why: 'too large: an entry has at most' },
    ],
    [
      'a long URL',
      [list({ url: `${BASE}/pets?limit=500&${'x'.repeat(100_000)}` }), list()],
      'incomplete',
      { why: 'too large: the URL has more than 16,384 bytes' },
    ],
    [
      'a long header',
      [list({ url: `${BASE}/pets?limit=500`, headers: [BEARER, { name: 'Cookie', value: 'x'.repeat(20_000) }] })],
      'incomplete',
      { why: 'too large: the head has more than 16,384 bytes' },
    ],
    [
      'many parameters',
      [list({ queryString: Array.from({ length: 10_000 }, (_, at) => ({ name: `a${at}`, value: '1' })) })],
      'incomplete',
      { why: 'too large: the URL' },
    ],
    [
      "a page of the sandbox's own",
      [list({ headers: [BEARER, { name: 'sandbox-source', value: 'dashboard' }] }), list()],
      'pass',
      { account: { skipped: 1 } },
    ],
  ],
};

const foundIn = ({ operations }: Report): string[] =>
  operations.flatMap(({ violations }) => violations.map(({ rule, location }) => `${rule} ${location}`));

describe.each(Object.entries(VARIANTS))('%s in a HAR', (_, variants) => {
  it.each(variants)('%s', async (_name, entries, verdict, { found, account = {}, why } = {}) => {
    const report = await reportOf(entries);
    expect([report.verdict, report.reasons]).toEqual([
      verdict,
      why === undefined ? expect.anything() : expect.arrayContaining([expect.stringContaining(why)]),
    ]);
    if (found !== undefined) expect(foundIn(report)).toContainEqual(expect.stringContaining(found));
    expect(report.account).toMatchObject({ total: entries.length, ...account });
  });
});

describe('several base addresses', () => {
  it('are all reported on and named, unless one is chosen', async () => {
    const entries = [list(), list({ url: 'https://staging.example.com/v1/pets?limit=500' })];
    expect(await reportOf(entries)).toMatchObject({
      verdict: 'fail',
      label: `${BASE}, https://staging.example.com/v1`,
    });
    expect(await reportOf(entries, [BASE])).toMatchObject({
      verdict: 'pass',
      label: BASE,
      account: { otherAddress: 1 },
    });
  });

  it('are too many at some point', async () => {
    const entries = Array.from({ length: 51 }, (_, at) => list({ url: `https://${at}.example.com/v1/pets` }));
    await expect(reportOf(entries)).rejects.toThrow('more than 50 base addresses');
    expect((await reportOf(entries, ['https://7.example.com/v1'])).account).toMatchObject({
      validated: 1,
      otherAddress: 50,
    });
  });
});
