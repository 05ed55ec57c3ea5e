/**
 * The petstore API as a table: what is asked of a new sandbox with the `default` fixture, and what it answers. Most of its rows
 * are those of `requests.ts`; here they also say how the sandbox words its response.
 */
import { expect } from 'vitest';
import { schemas } from '../../../src/base/generated/facts.ts';
import { type JsonObject, type JsonValue, parseJson, writeJson } from '../../../src/base/int64.ts';
import type { Reply, TestRequest } from '../../support/client.ts';
import { methodsOn } from '../../support/documented.ts';
import { CASES, type Cases, caseNameOf, inSandbox, post } from './requests.ts';

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
}

/** What the sandbox's message says, and headers. */
type Own = readonly [says: readonly string[], headers?: Required<Expected>['headers']];

const SUNSET = { sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', link: '<../pets>; rel="successor-version"' };
const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  415: 'unsupported_media_type',
  501: 'not_specified',
};

/** Requests that are answered with a status. */
type Sent = Pick<Cases, 'requests' | 'status'>;

/** Requests that the sandbox rejects: in the same words, or each in words of its own. */
function rejections({ requests, status }: Sent, own: Own | Readonly<Record<string, Own>>): readonly Case[] {
  return requests.map((request) => {
    const title = caseNameOf(request);
    const found = isOwn(own) ? own : (own[title] ?? own['*']);
    if (found === undefined) throw new Error(`say what the sandbox answers to: ${title}`);
    const [says, headers] = found;
    const words = [...(request.location ? [request.location] : []), ...says];
    const expected: Expected = { status, code: CODES[status] as string, says: words, ...(headers && { headers }) };
    return { title, request: inSandbox(request), expected };
  });
}

const isOwn = (own: Own | Readonly<Record<string, Own>>): own is Own => Array.isArray(own);

const BISCUIT = '{"id":1,"name":"Biscuit","categoryId":1,"status":"available"}';

const CHOSEN_ID: Sent = {
  status: 201,
  requests: [{ ...post('{"id":5,"name":"Rex","categoryId":3}'), pet: '{"name":"Rex","categoryId":3}' }],
};

const found = (title: string, path: string, text: string, more: Partial<Expected> = {}): Case => ({
  title,
  request: { path: `/v1${path}` },
  expected: { status: 200, text, ...more },
});

const SOLD =
  '[{"id":4,"name":"小雪","categoryId":2,"status":"sold"},{"id":10,"name":"लड्डू","categoryId":5,"status":"sold"}]';

