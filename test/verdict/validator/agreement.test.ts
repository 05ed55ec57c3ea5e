import { describe, expect, test } from 'vitest';
import type { Exchange, IntendedDifference } from '../../../src/base/api/exchange.ts';
import { type Agreement, agree } from '../../../src/verdict/validator/agreement.ts';
import { exchangeValidator } from '../../../src/verdict/validator/serve.ts';
import { createPet, errorResponse, getPet, listPets, type Parts, pet } from '../../support/exchanges.ts';
import { inShort, resolvePointer } from './support.ts';
import { described } from './validators/specifications.ts';

const validator = exchangeValidator(described);
const verdictOn = ({ operation = '', request, response }: Exchange) => validator({ operation, request, response });
const agreeOn = (exchange: Exchange): Agreement => agree(exchange, verdictOn(exchange));

/** Rejected by the service, with an Error body. */
const rejected = (status: number, location: string, difference?: IntendedDifference): Parts => ({
  ...errorResponse(status),
  decision: {
    kind: 'rejected',
    problems: [{ location, message: `${location} is wrong`, ...(difference ? { difference } : {}) }],
  },
});
const credential = (authorization: string | undefined): Parts => ({ request: { authorization } });
const json = (body: string): Parts => ({ request: { body, bodyBytes: body.length, contentType: 'application/json' } });

const ACCEPTED = 'the service accepted a request that the validator rejects';
const REJECTED = 'the service rejected a request that the validator accepts';

describe('service and validator', () => {
  test.each<[string, Exchange, string]>([
    ['accepts what the validator rejects', listPets('?limit=0'), ACCEPTED],
    ['rejects what the validator accepts', listPets('?limit=5', rejected(400, 'query/limit')), REJECTED],
    ['rejects another form without its name', listPets('?limit=05', rejected(400, 'query/limit')), REJECTED],
    ['accepts a request without a key', listPets('', credential(undefined)), ACCEPTED],
    ['accepts a scheme in lower case without a key', listPets('', credential('bearer')), ACCEPTED],
    ['accepts another scheme', listPets('', credential('Basic …')), ACCEPTED],
  ])('disagree where the service %s', (_, exchange, disagreement) => {
    expect(agreeOn(exchange).disagreement).toBe(disagreement);
  });

  const limit = rejected(400, 'query/limit');
  const twice = rejected(400, 'query/limit', 'parameter-twice');
  const unknownKey = rejected(401, 'header/authorization', 'key-unknown');
  test.each<[string, Exchange, violations: string[], warnings: string[]]>([
    ['did not decide', listPets('?limit=0', { decision: { kind: 'undecided' } }), ['query/limit minimum'], []],
    ['accepts a scheme in lower case', listPets('', credential('bearer …')), [], []],
    [
      'accepts a scheme in lower case, and rejects something else',
      listPets('?limit=0', { ...limit, ...credential('bearer …') }),
      ['query/limit minimum'],
      [],
    ],
    ['takes a name of other case for unknown', listPets('?LIMIT=500'), [], ['query/LIMIT unknown-parameter']],
    [
      'rejects a parameter, and takes its name in other case for unknown',
      listPets('?limit=500&LIMIT=600', limit),
      ['query/limit maximum'],
      ['query/LIMIT unknown-parameter'],
    ],
    [
      'reads one parameter, and the validator its name in other case',
      listPets('?limit=500&LIMIT=6', limit),
      [],
      ['query/LIMIT unknown-parameter', 'query/limit rejected-beyond-specification'],
    ],
    ['accepts a body that means nothing', listPets('', json('{}')), [], ['body unknown-field']],
    ['rejects a key as the specification describes', listPets('', unknownKey), [], []],
    ['rejects a parameter twice', listPets('?limit=5&limit=6', twice), ['query/limit type'], []],
  ])('agree where the service %s', (_, exchange, violations, warnings) => {
    const { disagreement, verdict } = agreeOn(exchange);
    expect(disagreement).toBeUndefined();
    expect(inShort(verdict)).toEqual(violations.map((each) => `request ${each}`));
    expect(verdict.warnings.map(({ location, rule }) => `${location} ${rule}`)).toEqual(warnings);
  });

  test('see a response that breaks the specification as a bug of ours', () => {
    const { brokenResponse, disagreement } = agreeOn(listPets('', { response: { body: '[{}]' } }));
    expect([brokenResponse, disagreement]).toEqual([true, undefined]);
  });

  test('validate the request but not the response of an injected fault', () => {
    const fault = { response: { body: 'cut o' }, injectedFault: { connection: 'truncate' } as const };
    const { verdict, brokenResponse, disagreement } = agreeOn(listPets('?limit=0', fault));
    expect([brokenResponse, disagreement]).toEqual([false, undefined]);
    expect(inShort(verdict)).toEqual(['request query/limit minimum']);
  });

  test('leave an exchange that was not validated as it is', () => {
    const verdict = { violations: [], warnings: [], validationError: 'too much' };
    expect(agree(listPets('', limit), verdict)).toEqual({ verdict });
  });

  test('never change the verdict that others share', () => {
    const exchange = listPets('', credential('bearer …'));
    const shared = verdictOn(exchange);
    const before = structuredClone(shared);
    const { violations } = agree(exchange, shared).verdict;
    expect([violations, Object.isFrozen(violations), shared]).toEqual([[], true, before]);
  });
});

