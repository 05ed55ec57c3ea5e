import { describe, expect, it } from 'vitest';
import { newKey } from '../../../src/base/api/api-key.ts';
import type { Report } from '../../../src/verdict/report/report.ts';
import { reportResults } from '../../../src/verdict/report/report-results.ts';
import { findingsOf } from '../../../src/verdict/report/results.ts';
import { rules } from '../../../src/verdict/report/rules.ts';
import type { Client, Reply, TestRequest } from '../../support/client.ts';
import { harEntry, harReport } from '../../support/har.ts';
import { startTestServer } from '../../support/server.ts';
import { exchangeBytes } from '../../support/wire.ts';
import { foundAs } from './clients.ts';

const server = await startTestServer();

const JSON_TYPE = { 'Content-Type': 'application/json' };
const get = (path: string): TestRequest => ({ path });
const post = (body: string, headers: Record<string, string> = JSON_TYPE): TestRequest => ({
  ...{ method: 'POST', path: '/v1/pets', headers, body },
});

const REX = '{"name":"Rex","categoryId":7}';
const rexWith = (fields: string): TestRequest => post(`{"name":"Rex","categoryId":7,${fields}}`);

const form = (body: string): TestRequest => post(body, { 'Content-Type': 'application/x-www-form-urlencoded' });

async function foundOf(client: Client) {
  const report: Report = (await client.get('/_sandbox/report')).json;
  return findingsOf(reportResults(report)).map(({ rule, location = '', fix = '' }) => ({ rule, location, fix }));
}

/** What is said of a request. */
async function fixesOf(request: TestRequest): Promise<string[]> {
  const client = await server.sandbox();
  await client.send(request);
  return (await foundOf(client)).map(({ fix }) => fix);
}

const isPet =
  (...wanted: unknown[]) =>
  ({ json }: Reply): void =>
    expect([json.name, json.categoryId, json.status].slice(0, wanted.length)).toEqual(wanted);
const isList =
  (length: number, status?: string) =>
  ({ json }: Reply): void => {
    expect(json).toHaveLength(length);
    if (status) expect(json.every((each: { status: string }) => each.status === status)).toBe(true);
  };
const hasPet =
  (id: number) =>
  ({ json }: Reply): void =>
    expect(json.map((each: { id: number }) => each.id)).toContain(id);

/** The default fixture has twelve pets: two are sold. */
const ALL = 12;

