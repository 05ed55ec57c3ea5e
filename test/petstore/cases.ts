/**
 * The interface as a table: what is asked of a new sandbox with the `default` fixture, and what it answers. It is run
 * against the service directly, and once more with Prism's own proxy in between.
 */
import type { Ask } from '../support/client.ts';

export interface Want {
  readonly status: number;
  /** Code of the Error body. */
  readonly code?: string;
  /** All of these are in the error's message. */
  readonly says?: readonly string[];
  /** The body, digit for digit. */
  readonly text?: string;
  /** `null`: must not be there. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

export interface Case {
  readonly title: string;
  readonly ask: Ask;
  readonly want: Want;
  /**
   * What becomes of it when Prism stands in front: nothing (left out), Prism's own refusal with this status, or kept
   * away from it (`no`), because the proxy rounds integers or changes what was sent.
   */
  readonly proxied?: number | 'no';
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const SUNSET = { sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', link: '</v1/pets>; rel="successor-version"' };
const INT64 = 'from -9223372036854775808 to 9223372036854775807';

const post = (body: Ask['body'], headers: Ask['headers'] = JSON_TYPE): Ask => ({
  method: 'POST',
  path: '/v1/pets',
  headers,
  ...(body !== undefined && { body }),
});
const get = (path: string): Ask => ({ path });

/** `POST /v1/pets` with this body answers 201 with this pet. */
const creates = (title: string, body: Ask['body'], text: string, more: Partial<Case> = {}): Case => ({
  title,
  ask: post(body),
  want: { status: 201, text, headers: { 'content-type': 'application/json' } },
  ...more,
});

/** `POST /v1/pets` with this body is refused. Prism answers 422 where it refuses it too. */
const refuses = (title: string, body: Ask['body'], says: string[], proxied?: Case['proxied']): Case => ({
  title,
  ask: post(body),
  want: { status: 400, code: 'invalid_request', says },
  ...(proxied !== undefined && { proxied }),
});

const badQuery = (title: string, query: string, says: string[], proxied?: Case['proxied']): Case => ({
  title,
  ask: get(`/v1/pets?${query}`),
  want: { status: 400, code: 'invalid_request', says },
  ...(proxied !== undefined && { proxied }),
});

const BISCUIT = '{"id":1,"name":"Biscuit","categoryId":1,"status":"available"}';
const nested = (levels: number): string =>
  `{"name":"a","categoryId":1,"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

const answers: readonly Case[] = [
  { title: 'a pet by its id', ask: get('/v1/pets/1'), want: { status: 200, text: BISCUIT, headers: SUNSET } },
  {
    title: 'a pet by its id, percent-encoded',
    ask: get('/v1/pets/%31'),
    want: { status: 200, text: BISCUIT },
  },
  {
    title: 'the first pet of a list',
    ask: get('/v1/pets?limit=1'),
    want: { status: 200, text: `[${BISCUIT}]`, headers: { sunset: null, link: null, deprecation: null } },
  },
  {
    title: 'the pets of one status, in ascending id',
    ask: get('/v1/pets?status=sold&limit=100'),
    want: {
      status: 200,
      text: '[{"id":4,"name":"小雪","categoryId":2,"status":"sold"},{"id":10,"name":"लड्डू","categoryId":5,"status":"sold"}]',
    },
  },
  {
    title: 'a list, whatever unknown parameters there are',
    ask: get('/v1/pets?limit=1&offset=5&LIMIT&=x&&page'),
    want: { status: 200, text: `[${BISCUIT}]` },
    // To Prism `LIMIT` is `limit`, given twice.
    proxied: 'no',
  },
  {
    title: 'a parameter whose name and value are percent-encoded',
    ask: get('/v1/pets?l%69mit=%31'),
    want: { status: 200, text: `[${BISCUIT}]` },
  },
  creates(
    'a new pet with its status',
    '{"status":"sold","categoryId":3,"name":"Rex"}',
    '{"id":13,"name":"Rex","categoryId":3,"status":"sold"}',
  ),
  creates('a new pet without a status', '{"name":"Rex","categoryId":3}', '{"id":13,"name":"Rex","categoryId":3}'),
  creates('a new pet with an empty name', '{"name":"","categoryId":0}', '{"id":13,"name":"","categoryId":0}'),
  creates(
    'a new pet whose unknown fields are not kept',
    '{"id":5,"name":"Rex","categoryId":3,"catgoryId":4,"tags":[{"a":1}],"Status":"x"}',
    '{"id":13,"name":"Rex","categoryId":3}',
  ),
  creates(
    'a new pet of a body that names a prototype',
    '{"__proto__":{"status":"sold"},"constructor":{},"name":"Rex","categoryId":3}',
    '{"id":13,"name":"Rex","categoryId":3}',
    // The proxy writes the body anew.
    { proxied: 'no' },
  ),
  creates('-0 as 0', '{"name":"Rex","categoryId":-0}', '{"id":13,"name":"Rex","categoryId":0}'),
  creates('1.0 as 1', '{"name":"Rex","categoryId":1.0}', '{"id":13,"name":"Rex","categoryId":1}'),
  creates('1e2 as 100', '{"name":"Rex","categoryId":1e2}', '{"id":13,"name":"Rex","categoryId":100}'),
  creates('12.50E+1 as 125', '{"name":"Rex","categoryId":12.50E+1}', '{"id":13,"name":"Rex","categoryId":125}'),
  creates('500e-2 as 5', '{"name":"Rex","categoryId":500e-2}', '{"id":13,"name":"Rex","categoryId":5}'),
  creates('0e999 as 0', '{"name":"Rex","categoryId":0e999}', '{"id":13,"name":"Rex","categoryId":0}'),
  ...['9223372036854775807', '-9223372036854775808', '9007199254740993'].map((digits) =>
    creates(
      `${digits} digit for digit`,
      `{"name":"Rex","categoryId":${digits}}`,
      `{"id":13,"name":"Rex","categoryId":${digits}}`,
      { proxied: 'no' },
    ),
  ),
  creates(
    '9223372036854775807.0 as its digits',
    '{"name":"Rex","categoryId":9223372036854775807.0}',
    '{"id":13,"name":"Rex","categoryId":9223372036854775807}',
    { proxied: 'no' },
  ),
  creates(
    'a member given twice with the same value',
    '{"name":"Rex","name":"Rex","categoryId":1,"categoryId":1.0}',
    '{"id":13,"name":"Rex","categoryId":1}',
  ),
  creates('a body of 100 levels', nested(100), '{"id":13,"name":"a","categoryId":1}'),
  creates(
    'a body with white space around',
    ' \t\r\n{"name":"Rex","categoryId":3} \n',
    '{"id":13,"name":"Rex","categoryId":3}',
  ),
  creates('a body in two chunks', ['{"name":"Rex",', '"categoryId":3}'], '{"id":13,"name":"Rex","categoryId":3}', {
    proxied: 'no',
  }),
  ...[
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset="UTF-8"',
    'application/json;',
  ].map(
    (type): Case => ({
      title: `a body of ${type}`,
      ask: post('{"name":"Rex","categoryId":3}', { 'Content-Type': type }),
      want: { status: 201, text: '{"id":13,"name":"Rex","categoryId":3}' },
      // The proxy breaks over an empty parameter.
      ...(type.endsWith(';') && { proxied: 'no' as const }),
    }),
  ),
];

const ofPaths: readonly Case[] = [
  ...[
    '/v1',
    '/v1/',
    '/v1/pets/',
    '/v1/Pets',
    '/v1/pet',
    '/v1/pets/1/',
    '/v1/pets/1/toys',
    '/v1/store',
    '/v1/p%65ts',
  ].map(
    (path): Case => ({
      title: `${path}, which is no path`,
      ask: get(path),
      want: { status: 404, code: 'not_found', says: ['no such path', '/v1/pets'], headers: { sunset: null } },
      // Prism knows fewer ways to be wrong: to it `/v1/pets/` is `/v1/pets`.
      proxied: 'no',
    }),
  ),
  {
    title: 'a path that is no path, posted to with a bad body',
    ask: { ...post('{'), path: '/v1/toys' },
    want: { status: 404, code: 'not_found' },
    proxied: 'no',
  },
  ...[
    '/v1/pets/%zz',
    '/v1/pets/%',
    '/v1/pets/%ff',
    '/v1/pets/%c3%28',
    '/v1/%zz',
    '/v1/pets?status=%zz',
    '/v1/pets?%',
    '/v1/pets/1?x=%e0',
  ].map(
    (path): Case => ({
      title: `${path}, a bad percent-encoding`,
      ask: get(path),
      want: { status: 400, code: 'invalid_request', says: ['percent-encoding', '%25'] },
      proxied: 'no',
    }),
  ),
  {
    title: 'a bad percent-encoding before the method and the body',
    ask: { ...post('{'), method: 'PATCH', path: '/v1/pets?x=%zz' },
    want: { status: 400, code: 'invalid_request', says: ['percent-encoding'] },
    proxied: 'no',
  },
];

const ofMethods: readonly Case[] = [
  ...['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].map(
    (method): Case => ({
      title: `${method} of the list`,
      ask: { method, path: '/v1/pets?limit=zzz' },
      want: { status: 405, code: 'method_not_allowed', says: [method], headers: { allow: 'GET, HEAD, POST, OPTIONS' } },
      proxied: 'no',
    }),
  ),
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map(
    (method): Case => ({
      title: `${method} of one pet`,
      ask: { method, path: '/v1/pets/zzz' },
      want: { status: 405, code: 'method_not_allowed', says: [method], headers: { allow: 'GET, HEAD, OPTIONS' } },
      proxied: method === 'DELETE' ? 405 : 'no',
    }),
  ),
  ...['POST', 'DELETE'].map(
    (method): Case => ({
      title: `${method} of the store's orders`,
      ask: { method, path: '/v1/store/orders' },
      want: { status: 405, code: 'method_not_allowed', headers: { allow: 'GET, HEAD, OPTIONS' } },
      proxied: 'no',
    }),
  ),
  {
    title: "the store's orders, which exist and are not described",
    ask: get('/v1/store/orders?limit=zzz'),
    want: { status: 501, code: 'not_described', says: ['not described'] },
    proxied: 404,
  },
];

