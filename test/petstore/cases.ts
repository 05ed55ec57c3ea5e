/**
 * The petstore API as a table: what is asked of a new sandbox with the `default` fixture, and what it answers. It is run
 * against the service directly, and once more with Prism's own proxy in between. Most of its rows are those that
 * `petstore-sandbox conform` puts to any server (src/conform/cases.ts); here they also say how the sandbox words its response.
 */
import { queryOf } from '../../src/api/specification.ts';
import { CASES, type Cases, caseNameOf, post } from '../../src/conform/cases.ts';
import { INT64_MAX, type JsonObject, type JsonValue, parseJson, writeJson } from '../../src/core/int64.ts';
import { schemas } from '../../src/generated/facts.ts';
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
const inSandbox = (request: Cases['requests'][number]): TestRequest =>
  ({ ...request, path: `/v1${request.path}` }) as TestRequest;

/** Requests that the sandbox rejects: in the same words, or each in words of its own. */
function rejections({ requests, status }: Cases, own: Own | Readonly<Record<string, Own>>): readonly Case[] {
  return requests.map((request) => {
    const title = caseNameOf(request);
    const found = isOwn(own) ? own : (own[title] ?? own['*']);
    if (found === undefined) throw new Error(`say what the sandbox answers to: ${title}`);
    const [says, proxied, headers] = found;
    const words = [...(request.location ? [request.location] : []), ...says];
    const expected: Expected = { status, code: CODES[status] as string, says: words, ...(headers && { headers }) };
    return { title, request: inSandbox(request), expected, ...(proxied !== undefined && { proxied }) };
  });
}

const isOwn = (own: Own | Readonly<Record<string, Own>>): own is Own => Array.isArray(own);

const BISCUIT = '{"id":1,"name":"Biscuit","categoryId":1,"status":"available"}';

/** The proxy rounds integers, writes bodies again, and breaks over an empty parameter. */
const kept = /\d{16}|__proto__|chunks|json; /;

const CHOSEN_ID: Pick<Cases, 'requests' | 'status'> = {
  status: 201,
  requests: [{ ...post('{"id":5,"name":"Rex","categoryId":3}'), pet: '{"name":"Rex","categoryId":3}' }],
};

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
  // `conform` sends no id that might be that of a pet.
  ...[CASES.newPets, CASES.acceptedPets, CHOSEN_ID].flatMap(({ requests, status }) =>
    requests.map((request): Case => {
      const [title, { pet = [request.body ?? []].flat().join('') }] = [caseNameOf(request), request];
      const text = writeJson({ id: 13, ...parseInOrder(pet) });
      const headers = { 'content-type': 'application/json' };
      const proxied = kept.test(title) ? { proxied: 'no' as const } : {};
      return { title, request: inSandbox(request), expected: { status, text, headers }, ...proxied };
    }),
  ),
];

/** A pet with its fields in the order of the specification. */
function parseInOrder(pet: string): object {
  const sent = parseJson(pet) as JsonObject;
  const names = Object.keys(schemas.NewPet.properties).filter((name) => Object.hasOwn(sent, name));
  return Object.fromEntries(names.map((name) => [name, sent[name] as JsonValue]));
}

const ofPaths: readonly Case[] = [
  // Prism knows fewer ways to be wrong: to it `/v1/pets/` is `/v1/pets`.
  ...rejections(CASES.unknownPaths, [['no such path', '/v1/pets'], 'no', { sunset: null }]),
  ...rejections(CASES.encodedPaths, [['no such path', '/v1/pets'], 'no', { sunset: null }]),
  ...rejections(CASES.unknownPathPosted, [[], 'no']),
  ...rejections(CASES.badEncodings, [['percent-encoding', '%25'], 'no']),
  ...rejections(CASES.badEncodingFirst, [['percent-encoding'], 'no']),
];

const ON_PETS = { allow: `${methodsOn('/pets')}, OPTIONS` };
const ON_A_PET = { allow: `${methodsOn('/pets/{petId}')}, OPTIONS` };
const ON_ORDERS = { allow: 'GET, HEAD, OPTIONS' };

const ofMethods: readonly Case[] = [
  ...[CASES.safeMethodsOfList, CASES.methodsOfList, CASES.postOfPet, CASES.methodsOfPet].flatMap((row) =>
    row.requests.flatMap((request) => {
      const { method = '', path } = request;
      const allow = path.startsWith('/pets?') ? ON_PETS : ON_A_PET;
      const proxied = method === 'DELETE' && allow === ON_A_PET ? 405 : 'no';
      return rejections({ ...row, requests: [request] }, [[method], proxied, allow]);
    }),
  ),
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
    expected: { status: 501, code: 'not_specified', says: ["isn't documented"] },
    proxied: 404,
  },
];

const isAbout = (parameter: string, { path }: Pick<TestRequest, 'path'>): boolean =>
  path.startsWith(`/pets?${parameter}=`);