describe('a fix that says what to send', () => {
  it.each<[what: string, rule: string, request: TestRequest, isDone: (reply: Reply) => void]>([
    ['a misspelled field', 'request/required', post('{"nmae":"Rex","categoryId":7}'), isPet('Rex', 7)],
    ['a missing field', 'request/required', post('{"name":"Rex"}'), isPet('Rex')],
    ['no body', 'request/required', post(''), isPet()],
    ['a nested category', 'request/required', post('{"name":"Rex","category":{"id":7,"name":"x"}}'), isPet('Rex', 7)],
    ['an object for an id', 'request/type', post('{"name":"Rex","categoryId":{"id":7}}'), isPet('Rex', 7)],
    ['digits in quotes', 'request/type', post('{"name":"Rex","categoryId":"7"}'), isPet('Rex', 7)],
    ['a number as a name', 'request/type', post('{"name":5,"categoryId":7}'), isPet('5', 7)],
    ['a field that is null', 'request/type', post('{"name":"Rex","categoryId":7,"status":null}'), isPet('Rex', 7)],
    ['a list of one', 'request/type', post('[{"name":"Rex","categoryId":7}]'), isPet('Rex', 7)],
    ['several pets at once', 'request/type', post(`[${REX},{"name":"Tom","categoryId":7}]`), isPet('Rex', 7)],
    ['JSON in JSON', 'request/type', post('"{\\"name\\":\\"Rex\\",\\"categoryId\\":7}"'), isPet('Rex', 7)],
    ['another writing of a status', 'request/enum', rexWith('"status":"Sold"'), isPet('Rex', 7, 'sold')],
    ['two statuses in one', 'request/enum', get('/v1/pets?status=sold,pending'), isList(2, 'sold')],
    ['a limit of 0', 'request/minimum', get('/v1/pets?limit=0'), isList(1)],
    ['a limit of 500', 'request/maximum', get('/v1/pets?limit=500'), isList(ALL)],
    ['a limit in another form', 'request/type', get('/v1/pets?limit=5.0'), isList(5)],
    ['an unknown field', 'unknown-field', post('{"id":5,"name":"Rex","categoryId":7}'), isPet('Rex', 7)],
    ['a wrapped pet', 'request/required', post('{"pet":{"name":"Rex","categoryId":7}}'), isPet('Rex', 7)],
    ['another writing of a parameter', 'unknown-parameter', get('/v1/pets?Limit=5'), isList(5)],
    ['a page', 'unknown-parameter', get('/v1/pets?limit=5&page=2'), isList(5)],
    ['a page size', 'unknown-parameter', get('/v1/pets?per_page=5'), isList(5)],
    ['a finder of another petstore', 'request/type', get('/v1/pets/findByStatus?status=sold'), isList(2, 'sold')],
    ['a slash at the end', 'no-operation', get('/v1/pets/?limit=5'), isList(5)],
    ['an encoded question mark', 'no-operation', get('/v1/pets%3Flimit=5&status=sold'), isList(2, 'sold')],
    ['an encoded slash', 'no-operation', get('/v1/pets%2F7'), hasPet(7)],
    ['a backslash', 'no-operation', get('/v1\\pets?limit=5'), isList(5)],
    ['a singular', 'no-operation', get('/v1/pet?status=sold'), isList(2, 'sold')],
    ['an extension', 'no-operation', get('/v1/pets.json'), isList(ALL)],
    ['a lost base path', 'no-operation', get('/pets?limit=5'), isList(5)],
  ])('ends in the task done: %s', async (_, rule, request, isDone) => {
    const client = await server.sandbox();
    const { requestId } = await client.send(request);
    const { method, target, contentType, body } = (await client.get(`/_sandbox/requests/${requestId}`)).json.corrected;
    const wrong = await foundOf(client);
    const ofRule = wrong.filter((each) => each.rule === rule);
    // What is printed is what the corrected request has.
    const [, send, add, leave] =
      /^(?:Send (.+?) instead of |Add (.+?)(?:\. |$)|Leave out (.+?)(?:\. |$))/.exec(ofRule[0]?.fix ?? '') ?? [];
    // A body is shown in lines.
    const compact = (text = ''): string => text.replaceAll(/\s/g, '');
    const text = compact([method, target, 'Content-Type:', contentType, body].join(' '));
    if (leave === undefined) expect(text).toContain(compact(send ?? add));
    else expect(text).not.toContain(compact(leave));
    await client.delete('/_sandbox/requests');
    const headers = contentType === null ? {} : { 'Content-Type': contentType };
    const reply = await client.send({ method, path: target, headers, ...(body !== null && { body }) });
    expect((await foundOf(client)).map((each) => each.rule)).not.toContain(rule);
    isDone(reply);
  });

  it.each<readonly [path: string, fix: RegExp]>([
    ...['=sold', 'eq:sold', 'in:sold', '["sold"]', "['sold']", '[sold]', '(sold)', '"sold"', ' sold ', 'sold;'].map(
      (text) => [`/v1/pets?status=${encodeURIComponent(text)}`, /^Send status=sold instead of/] as const,
    ),
    ...['PetStatus.SOLD', 'PET_STATUS_SOLD', 'Status::Sold', "<PetStatus.SOLD: 'sold'>", 'solt', '{"eq":"sold"}'].map(
      (text) => [`/v1/pets?status=${encodeURIComponent(text)}`, /^Send status=sold instead of/] as const,
    ),
    ['/v1/pets?limit=10&amp;status=sold', /^Send status=sold instead of amp;status=sold/],
    ['/v1/pets?filter[status]=sold', /^Send status=sold instead of/],
    ['/v1/pets?status[]=sold', /^Send status=sold instead of/],
    ['/v1/pets?page[limit]=5', /^Send limit=5 instead of/],
    ['/v1/pets?status[]=sold&status[]=pending', /^Send status=sold instead of .*each value: also status=pending$/],
    ['/v1/pets?status=sold|pending', /each value: also status=sold$|each value: also status=pending$/],
    ['/v1/pets?status=all', /^Leave out status=all$/],
    ['/v1/pets?limit=0x10', /^Send limit=16 instead of/],
    ['/v1/pets?status=', /^Leave out status=$/],
    ['/v1/pets?limit=5&page=2', /^Leave out page=2\. .*there are no further pages/],
    ['/v1/pets/3', /^Send .*limit=100 instead of .* with the id 3 from the list$/],
  ])('keeps every value that was sent: %s', async (path, fix) => {
    expect(await fixesOf(get(path))).toContainEqual(expect.stringMatching(fix));
  });

  it.each<readonly [request: TestRequest, fix: RegExp]>([
    [post('{"nme":1,"categoryId":1}'), /^Send "name":"1" instead of "nme":1/],
    [rexWith('"status":"PetStatus.SOLD"'), /^Send "status":"sold" instead of/],
    [post('{"name":"Rex","category":{"id":9007199254740993}}'), /^Send "categoryId":9007199254740993 instead of/],
    [post(REX, { 'Content-Type': 'text/plain' }), /^Send Content-Type: application\/json instead of/],
  ])('keeps every value of a body: %j', async (request, fix) => {
    expect(await fixesOf(request)).toContainEqual(expect.stringMatching(fix));
  });

  it.each<readonly [request: TestRequest, advice: RegExp]>([
    ...['!sold', '-sold', '~sold', '<>sold', 'unsold', 'not sold', 'notsold', 'ne:sold', 'unavailable', 'resold'].map(
      (text) => [get(`/v1/pets?status=${encodeURIComponent(text)}`), /: the one that is meant$/] as const,
    ),
    ...['sold out', 'lost', 'old', 'solder', '["sold","lost"]', 'true', 'sold AND lost', '>sold'].map(
      (text) => [get(`/v1/pets?status=${encodeURIComponent(text)}`), /: the one that is meant$/] as const,
    ),
    ...['1.5', 'ten', '-1', '5,6', '10 items', 'Infinity', '1e400', '5px', '10;status=sold'].map(
      (text) => [get(`/v1/pets?limit=${encodeURIComponent(text)}`), /^Send `limit` as an integer/] as const,
    ),
    [get('/v1/pets?limit=5&limit=10'), /^Send `limit` once/],
    [get('/v1/pets?status=undefined&limit=5'), /^Set the variable/],
    [rexWith('"status":"undefined"'), /^Set the variable/],
    [get('/v1/pet?status=sold&limit=500'), /^No path of the API is like this one. The nearest is/],
    ...["{'name':'Rex','categoryId':7}", '{"name":"Rex","categoryId":7,}', 'name=Rex&categoryId=7'].map(
      (body) => [post(body), /^Write the body with a JSON library/] as const,
    ),
    [post('{"name":"Rex","categoryId":9223372036854775808}'), /64-bit integer/],
    [get('/v1/pets/status/sold'), /^No path of the API is like this one/],
    [post('{"name":"Rex","categoryId":7.5}'), /^Send "categoryId" as an integer/],
    [post('{"name":"Rex","categoryId":"seven"}'), /^Send "categoryId" as an integer/],
    [rexWith('"status":["sold","pending"]'), /: the one that is meant$/],
    [post('{"name":"Rex","name":"Tom","categoryId":7}'), /^Send each field once/],
  ])('is advice where it would mean something else: %j', async (request, advice) => {
    const fixes = await fixesOf(request);
    expect(fixes).toContainEqual(expect.stringMatching(advice));
    expect(fixes.join('\n')).not.toMatch(/^(?:Send|Add) .* instead of/m);
  });

  it.each(['/v1/pets?status!=sold', '/v1/pets?status[ne]=sold', '/v1/pets?!status=sold', '/v1/pets?limit<=5'])(
    'makes no filter of one that the service ignores: %s',
    async (path) => {
      expect(await fixesOf(get(path))).toEqual([expect.stringMatching(/^Leave out .*search the list for what/)]);
    },
  );

  it('says where a pet of the query belongs', async () => {
    const fixes = await fixesOf({ method: 'POST', path: '/v1/pets?name=Rex&categoryId=7' });
    expect(fixes).toContain('Send `name` in the body, as JSON');
    expect(fixes).toContainEqual(expect.stringMatching(/^Add \{"name".*\. Example values; use your own$/));
  });

  it('names no id that the list does not have', async () => {
    const [absent, rounded] = ['/v1/pets/4711', '/v1/pets/9007199254740992'];
    expect(await fixesOf(get(absent as string))).toContainEqual(
      expect.stringContaining('there is no pet with the id 4711'),
    );
    expect(await fixesOf(get(rounded as string))).toContainEqual(expect.stringContaining('64-bit integer'));
  });

  it.each([
    ['a blank', '/v1/pets?status=sold&x=a b'],
    ['an umlaut', '/v1/pets?status=sold&x=ü'],
  ])('ends in HTTP: %s', async (_, path) => {
    const client = await server.sandbox();
    const { id } = (await client.get('/_sandbox')).json;
    await exchangeBytes(server.url, `GET /${id}${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const [{ fix, rule } = { fix: '', rule: '' }] = await foundOf(client);
    expect(rule).toBe('malformed-http');
    isList(2, 'sold')(await client.get(/^Send GET (\S+) instead of/.exec(fix)?.[1] as string));
  });

  const KEY = [{ name: 'Authorization', value: 'Bearer key' }];
  it.each([
    [[], '', 'request/security: Add Authorization: Bearer <API_KEY>'],
    [KEY, '', undefined],
    [KEY, '/%zz', 'request/percent-encoding: Send the `id` of a pet from a response'],
    [KEY, '/1', undefined],
  ])('ends in a key, and in an id without a stray percent sign, in a HAR: %j %s', async (headers, path, fix) => {
    const url = `https://a.example/v1/pets${path}`;
    const rejection = { status: 401, content: { text: '{"code":"unauthorized","message":"no","status":401}' } };
    // A file in which no request has a key says nothing about keys.
    const first = harEntry({ url: 'https://a.example/v1/pets', headers: KEY });
    const entries = [first, harEntry({ url, headers }, headers.length === 0 ? rejection : {})];
    const found = findingsOf(await harReport(Buffer.from(JSON.stringify({ log: { entries } }))));
    const fixes = found.map((each) => `${each.rule}: ${each.fix}`).filter((each) => /^request/.test(each));
    expect(fixes).toEqual(fix === undefined ? [] : [expect.stringContaining(fix)]);
  });
});

describe('a fix of what only the client knows', () => {
  const onPet = (method: string): TestRequest => ({ method, path: '/v1/pets/1' });
  const encoded = (body: string, encoding: BufferEncoding): TestRequest => ({
    ...{ ...post(''), body: [Buffer.from(body, encoding)] },
  });

  it.each<[what: string, request: TestRequest, fix: RegExp]>([
    ['DELETE', onPet('DELETE'), /^Leave this request out: the API has no DELETE.*GET \/v1\/pets/],
    ['a fraction as an id', get('/v1/pets/1.5'), /ids, which are integers/],
    ['an id beyond int64', get('/v1/pets/99999999999999999999'), /64-bit integer/],
    ['a category beyond int64', post('{"name":"Rex","categoryId":99999999999999999999}'), /64-bit integer/],
    ['a template', get('/v1/pets/%7BpetId%7D'), /^Set the variable/],
    ['an HTML form', form('name=Rex'), /Content-Type: application\/json.*body as JSON, such as/],
    ['Latin-1', encoded('{"name":"M\xfcller","categoryId":1}', 'latin1'), /^Encode the body as UTF-8/],
    ['UTF-16', encoded(REX, 'utf16le'), /UTF-8, not as UTF-16/],
    ['compression', post('{}', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }), /^Leave out Content-Encoding/],
    ['a body of a get', { ...post('{"limit":5}'), method: 'GET' }, /^Leave out the body.*`limit`/],
  ])('says so, and what to do: %s', async (_, request, fix) => {
    const fixes = await fixesOf(request);
    expect(fixes).toContainEqual(expect.stringMatching(fix));
    // It is no fix to send something else.
    if (/DELETE|PATCH|PUT/.test(fix.source)) expect(fixes.join()).not.toMatch(/^Send/);
  });

  const unset = (token: string) => [`Bearer ${token}`, /^Set the variable/] as const;
  it.each<readonly [authorization: string, fix: RegExp]>([
    ...['undefined', 'None', 'null', `\${KEY}`, '<API_KEY>', '{{key}}', ''].map(unset),
    ['Basic YTpi', /^Send Authorization: Bearer <API_KEY> instead of Authorization: …\. The scheme is Bearer$/],
    [`Bearer ${newKey()}`, /instead of Authorization: …\. Take a key of this server/],
    [`Bearer ${newKey().slice(0, -4)}`, /instead of Authorization: …\. Send the whole key/],
  ])('never says to add the header that was sent: %s', async (Authorization, fix) => {
    const client = await server.sandbox();
    await client.delete('/_sandbox/requests/unmatched');
    await client.get('/v1/pets', { Authorization });
    const unmatched = foundAs((await client.get('/_sandbox/report?unmatched=true')).json, 'unmatched');
    expect(unmatched).toMatchObject([{ fix: expect.stringMatching(fix) }]);
  });

  it('has a text for every rule', () => {
    expect(rules.every(({ help }) => /^[A-Z`].*\.$/s.test(help))).toBe(true);
  });
});
