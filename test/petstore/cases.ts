/**
 * The petstore API as a table: what is asked of a new sandbox with the `default` fixture, and what it answers. It is run
 * against the service directly, and once more with Prism's own proxy in between. Most of its rows are those that
 * `petstore-sandbox conform` puts to any server (src/conform/cases); here they also say how the sandbox words its response.
 */
import * as addresses from '../../src/conform/cases/addresses.ts';
import type { Case as SharedCase } from '../../src/conform/cases/case.ts';
import {
  badQueries,
  idsNoInt64,
  idsNoInteger,
  limitsBeyond,
  limitsNoInteger,
  limitsOtherForms,
  MAX_LIMIT,
  MIN_LIMIT,
  unusedIds,
} from '../../src/conform/cases/lists.ts';
import { newPets } from '../../src/conform/cases/new-pets.ts';
import * as rejected from '../../src/conform/cases/rejected-pets.ts';
import type { TestRequest } from '../support/client.ts';
import { methodsOn } from '../support/documented.ts';

export interface Expected {
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
  readonly request: TestRequest;
  readonly expected: Expected;
  /**
   * What becomes of it when Prism stands in front: nothing (left out), Prism's own rejection with this status, or kept
   * away from it (`no`), because the proxy rounds integers or changes what was sent.
   */
  readonly proxied?: number | 'no';
}

/** What the sandbox's message says, what becomes of it behind Prism, and headers. */
type Own = readonly [
  says: readonly string[],
  proxied?: number | 'no' | undefined,
  headers?: Required<Expected>['headers'],
];

const SUNSET = { sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', link: '</v1/pets>; rel="successor-version"' };
const INT64 = 'from -9223372036854775808 to 9223372036854775807';
const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  415: 'unsupported_media_type',
};

const get = (path: string): TestRequest => ({ path });
const inSandbox = (request: SharedCase['request']): TestRequest =>
  ({ ...request, path: `/v1${request.path}` }) as TestRequest;

/** Rows that the sandbox rejects: in the same words, or each in words of its own. */
function rejections(rows: readonly SharedCase[], own: Own | Readonly<Record<string, Own>>): readonly Case[] {
  const ownOf = (title: string): Own => {
    const found = isOwn(own) ? own : own[title];
    if (found === undefined) throw new Error(`say what the sandbox answers to: ${title}`);
    return found;
  };
  return rows.map(({ title, request, status }) => {
    const [says, proxied, headers] = ownOf(title);
    const expected: Expected = { status, code: CODES[status] as string, says, ...(headers && { headers }) };
    return { title, request: inSandbox(request), expected, ...(proxied !== undefined && { proxied }) };
  });
}

const isOwn = (own: Own | Readonly<Record<string, Own>>): own is Own => Array.isArray(own);

const BISCUIT = '{"id":1,"name":"Biscuit","categoryId":1,"status":"available"}';

/** The proxy rounds integers, writes bodies again, and breaks over an empty parameter. */
const kept = /digit for digit|prototype|9223372036854775807|chunks|json;$/;

const responses: readonly Case[] = [
  { title: 'a pet by its id', request: get('/v1/pets/1'), expected: { status: 200, text: BISCUIT, headers: SUNSET } },
  {
    title: 'a pet by its id, percent-encoded',
    request: get('/v1/pets/%31'),
    expected: { status: 200, text: BISCUIT },
  },
  {
    title: 'the first pet of a list',
    request: get('/v1/pets?limit=1'),
    expected: { status: 200, text: `[${BISCUIT}]`, headers: { sunset: null, link: null, deprecation: null } },
  },
  {
    title: 'the pets of one status, in ascending id',
    request: get('/v1/pets?status=sold&limit=100'),
    expected: {
      status: 200,
      text: '[{"id":4,"name":"小雪","categoryId":2,"status":"sold"},{"id":10,"name":"लड्डू","categoryId":5,"status":"sold"}]',
    },
  },
  {
    title: 'a list, whatever unknown parameters there are',
    request: get('/v1/pets?limit=1&offset=5&LIMIT&=x&&page'),
    expected: { status: 200, text: `[${BISCUIT}]` },
    // To Prism `LIMIT` is `limit`, given twice.
    proxied: 'no',
  },
  {
    title: 'a parameter whose name and value are percent-encoded',
    request: get('/v1/pets?l%69mit=%31'),
    expected: { status: 200, text: `[${BISCUIT}]` },
  },
  ...newPets.map(
    ({ title, request, status, pet = '' }): Case => ({
      title,
      request: inSandbox(request),
      expected: { status, text: pet.replace('{', '{"id":13,'), headers: { 'content-type': 'application/json' } },
      ...(kept.test(title) && { proxied: 'no' as const }),
    }),
  ),
];