const NEW_PET = '{"name":"Biscuit","categoryId":1}';

/** The service names the difference, whatever it is: `petstore/agreement.test.ts` has that it names every one. */
const beyond: readonly [IntendedDifference, status: number, location: string, of: (parts: Parts) => Exchange][] = [
  ['parameter-unknown', 400, 'query/limitt', (parts) => listPets('?limitt=5', parts)],
  ['member-twice', 400, 'body/categoryId', (parts) => createPet(NEW_PET.replace('}', ',"categoryId":2}'), parts)],
  [
    'media-type',
    415,
    'header/content-type',
    (parts) => createPet(pet, { ...parts, request: { contentType: 'application/json; charset=latin1' } }),
  ],
  [
    'too-large',
    413,
    'body',
    (parts) => createPet(undefined, { ...parts, request: { bodyUnread: true, bodyBytes: 2 ** 21 } }),
  ],
];

const LIMIT = '#/paths/~1pets/get/parameters/0/schema';
const ID = '#/paths/~1pets~1{petId}/get/parameters/0/schema';
const CATEGORY = '#/components/schemas/NewPet/properties/categoryId';
const largeCategory = createPet(
  NEW_PET.replace('1', '9223372036854775808'),
  rejected(400, 'body/categoryId', 'int64-range'),
);

/** What the specification forbids, and only the service sees: where it stands. */
const unseen: readonly [pointer: string, Exchange][] = [
  ...['+5', '05', '1e1', '0x10', '%205'].map((text): [string, Exchange] => [
    `${LIMIT}/type`,
    listPets(`?limit=${text}`, rejected(400, 'query/limit', 'integer-form')),
  ]),
  [`${ID}/type`, getPet('1e1', rejected(404, 'path/petId', 'integer-form'))],
  [`${LIMIT}/type`, listPets('?limit=', rejected(400, 'query/limit', 'parameter-empty'))],
  ['#/components/schemas/PetStatus/enum', listPets('?status=', rejected(400, 'query/status', 'parameter-empty'))],
  ...['application/vnd.pet+json', 'application/hal+json', '', undefined].map((contentType): [string, Exchange] => [
    '#/paths/~1pets/post/requestBody/content',
    createPet(NEW_PET, { ...rejected(415, 'header/content-type', 'media-type'), request: { contentType } }),
  ]),
  [`${ID}/format`, getPet('9223372036854775808', rejected(404, 'path/petId', 'int64-range'))],
  [`${CATEGORY}/format`, largeCategory],
];

describe('rejected by the service alone', () => {
  test.each(unseen)('is a violation where the specification forbids it: %s (%#)', (pointer, exchange) => {
    const { verdict, disagreement } = agreeOn(exchange);
    expect([disagreement, verdict.warnings.filter(({ rule }) => rule !== 'deprecated')]).toEqual([undefined, []]);
    const name = pointer.split('/').at(-1) as string;
    const rule = name === 'content' ? 'content-type' : name;
    expect(verdict.violations).toMatchObject([{ side: 'request', rule, pointer }]);
    expect(resolvePointer(described.specification, pointer)).toBeDefined();
  });

  test.each(beyond)('%s becomes a warning, not a disagreement (%#)', (difference, status, location, of) => {
    const { verdict, disagreement } = agreeOn(of(rejected(status, location, difference)));
    expect([disagreement, verdict.violations]).toEqual([undefined, []]);
    const warning = { location, rule: 'rejected-beyond-specification', message: `${location} is wrong` };
    expect(verdict.warnings).toContainEqual(warning);
  });
});
