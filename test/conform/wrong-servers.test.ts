/** Every way of {@link FAULTS} to be wrong is found, in the checks that are about it and in no others. */
import { beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../src/conform/cases/lists.ts';
import type { Conformance } from '../../src/conform/conform.ts';
import type { Rule } from '../../src/conform/rules.ts';
import { suite } from '../../src/conform/suite.ts';
import { petStatuses } from '../../src/generated/facts.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { different, found, run } from './run.ts';
import { FAULTS, type Fault, startWrongServer } from './wrong-server.ts';

const done = ({ results }: Conformance): string[] =>
  results.filter(({ outcome }) => outcome !== 'skipped').map(({ name }) => name);

const KEY = 'a-key-of-somebody';

const CHECKS = new Map(suite(KEY).map((check) => [check.name, check]));
const rejections = (name: string): boolean => /: 4\d\d$/.test(name);
const ofRule =
  (...rules: Rule[]) =>
  (name: string): boolean =>
    rules.includes(CHECKS.get(name)?.rule as Rule);
const oneOf =
  (...names: string[]) =>
  (name: string): boolean =>
    names.includes(name);
const isCreation = (name: string): boolean => name.endsWith(': 201');
const WITH_STATUS = petStatuses.map((status) => `a new ${status} pet: 201`);

/** Lists with the wrong status of a pet in them. */
const LISTS = [
  `a list without a limit is as long as one with the limit ${DEFAULT_LIMIT}`,
  'a list with the limit 1',
  'a list with the limit 2',
  `a list with the limit ${MAX_LIMIT}`,
  'a list has every id once',
  'a list is in ascending order of ids',
  'a new pet is in the list',
];
const NEW_IDS = ['two new pets have different ids', 'the id of a new pet is above that of the one before'];

/** What is found of each fault, and in which checks: in all of those, and in no other. */
const EXPECTED: Readonly<Record<Fault, readonly [rules: readonly Rule[], checks: (name: string) => boolean]>> = {
  'unvalidated query': [['query-rejected'], ofRule('query-rejected')],
  'bad body accepted': [['body-rejected', 'unreadable-rejected'], ofRule('body-rejected', 'unreadable-rejected')],
  'error body without status': [['error-body'], rejections],
  'error body with another status': [['error-body'], rejections],
  'error body with further members': [['further-members'], rejections],
  'pet with further members': [
    ['further-members'],
    (name) => !rejections(name) && name !== 'HEAD of the list: 200 without a body',
  ],
  'HTML error page': [['response-type'], rejections],
  'request repeated': [['response-type'], rejections],
  'any bearer accepted': [
    ['key-first', 'key-rejected'],
    oneOf(
      'characters that no token has: 401',
      'letters that no token has: 401',
      'a token that is too long: 401',
      'an unknown token: 401',
      'a key that was cut off: 401',
      'a key with one character more: 401',
      'a valid key in two Authorization headers: 401',
    ),
  ],
  'enum broken in a response': [
    ['schema'],
    oneOf(
      ...LISTS,
      'a new sold pet: 201',
      ...NEW_IDS,
      'a new pet is not in the list of another status',
      'the sold pets',
      'the sold pets with the limit 1',
    ),
  ],
  'int64 rounded': [
    ['int64'],
    (name) => / digit for digit: |^9223372036854775807\.0 /.test(name) || LISTS.includes(name),
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
    oneOf(
      'a new pet is not in the list of another status',
      'the available pets',
      'the pending pets',
      'the sold pets',
      'the sold pets with the limit 1',
    ),
  ],
  'status invented': [['status-invented'], (name) => isCreation(name) && !WITH_STATUS.includes(name)],
  'name changed': [
    ['body-accepted', 'pet-as-sent'],
    (name) => isCreation(name) && name !== 'a new pet with an empty name: 201',
  ],
  'other code': [['error-code'], (name) => name.endsWith(': 404')],
  'ids used again': [
    ['filter-kept', 'list-complete', 'unique-ids'],
    oneOf(NEW_IDS[0] as string, 'a new pet is in the list', 'a new pet is not in the list of another status'),
  ],
  'list in descending order': [['list-order'], ofRule('list-order')],
  'pet of another id': [['pet-not-found'], ofRule('pet-not-found')],
  'id of an address rounded': [['int64'], oneOf('the pet 9007199254740993, which does not exist: 404')],
  'no Sunset': [['sunset'], ofRule('sunset')],
  'no HEAD': [['head'], ofRule('head')],
  'response cut off': [['no-response'], oneOf('an id that is no integer, without a key: 401', 'POST of one pet: 405')],
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

  test('is found out without creating a pet too, where reading shows it', async () => {
    for (const fault of [
      'unvalidated query',
      'HTML error page',
      'no 405',
      'limit ignored',
      'filter ignored',
    ] as const) {
      const { key = '' } = await server.sandbox();
      const url = await startWrongServer(server.url, key, fault);
      expect(found(await run(url, key, { allowCreate: false })), fault).toEqual(EXPECTED[fault][0]);
    }
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
    expect(told).not.toContain(key.slice(0, -2));
  });
});
