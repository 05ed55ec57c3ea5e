/**
 * HAR files as programs write them: one good archive, changed along every axis on which they differ. What the file has
 * decides, and what it lacks makes the verdict incomplete.
 */
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { harEntry, harReport } from '../support/har.ts';

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

const list = (request: Json = {}, response: Json = {}, rest: Json = {}): Json => ({
  ...harEntry({ url: `${BASE}/pets`, queryString: [], ...request }, { content: content([PET]), ...response }),
  ...rest,
});

const create = (request: Json = {}, response: Json = {}): Json =>
  list(
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

const elsewhere = (changes: Json = {}): Json => list({ url: 'https://cdn.example.net/a.png', ...changes });

const without = (value: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** A list of pets from this URL. */
const from = (url: string): Json => list({ url });

/** One with this query in the URL, or with these parameters in the list beside it. */
const asking = (query: string): Json => from(`${BASE}/pets?${query}`);
const listing = (name: string, value: unknown, url = `${BASE}/pets`): Json =>
  list({ url, queryString: [{ name, value }] });

/** A creation with this body, and the same where the file has no body. */
const sending = (postData: Json, request: Json = {}, response: Json = {}): Json =>
  create({ postData: { mimeType: 'application/json', ...postData }, ...request }, response);
const unsent = (request: Json = {}, response: Json = {}): Json => {
  const each = create(request, response);
  return { ...each, request: without(each.request, 'postData') };
};
const typed = (...more: Json[]): Json => ({ headers: [BEARER, TYPE, ...more], bodySize: 0 });
/** The headers of a creation with this type. */
const ofType = (value: string): Json => ({ headers: [BEARER, { name: 'content-type', value }] });
/** Answered with this status, without content. */
const bare = (status: number, more: Json = {}): Json => ({ status, content: { size: 0 }, ...more });
const PLAIN = 'http://api.example.com/v1/pets';
const HOST = 'https://api.example.com';
const SEARCH = { method: 'M-SEARCH' };
const DELETE = { method: 'DELETE', url: `${BASE}/pets/1` };

/** A list of pets with this content, or with this credential. */
const holding = (fields: Json): Json => list({}, { content: { size: 42, mimeType: 'application/json', ...fields } });
const keyed = (value: string): Json => ({ headers: [{ name: 'authorization', value }] });

async function reportOf(entries: Json, base?: readonly string[]): Promise<Report> {
  const har = Buffer.from(JSON.stringify({ log: { version: '1.2', entries } }));
  return (await harReport(har, base)).data as Report;
}

type Verdict = 'pass' | 'fail' | 'incomplete';
interface Expected {
  readonly verdict: Verdict;
  /** What is found, as rule and place. */
  readonly found?: string;
  /** Counts beside the validated ones, or the validated ones if there are others. */
  readonly account?: Partial<Report['account']>;
  /** Part of a reason. */
  readonly why?: string;
}

/** A name, the entries, and what is expected. */
type Variant = readonly [name: string, entries: Json, expected: Verdict | Expected];

const unknown = (why: string): Expected => ({ verdict: 'incomplete', why });
const wrong = (found: string): Expected => ({ verdict: 'fail', found });
const counted = (verdict: Verdict, account: Partial<Report['account']>): Expected => ({ verdict, account });
const noBody = unknown('the file lacks the body of the request');
const noType = unknown('no Content-Type among its headers');
const noContent = unknown('the file lacks the body of the response');
const noResponse = unknown('the file has no response to it');
const astray = { ...unknown(`it went to the host of ${BASE}, but not below that`), account: { notValidated: 1 } };
const noUrl = unknown('no complete URL');
const noKey = unknown('the file has no Authorization header of it');
const skipped = counted('pass', { skipped: 1 });
const largeEntry = unknown('too large: an entry has at most');
const brokenResponse = unknown('1 response of the server broke the specification');
const wrongLimit = wrong('maximum query/limit');
const wrongBody = wrong('required body');
const wrongType = wrong('content-type header/content-type');
const wrongKey = wrong('security header/authorization');
const OWN = { name: 'sandbox-source', value: 'dashboard' };
const TEXT = { name: 'content-type', value: 'text/plain' };
const BROTLI = { name: 'content-encoding', value: 'br' };
const COMPRESSED = {
  mimeType: 'application/json',
  size: 9,
  text: 'H4sIAAAAAAAAA4uOBQApu0wNAgAAAA==',
  encoding: 'base64',
};
const rounded = list({ url: `${BASE}/pets/9007199254740992` }, { content: content(PET) });
const NOTHING = { content: { size: -1, mimeType: 'x-unknown' } };
const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
const large = 'x'.repeat(5 * 2 ** 20);
const base64 = Buffer.from(NEW_PET).toString('base64');

const VARIANTS: Readonly<Record<string, readonly Variant[]>> = {
  'the base address': [
    ['a good archive', [list(), create()], 'pass'],
    [
      'a host in capital letters and the port of its scheme',
      [from('HTTPS://API.Example.com:443/v1/pets'), create()],
      counted('pass', { validated: 2 }),
    ],
    ['another port', [list(), from('https://api.example.com:8443/v1/pets?limit=500')], wrongLimit],
    ['http and https', [list(), from('http://api.example.com/v1/pets?limit=500')], wrongLimit],
    ['a prefix', [from('https://example.com/shop/api/v1/pets?limit=500')], wrongLimit],
    ['a prefix with another version', [from('https://example.com/v1/proxy/v1/pets?limit=500')], wrongLimit],
    ['an address of IPv6', [from('http://[::1]:4020/v1/pets?limit=500')], wrongLimit],
    ['credentials in the URL', [from('https://user:password@api.example.com/v1/pets?limit=500')], wrongLimit],
    ['a fragment', [asking('limit=5#top')], 'pass'],
    ['a wrong path first', [from(`${BASE}/pet/1`), list()], counted('fail', { notRecognized: 1, validated: 1 })],
    ['a wrong method first', [list(DELETE), list()], counted('fail', { notRecognized: 1 })],
    ['a wrong method alone', [list(DELETE)], counted('fail', { notRecognized: 1 })],
    ['no request of the API', [elsewhere()], { ...unknown('no request was seen'), account: { otherAddress: 1 } }],
    ['no entries', [], unknown('no request was seen')],
    [
      'a path that only begins like the base',
      [list(), from('https://api.example.com/v1beta/pets?limit=500')],
      counted('pass', { otherAddress: 1 }),
    ],
    ['left out, and rejected', [list(), list({ url: `${HOST}/pets` }, problem(404))], astray],
    ['in capital letters, and rejected', [list({ url: `${HOST}/V1/pets/7` }, bare(404)), list()], astray],
    ['left out, by a page', [list({ url: `${HOST}/pets` }), list()], counted('pass', { otherAddress: 1 })],
    ['left out, by a picture', [list({ url: `${HOST}/pets/7.png` }, bare(404)), list()], counted('pass', {})],
  ],
  'the query': [
    ['in the list alone', [listing('limit', '500')], wrongLimit],
    ['in the list alone, as a number', [listing('limit', 500)], wrongLimit],
    ['in the list, behind a lone question mark', [listing('limit', '500', `${BASE}/pets?`)], wrongLimit],
    ['in both, and they differ', [listing('limit', '500', `${BASE}/pets?limit=5`)], 'pass'],
    ['in the URL alone', [asking('limit=500')], wrongLimit],
    ['with signs to encode', [listing('status', 'a&limit=500 \ud800')], wrong('enum query/status')],
    ['with an integer in another form', [asking('limit=010')], wrong('type query/limit')],
    ['with an empty value', [asking('status=')], wrong('enum query/status')],
    ['a list of another form', [list({ queryString: { limit: 500 } })], 'pass'],
  ],
  'the body of a request': [
    ['that is wrong', [sending({ text: '{"name":"Rex"}' }, {}, problem(400))], wrongBody],
    ['in base64', [sending({ text: base64, encoding: 'base64' })], 'pass'],
    ['missing, with Content-Length', [unsent(typed({ name: 'content-length', value: 30 }), problem(400))], noBody],
    ['missing, with bodySize', [unsent({}, problem(400))], noBody],
    ['missing, in chunks', [unsent(typed({ name: 'Transfer-Encoding', value: 'chunked' }), problem(400))], noBody],
    ['missing, and created', [unsent({ bodySize: 0 })], noBody],
    ['missing, of unknown size, and created', [unsent({ bodySize: -1 })], noBody],
    ['missing, of a size that is none', [unsent({ bodySize: true })], noBody],
    ['missing, aborted', [unsent({ bodySize: -1 }, { status: 0, content: undefined })], noBody],
    ['missing, as the server said', [unsent({ bodySize: 0 }, problem(400))], wrongBody],
    [
      'empty, with params',
      [sending({ text: '', params: [{ name: 'name', value: 'Rex' }] }, { bodySize: -1 }, problem(400))],
      noBody,
    ],
    ['empty, with a file', [sending({ text: '', _file: 'a.json' }, { bodySize: -1 })], noBody],
    ['left out by Playwright', [sending({ text: '', params: [] }, { bodySize: -1 }, problem(400))], noBody],
    ['of another type', [sending({ text: { name: 'Rex' } })], noBody],
    ['cut by the program that wrote it', [sending({ text: NEW_PET.slice(0, 20) }, { bodySize: 2_000_000 })], noBody],
    ['with a type of another vendor', [create(ofType('application/vnd.pet+json'), problem(400))], wrongType],
    ['missing, of the size 0, and nobody read it', [unsent({ bodySize: 0 }, problem(500))], noBody],
    ['missing, with the length 0', [unsent(typed({ name: 'Content-Length', value: '0' }), problem(401))], wrongBody],
    ['missing, with a size as text', [unsent({ bodySize: '30' }, problem(400))], noBody],
    [
      'missing, with a repeated length',
      [unsent({ ...typed({ name: 'Content-Length', value: '30, 30' }), bodySize: -1 }, problem(400))],
      noBody,
    ],
    ['with two types, of which a server takes the first', [create({ headers: [TYPE, TEXT] })], 'pass'],
    ['with a wrong type, and a right one after it', [create({ headers: [TEXT, TYPE] })], wrongType],
    ['with headers, and no type', [create({ headers: [BEARER], postData: { text: NEW_PET } })], noType],
    ['compressed', [create({ headers: [TYPE, BROTLI], postData: { text: '\u001f\ufffd' }, bodySize: -1 })], noBody],
    ['in BASE64', [sending({ text: base64, encoding: 'BASE64' })], 'pass'],
    ['as a text in place of postData', [create({ postData: NEW_PET })], noBody],
    ['with parameters of its type', [create(ofType('application/json;odata=x; charset="UTF-8"'))], 'pass'],
    ['of a type that nothing names', [create({ headers: null, postData: { text: NEW_PET } })], 'pass'],
    ['of a GET', [list({ bodySize: 20 })], 'pass'],
    [
      'of more than a MiB',
      [sending({ text: JSON.stringify({ name: 'x'.repeat(2 ** 20), categoryId: 1 }) })],
      unknown('too large: the body has more than 1,048,576 bytes'),
    ],
  ],
  'the response': [
    ['missing', [without(list(), 'response')], noResponse],
    ['missing, to a wrong request', [without(asking('limit=500'), 'response')], wrongLimit],
    ['missing, and no credential', [without(list({ headers: [] }), 'response')], noResponse],
    ['null', [{ ...list(), response: null }], noResponse],
    ['with the status 0', [list({}, { status: 0, content: { size: 0, mimeType: 'x-unknown' } })], noResponse],
    ['with the status −1', [list({}, { ...NOTHING, status: -1, _failureText: 'net::ERR_ABORTED' })], noResponse],
    ['with no status', [list({}, { status: null })], noResponse],
    ['with a status as text', [list({}, { status: '200' })], 'pass'],
    ['304, from the cache', [list({}, bare(304))], noContent],
    ['200, from the cache', [list({}, {}, { _fromCache: 'disk' })], 'pass'],
    ['204', [list({}, { status: 204, content: { size: 0, mimeType: 'x-unknown' } })], brokenResponse],
    ['without content', [list({}, { content: undefined })], noContent],
    ['with content of unknown size', [holding({ size: -1 })], noContent],
    ['with content that was left out', [holding({ text: '' })], noContent],
    ['with content in another file', [holding({ _file: '../../etc/passwd' })], noContent],
    ['with content in base64', [holding({ size: 2, text: 'W10=', encoding: 'base64' })], 'pass'],
    ['with compressed content', [list({}, { headers: [TYPE, BROTLI], content: COMPRESSED })], noContent],
    ['with content that was cut', [holding({ size: 5_000_000, text: '[{"id":7,"na' })], noContent],
    ['that is wrong', [list({}, { content: content({}) })], brokenResponse],
    ['of a type that nothing names', [list({}, { headers: null, content: { text: '[]' } })], 'pass'],
    ['401, without headers in the file', [list({ headers: null }, problem(401)), list()], unknown('rejected')],
    ['401 to a request without a key', [list({ headers: [] }, problem(401)), list()], wrongKey],
    [
      '401 to a request without a key, in a file without any key',
      [list({ headers: [TYPE] }, problem(401))],
      { ...noKey, account: { notValidated: 1 } },
    ],
    [
      '401 to a request without a key, in a file that lacks a key of an accepted request',
      [list({ headers: [] }, problem(401)), list(), list({ headers: [] })],
      { ...noKey, account: { notValidated: 1, validated: 2 } },
    ],
  ],
  'the credential': [
    ...['', 'Bearer', '***', 'REDACTED', '[Authorization redacted]', '<removed>', 'xxxxxxxx', 'Bearer ***'].map(
      (value): Variant => [`as ${value}`, [list(keyed(value))], 'pass'],
    ),
    ['redacted, and rejected', [list(keyed('***'), problem(401))], unknown('rejected')],
    ...['an-example-of-a-key', 'Basic ZXhhbXBsZTpleGFtcGxl', 'Basic ***'].map(
      (value): Variant => [`as ${value}, which is another scheme`, [list(keyed(value))], wrongKey],
    ),
  ],
  'odd entries': [
    [
      'null, numbers, texts and lists',
      [null, 5, 'x', [], [[]], {}, list()],
      counted('pass', { total: 7, validated: 1, skipped: 6 }),
    ],
    ['no request', [{ response: {} }, list()], skipped],
    ['no method elsewhere', [elsewhere({ method: null }), list()], counted('pass', { otherAddress: 1 })],
    ['a method with a dash elsewhere', [elsewhere(SEARCH), list()], counted('pass', { otherAddress: 1 })],
    ['a method with a dash', [list(SEARCH), list()], counted('fail', { notRecognized: 1 })],
    ['no method', [list({ method: null }), list()], { ...unknown('no method'), account: { notValidated: 1 } }],
    ['an empty method', [list({ method: '' }), list()], unknown('no method')],
    ['a method in small letters', [list({ method: 'get' })], 'pass'],
    ['a relative URL of an operation', [from('/v1/pets?limit=500'), list()], noUrl],
    ['a relative URL', [from('/a.png'), list()], skipped],
    ['an id in another encoding', [from(`${BASE}/pets/%39223372036854775808`)], wrong('format path/petId')],
    [
      'an id that was rounded, and blanks in the JSON with it',
      [list({}, { content: { text: '[{"id": 9007199254740993, "name": "Rex", "categoryId": 1}]' } }), rounded],
      { verdict: 'fail', why: 'large integer came back rounded' },
    ],
    ['an empty URL', [from(''), list({ url: 5 }), list()], counted('pass', { skipped: 2 })],
    ['a URL with a placeholder', [from('{{base_url}}/pets'), list()], noUrl],
    ['a path with a placeholder', [from(`${BASE}/pets/{{petId}}`), list()], noUrl],
    ['a host with a placeholder', [from('https://{{host}}/v1/pets/1'), list()], noUrl],
    [
      'other schemes',
      [from('data:text/plain,/v1/pets'), from('chrome-extension://x/v1/pets'), list()],
      counted('pass', { otherAddress: 2 }),
    ],
    ['null for headers', [list({ headers: null }, { headers: null })], 'pass'],
    ['headers as an object', [create({ headers: { 'content-type': 'text/plain' } }, problem(400))], wrongType],
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
    ['a preflight', [list({ method: 'OPTIONS', headers: [] }, bare(204)), list()], skipped],
    ['a WebSocket', [list({ url: 'wss://api.example.com/v1/events' }, { status: 101 }), list()], skipped],
    ['a WebSocket as mitmproxy writes it', [list({ url: `${BASE}/events` }, bare(101)), list()], skipped],
    [
      'a redirect within the browser',
      [list({ url: PLAIN }, bare(307, { statusText: 'Internal Redirect' })), list()],
      skipped,
    ],
    [
      'a redirect',
      [list({ url: `${PLAIN}?limit=500` }, bare(301, { redirectURL: `${BASE}/pets?limit=500` })), list()],
      wrongLimit,
    ],
    [
      'no time',
      [without(list(), 'startedDateTime', 'time'), { ...list(), startedDateTime: 'soon', time: 'long' }, list()],
      counted('pass', { validated: 3 }),
    ],
    ['a large entry elsewhere', [elsewhere({ note: large }), list()], counted('pass', { otherAddress: 1 })],
    ['a deep entry elsewhere', [elsewhere({ note: deep }), list()], counted('pass', { otherAddress: 1 })],
    ['a large entry', [list({ note: large }), list()], largeEntry],
    ['a deep entry', [list({ note: deep }), list()], largeEntry],
    [
      'a long URL',
      [asking(`limit=500&${'x'.repeat(100_000)}`), list()],
      unknown('too large: the URL has more than 16,384 bytes'),
    ],
    [
      'a long header',
      [list({ url: `${BASE}/pets?limit=500`, headers: [BEARER, { name: 'Cookie', value: 'x'.repeat(20_000) }] })],
      unknown('too large: the head has more than 16,384 bytes'),
    ],
    [
      'many parameters',
      [list({ queryString: Array.from({ length: 10_000 }, (_, at) => ({ name: `a${at}`, value: '1' })) })],
      unknown('too large: the URL'),
    ],
    ["a page of the sandbox's own", [list({ headers: [BEARER, OWN] }), list()], skipped],
  ],
};

const foundIn = ({ operations }: Report): string[] =>
  operations.flatMap(({ violations }) => violations.map(({ rule, location }) => `${rule} ${location}`));

describe.each(Object.entries(VARIANTS))('%s in a HAR', (_, variants) => {
  it.each(variants)('%s', async (_name, entries, expected) => {
    const { verdict, found, account, why }: Expected = typeof expected === 'string' ? { verdict: expected } : expected;
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
