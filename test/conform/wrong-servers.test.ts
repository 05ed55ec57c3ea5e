/** Every way of {@link FAULTS} to be wrong is found, in the checks that are about it and in no others. */
import { beforeAll, describe, expect, test } from 'vitest';
import { CASES, type Cases, caseNameOf, DEFAULT_LIMIT, MAX_LIMIT } from '../../src/conform/cases.ts';
import type { Conformance } from '../../src/conform/conform.ts';
import { basisOf, type ConformRule } from '../../src/conform/rules.ts';
import { suite } from '../../src/conform/suite.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { different, found, run } from './run.ts';
import { FAULTS, type Fault, startWrongServer } from './wrong-server.ts';

const done = ({ results }: Conformance): string[] =>
  results.filter(({ outcome }) => outcome !== 'skipped').map(({ name }) => name);

const KEY = 'a-key-of-somebody';

const CHECKS = new Map(suite(KEY).map((check) => [check.name, check]));
const ASSIGNED = 'a new pet has an id of the server, not one that the client chose';
const HEAD_WITHOUT_KEY = 'HEAD /v1/pets without a key: 401';
const rejections = (name: string): boolean => /: 4\d\d$/.test(name) && name !== HEAD_WITHOUT_KEY;
/** Also the check that looks for an id that no pet has. */
const anyRejection = (name: string): boolean => rejections(name) || name === ASSIGNED;
const ofRule =
  (...rules: ConformRule[]) =>
  (name: string): boolean =>
    rules.includes(CHECKS.get(name)?.rule as ConformRule);
const oneOf =
  (...names: string[]) =>
  (name: string): boolean =>
    names.includes(name);
const HEAD_OF_NONE = 'HEAD of a pet that does not exist: 404 without a body';
/** The responses to these have no body. */
const WITHOUT_BODY = [HEAD_OF_NONE, HEAD_WITHOUT_KEY, 'OPTIONS of the list without a key: 204'];
const isCreation = (name: string): boolean => name.endsWith(': 201');
const creationOf = ({ status, requests }: Cases): string[] => requests.map((each) => `${caseNameOf(each)}: ${status}`);

/** Lists with the wrong status of a pet in them. */
const LISTS = [
  `a list without a limit is as long as one with the limit ${DEFAULT_LIMIT}`,
  'a list with the limit 1',
  'a list with the limit 2',
  `a list with the limit ${MAX_LIMIT}`,
  'a list has every id once',
  'a list is in ascending order of ids',
  'ids that a list of all pets lacks: 404',
  'a new pet is in the list',
  'a new pet is stored once',
  'the available pets',
  'the pending pets',
  'the sold pets',
  'a list with a limit is the beginning of a longer one',
  'pets of the list by their ids: 200',
  'the id of a new pet is above those of the list',
];
/** The list with the most pets. */
const LONGEST = `GET /v1/pets?limit=${MAX_LIMIT}: 200`;
const ALIKE = 'two new pets that are alike have different ids';
const NEW_IDS = ['two new pets have different ids', 'the id of a new pet is above that of the one before'];
const LISTED = ['a new pet is in the list', 'a new sold pet is in the list of its status'];
const NOT_LISTED = 'a new pet is not in the list of another status';

