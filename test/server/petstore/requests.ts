/**
 * Requests whose response follows from the specification or from a decision of the sandbox, whatever pets a server has.
 * One table for the tests, and for docs/reference/behavior.md.
 */
import { ERROR_STATUS } from '../../../src/base/api/errors.ts';
import { type Field, fieldsOf, parameterOf, queryOf } from '../../../src/base/api/specification.ts';
import {
  basePath,
  type OperationName,
  operationNames,
  operations,
  petStatuses,
} from '../../../src/base/generated/facts.ts';
import { printable, shorten } from '../../../src/base/text.ts';
import type { TestRequest } from '../../support/client.ts';
import {
  acceptedValues,
  BEYOND_DOUBLE,
  DIGITS,
  unknownValues,
  valuesBeyond,
  valuesOfOtherTypes,
} from './field-values.ts';

interface ProbeRequest {
  readonly method?: string;
  /** Relative to the base address (`/pets`), sent verbatim: dot segments and percent-encodings are not normalized. */
  readonly path: string;
  /** Several values are sent as several header lines. `Authorization` here replaces the key. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent with `Content-Length`; as chunks if there are several. */
  readonly body?: string | Buffer | readonly (string | Buffer)[];
}

export interface CaseRequest extends ProbeRequest {
  /** Instead of the request in words, where that is unclear or contains a key. */
  readonly title?: string;
  /** The new pet as JSON, without its id; the body if omitted. */
  readonly pet?: string;
  /** The field or parameter that it is about, as messages name it: `body/name`. */
  readonly location?: string;
}

/** Requests that a server rejects, or accepts, for the same reason. */
export interface Cases {
  readonly status: number;
  /** Why it is this status: a cell of docs/reference/behavior.md. */
  readonly why: string;
  readonly requests: readonly CaseRequest[];
}

const LONGEST_NAME = 120;

/** With the path that the sandbox has. */
export const inSandbox = (request: CaseRequest): TestRequest =>
  ({ ...request, path: `${basePath}${request.path}` }) as TestRequest;

/** A request as the title of a test: stable, and unique. */
export const caseNameOf = (request: CaseRequest): string =>
  printable(request.title ?? shorten(requestText(request), LONGEST_NAME));

/** A request in one line, without the server's address. It contains what is sent as a key. */
function requestText({ method = 'GET', path, headers = {}, body }: ProbeRequest): string {
  const named = Object.entries(headers).flatMap(([name, value]) => {
    if (value === JSON_TYPE[name as 'Content-Type']) return [];
    return value.length === 0 && name === 'Authorization' ? ['without a key'] : [`${name}: ${value}`];
  });
  const chunks = [body ?? []].flat().map((chunk) => (Buffer.isBuffer(chunk) ? chunk.toString('latin1') : chunk));
  return [`${method} ${basePath}${path}`, ...named, chunks.join('')].filter(Boolean).join(' ');
}

type StatusesOf<Name extends OperationName> =
  keyof (typeof operations)[Name]['responses'] extends `${infer Status extends number}` ? Status : never;

/** A status that the specification documents for an operation: any other does not compile. */
const documented = <Name extends OperationName>(_operation: Name, status: StatusesOf<Name>): number => status;

/** Paths relative to the base address. */
const LIST_PATH = operations.listPets.path;
const petPath = (id: string | bigint): string => operations.getPet.path.replace('{petId}', () => String(id));

const JSON_TYPE = { 'Content-Type': 'application/json' };
const NO_KEY = { Authorization: [] };

/** `createPet` with this body; `undefined`: without one. */
export const post = (body: ProbeRequest['body'], headers: ProbeRequest['headers'] = JSON_TYPE): ProbeRequest => ({
  method: operations.createPet.method.toUpperCase(),
  path: operations.createPet.path,
  headers,
  ...(body !== undefined && { body }),
});

/** `GET` of a path. */
const get = (path: string, headers: Required<ProbeRequest>['headers'] = {}): ProbeRequest => ({ path, headers });

