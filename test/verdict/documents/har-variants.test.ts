/**
 * HAR files as programs write them: one good archive, changed along every axis on which they differ. What the file has
 * decides, and what it lacks makes the verdict incomplete.
 */
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src/verdict/report/report.ts';
import { harEntry, harReport } from '../../support/har.ts';
import { foundAs } from '../report/clients.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test changes at will, also into what is wrong
type Json = any;

const HOST = 'https://api.example.com';
const BASE = `${HOST}/v1`;
const PETS = `${BASE}/pets`;
const PET = { id: 7, name: 'Rex', categoryId: 1 };
const NEW_PET = '{"name":"Rex","categoryId":1}';
const BEARER = { name: 'Authorization', value: 'Bearer an-example-of-a-key' };
const TYPE = { name: 'Content-Type', value: 'application/json' };
const TEXT = { name: 'content-type', value: 'text/plain' };
const LONG = { name: 'Content-Length', value: '2000' };
const HSTS = { name: 'Non-Authoritative-Reason', value: 'HSTS' };
const IDENTITY = { name: 'content-encoding', value: 'identity' };
const UMLAUTS = '{"name":"Räx 🐶","categoryId":1}';
const BROTLI = { name: 'content-encoding', value: 'br' };
const OWN = { name: 'sandbox-source', value: 'dashboard' };
const PARAMS = [{ name: 'name', value: 'Rex' }];
const UNKNOWN = { size: 0, mimeType: 'x-unknown' };
const GZIP = { mimeType: TYPE.value, size: 9, text: 'H4sIAAAAAAAAA4uOBQApu0wNAgAAAA==', encoding: 'base64' };
const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
const large = 'x'.repeat(5 * 2 ** 20);
const BASE64 = { text: Buffer.from(NEW_PET).toString('base64'), encoding: 'base64' };

const content = (value: unknown): Json => {
  const text = JSON.stringify(value);
  return { size: text.length, mimeType: 'application/json', text };
};
const problem = (status: number): Json => ({ status, content: content({ code: 'x', message: 'x', status }) });
/** Answered with this status, without content. */
const bare = (status: number, more: Json = {}): Json => ({ status, content: { size: 0 }, ...more });

/** A list of which the file has less than its size. */
const LARGER = { ...content([PET]), size: 2_000 };

/** A list of pets, with changes. */
const list = (request: Json = {}, response: Json = {}, rest: Json = {}): Json => ({
  ...harEntry({ url: PETS, queryString: [], ...request }, { content: content([PET]), ...response }),
  ...rest,
});
const from = (url: string, response?: Json): Json => list({ url }, response);
const asking = (query: string): Json => from(`${PETS}?${query}`);
/** With this parameter in the list beside the URL. */
const listing = (name: string, value: unknown, url = PETS): Json => list({ url, queryString: [{ name, value }] });
const holding = (fields: Json, response: Json = {}): Json =>
  list({}, { content: { size: 42, mimeType: 'application/json', ...fields }, ...response });