const ofLists: readonly Case[] = [
  ...['0', '101', '-1', '9223372036854775808', `1${'0'.repeat(500)}`].map((limit) =>
    badQuery(`the limit ${limit.slice(0, 25)}`, `limit=${limit}`, ['query/limit', 'from 1 to 100'], 422),
  ),
  ...['2.5', 'ten', '0b11', 'NaN', 'Infinity', '5,6', '٥', '1e-1', '1_0'].map((limit) =>
    badQuery(`the limit ${limit}`, `limit=${encodeURIComponent(limit)}`, ['query/limit', 'from 1 to 100'], 'no'),
  ),
  ...['+5', '05', '5.0', '1e1', '0x10', ' 5', '5 ', '5.', '00'].map((limit) =>
    badQuery(
      `the limit ${JSON.stringify(limit)}`,
      `limit=${encodeURIComponent(limit)}`,
      ['query/limit', 'plain integer'],
      'no',
    ),
  ),
  badQuery('a limit with a plus sign, which is a space', 'limit=5+', ['query/limit', '"5 "'], 'no'),
  badQuery('an empty limit', 'limit=', ['query/limit', 'empty'], 'no'),
  badQuery('a limit without a value', 'limit', ['query/limit', 'empty'], 'no'),
  badQuery('the limit given twice', 'limit=5&limit=5', ['query/limit', '2 times'], 'no'),
  badQuery('an unknown status', 'status=lost', ['query/status', 'available, pending, sold', '"lost"'], 422),
  badQuery('a status in other case', 'status=SOLD', ['query/status', 'available, pending, sold'], 422),
  badQuery('an empty status', 'status=', ['query/status', 'empty'], 'no'),
  badQuery('the status given twice', 'status=sold&status=sold', ['query/status', '2 times'], 'no'),
  badQuery('all that is wrong at once', 'limit=0&status=lost', ['query/limit', 'query/status'], 422),
  badQuery(
    'all that is wrong at once, empty and twice',
    'limit=&status=a&status=b',
    ['query/limit', 'query/status'],
    'no',
  ),
];