const titled = (title: string, request: ProbeRequest): CaseRequest => ({ ...request, title });
const query = (text: string): ProbeRequest => get(`${LIST_PATH}?${text}`);
const limit = (value: string): ProbeRequest => query(`limit=${encodeURIComponent(value)}`);
const pet = (id: string | bigint): ProbeRequest => get(petPath(id));

const LIMIT = parameterOf('listPets', 'query/limit');
const MIN_LIMIT = Number(LIMIT.minimum);

/** Bounds of an id. */
const ID = parameterOf('getPet', 'path/petId');

const STATUS = petStatuses[petStatuses.length - 1] as string;

const FIELDS = fieldsOf('NewPet');
const FIXED: Readonly<Record<string, unknown>> = { ...operations.createPet.bodyExample, name: 'Rex', categoryId: 3 };
/** What every NewPet needs, as JSON. */
const NEEDED = FIELDS.filter(({ required }) => required).map(({ name }): [name: string, json: string] => [
  name,
  JSON.stringify(FIXED[name]),
]);

/** A NewPet with the fields that are required, but for these. @param own as JSON; `undefined`: left out */
function petText(own: Readonly<Record<string, string | undefined>> = {}): string {
  const fields = Object.entries({ ...Object.fromEntries(NEEDED), ...own });
  return `{${fields.flatMap(([name, json]) => (json === undefined ? [] : [`"${name}":${json}`])).join(',')}}`;
}

const REX = petText();
/** The fields of a pet, to be continued in an object. */
const MEMBERS = REX.slice(1, -1);
const MEMBERS_BACKWARDS = NEEDED.map(([name, json]) => `"${name}":${json}`).reverse();
const ofName = (json: string): string => petText({ name: json });
const ofCategory = (json: string): string => petText({ categoryId: json });

/** A new pet for each value of each field. */
const eachField = (valuesOf: (field: Field) => readonly string[]): readonly CaseRequest[] =>
  FIELDS.flatMap((field) =>
    valuesOf(field).map((json) => ({ ...post(petText({ [field.name]: json })), location: `body/${field.name}` })),
  );

const QUERY = queryOf('listPets');

/** A list for each text of each parameter of a type. */
const eachParameter = (
  type: Field['type'] | 'any',
  textsOf: (field: Field) => readonly string[],
): readonly CaseRequest[] =>
  QUERY.filter((field) => type === 'any' || field.type === type).flatMap((field) =>
    textsOf(field).map((text) => ({
      ...query(`${field.name}=${encodeURIComponent(text)}`),
      location: `query/${field.name}`,
    })),
  );

/** Queries in which a parameter has no value, two, or one that its enumeration does not have. */
function badTexts(field: Field): readonly string[] {
  const { name, enum: values } = field;
  const [accepted] = textsOf(acceptedValues(field));
  const unknown = values
    ? ['lost', (values.at(-1) as string).toUpperCase()].filter((text) => !values.includes(text))
    : [];
  const texts = [...unknown.map((text) => `${name}=${encodeURIComponent(text)}`), `${name}=`, name];
  return accepted === undefined
    ? texts
    : [...texts, `${name}=${encodeURIComponent(accepted)}&${name}=${encodeURIComponent(accepted)}`];
}

/** The same of a parameter: texts have no quotes. */
const textsOf = (values: readonly string[]): readonly string[] => values.map((json) => json.replace(/^"(.*)"$/, '$1'));
/** A NewPet with an additional field, nested so deeply that the body has this many levels. */
const nested = (levels: number): string =>
  petText({ name: '"a"', categoryId: '1', x: `${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}` });
const longName = 'abcd '.repeat(999).trim();

const casesOf =
  (status: number) =>
  (why: string, requests: readonly CaseRequest[]): Cases => ({ status, why, requests });
