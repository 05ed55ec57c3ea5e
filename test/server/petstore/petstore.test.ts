/**
 * The petstore API as a table: what is asked of a new sandbox with the `default` fixture, and what it answers. Most of its rows
 * are those of `requests.ts`; here they also say how the sandbox words its response.
 */
import { describe, expect, test } from 'vitest';
import { schemas } from '../../../src/base/generated/facts.ts';
import { type JsonObject, type JsonValue, parseJson, writeJson } from '../../../src/base/int64.ts';
import type { TestRequest } from '../../support/client.ts';
import { methodsOn } from '../../support/documented.ts';
import { sharedServer } from '../../support/server.ts';
import { CASES, type Cases, caseNameOf, post } from './requests.ts';

interface Expected {
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

interface Case {
  readonly title: string;
  readonly request: TestRequest;
  readonly expected: Expected;
}

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

/** Requests that the sandbox rejects. @param says what is in each message besides its location */
const rejections = (
  { requests, status }: Sent,
  says: readonly string[] = [],
  headers: Required<Expected>['headers'] = {},
): readonly Case[] =>
  requests.map((request) => {
    const words = [...(request.location ? [request.location] : []), ...says];
    const expected = { status, code: CODES[status] as string, says: words, headers };
    return { title: caseNameOf(request), request, expected };
  });

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

const responses: readonly Case[] = [
  found('a pet by its id, percent-encoded', '/pets/%31', BISCUIT, { headers: SUNSET }),
  found('the first pet of a list', '/pets?limit=1', `[${BISCUIT}]`, {
    headers: { sunset: null, link: null, deprecation: null },
  }),
  ...[CASES.unknownParameters, CASES.encodedParameters].flatMap(({ requests }) =>
    requests.map((request) => found(caseNameOf(request), request.path.replace('/v1', ''), `[${BISCUIT}]`)),
  ),
  ...CASES.acceptedQueries.requests.map((request) => ({
    title: caseNameOf(request),
    request,
    expected: { status: 200 },
  })),
  ...[CASES.newPets, CASES.acceptedPets, CHOSEN_ID].flatMap(({ requests, status }) =>
    requests.map((request): Case => {
      const [title, { pet = [request.body ?? []].flat().join('') }] = [caseNameOf(request), request];
      const text = writeJson({ id: 13, ...parseInOrder(pet) });
      const headers = { 'content-type': 'application/json' };
      return { title, request, expected: { status, text, headers } };
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
  ...rejections(CASES.unknownPaths, ['no such path', '/v1/pets'], { sunset: null }),
  ...rejections(CASES.encodedPaths, ['no such path', '/v1/pets'], { sunset: null }),
  ...rejections(CASES.unknownPathPosted),
  ...rejections(CASES.badEncodings, ['percent-encoding', '%25']),
  ...rejections(CASES.badEncodingFirst, ['percent-encoding']),
];

const ON_PETS = { allow: `${methodsOn('/pets')}, OPTIONS` };
const ON_A_PET = { allow: `${methodsOn('/pets/{petId}')}, OPTIONS` };
const ON_ORDERS = { allow: 'GET, HEAD, OPTIONS' };

const ordersBy = (...methods: string[]) => methods.map((method) => ({ method, path: '/v1/store/orders' }));

const ofMethods: readonly Case[] = [
  ...rejections(CASES.methodsOfList, [], ON_PETS),
  ...rejections(CASES.methodsOfPet, [], ON_A_PET),
  // They exist, and are not described.
  ...rejections({ status: 405, requests: ordersBy('POST', 'DELETE', 'PUT') }, [], ON_ORDERS),
  ...rejections({ status: 501, requests: [{ path: '/v1/store/orders?limit=zzz' }] }, ["isn't documented"]),
];

const listed = (query: string): Sent => ({ status: 400, requests: [{ path: `/v1/pets?${query}` }] });

const ofLists: readonly Case[] = [
  ...rejections(CASES.parametersBeyond, ['is at ']),
  ...rejections(CASES.parametersNoInteger, ['integer from ']),
  ...rejections(CASES.parametersOtherForms, ['in plain digits']),
  ...rejections(CASES.badQueries, ['query/']),
  // A message names all that is wrong.
  ...rejections(listed('limit=0&status=lost&x=1'), ['query/limit', 'query/status', 'available, pending, sold']),
  ...rejections(listed('limit=&status=sold&status=sold'), ['query/limit', 'empty', 'query/status', '2 times']),
];

const ofPets: readonly Case[] = [
  ...[...CASES.absentPets.requests, { path: '/v1/pets/13' }].flatMap((request) => {
    const says = [`no pet has the id ${request.path.replace('/v1/pets/', '')}`];
    return rejections({ ...CASES.absentPets, requests: [request] }, says, SUNSET);
  }),
  ...rejections(CASES.idsNoInt64, ['path/petId'], SUNSET),
];

const ofBodies: readonly Case[] = [
  ...rejections(CASES.missingBodies, ['body', 'missing', 'name', 'categoryId']),
  ...rejections(CASES.emptyBodyOfOtherType, ['body', 'missing']),
  ...rejections(CASES.bodiesNoJson, ['not valid JSON']),
  ...rejections(CASES.bodiesNoUtf8, ['UTF-8']),
  ...rejections(CASES.fieldsTwice, ['twice']),
  ...rejections(CASES.bodiesTooDeep, ['100 levels']),
  ...rejections(CASES.bodiesNoObject, ['is a JSON object', 'name', 'categoryId']),
  ...rejections(CASES.fieldsWrong, ['body/']),
  ...rejections({ status: 400, requests: [post('{"name":7,"status":"lost"}')] }, [
    ...['body/name is a string', 'body/categoryId is required (an integer)', 'body/status is one of'],
  ]),
  ...rejections(CASES.fieldsOfOtherTypes, ['is a']),
  ...rejections(CASES.fieldsBeyond, ['is a']),
  ...rejections(CASES.valuesUnknown, ['one of']),
  ...rejections(CASES.otherTypes, ['content-type', 'application/json']),
  ...rejections(CASES.contentEncodings, ['content-encoding']),
  ...rejections({ status: 400, requests: [post('{}', { 'Content-Type': 'application/json;' })] }, ['body/name']),
  ...rejections(CASES.typeFirst),
];

/** By the part of the API that they are about. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  'what it answers': responses,
  'paths that are none, and addresses that are none': ofPaths,
  'methods that are not possible, and what is not described': ofMethods,
  'lists it rejects': ofLists,
  'pets that cannot be found': ofPets,
  'new pets it rejects': ofBodies,
};

const server = await sharedServer();

for (const [part, rows] of Object.entries(cases)) {
  describe(part, () => {
    for (const { title, request, expected } of rows) {
      test(title, async () => {
        const { status, code, says = [], text, headers = {} } = expected;
        const client = await server.sandbox();
        const reply = await client.send(request);
        expect(reply, reply.text).toMatchObject({ status });
        if (text !== undefined) expect(reply.text).toBe(text);
        if (code !== undefined) expect(reply.json.code).toBe(code);
        for (const word of says) expect(reply.json.message).toContain(word);
        for (const [name, value] of Object.entries(headers)) expect(reply.headers[name] ?? null).toBe(value);
        // What was rejected left nothing behind.
        if (status >= 400) expect((await client.get('/v1/pets?limit=100')).json).toHaveLength(12);
      });
    }
  });
}