const ofPaths: readonly Case[] = [
  // Prism knows fewer ways to be wrong: to it `/v1/pets/` is `/v1/pets`.
  ...rejections(addresses.unknownPaths, [['no such path', '/v1/pets'], 'no', { sunset: null }]),
  ...rejections(addresses.unknownPathPosted, [[], 'no']),
  ...rejections(addresses.badEncodings, [['percent-encoding', '%25'], 'no']),
  ...rejections(addresses.badEncodingFirst, [['percent-encoding'], 'no']),
];

const ON_PETS = { allow: `${methodsOn('/pets')}, OPTIONS` };
const ON_A_PET = { allow: `${methodsOn('/pets/{petId}')}, OPTIONS` };
const ON_ORDERS = { allow: 'GET, HEAD, OPTIONS' };

const ofMethods: readonly Case[] = [
  ...[...addresses.safeMethodsOfList, ...addresses.methodsOfList].flatMap((row) =>
    rejections([row], [[row.request.method as string], 'no', ON_PETS]),
  ),
  ...rejections(addresses.postOfPet, [['POST'], 'no', ON_A_PET]),
  ...addresses.methodsOfPet.flatMap((row) => {
    const method = row.request.method as string;
    return rejections([row], [[method], method === 'DELETE' ? 405 : 'no', ON_A_PET]);
  }),
  ...['POST', 'DELETE'].map(
    (method): Case => ({
      title: `${method} of the store's orders`,
      request: { method, path: '/v1/store/orders' },
      expected: { status: 405, code: 'method_not_allowed', headers: ON_ORDERS },
      proxied: 'no',
    }),
  ),
  {
    title: "the store's orders, which exist and are not described",
    request: get('/v1/store/orders?limit=zzz'),
    expected: { status: 501, code: 'not_specified', says: ['not described'] },
    proxied: 404,
  },
];

const ofLists: readonly Case[] = [
  ...rejections(limitsBeyond, [['query/limit', `from ${MIN_LIMIT} to ${MAX_LIMIT}`], 422]),
  ...rejections(limitsNoInteger, [['query/limit', `from ${MIN_LIMIT} to ${MAX_LIMIT}`], 'no']),
  ...rejections(limitsOtherForms, [['query/limit', 'plain integer'], 'no']),
  ...rejections(badQueries, {
    'a limit with a plus sign, which is a space': [['query/limit', '"5 "'], 'no'],
    'an empty limit': [['query/limit', 'empty'], 'no'],
    'a limit without a value': [['query/limit', 'empty'], 'no'],
    'the limit given twice': [['query/limit', '2 times'], 'no'],
    'an unknown status': [['query/status', 'available, pending, sold', '"lost"'], 422],
    'a status in other case': [['query/status', 'available, pending, sold'], 422],
    'an empty status': [['query/status', 'empty'], 'no'],
    'the status given twice': [['query/status', '2 times'], 'no'],
    'two invalid parameters': [['query/limit', 'query/status'], 422],
    'two invalid parameters, one empty and one given twice': [['query/limit', 'query/status'], 'no'],
  }),
];