const creates = casesOf(documented('createPet', 201));
const rejects = casesOf(documented('createPet', 400));
const rejectsType = casesOf(ERROR_STATUS.unsupported_media_type);
const lists = casesOf(documented('listPets', 200));
/** The specification documents no response to a violation of the query's bounds. */
const rejectsQuery = casesOf(ERROR_STATUS.invalid_request);
const findsNone = casesOf(documented('getPet', 404));
const rejectsKey = casesOf(documented('listPets', 401));
const rejectsPath = casesOf(ERROR_STATUS.not_found);
const rejectsEncoding = casesOf(ERROR_STATUS.invalid_request);
const rejectsMethods = (path: string, methods: readonly string[]): Cases =>
  casesOf(ERROR_STATUS.method_not_allowed)(
    "the path doesn't have this method; the response has `Allow`",
    methods.map((method) => ({ method, path })),
  );

const BAD_LIST = `${LIST_PATH}?limit=zzz`;
/** Not a valid id, so that no pet is affected. */
const NO_PET = petPath('zzz');

/** Methods that change or delete pets, where the specification does not have them. */
const undescribedOn = (path: string): string[] =>
  ['PUT', 'PATCH', 'DELETE'].filter((method) =>
    operationNames.every((name) => {
      const operation: { readonly path: string; readonly method: string } = operations[name];
      return operation.path !== path || operation.method !== method.toLowerCase();
    }),
  );