const ofPets: readonly Case[] = [
  ...['13', '0', '-1', '9007199254740991'].map(
    (id): Case => ({
      title: `the pet ${id}, which is not there`,
      ask: get(`/v1/pets/${id}`),
      want: { status: 404, code: 'not_found', says: [`no pet has the id ${id}`], headers: SUNSET },
    }),
  ),
  ...['9223372036854775807', '-9223372036854775808', '-9223372036854775807'].map(
    (id): Case => ({
      title: `the pet ${id}, which is not there`,
      ask: get(`/v1/pets/${id}`),
      want: { status: 404, code: 'not_found', says: [`no pet has the id ${id}`] },
      proxied: 'no',
    }),
  ),
  ...[
    '9223372036854775808',
    '-9223372036854775809',
    '1'.repeat(500),
    '+1',
    '01',
    '1.0',
    '1e0',
    '0x1',
    '%201',
    '1%20',
    '-0x',
    '--1',
    'Infinity',
  ].map(
    (id): Case => ({
      title: `a pet of the id ${id.slice(0, 25)}, which is no int64`,
      ask: get(`/v1/pets/${id}`),
      want: { status: 404, code: 'not_found', says: ['path/petId', INT64], headers: SUNSET },
      proxied: 'no',
    }),
  ),
  ...['rex', 'null', '1%2F', '%F0%9F%90%B6'].map(
    (id): Case => ({
      title: `a pet of the id ${id}, which is no integer`,
      ask: get(`/v1/pets/${id}`),
      want: { status: 404, code: 'not_found', says: ['path/petId', INT64] },
      proxied: id === 'rex' ? 422 : 'no',
    }),
  ),
];