const ofPets: readonly Case[] = [
  {
    title: 'the pet 13, which is not there',
    request: get('/v1/pets/13'),
    expected: { status: 404, code: 'not_found', says: ['no pet has the id 13'], headers: SUNSET },
  },
  ...unusedIds.flatMap((row) => {
    const id = row.request.path.replace('/pets/', '');
    // The proxy rounds the others.
    return rejections(
      [row],
      [[`no pet has the id ${id}`], Number.isSafeInteger(Number(id)) ? undefined : 'no', SUNSET],
    );
  }),
  ...rejections(idsNoInt64, [['path/petId', INT64], 'no', SUNSET]),
  ...idsNoInteger.flatMap((row) =>
    rejections([row], [['path/petId', INT64], row.request.path === '/pets/rex' ? 422 : 'no', SUNSET]),
  ),
];

/** Bodies that are no matter for any server but our own. */
const hostileBodies: readonly Case[] = [
  { title: 'a body that opens a hundred thousand levels', body: '['.repeat(100_000), says: '100 levels' },
  {
    title: 'the category 1e99999999999',
    body: '{"name":"Rex","categoryId":1e99999999999}',
    says: `body/categoryId: must be an integer ${INT64}`,
  },
].map(({ title, body, says }) => ({
  title,
  request: { method: 'POST', path: '/v1/pets', headers: { 'Content-Type': 'application/json' }, body },
  expected: { status: 400, code: 'invalid_request', says: [says] },
  proxied: 'no',
}));

const STATUSES = 'available, pending, sold';

const ofBodies: readonly Case[] = [
  ...rejections(rejected.missingBodies, {
    'no body': [['body', 'missing', 'name', 'categoryId'], 422],
    'an empty body': [['body', 'missing'], 422],
    'a body of no chunks': [['body', 'missing'], 'no'],
  }),
  ...rejections(rejected.emptyBodyOfOtherType, [['body', 'missing'], 'no']),
  ...rejections(rejected.bodiesNoJson, [['not valid JSON'], 'no']),
  ...rejections(rejected.bodiesNoUtf8, [['UTF-8'], 'no']),
  ...rejections(rejected.membersTwice, {
    'a field given twice with different values': [['"name"', 'twice'], 'no'],
    'a field given twice, once escaped': [['"name"', 'twice'], 'no'],
    'a field given twice deep down': [['"a"', 'twice'], 'no'],
  }),
  ...rejections(rejected.bodiesTooDeep, [['100 levels'], 'no']),
  ...hostileBodies,
  ...rejections(rejected.bodiesNoObject, [['must be a JSON object', 'name', 'categoryId'], 'no']),
  ...rejections(rejected.fieldsMissing, {
    'an empty object': [['body/name', 'body/categoryId'], 422],
    'a pet without a name': [['body/name', 'a string'], 422],
    'a pet without a category': [['body/categoryId', INT64], 422],
    'names in other case': [['body/name', 'body/categoryId'], 422],
  }),
  ...rejections(rejected.namesNoString, [['body/name: must be a string'], 422]),
  ...rejections(rejected.categoriesNoInteger, [['body/categoryId', 'an integer'], 422]),
  ...rejections(rejected.categoriesNoInt64, [['body/categoryId', INT64], 'no']),
  ...rejections(rejected.statusesUnknown, [['body/status', STATUSES], 422]),
  ...rejections(rejected.allFieldsWrong, [['body/name', 'body/categoryId', 'body/status'], 422]),
  ...rejected.otherTypes.flatMap((row) =>
    rejections(
      [row],
      [['content-type', 'application/json'], row.title === 'a body of the type "text/plain"' ? 422 : 'no'],
    ),
  ),
  ...rejections(rejected.contentEncodings, [['content-encoding'], 'no']),
  {
    title: 'an empty object of application/json with an empty parameter',
    request: { method: 'POST', path: '/v1/pets', headers: { 'Content-Type': 'application/json;' }, body: '{}' },
    expected: { status: 400, code: 'invalid_request', says: ['body/name'] },
    proxied: 'no',
  },
  ...rejections(rejected.typeFirst, [[], 422]),
];

/** By the part of the API that they are about. */
export const cases: Readonly<Record<string, readonly Case[]>> = {
  'what it answers': responses,
  'paths that are none, and addresses that are none': ofPaths,
  'methods that are not possible, and what is not described': ofMethods,
  'lists it rejects': ofLists,
  'pets that cannot be found': ofPets,
  'new pets it rejects': ofBodies,
};