export const CASES = {
  newPets: creates('a pet as documented', [
    ...eachField(acceptedValues),
    post(REX),
    post(`{${[`"status":${JSON.stringify(STATUS)}`, ...MEMBERS_BACKWARDS].join(',')}}`),
    titled('POST of a body with white space around', post(` \t\r\n${REX} \n`)),
    titled('POST of a body in two chunks', post([REX.slice(0, 14), REX.slice(14)])),
    titled('POST of a name of many scripts', post(ofName('"Zoë 小雪 🐶 \\"\\\\\\u0041\\n"'))),
    post(ofName('"<b>Tom & Jerry\'s</b> &amp;"')),
    titled('POST of a name with a combining accent', post(ofName('"Zoe\\u0308"'))),
    titled('POST of a name with spaces around', post(ofName('"  Rex "'))),
    titled('POST of a name of 4,994 characters', post(ofName(`"${longName}"`))),
  ]),
  acceptedPets: creates(
    "an empty name, 100 levels, the same field twice with the same value, and `1.0` for `1` are fine. Unknown fields aren't " +
      'stored. Parameters of the media type are ignored, except a charset other than UTF-8',
    [
      post(petText({ name: '""', categoryId: '0' })),
      ...[
        `{${MEMBERS},"catgoryId":4,"unheardOf":[{"a":1}],"Status":"x"}`,
        `{"__proto__":{"status":${JSON.stringify(STATUS)}},"constructor":{},${MEMBERS}}`,
      ].map((body) => ({ ...post(body), pet: REX })),
      ...(
        [
          ['-0', '0'],
          ['1.0', '1'],
          ['1e2', '100'],
          ['12.50E+1', '125'],
          ['500e-2', '5'],
          ['0e999', '0'],
          [`${ID.maximum}.0`, `${ID.maximum}`],
        ] as const
      ).map(([written, digits]) => ({ ...post(ofCategory(written)), pet: ofCategory(digits) })),
      { ...post(`{"name":"Rex",${ofCategory('1').slice(1, -1)},"categoryId":1.0}`), pet: ofCategory('1') },
      { ...titled('POST of a body of 100 levels', post(nested(100))), pet: petText({ name: '"a"', categoryId: '1' }) },
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
    [0n, -1n, BigInt(Number.MAX_SAFE_INTEGER), ID.maximum, ID.minimum, ID.minimum + 1n, BEYOND_DOUBLE].map(pet),
  ),
  unknownParameters: lists('unknown parameters are ignored, with a warning in the request log', [
    query('limit=1&no_such_parameter=5&LIMIT&=x&&'),
  ]),
  encodedParameters: lists('parameters and ids may be percent-encoded', [query('l%69mit=%31')]),
  acceptedQueries: lists(
    'a query as documented',
    eachParameter('any', (field) => textsOf(acceptedValues(field))),
  ),
  parametersBeyond: rejectsQuery('a value out of bounds', [
    ...eachParameter('any', (field) => textsOf(valuesBeyond(field))),
    ...['-1', `${ID.maximum + 1n}`].map(limit),
  ]),
  parametersNoInteger: rejectsQuery(
    'not an integer',
    eachParameter('integer', () => ['2.5', 'ten', '0b11', 'NaN', 'Infinity', '5,6', '٥', '1e-1', '1_0']),
  ),
  parametersOtherForms: rejectsQuery('an integer with a sign, a leading zero, a point, an exponent or a space', [
    ...eachParameter('integer', () => ['+5', '05', '5.0', '1e1', '0x10', ' 5', '5 ', '5.', '00']),
    query('limit=5+'),
  ]),
  badQueries: rejectsQuery('a value that is empty, repeated, misspelled or out of bounds', [
    ...QUERY.flatMap((field) => badTexts(field).map((text) => ({ ...query(text), location: `query/${field.name}` }))),
    query(`limit=${MIN_LIMIT - 1}&status=lost`),
    query('limit=&status=a&status=b'),
  ]),
  idsNoInt64: findsNone('an id outside int64, or not in plain digits, matches no pet', [
    ...[`${ID.maximum + 1n}`, `${ID.minimum - 1n}`, DIGITS, '+1', '01', '1.0', '1e0', '0x1', '%201', '1%20'].map(pet),
    ...['-0x', '--1', '1.json', '1,1', 'Infinity', 'rex', 'null', '1%2F', '%F0%9F%90%B6'].map(pet),
  ]),
  unknownPaths: rejectsPath('paths are exact and case-sensitive', [
    ...['', '/', `${LIST_PATH}/`, LIST_PATH.replace(/[a-z]/, (letter) => letter.toUpperCase())].map((path) =>
      get(path),
    ),
    ...[LIST_PATH.slice(0, -1), `${petPath('1')}/`, '/store'].map((path) => get(path)),
  ]),
  encodedPaths: rejectsPath('the rest of a path may not be percent-encoded', [get(LIST_PATH.replace('e', '%65'))]),
  unknownPathPosted: rejectsPath('the path is checked before the body', [{ ...post('{'), path: '/toys' }]),
  badEncodings: rejectsEncoding("the percent-encoding is invalid, or isn't UTF-8", [
    ...['%zz', '%', '%ff', '%c3%28'].map(pet),
    ...['/%zz', `${LIST_PATH}?status=%zz`, `${LIST_PATH}?%`, `${petPath('1')}?x=%e0`].map((path) => get(path)),
  ]),
  badEncodingFirst: rejectsEncoding('the encoding of the address is checked before the method and the body', [
    { ...post('{'), method: 'PATCH', path: `${LIST_PATH}?x=%zz` },
  ]),
  /** Safe methods of RFC 9110 and RFC 4918: they change nothing on any server. */
  safeMethodsOfList: rejectsMethods(BAD_LIST, ['TRACE', 'PROPFIND']),
  methodsOfList: rejectsMethods(BAD_LIST, undescribedOn(LIST_PATH)),
  postOfPet: rejectsMethods(NO_PET, ['POST']),
  methodsOfPet: rejectsMethods(NO_PET, undescribedOn(operations.getPet.path)),
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
  fieldsWrong: rejects(
    'a required field is missing; the message names every problem',
    [
      '{}',
      ...NEEDED.map(([name]) => petText({ [name]: undefined })),
      '{"name":"Rex","catgoryId":1}',
      '{"Name":"Rex","CategoryId":1}',
      '{"name":7,"categoryId":"x","status":"lost"}',
    ].map((body) => post(body)),
  ),
  fieldsOfOtherTypes: rejects('a value of another type', eachField(valuesOfOtherTypes)),
  fieldsBeyond: rejects('a number is out of bounds (including those of int64), or a fraction', eachField(valuesBeyond)),
  valuesUnknown: rejects("a value isn't one of the allowed ones", eachField(unknownValues)),
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

const UNKNOWN_TOKEN = 'Bearer 0123456789abcdef';

/** Values of `Authorization` that are invalid whatever keys exist. */
export const wrongCredentials: Readonly<Record<string, string>> = {
  'an empty credential': '',
  'another scheme': 'Basic dXNlcjpwYXNz',
  'a scheme alone': 'Bearer',
  'two words': 'Bearer one two',
  'a tab in place of a space': 'Bearer\tone',
  'characters that no token has': 'Bearer "one"',
  'letters that no token has': 'Bearer schl\xfcssel',
  'a token that is too long': `Bearer ${'a'.repeat(513)}`,
  'several credentials in one': 'Bearer one, Bearer two',
  'an unknown token': UNKNOWN_TOKEN,
};

/** Derived from a valid key: without its scheme, and truncated. */
export const spoiltCredentials = (key: string): Readonly<Record<string, string>> => ({
  'a token without its scheme': key,
  'a key that was cut off': `Bearer ${key.slice(0, -1)}`,
  'a key with one character more': `Bearer ${key}0`,
});

/** A valid key in other places than `Authorization`. */
function elsewhere(key: string): readonly CaseRequest[] {
  const value = encodeURIComponent(key);
  const pairs = ['access_token', 'api_key', 'apiKey', 'apikey', 'key', 'token'].map((name) => `${name}=${value}`);
  const headers = ['X-API-Key', 'Api-Key', 'X-Auth-Token'].map((name) => [name, key]);
  return [
    titled('a valid key in the query', get(`${LIST_PATH}?limit=1&${pairs.join('&')}`, NO_KEY)),
    titled('a valid key in other headers', get(LIST_PATH, { ...NO_KEY, ...Object.fromEntries(headers) })),
    titled('a valid key in cookies', get(LIST_PATH, { ...NO_KEY, Cookie: pairs.join('; ') })),
    titled('an unknown token for a pet', get(petPath('1'), { Authorization: UNKNOWN_TOKEN })),
  ];
}

/** Authentication. The names do not depend on the key. @param key a key that the server accepts */
export function keyCases(key: string): readonly Cases[] {
  const list = (title: string, authorization: string | readonly string[]): CaseRequest =>
    titled(title, get(`${LIST_PATH}?limit=1`, { Authorization: authorization }));
  const otherCase = key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase();
  const needed = 'every operation needs a valid key';
  const first = 'authentication is checked first';
  return [
    rejectsKey(needed, [
      ...[LIST_PATH, petPath('1')].map((path) => get(path, NO_KEY)),
      ...Object.entries({ ...wrongCredentials, ...spoiltCredentials(key) }).map(([title, value]) => list(title, value)),
      ...elsewhere(key),
      list('a key in another case', `Bearer ${otherCase}`),
    ]),
    rejectsKey(needed, [
      post(REX, { ...JSON_TYPE, ...NO_KEY }),
      titled('POST with an unknown token', post(REX, { ...JSON_TYPE, Authorization: UNKNOWN_TOKEN })),
    ]),
    rejectsKey('HEAD needs a key, as GET does', [{ ...get(LIST_PATH, NO_KEY), method: 'HEAD' }]),
    rejectsKey(first, [
      ...[BAD_LIST, NO_PET, petPath('%zz'), '/toys'].map((path) => get(path, NO_KEY)),
      list('a valid key in two Authorization headers', [`Bearer ${key}`, `Bearer ${key}`]),
    ]),
    rejectsKey(first, [post('{', { 'Content-Type': 'text/plain', ...NO_KEY })]),
    casesOf(documented('listPets', 200))(
      'the scheme may be in upper or lower case, as in RFC 9110',
      ['bearer', 'BEARER'].map((scheme) => list(`a valid key with the scheme ${scheme}`, `${scheme} ${key}`)),
    ),
  ];
}
