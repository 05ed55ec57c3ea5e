/**
 * Requests whose response follows from the specification or from a decision of the sandbox, whatever pets a server has.
 * One table for the tests, and for docs/reference/behavior.md. That it has both sides of each bound: boundaries.test.ts.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import { INT64_MAX, INT64_MIN } from '../../../src/base/int64.ts';
import { printable, shorten } from '../../../src/base/text.ts';
import type { TestRequest } from '../../support/client.ts';
import { texts } from '../../support/texts.ts';

export interface CaseRequest extends TestRequest {
  readonly headers?: OutgoingHttpHeaders;
  /** Instead of the request in words, where that is unclear or contains a key. */
  readonly title?: string;
  /** The new pet as JSON, without its id; the body if omitted. */
  readonly pet?: string;
  /** The field or parameter that it is about, as messages name it: `body/name`. */
  readonly location?: string;
  /** What it has there: as text in an address, as JSON in a body. */
  readonly value?: string;
}

/** Requests that a server rejects, or accepts, for the same reason. */
export interface Cases {
  readonly status: number;
  /** Why it is this status: a cell of docs/reference/behavior.md. */
  readonly why: string;
  readonly requests: readonly CaseRequest[];
}

const LONGEST_NAME = 120;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const NO_KEY = { Authorization: [] };

/** A request as the title of a test: stable, and unique. */
export const caseNameOf = (request: CaseRequest): string =>
  printable(request.title ?? shorten(requestText(request), LONGEST_NAME));

/** A request in one line, without the server's address. It contains what is sent as a key. */
function requestText({ method = 'GET', path, headers = {}, body }: CaseRequest): string {
  const named = Object.entries(headers).flatMap(([name, value]) => {
    if (value === JSON_TYPE[name as 'Content-Type']) return [];
    return String(value) === '' && name === 'Authorization' ? ['without a key'] : [`${name}: ${value}`];
  });
  const chunks = [body ?? []].flat().map((chunk) => (Buffer.isBuffer(chunk) ? chunk.toString('latin1') : chunk));
  return [`${method} ${path}`, ...named, chunks.join('')].filter(Boolean).join(' ');
}

/** `createPet` with this body; `undefined`: without one. */
export const post = (body: TestRequest['body'], headers: OutgoingHttpHeaders = JSON_TYPE): CaseRequest => ({
  ...{ method: 'POST', path: '/v1/pets', headers },
  ...(body !== undefined && { body }),
});
const get = (path: string, headers: OutgoingHttpHeaders = {}): CaseRequest => ({ path, headers });
const titled = (title: string, request: CaseRequest): CaseRequest => ({ ...request, title });
const query = (text: string): CaseRequest => get(`/v1/pets?${text}`);
const pet = (id: string | bigint): CaseRequest => ({ ...get(`/v1/pets/${id}`), value: String(id) });
/** A list with each of these as its limit, or its status. */
const by = (parameter: 'limit' | 'status', values: readonly string[]): readonly CaseRequest[] =>
  values.map((value) => ({
    ...query(`${parameter}=${encodeURIComponent(value)}`),
    location: `query/${parameter}`,
    value,
  }));

/** An odd integer that a double cannot represent. */
const BEYOND_DOUBLE = BigInt(Number.MAX_SAFE_INTEGER) + 2n;
const DIGITS = '1'.repeat(500);
const BEYOND_INT64 = [`${INT64_MAX + 1n}`, `${INT64_MIN - 1n}`, DIGITS];

const REX = '{"name":"Rex","categoryId":3}';
/** The fields of a pet, to be continued in an object. */
const MEMBERS = REX.slice(1, -1);
const ofName = (json: string): string => `{"name":${json},"categoryId":3}`;
const ofCategory = (json: string): string => `{"name":"Rex","categoryId":${json}}`;
/** A new pet for each of these as the value of a field. */
const withField = (name: 'name' | 'categoryId' | 'status', ...values: readonly string[]): readonly CaseRequest[] =>
  values.map((value) => {
    const fields = Object.entries({ name: '"Rex"', categoryId: '3', [name]: value });
    const body = `{${fields.map(([field, json]) => `"${field}":${json}`).join(',')}}`;
    return { ...post(body), location: `body/${name}`, value };
  });