const keyed = (value: string): Json => ({ headers: [{ name: 'authorization', value }] });
const elsewhere = (changes: Json = {}): Json => list({ url: 'https://cdn.example.net/a.png', ...changes });
const without = (value: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** A creation, with changes. */
const create = (request: Json = {}, response: Json = {}): Json => {
  const postData = { mimeType: 'application/json', text: NEW_PET };
  const sent = { method: 'POST', headers: [BEARER, TYPE], postData, bodySize: NEW_PET.length, ...request };
  return list(sent, { status: 201, content: content(PET), ...response });
};
const sending = (postData: Json, request: Json = {}, response: Json = {}): Json =>
  create({ postData: { mimeType: 'application/json', ...postData }, bodySize: -1, ...request }, response);
/** Where the file has no body of it. */
const unsent = (request: Json = {}, response: Json = {}): Json => {
  const each = create(request, response);
  return { ...each, request: without(each.request, 'postData') };
};
const typed = (name: string, value: Json): Json => ({ headers: [BEARER, TYPE, { name, value }], bodySize: 0 });
const ofType = (value: string): Json => ({ headers: [BEARER, { name: 'content-type', value }] });

async function reportOf(entries: Json): Promise<Report> {
  return (await harReport(Buffer.from(JSON.stringify({ log: { version: '1.2', entries } })))).data as Report;
}

interface Expected {
  readonly verdict: 'pass' | 'fail' | 'incomplete';
  /** What is found, as rule and place. */
  readonly found?: string;
  readonly account?: Partial<Report['account']> | undefined;
  /** Part of a reason. */
  readonly why?: string;
}

type Variant = readonly [name: string, expected: Expected, ...entries: Json[]];

const pass: Expected = { verdict: 'pass' };
const incomplete = (why: string, account?: Expected['account']): Expected => ({ verdict: 'incomplete', why, account });
const wrong = (found: string): Expected => ({ verdict: 'fail', found });
const counted = (verdict: Expected['verdict'], account: Expected['account']): Expected => ({ verdict, account });
const noBody = incomplete('the file lacks the body of the request');
const noType = incomplete('no Content-Type among its headers');
const noContent = incomplete('the file lacks the body of the response');
const notOfHead = incomplete('1 request could not be validated: a response to HEAD has no body to validate');
const noResponse = incomplete('the file has no response to it');
const noUrl = incomplete('no complete URL');
const noMethod = incomplete('no method', { notValidated: 1 });
const noKey = incomplete('the file has no Authorization header of it', { notValidated: 1 });
const rejected = incomplete('rejected');
const astray = incomplete(`it went to the host of ${BASE}, but not below that`, { notValidated: 1 });
const brokenResponse = incomplete('1 response of the server broke the specification');
const skipped = counted('pass', { skipped: 1 });
const ignored = counted('pass', { otherAddress: 1 });
const strayed = counted('fail', { notRecognized: 1 });
const wrongLimit = wrong('maximum query/limit');
const wrongBody = wrong('required body');
const wrongType = wrong('content-type header/content-type');
const wrongKey = wrong('security header/authorization');
const rounded: Expected = { verdict: 'fail', why: 'large integer came back rounded' };

const VARIANTS: Readonly<Record<string, readonly Variant[]>> = {
  'the base address': [
    ['a good archive', counted('pass', { validated: 2 }), list(), create()],
    ['in capital letters and with the port of its scheme', pass, from('HTTPS://API.Example.com:443/v1/pets'), create()],
    ['http and https', wrongLimit, list(), from('http://api.example.com/v1/pets?limit=500')],
    ['a prefix', wrongLimit, from('https://example.com/shop/api/v1/pets?limit=500')],
    ['a prefix with another version', wrongLimit, from('https://example.com/v1/proxy/v1/pets?limit=500')],
    ['an address of IPv6', wrongLimit, from('http://[::1]:4020/v1/pets?limit=500')],
    ['credentials in the URL', wrongLimit, from('https://user:password@api.example.com/v1/pets?limit=500')],
    ['a fragment', pass, asking('limit=5#top')],
    ['a wrong path first', counted('fail', { notRecognized: 1, validated: 1 }), from(`${BASE}/pet/1`), list()],
    ['no request of the API', incomplete('no request was seen', { otherAddress: 1 }), elsewhere()],
    ['no entries', incomplete('no request was seen')],
    ['a path that only begins like the base', ignored, list(), from(`${HOST}/v1beta/pets?limit=500`)],
    ['left out, and rejected', astray, list(), from(`${HOST}/pets`, problem(404))],
    ['in capital letters, and rejected', astray, from(`${HOST}/V1/pets/7`, bare(404)), list()],
    ['left out, by a page', ignored, from(`${HOST}/pets`), list()],
    ['left out, by a picture', ignored, from(`${HOST}/pets/7.png`, bare(404)), list()],
  ],
  'the query': [
    ['in the list alone', wrongLimit, listing('limit', '500')],
    ['in the list, behind a lone question mark', wrongLimit, listing('limit', '500', `${PETS}?`)],
    ['in both, and they differ', pass, listing('limit', '500', `${PETS}?limit=5`)],
    ['in the URL alone', wrongLimit, asking('limit=500')],
    ['with signs to encode', wrong('enum query/status'), listing('status', 'a&limit=500 \ud800')],
    ['with an integer in another form', wrong('type query/limit'), asking('limit=010')],
    ['with an empty value', wrong('enum query/status'), asking('status=')],
    ['a list of another form', pass, list({ queryString: { limit: 500 } })],
  ],
  'the body of a request': [
    ['that is wrong', wrongBody, sending({ text: '{"name":"Rex"}' }, {}, problem(400))],
    ['with the largest category', pass, sending({ text: NEW_PET.replace('1', '9223372036854775807') })],
    ['beyond int64', wrong('format body/categoryId'), sending({ text: NEW_PET.replace('1', '9223372036854775808') })],
    ['in base64', pass, sending(BASE64)],
    ['that is binary', noBody, sending({ text: 'AP/+ew==', encoding: 'base64' }, { bodySize: 30 }, problem(400))],
    ['missing, with Content-Length', noBody, unsent(typed('content-length', 30), problem(400))],
    ['missing, with bodySize', noBody, unsent({}, problem(400))],
    ['missing, in chunks', noBody, unsent(typed('Transfer-Encoding', 'chunked'), problem(400))],
    ['missing, and created', noBody, unsent({ bodySize: 0 })],
    ['missing, aborted', noBody, unsent({ bodySize: -1 }, { status: 0, content: undefined })],
    ['missing, as the server said', wrongBody, unsent({ bodySize: 0 }, problem(400))],
    ['missing, with the length 0', wrongBody, unsent(typed('Content-Length', '0'), problem(401))],
    ['missing, with a size as text', noBody, unsent({ bodySize: '30' }, problem(400))],
    ['missing, with a repeated length', noBody, unsent(typed('Content-Length', '30, 30'), problem(400))],
    ['empty, with params', noBody, sending({ text: '', params: PARAMS }, { bodySize: 0 }, problem(400))],
    ['empty, with a file', noBody, sending({ text: '', _file: 'a.json' }, { bodySize: -1 })],
    ['left out by Playwright', noBody, sending({ text: '', params: [] }, { bodySize: -1 }, problem(400))],
    ['of another type', noBody, sending({ text: { name: 'Rex' } })],
    ['cut by the program that wrote it', noBody, sending({ text: NEW_PET.slice(0, 20) }, { bodySize: 2_000_000 })],
    ['shorter than its bodySize, and JSON', noBody, create({ bodySize: 2_000 })],
    ['shorter than its Content-Length, and JSON', noBody, create({ headers: [BEARER, TYPE, LONG] })],
    ['shorter than its Content-Length, compressed', pass, create({ headers: [BEARER, TYPE, LONG, BROTLI] })],
    ['shorter than its Content-Length, not encoded', noBody, create({ headers: [TYPE, LONG, IDENTITY] })],
    ['of the size 0, as programs that do not know it write', pass, create({ bodySize: 0 })],
    ['in base64, shorter than its size', noBody, sending(BASE64, { bodySize: 2_000 })],
    ['in base64, of its encoded size', pass, sending(BASE64, { bodySize: BASE64.text.length })],
    ['of several bytes a character', pass, sending({ text: UMLAUTS }, { bodySize: Buffer.byteLength(UMLAUTS) })],
    ['of several bytes a character, counted as one', pass, sending({ text: UMLAUTS }, { bodySize: UMLAUTS.length })],
    ['that began with a byte order mark', pass, create({ bodySize: NEW_PET.length + 3 })],
    ['as a text in place of postData', noBody, create({ postData: NEW_PET })],
    ['compressed', noBody, create({ headers: [TYPE, BROTLI], postData: { text: '\u001f\ufffd' }, bodySize: -1 })],
    ['with a type of another vendor', wrongType, create(ofType('application/vnd.pet+json'), problem(400))],
    ['with parameters of its type', pass, create(ofType('application/json;odata=x; charset="UTF-8"'))],
    ['with two types, of which a server takes the first', pass, create({ headers: [TYPE, TEXT] })],
    ['with a wrong type, and a right one after it', wrongType, create({ headers: [TEXT, TYPE] })],
    ['with headers, and no type', noType, create({ headers: [BEARER], postData: { text: NEW_PET } })],
    ['of a type that nothing names', pass, create({ headers: null, postData: { text: NEW_PET } })],
    ['of a GET, as a number', pass, list({ bodySize: 'x', postData: 5 })],
  ],
  'the response': [
    ['missing', noResponse, without(list(), 'response')],
    ['missing, to a wrong request', wrongLimit, without(asking('limit=500'), 'response')],
    ['missing, and no credential', noResponse, without(list({ headers: [] }), 'response')],
    ['null', noResponse, { ...list(), response: null }],
    ['with the status 0', noResponse, list({}, { status: 0, content: UNKNOWN })],
    ['with a status as text', pass, list({}, { status: '200' })],
    ['304, from the cache', counted('pass', { validated: 2 }), list({}, bare(304)), list()],
    ['307 without an address', counted('pass', { validated: 2 }), list({}, bare(307)), list()],
    ['302, as a page', pass, list({}, { status: 302, content: { mimeType: 'text/html', text: '<a>' } }), list()],
    ['304, with what is in the cache', pass, list({}, { status: 304 }), list()],
    ['304 to a wrong request', wrongLimit, list({ url: `${PETS}?limit=500` }, bare(304))],
    ['to HEAD, of the length of GET', notOfHead, list({ method: 'HEAD' }, bare(200, { headers: [LONG] })), list()],
    ['shorter than its size, and JSON', noContent, list({}, { content: LARGER })],
    ['shorter than its Content-Length, and JSON', noContent, list({}, { headers: [TYPE, LONG] })],
    ['shorter than its bodySize alone', noContent, holding({ size: -1, text: '[]' }, { bodySize: 900 })],
    ['of fewer bytes than came with the head of it, as Safari counts', pass, list({}, { bodySize: 900 })],
    [
      'compressed to more, as mitmproxy counts',
      pass,
      list({}, { headers: [TYPE, BROTLI, LONG], content: LARGER, bodySize: 2_000 }),
    ],
    ['compressed and cut', noContent, list({}, { headers: [TYPE, BROTLI], content: LARGER, bodySize: 700 })],
    ...[202, 204].map(
      (status) => [`${status}`, counted('pass', { validated: 2 }), list({}, bare(status)), list()] as const,
    ),
    ['204 of unknown size', counted('pass', { validated: 2 }), list({}, { status: 204, content: UNKNOWN }), list()],
    ['of the size 0', brokenResponse, list({}, bare(200))],
    ['without content', noContent, list({}, { content: undefined })],
    ['without content, to a wrong request', wrongLimit, list({ url: `${PETS}?limit=500` }, { content: { size: 90 } })],
    ['with content of unknown size', noContent, holding({ size: -1 })],
    ['with content that was left out', noContent, holding({ text: '' })],
    ['with content in another file', noContent, holding({ _file: '../../etc/passwd' })],
    ['with content in base64', pass, holding({ size: 2, text: 'W10=', encoding: 'base64' })],
    ['with compressed content', noContent, list({}, { headers: [TYPE, BROTLI], content: GZIP })],
    ['with content that was cut', noContent, holding({ size: 5_000_000, text: '[{"id":7,"na' })],
    ['with content of a size that is none', pass, list({}, { content: { size: {}, text: '[]' } })],
    ['that is wrong', brokenResponse, list({}, { content: content({}) })],
    ['of a type that nothing names', pass, list({}, { headers: null, content: { text: '[]' } })],
    ['401, without headers in the file', rejected, list({ headers: null }, problem(401)), list()],
    ['401 to a request without a key', wrongKey, list({ headers: [] }, problem(401)), list()],
    ['401 to one without a key, in a file without any key', noKey, list({ headers: [TYPE] }, problem(401))],
    [
      '401 to a request without a key, in a file that lacks a key of an accepted one',
      { ...noKey, account: { notValidated: 1, validated: 2 } },
      ...[list({ headers: [] }, problem(401)), list(), list({ headers: [] })],
    ],
  ],
  'the credential': [
    ...['', 'Bearer', '***', 'REDACTED', '[Authorization redacted]', '<removed>', 'xxxxxxxx', 'Bearer ***'].map(
      (value): Variant => [`as ${value}`, pass, list(keyed(value))],
    ),
    ['redacted, and rejected', rejected, list(keyed('***'), problem(401))],
    ...['an-example-of-a-key', 'Basic ZXhhbXBsZTpleGFtcGxl', 'Basic ***'].map(
      (value): Variant => [`as ${value}, which is another scheme`, wrongKey, list(keyed(value))],
    ),
  ],
  'odd entries': [
    ['null and others', counted('pass', { validated: 1, skipped: 6 }), ...[null, 5, 'x', [], [[]], {}], list()],
    ['no request', skipped, { response: {} }, list()],
    ['no method elsewhere', ignored, elsewhere({ method: null }), list()],
    ['a method with a dash', strayed, list({ method: 'M-SEARCH' }), list()],
    ['no method', noMethod, list({ method: null }), list()],
    ['a method in small letters', pass, list({ method: 'get' })],
    ['a relative URL of an operation', noUrl, from('/v1/pets?limit=500'), list()],
    ['an id in another encoding', wrong('format path/petId'), from(`${PETS}/%39223372036854775808`)],
    [
      'an id that was rounded, and blanks in the JSON with it',
      rounded,
      list({}, { content: { text: '[{"id": 9007199254740993, "name": "Rex", "categoryId": 1}]' } }),
      from(`${PETS}/9007199254740992`, { content: content(PET) }),
    ],
    ['an empty URL', counted('pass', { skipped: 2 }), from(''), list({ url: 5 }), list()],
    ['a URL with a placeholder', noUrl, from('{{base_url}}/pets'), list()],
    ['a path with a placeholder', noUrl, from(`${PETS}/{{petId}}`), list()],
    ['a host with a placeholder', noUrl, from('https://{{host}}/v1/pets/1'), list()],
    ['another scheme', ignored, from('data:text/plain,/v1/pets'), list()],
    ['the scheme of an extension', ignored, from('chrome-extension://x/v1/pets'), list()],
    ['null for headers', pass, list({ headers: null }, { headers: null })],
    ['headers that are none', pass, list({ headers: [null, 1, { name: {} }, BEARER] }, { headers: { length: 1e9 } })],
    ['headers as an object', wrongType, create({ headers: { 'content-type': 'text/plain' } }, problem(400))],
    ['pseudo-headers of HTTP/2', pass, list({ headers: [{ name: ':path', value: '/v1/pets?limit=500' }, BEARER] })],
    ['a preflight', skipped, list({ method: 'OPTIONS', headers: [] }, bare(204)), list()],
    ['a WebSocket', skipped, from('wss://api.example.com/v1/events', { status: 101 }), list()],
    ['a WebSocket as mitmproxy writes it', skipped, from(`${BASE}/events`, bare(101)), list()],
    ['a redirect within the browser', skipped, list({}, bare(307, { statusText: 'Internal Redirect' })), list()],
    ['HSTS without its words', skipped, list({}, bare(307, { headers: [HSTS], content: { size: -1 } })), list()],
    ['HSTS, by its address', skipped, from(PETS.replace('https', 'http'), bare(307, { redirectURL: PETS })), list()],
    ['a redirect', wrongLimit, list({ url: `${PETS}?limit=500` }, bare(301, { redirectURL: PETS })), list()],
    [
      'no time',
      counted('pass', { validated: 4 }),
      ...[without(list(), 'startedDateTime', 'time'), list({}, {}, { startedDateTime: 'soon', time: 'long' })],
      ...[list({}, {}, { startedDateTime: '-271821-04-20T00:00:00.000Z', time: 1e308 }), list()],
    ],
    ['a large entry', pass, list({ note: large }), list()],
    ['a deep entry', pass, list({ note: deep }), list()],
    [
      'a long URL',
      incomplete('too large: the URL has more than 16,384 characters'),
      asking(`limit=500&${'x'.repeat(100_000)}`),
      list(),
    ],
    ["a page of the sandbox's own", skipped, list({ headers: [BEARER, OWN] }), list()],
  ],
};

const foundIn = (report: Report): string[] =>
  foundAs(report, 'violation').map(({ rule, location }) => `${rule.replace('request/', '')} ${location}`);

describe.each(Object.entries(VARIANTS))('%s in a HAR', (_, variants) => {
  it.each(variants)('%s', async (_name, { verdict, found, account, why }, ...entries) => {
    const report = await reportOf(entries);
    const reasons = why === undefined ? expect.anything() : expect.arrayContaining([expect.stringContaining(why)]);
    expect([report.verdict, report.reasons]).toEqual([verdict, reasons]);
    if (found !== undefined) expect(foundIn(report)).toContainEqual(expect.stringContaining(found));
    expect(report.account).toMatchObject({ total: entries.length, ...account });
  });
});