const responses: readonly Case[] = [
  found('a pet by its id', '/pets/1', BISCUIT, { headers: SUNSET }),
  found('a pet by its id, percent-encoded', '/pets/%31', BISCUIT),
  found('the first pet of a list', '/pets?limit=1', `[${BISCUIT}]`, {
    headers: { sunset: null, link: null, deprecation: null },
  }),
  found('the pets of one status, in ascending id', '/pets?status=sold&limit=100', SOLD),
  found('a list, whatever unknown parameters there are', '/pets?limit=1&offset=5&LIMIT&=x&&page', `[${BISCUIT}]`),
  found('a parameter whose name and value are percent-encoded', '/pets?l%69mit=%31', `[${BISCUIT}]`),
  ...[CASES.newPets, CASES.acceptedPets, CHOSEN_ID].flatMap(({ requests, status }) =>
    requests.map((request): Case => {
      const [title, { pet = [request.body ?? []].flat().join('') }] = [caseNameOf(request), request];
      const text = writeJson({ id: 13, ...parseInOrder(pet) });
      const headers = { 'content-type': 'application/json' };
      return { title, request: inSandbox(request), expected: { status, text, headers } };
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
  ...rejections(CASES.unknownPaths, [['no such path', '/v1/pets'], { sunset: null }]),
  ...rejections(CASES.encodedPaths, [['no such path', '/v1/pets'], { sunset: null }]),
  ...rejections(CASES.unknownPathPosted, [[]]),
  ...rejections(CASES.badEncodings, [['percent-encoding', '%25']]),
  ...rejections(CASES.badEncodingFirst, [['percent-encoding']]),
];

const ON_PETS = { allow: `${methodsOn('/pets')}, OPTIONS` };
const ON_A_PET = { allow: `${methodsOn('/pets/{petId}')}, OPTIONS` };
const ON_ORDERS = { allow: 'GET, HEAD, OPTIONS' };

const ordersBy = (...methods: string[]) => methods.map((method) => ({ method, path: '/store/orders' }));

const ofMethods: readonly Case[] = [
  ...[CASES.safeMethodsOfList, CASES.methodsOfList, CASES.postOfPet, CASES.methodsOfPet].flatMap((row) =>
    row.requests.flatMap((request) => {
      const { method = '', path } = request;
      const allow = path.startsWith('/pets?') ? ON_PETS : ON_A_PET;
      return rejections({ ...row, requests: [request] }, [[method], allow]);
    }),
  ),
  // They exist, and are not described.
  ...rejections({ status: 405, requests: ordersBy('POST', 'DELETE', 'PUT') }, [[], ON_ORDERS]),
  ...rejections({ status: 501, requests: [{ path: '/store/orders?limit=zzz' }] }, [["isn't documented"]]),
];

const ofLists: readonly Case[] = [
  ...rejections(CASES.parametersBeyond, [['is at ']]),
  ...rejections(CASES.parametersNoInteger, [['integer from ']]),
  ...rejections(CASES.parametersOtherForms, [['in plain digits']]),
  ...rejections(CASES.badQueries, {
    'GET /v1/pets?limit=5+': [['query/limit', '"5 "']],
    'GET /v1/pets?limit=': [['query/limit', 'empty']],
    'GET /v1/pets?limit': [['query/limit', 'empty']],
    'GET /v1/pets?limit=100&limit=100': [['query/limit', '2 times']],
    'GET /v1/pets?status=lost': [['query/status', 'available, pending, sold', '"lost"']],
    'GET /v1/pets?status=SOLD': [['query/status', 'available, pending, sold']],
    'GET /v1/pets?status=': [['query/status', 'empty']],
    'GET /v1/pets?status': [['query/status', 'empty']],
    'GET /v1/pets?status=available&status=available': [['query/status', '2 times']],
    'GET /v1/pets?limit=0&status=lost': [['query/limit', 'query/status']],
    'GET /v1/pets?limit=&status=a&status=b': [['query/limit', 'query/status']],
    '*': [[]],
  }),
];

const ofPets: readonly Case[] = [
  ...[...CASES.absentPets.requests, { path: '/pets/13' }].flatMap((request) => {
    const says = [`no pet has the id ${request.path.replace('/pets/', '')}`];
    return rejections({ ...CASES.absentPets, requests: [request] }, [says, SUNSET]);
  }),
  ...rejections(CASES.idsNoInt64, {
    'GET /v1/pets/rex': [['path/petId', 'an integer'], SUNSET],
    '*': [['path/petId'], SUNSET],
  }),
];

const ofBodies: readonly Case[] = [
  ...rejections(CASES.missingBodies, {
    'POST without a body': [['body', 'missing', 'name', 'categoryId']],
    'POST of an empty body': [['body', 'missing']],
    'POST of a body of no chunks': [['body', 'missing']],
  }),
  ...rejections(CASES.emptyBodyOfOtherType, [['body', 'missing']]),
  ...rejections(CASES.bodiesNoJson, [['not valid JSON']]),
  ...rejections(CASES.bodiesNoUtf8, [['UTF-8']]),
  ...rejections(CASES.fieldsTwice, {
    'POST /v1/pets {"name":"Rex","categoryId":1,"x":[{"a":1,"a":2}]}': [['"a"', 'twice']],
    '*': [['"name"', 'twice']],
  }),
  ...rejections(CASES.bodiesTooDeep, [['100 levels']]),
  ...rejections(CASES.bodiesNoObject, [['is a JSON object', 'name', 'categoryId']]),
  ...rejections(CASES.fieldsWrong, {
    'POST /v1/pets {}': [['body/name', 'body/categoryId']],
    'POST /v1/pets {"categoryId":3}': [['body/name', 'a string']],
    'POST /v1/pets {"name":"Rex"}': [['body/categoryId', 'an integer']],
    'POST /v1/pets {"name":"Rex","catgoryId":1}': [['body/categoryId', 'an integer']],
    'POST /v1/pets {"Name":"Rex","CategoryId":1}': [['body/name', 'body/categoryId']],
    'POST /v1/pets {"name":7,"categoryId":"x","status":"lost"}': [['body/name', 'body/categoryId', 'body/status']],
  }),
  ...rejections(CASES.fieldsOfOtherTypes, [['is a']]),
  ...rejections(CASES.fieldsBeyond, [['is a']]),
  ...rejections(CASES.valuesUnknown, [['one of']]),
  ...rejections(CASES.otherTypes, {
    'POST /v1/pets Content-Type: text/plain {"name":"Rex","categoryId":3}': [['content-type', 'application/json']],
    '*': [['content-type', 'application/json']],
  }),
  ...rejections(CASES.contentEncodings, [['content-encoding']]),
  ...rejections({ status: 400, requests: [post('{}', { 'Content-Type': 'application/json;' })] }, [['body/name']]),
  ...rejections(CASES.typeFirst, [[]]),
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

/** Holds a response against what the table wants. */
export function expectResponse(reply: Reply, { status, code, says = [], text, headers = {} }: Expected): void {
  expect(reply, reply.text).toMatchObject({ status });
  if (text !== undefined) expect(reply.text).toBe(text);
  if (code !== undefined) expect(reply.json.code).toBe(code);
  for (const part of says) expect(reply.json.message).toContain(part);
  for (const [name, value] of Object.entries(headers)) expect(reply.headers[name] ?? null).toBe(value);
}