/** A NewPet with an additional field, nested so deeply that the body has this many levels. */
const nested = (levels: number): string =>
  `{"name":"a","categoryId":1,"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

const casesOf =
  (status: number) =>
  (why: string, requests: readonly CaseRequest[]): Cases => ({ status, why, requests });
const lists = casesOf(200);
const creates = casesOf(201);
const rejects = casesOf(400);
const rejectsKey = casesOf(401);
const findsNone = casesOf(404);
const rejectsType = casesOf(415);
const rejectsMethods = (path: string, methods: readonly string[]): Cases =>
  casesOf(405)(
    "the path doesn't have this method; the response has `Allow`",
    methods.map((method) => ({ method, path })),
  );

const BAD_LIST = '/v1/pets?limit=zzz';
/** Not a valid id, so that no pet is affected. */
const NO_PET = '/v1/pets/zzz';

export const CASES = {
  newPets: creates('a pet as documented', [
    ...withField('categoryId', ...[INT64_MAX, INT64_MIN, BEYOND_DOUBLE].map(String)),
    ...withField('status', '"available"', '"pending"', '"sold"'),
    ...withField('name', '"Rex"'),
    post('{"status":"sold","categoryId":3,"name":"Rex"}'),
    titled('POST of a body with white space around', post(` \t\r\n${REX} \n`)),
    titled('POST of a body in two chunks', post([REX.slice(0, 14), REX.slice(14)])),
  ]),
  acceptedPets: creates(
    "an empty name, 100 levels, the same field twice with the same value, and `1.0` for `1` are fine. Unknown fields aren't " +
      'stored. Parameters of the media type are ignored, except a charset other than UTF-8',
    [
      post('{"name":"","categoryId":0}'),
      ...[
        `{${MEMBERS},"catgoryId":4,"unheardOf":[{"a":1}],"Status":"x"}`,
        `{"__proto__":{"status":"sold"},"constructor":{},${MEMBERS}}`,
      ].map((body) => ({ ...post(body), pet: REX })),
      ...(
        [
          ['-0', '0'],
          ['1.0', '1'],
          ['0e999', '0'],
        ] as const
      ).map(([written, digits]) => ({ ...post(ofCategory(written)), pet: ofCategory(digits) })),
      { ...post('{"name":"Rex","name":"Rex","categoryId":1,"categoryId":1.0}'), pet: ofCategory('1') },
      { ...titled('POST of a body of 100 levels', post(nested(100))), pet: '{"name":"a","categoryId":1}' },
      ...[
        'application/json; charset=utf-8',
        'Application/JSON',
        'application/json;charset="UTF-8"',
        'application/json;',
        'application/json;odata.metadata=minimal;IEEE754Compatible=true;charset=utf-8',
        'application/json; v=1',
        'application/json; profile="https://example.com/a;b=\\"c\\""',
      ].map((type) => post(REX, { 'Content-Type': type })),
    ],
  ),
  absentPets: findsNone(
    'no pet has this id',
    [0n, -1n, BigInt(Number.MAX_SAFE_INTEGER), INT64_MAX, INT64_MIN, INT64_MIN + 1n, BEYOND_DOUBLE].map(pet),
  ),
  unknownParameters: lists('unknown parameters are ignored, with a warning in the request log', [
    query('limit=1&no_such_parameter=5&LIMIT&=x&&'),
  ]),
  encodedParameters: lists('parameters and ids may be percent-encoded', [query('l%69mit=%31')]),
  acceptedQueries: lists('a query as documented', [
    get('/v1/pets'),
    ...by('limit', ['1', '100']),
    ...by('status', ['available', 'pending', 'sold']),
  ]),
  parametersBeyond: rejects('a value out of bounds', by('limit', ['0', '101', '-1', ...BEYOND_INT64])),
  parametersNoInteger: rejects(
    'not an integer',
    by('limit', ['2.5', 'ten', '0b11', 'NaN', 'Infinity', '5,6', '٥', '1e-1', '1_0']),
  ),
  parametersOtherForms: rejects('an integer with a sign, a leading zero, a point, an exponent or a space', [
    ...by('limit', ['+5', '05', '5.0', '1e1', '0x10', ' 5', '5 ', '5.', '00']),
    query('limit=5+'),
  ]),
  badQueries: rejects('a value that is empty, repeated, misspelled or out of bounds', [
    ...texts('limit= | limit | limit=100&limit=100 | limit=0&status=lost | limit=&status=a&status=b').map(query),
    ...by('status', ['lost', 'SOLD', '']),
    ...['status', 'status=sold&status=sold'].map(query),
  ]),
  idsNoInt64: findsNone('an id outside int64, or not in plain digits, matches no pet', [
    ...[...BEYOND_INT64, '+1', '01', '1.0', '1e0', '0x1', '%201', '1%20'].map(pet),
    ...['-0x', '--1', '1.json', '1,1', 'Infinity', 'rex', 'null', '1%2F', '%F0%9F%90%B6'].map(pet),
  ]),
  unknownPaths: findsNone('paths are exact and case-sensitive', [
    ...texts('/v1 | /v1/ | /v1/pets/ | /v1/PETS | /v1/pet | /v1/pets/1/ | /v1/store').map((path) => get(path)),
  ]),
  encodedPaths: findsNone('the rest of a path may not be percent-encoded', [get('/v1/p%65ts')]),
  unknownPathPosted: findsNone('the path is checked before the body', [{ ...post('{'), path: '/v1/toys' }]),
  badEncodings: rejects("the percent-encoding is invalid, or isn't UTF-8", [
    ...['%zz', '%', '%ff', '%c3%28'].map(pet),
    ...texts('/v1/%zz | /v1/pets?status=%zz | /v1/pets?% | /v1/pets/1?x=%e0').map((path) => get(path)),
  ]),
  badEncodingFirst: rejects('the encoding of the address is checked before the method and the body', [
    { ...post('{'), method: 'PATCH', path: '/v1/pets?x=%zz' },
  ]),
  /** TRACE and PROPFIND are safe methods of RFC 9110 and RFC 4918. */
  methodsOfList: rejectsMethods(BAD_LIST, ['TRACE', 'PROPFIND', 'PUT', 'PATCH', 'DELETE']),
  methodsOfPet: rejectsMethods(NO_PET, ['POST', 'PUT', 'PATCH', 'DELETE']),
  missingBodies: rejects('the body is required', [
    titled('POST without a body', post(undefined, {})),
    titled('POST of an empty body', post('')),
    titled('POST of a body of no chunks', post([])),
  ]),
  emptyBodyOfOtherType: rejects("the body is missing, so its type doesn't matter", [
    titled('POST of an empty body of another type', post('', { 'Content-Type': 'x/y' })),
  ]),
  bodiesNoJson: rejects("the body isn't JSON", [
    titled('POST of white space', post('  ')),
    ...[
      '{"name":"Rex",',
      `${REX} {}`,
      '{"name":"Rex","categoryId":1,}',
      "{'name':'Rex','categoryId':1}",
      `\ufeff${REX}`,
      ofName('"Re\nx"'),
      ...['01', '+1', '.5', '1.', '0x1', 'NaN', 'Infinity', '1e', '1_000'].map(ofCategory),
    ].map((body) => post(body)),
  ]),
  bodiesNoUtf8: rejects("the body isn't UTF-8", [
    titled('POST of the byte ff in a name', post(Buffer.from('{"name":"\xff","categoryId":1}', 'latin1'))),
    titled('POST of a surrogate in UTF-8', post(Buffer.from('{"name":"\xed\xa0\x80","categoryId":1}', 'latin1'))),
  ]),
  fieldsTwice: rejects(
    'the same field twice, with different values',
    [
      '{"name":"Rex","name":"Max","categoryId":1}',
      '{"name":"Rex","categoryId":1,"n\\u0061me":"Max"}',
      '{"name":"Rex","categoryId":1,"x":[{"a":1,"a":2}]}',
    ].map((body) => post(body)),
  ),
  bodiesTooDeep: rejects('the body has more than 100 levels', [
    titled('POST of a body of 101 levels', post(nested(101))),
  ]),
  bodiesNoObject: rejects(
    "the body isn't an object",
    ['[]', `[${REX}]`, '"Rex"', '5', 'null', 'true', 'false', '0', '""'].map((body) => post(body)),
  ),
  fieldsWrong: rejects('a required field is missing; the message names every problem', [
    post('{}'),
    { ...post('{"categoryId":3}'), location: 'body/name' },
    { ...post('{"name":"Rex"}'), location: 'body/categoryId' },
    post('{"name":"Rex","catgoryId":1}'),
    post('{"Name":"Rex","CategoryId":1}'),
    post('{"name":7,"categoryId":"x","status":"lost"}'),
  ]),
  fieldsOfOtherTypes: rejects('a value of another type', [
    ...withField('name', 'null', '5', 'true', '[]', '{}'),
    ...withField('categoryId', 'null', '"1"', 'true', '[1]', '{}', '1.5', '-0.1'),
  ]),
  fieldsBeyond: rejects(
    'a number is out of bounds (including those of int64), or a fraction',
    withField(
      'categoryId',
      ...[...BEYOND_INT64, '1e19', '1e400', `${INT64_MAX}.5`, `${BEYOND_DOUBLE}.5`],
      // Lost in a double.
      ...['0.99999999999999999999', '1e-400'],
    ),
  ),
  valuesUnknown: rejects(
    "a value isn't one of the allowed ones",
    withField('status', '"lost"', '"SOLD"', '""', 'null', '5', '["sold"]'),
  ),
  otherTypes: rejectsType('the specification has only `application/json`, which is always UTF-8', [
    titled('POST of a body without a type', post(REX, {})),
    ...[
      ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
      ...['application/problem+json', 'application/json; charset=iso-8859-1', 'application/jsonp'],
      'application/json; v=1; charset=utf-16',
      ...['application/json, text/plain', 'rubbish', ''],
    ].map((type) => post(REX, { 'Content-Type': type })),
  ]),
  contentEncodings: rejectsType(
    '`Content-Encoding` is sent, even with an empty value',
    ['gzip', 'identity', 'br', ''].map((coding) => post(REX, { ...JSON_TYPE, 'Content-Encoding': coding })),
  ),
  typeFirst: rejectsType('the media type is checked before the body', [post('{', { 'Content-Type': 'text/plain' })]),
} satisfies Readonly<Record<string, Cases>>;

/** Authentication. The names do not depend on the key. @param key a key that the server accepts */
export function keyCases(key: string): readonly Cases[] {
  const list = (title: string, authorization: string | string[]): CaseRequest =>
    titled(title, get('/v1/pets?limit=1', { Authorization: authorization }));
  const pairs = texts('access_token | api_key | apiKey | apikey | key | token').map((name) => `${name}=${key}`);
  const headers = Object.fromEntries(texts('X-API-Key | Api-Key | X-Auth-Token').map((name) => [name, key]));
  return [
    rejectsKey('every operation needs a valid key', [
      titled('a valid key in the query', get(`/v1/pets?limit=1&${pairs.join('&')}`, NO_KEY)),
      titled('a valid key in other headers', get('/v1/pets', { ...NO_KEY, ...headers })),
      titled('a valid key in cookies', get('/v1/pets', { ...NO_KEY, Cookie: pairs.join('; ') })),
      list('a key in another case', `Bearer ${key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase()}`),
    ]),
    rejectsKey('HEAD needs a key, as GET does', [{ ...get('/v1/pets', NO_KEY), method: 'HEAD' }]),
    rejectsKey('authentication is checked first', [
      get(BAD_LIST, NO_KEY),
      list('a valid key in two Authorization headers', [`Bearer ${key}`, `Bearer ${key}`]),
    ]),
    lists(
      'the scheme may be in upper or lower case, as in RFC 9110',
      ['bearer', 'BEARER'].map((scheme) => list(`a valid key with the scheme ${scheme}`, `${scheme} ${key}`)),
    ),
  ];
}