/** What is found of each fault, and in which checks: in all of those, and in no other. */
const EXPECTED: Readonly<Record<Fault, readonly [rules: readonly ConformRule[], checks: (name: string) => boolean]>> = {
  'unvalidated query': [['query-rejected'], ofRule('query-rejected')],
  'bad body accepted': [['body-rejected', 'unreadable-rejected'], ofRule('body-rejected', 'unreadable-rejected')],
  'error body without status': [['error-body'], anyRejection],
  'error body with another status': [['error-body'], anyRejection],
  'error body with further members': [['further-members'], anyRejection],
  'pet with further members': [
    ['further-members'],
    (name) => name === 'ids that a list of all pets lacks: 404' || !(rejections(name) || WITHOUT_BODY.includes(name)),
  ],
  'HTML error page': [['response-type'], anyRejection],
  'request repeated': [['response-type'], anyRejection],
  'any bearer accepted': [
    ['key-first', 'key-rejected'],
    oneOf(
      'characters that no token has: 401',
      'letters that no token has: 401',
      'a token that is too long: 401',
      'an unknown token: 401',
      'a key in another case: 401',
      'a key that was cut off: 401',
      'a key with one character more: 401',
      'a valid key in two Authorization headers: 401',
    ),
  ],
  'enum broken in a response': [
    ['schema'],
    oneOf(
      ...LISTS,
      ...LISTED,
      ...NEW_IDS,
      ALIKE,
      ASSIGNED,
      NOT_LISTED,
      'POST /v1/pets {"status":"sold","categoryId":3,"name":"Rex"}: 201',
      'POST /v1/pets {"name":"Rex","categoryId":3,"status":"sold"}: 201',
      LONGEST,
      'GET /v1/pets?status=sold: 200',
      'the sold pets',
      'the sold pets with the limit 1',
    ),
  ],
  'int64 rounded': [
    ['int64'],
    (name) => /"categoryId":-?\d{16,}(\.0)?}: 201/.test(name) || [LONGEST, ...LISTS].includes(name),
  ],
  'no 405': [['method-rejected'], ofRule('method-rejected')],
  'limit ignored': [
    ['limit-kept'],
    oneOf('a list with the limit 1', 'a list with the limit 2', 'the sold pets with the limit 1'),
  ],
  'default limit ignored': [['default-limit'], ofRule('default-limit')],
  'default limit of ten': [['default-limit'], ofRule('default-limit')],
  'wrong media type accepted': [
    ['media-type-rejected'],
    (name) => ofRule('media-type-rejected')(name) && !/Content-Encoding/.test(name),
  ],
  'no WWW-Authenticate': [['www-authenticate'], (name) => name.endsWith(': 401')],
  'no Allow': [['allow'], (name) => name.endsWith(': 405')],
  'filter ignored': [
    ['filter-kept'],
    oneOf(NOT_LISTED, 'the available pets', 'the pending pets', 'the sold pets', 'the sold pets with the limit 1'),
  ],
  'status invented': [
    ['list-full', 'status-invented'],
    (name) =>
      (isCreation(name) && !/^POST \/v1\/pets \{"status"|,"status":/.test(name)) || name === 'the available pets',
  ],
  'name changed': [['body-accepted', 'pet-as-sent'], (name) => isCreation(name) && !name.includes('"name":""')],
  'other code': [['error-code'], (name) => name.endsWith(': 404') || name === ASSIGNED],
  'ids used again': [
    ['filter-kept', 'list-complete', 'stored-once', 'unique-ids'],
    oneOf(
      NEW_IDS[0] as string,
      ALIKE,
      'the id of a new pet is above those of the list',
      LISTED[1] as string,
      NOT_LISTED,
      'a new pet is stored once',
    ),
  ],
  'list in descending order': [['list-order'], ofRule('list-order')],
  'pet of another id': [['pet-not-found'], (name) => ofRule('pet-not-found')(name) || name === ASSIGNED],
  'id of an address rounded': [['int64'], oneOf('GET /v1/pets/9007199254740993: 404')],
  'no Sunset': [['sunset'], ofRule('sunset')],
  'no HEAD': [['head'], ofRule('head')],
  'response cut off': [['no-response'], oneOf('GET /v1/pets/zzz without a key: 401', 'POST /v1/pets/zzz: 405')],
  'names HTML-escaped': [['pet-as-sent'], (name) => name.includes('<b>')],
  'names cut at 255': [['pet-as-sent'], (name) => name.includes('4,994 characters')],
  'names normalized': [['pet-as-sent'], (name) => name.includes('combining accent')],
  'key in another case accepted': [['key-rejected'], oneOf('a key in another case: 401')],
  'pets stored twice': [['stored-once'], oneOf('a new pet is stored once')],
  'pets without a status not listed': [
    ['list-complete'],
    oneOf('a new pet is in the list', 'ids that a list of all pets lacks: 404'),
  ],
  'filter after the limit': [['filter-kept', 'list-full'], oneOf('the sold pets', 'the sold pets with the limit 1')],
  'HEAD of an absent pet found': [['head'], oneOf(HEAD_OF_NONE)],
  'HEAD of nothing': [['head'], oneOf('HEAD of the list: 200 without a body', 'HEAD of a pet: 200 without a body')],
  'failure as text for bodies that are no JSON': [
    ['response-type', 'unreadable-rejected'],
    oneOf(...creationOf(CASES.bodiesNoJson)),
  ],
  'ids of clients taken': [['id-assigned'], ofRule('id-assigned')],
  'HEAD without Content-Length': [
    ['head'],
    oneOf('HEAD of the list: 200 without a body', 'HEAD of a pet: 200 without a body'),
  ],
  'OPTIONS needs a key': [['preflight'], ofRule('preflight')],
  'OPTIONS of no methods': [['preflight'], ofRule('preflight')],
  'only the first pets found': [['pet-found'], oneOf('pets of the list by their ids: 200')],
  'low ids used again': [['ids-ascend'], oneOf('the id of a new pet is above those of the list')],
  'integers cut to 32 bits': [['int32'], (name) => /"categoryId":-?\d{16,}(\.0)?}: 201/.test(name)],
  'names without spaces around': [['pet-as-sent'], (name) => /spaces around|many scripts/.test(name)],
  'last pets listed': [['list-order'], oneOf('a list with a limit is the beginning of a longer one')],
  'HEAD needs no key': [['head'], oneOf('HEAD /v1/pets without a key: 401')],
  'equal pets stored once': [['unique-ids'], oneOf('two new pets that are alike have different ids')],
  'byte order mark': [['error-body', 'schema'], (name) => !WITHOUT_BODY.includes(name)],
};