const ofLists: readonly Case[] = [
  ...CASES.parametersBeyond.requests.flatMap((request) => {
    // Prism compares with a bound of an int64 as doubles do.
    const isWide = queryOf('listPets').some(({ name, maximum }) => isAbout(name, request) && maximum === INT64_MAX);
    return rejections({ ...CASES.parametersBeyond, requests: [request] }, [['from '], isWide ? 'no' : 422]);
  }),
  ...rejections(CASES.parametersNoInteger, [['integer from '], 'no']),
  ...rejections(CASES.parametersOtherForms, [['plain integer'], 'no']),
  ...rejections(CASES.badQueries, {
    'GET /v1/pets?limit=5+': [['query/limit', '"5 "'], 'no'],
    'GET /v1/pets?limit=': [['query/limit', 'empty'], 'no'],
    'GET /v1/pets?limit': [['query/limit', 'empty'], 'no'],
    'GET /v1/pets?limit=100&limit=100': [['query/limit', '2 times'], 'no'],
    'GET /v1/pets?status=lost': [['query/status', 'available, pending, sold', '"lost"'], 422],
    'GET /v1/pets?status=SOLD': [['query/status', 'available, pending, sold'], 422],
    'GET /v1/pets?status=': [['query/status', 'empty'], 'no'],
    'GET /v1/pets?status': [['query/status', 'empty'], 'no'],
    'GET /v1/pets?status=available&status=available': [['query/status', '2 times'], 'no'],
    'GET /v1/pets?limit=0&status=lost': [['query/limit', 'query/status'], 422],
    'GET /v1/pets?limit=&status=a&status=b': [['query/limit', 'query/status'], 'no'],
    '*': [[], 'no'],
  }),
];

const ofPets: readonly Case[] = [
  {
    title: 'the pet 13, which is not there',
    request: get('/v1/pets/13'),
    expected: { status: 404, code: 'not_found', says: ['no pet has the id 13'], headers: SUNSET },
  },
  ...CASES.absentPets.requests.flatMap((request) => {
    const id = request.path.replace('/pets/', '');
    // The proxy rounds the others.
    const proxied = Number.isSafeInteger(Number(id)) ? undefined : 'no';
    return rejections({ ...CASES.absentPets, requests: [request] }, [[`no pet has the id ${id}`], proxied, SUNSET]);
  }),
  ...rejections(CASES.idsNoInt64, {
    'GET /v1/pets/rex': [['path/petId', INT64], 422, SUNSET],
    '*': [['path/petId', INT64], 'no', SUNSET],
  }),
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

const ofBodies: readonly Case[] = [
  ...rejections(CASES.missingBodies, {
    'POST without a body': [['body', 'missing', 'name', 'categoryId'], 422],
    'POST of an empty body': [['body', 'missing'], 422],
    'POST of a body of no chunks': [['body', 'missing'], 'no'],
  }),
  ...rejections(CASES.emptyBodyOfOtherType, [['body', 'missing'], 'no']),
  ...rejections(CASES.bodiesNoJson, [['not valid JSON'], 'no']),
  ...rejections(CASES.bodiesNoUtf8, [['UTF-8'], 'no']),
  ...rejections(CASES.fieldsTwice, {
    'POST /v1/pets {"name":"Rex","categoryId":1,"x":[{"a":1,"a":2}]}': [['"a"', 'twice'], 'no'],
    '*': [['"name"', 'twice'], 'no'],
  }),
  ...rejections(CASES.bodiesTooDeep, [['100 levels'], 'no']),
  ...hostileBodies,
  ...rejections(CASES.bodiesNoObject, [['must be a JSON object', 'name', 'categoryId'], 'no']),
  ...rejections(CASES.fieldsWrong, {
    'POST /v1/pets {}': [['body/name', 'body/categoryId'], 422],
    'POST /v1/pets {"categoryId":3}': [['body/name', 'a string'], 422],
    'POST /v1/pets {"name":"Rex"}': [['body/categoryId', INT64], 422],
    'POST /v1/pets {"name":"Rex","catgoryId":1}': [['body/categoryId', INT64], 422],
    'POST /v1/pets {"Name":"Rex","CategoryId":1}': [['body/name', 'body/categoryId'], 422],
    'POST /v1/pets {"name":7,"categoryId":"x","status":"lost"}': [['body/name', 'body/categoryId', 'body/status'], 422],
  }),
  ...rejections(CASES.fieldsOfOtherTypes, [['must be a'], 422]),
  ...rejections(CASES.fieldsBeyond, [['must be'], 'no']),
  ...rejections(CASES.valuesUnknown, [['one of'], 422]),
  ...rejections(CASES.otherTypes, {
    'POST /v1/pets Content-Type: text/plain {"name":"Rex","categoryId":3}': [['content-type', 'application/json'], 422],
    '*': [['content-type', 'application/json'], 'no'],
  }),
  ...rejections(CASES.contentEncodings, [['content-encoding'], 'no']),
  {
    title: 'an empty object of application/json with an empty parameter',
    request: { method: 'POST', path: '/v1/pets', headers: { 'Content-Type': 'application/json;' }, body: '{}' },
    expected: { status: 400, code: 'invalid_request', says: ['body/name'] },
    proxied: 'no',
  },
  ...rejections(CASES.typeFirst, [[], 422]),
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