const ofBodies: readonly Case[] = [
  { ...refuses('no body', undefined, ['body', 'missing', 'name', 'categoryId'], 422), ask: post(undefined, {}) },
  { ...refuses('an empty body', '', ['body', 'missing'], 422) },
  {
    ...refuses('an empty body of another type', '', ['body', 'missing'], 'no'),
    ask: post('', { 'Content-Type': 'x/y' }),
  },
  refuses('a body of chunks that hold nothing', [], ['body', 'missing'], 'no'),
  refuses('white space', '  ', ['not valid JSON'], 'no'),
  refuses('half a body', '{"name":"Rex",', ['not valid JSON'], 'no'),
  refuses('two bodies', '{"name":"Rex","categoryId":1} {}', ['not valid JSON'], 'no'),
  refuses('a comma too many', '{"name":"Rex","categoryId":1,}', ['not valid JSON'], 'no'),
  refuses('single quotes', "{'name':'Rex','categoryId':1}", ['not valid JSON'], 'no'),
  refuses('a byte order mark', '\ufeff{"name":"Rex","categoryId":1}', ['not valid JSON'], 'no'),
  refuses('a line break in a name', '{"name":"Re\nx","categoryId":1}', ['not valid JSON'], 'no'),
  ...['01', '+1', '.5', '1.', '0x1', 'NaN', 'Infinity', '1e', '1_000'].map((number) =>
    refuses(`${number}, which is no JSON`, `{"name":"Rex","categoryId":${number}}`, ['not valid JSON'], 'no'),
  ),
  refuses('bytes that are no UTF-8', Buffer.from('{"name":"\xff","categoryId":1}', 'latin1'), ['UTF-8'], 'no'),
  refuses('a surrogate in UTF-8', Buffer.from('{"name":"\xed\xa0\x80","categoryId":1}', 'latin1'), ['UTF-8'], 'no'),
  refuses(
    'a member given twice with different values',
    '{"name":"Rex","name":"Max","categoryId":1}',
    ['"name"', 'twice'],
    'no',
  ),
  refuses(
    'a member given twice, once escaped',
    '{"name":"Rex","categoryId":1,"n\\u0061me":"Max"}',
    ['"name"', 'twice'],
    'no',
  ),
  refuses(
    'a member given twice deep down',
    '{"name":"Rex","categoryId":1,"x":[{"a":1,"a":2}]}',
    ['"a"', 'twice'],
    'no',
  ),
  refuses('a body of 101 levels', nested(101), ['100 levels'], 'no'),
  refuses('a body that opens a hundred thousand levels', '['.repeat(100_000), ['100 levels'], 'no'),
  ...['[]', '[{"name":"Rex","categoryId":1}]', '"Rex"', '5', 'null', 'true', 'false', '0', '""'].map((body) =>
    refuses(`${body}, which is no object`, body, ['must be a JSON object', 'name', 'categoryId'], 'no'),
  ),
  refuses('an empty object', '{}', ['body/name', 'body/categoryId'], 422),
  refuses('a pet without a name', '{"categoryId":1}', ['body/name', 'a string'], 422),
  refuses('a pet without a category', '{"name":"Rex","catgoryId":1}', ['body/categoryId', INT64], 422),
  refuses('names in other case', '{"Name":"Rex","CategoryId":1}', ['body/name', 'body/categoryId'], 422),
  ...['null', '5', 'true', '[]', '{}'].map((name) =>
    refuses(`the name ${name}`, `{"name":${name},"categoryId":1}`, ['body/name: must be a string'], 422),
  ),
  ...['null', '"1"', 'true', '[1]', '{}', '1.5', '-0.1'].map((id) =>
    refuses(`the category ${id}`, `{"name":"Rex","categoryId":${id}}`, ['body/categoryId', 'an integer'], 422),
  ),
  ...[
    '9223372036854775808',
    '-9223372036854775809',
    '1e19',
    '9223372036854775807.5',
    '1e400',
    '1'.repeat(500),
    '1e99999999999',
    '0.99999999999999999999',
    '1e-400',
    '9007199254740993.5',
  ].map((id) =>
    refuses(`the category ${id.slice(0, 25)}`, `{"name":"Rex","categoryId":${id}}`, ['body/categoryId', INT64], 'no'),
  ),
  ...['"lost"', '"Sold"', '""', 'null', '5', '["sold"]'].map((status) =>
    refuses(
      `the status ${status}`,
      `{"name":"Rex","categoryId":1,"status":${status}}`,
      ['body/status', 'available, pending, sold'],
      422,
    ),
  ),
  refuses(
    'all that is wrong at once',
    '{"name":7,"categoryId":"x","status":"lost"}',
    ['body/name', 'body/categoryId', 'body/status'],
    422,
  ),
  ...[
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/problem+json',
    'application/json; charset=iso-8859-1',
    'application/jsonp',
    'application/json, text/plain',
    'rubbish',
    '',
  ].map(
    (type): Case => ({
      title: `a body of the type ${type}`,
      ask: post('{"name":"Rex","categoryId":1}', type === undefined ? {} : { 'Content-Type': type }),
      want: { status: 415, code: 'unsupported_media_type', says: ['content-type', 'application/json'] },
      proxied: type === 'text/plain' ? 422 : 'no',
    }),
  ),
  ...['gzip', 'identity', 'br', ''].map(
    (encoding): Case => ({
      title: `a body with the Content-Encoding ${JSON.stringify(encoding)}`,
      ask: post('{"name":"Rex","categoryId":1}', { ...JSON_TYPE, 'Content-Encoding': encoding }),
      want: { status: 415, code: 'unsupported_media_type', says: ['content-encoding'] },
      proxied: 'no',
    }),
  ),
  {
    ...refuses('an empty object of application/json with an empty parameter', '{}', ['body/name'], 'no'),
    ask: post('{}', { 'Content-Type': 'application/json;' }),
  },
  {
    title: 'a bad body of another type: the type comes first',
    ask: post('{', { 'Content-Type': 'text/plain' }),
    want: { status: 415, code: 'unsupported_media_type' },
    proxied: 422,
  },
];

/** By the part of the interface that they are about. */
export const cases: Readonly<Record<string, readonly Case[]>> = {
  'what it answers': answers,
  'paths that are none, and addresses that are none': ofPaths,
  'methods that are not possible, and what is not described': ofMethods,
  'lists it refuses': ofLists,
  'pets that cannot be found': ofPets,
  'new pets it refuses': ofBodies,
};