/** Whether a run shows it that creates no pet. */
const SHOWN_BY_READING: Readonly<Partial<Record<Fault, boolean>>> = {
  'unvalidated query': true,
  'limit ignored': true,
  'bad body accepted': false,
  'names HTML-escaped': false,
  'key in another case accepted': true,
  'pets stored twice': false,
  'filter after the limit': true,
  'HEAD of nothing': true,
  'failure as text for bodies that are no JSON': false,
  'byte order mark': true,
};

describe('a wrong server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });

  for (const [fault, [rules, checks]] of Object.entries(EXPECTED)) {
    test(`is found out, and nothing else is said of it: ${fault}`, async () => {
      const { key = '' } = await server.sandbox();
      const url = await startWrongServer(server.url, key, fault as Fault);
      const conformance = await run(url, key);
      expect(found(conformance).sort()).toEqual([...rules].sort());
      expect(different(conformance).sort()).toEqual(done(conformance).filter(checks).sort());
      expect(different(conformance)).not.toEqual([]);
      expect(conformance.verdict).toBe('differs');
    });
  }

  for (const [name, isShownByReading] of Object.entries(SHOWN_BY_READING)) {
    test(`is found out in each mode that can show it: ${name}`, async () => {
      const { key = '' } = await server.sandbox();
      const fault = name as Fault;
      const url = await startWrongServer(server.url, key, fault);
      const ofSpecification = EXPECTED[fault][0].filter((rule) => basisOf(rule) === 'specification');
      const specificationOnly = await run(url, key, { specificationOnly: true });
      expect(found(specificationOnly).sort()).toEqual(ofSpecification.sort());
      expect(specificationOnly.verdict).toBe(ofSpecification.length > 0 ? 'differs' : 'conforms');
      const reading = await run(url, key, { allowCreate: false });
      expect(reading.verdict).toBe(isShownByReading ? 'differs' : 'conforms');
    });
  }

  test('that stores pets twice is found out where no list can have all pets', async () => {
    const { key = '' } = await server.sandbox({ fixture: 'large' });
    const url = await startWrongServer(server.url, key, 'pets stored twice');
    expect(found(await run(url, key))).toEqual(['stored-once']);
  });

  test('has every fault in the list above', () => {
    expect(Object.keys(EXPECTED).sort()).toEqual(Object.keys(FAULTS).sort());
  });

  test('that repeats what it was sent does not get the key into the outcome', async () => {
    const { key = '' } = await server.sandbox();
    const url = await startWrongServer(server.url, key, 'request repeated');
    const { results } = await run(url, key);
    const told = JSON.stringify(results);
    expect(told).toContain('Bearer <KEY>');
    // One of the keys that it is sent is this one in another case.
    expect(told.toLowerCase()).not.toContain(key.slice(0, -2).toLowerCase());
  });
});
