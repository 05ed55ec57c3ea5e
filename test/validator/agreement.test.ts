import { describe, expect, test } from 'vitest';
import type { Decision, Exchange, IntendedDifference } from '../../src/api/exchange.ts';
import described from '../../src/generated/petstore.json' with { type: 'json' };
import { type Agreement, agree } from '../../src/validator/agreement.ts';
import { exchangeValidator } from '../../src/validator/serve.ts';
import { createPet, errorResponse, getPet, listPets, type Parts, pet } from '../support/exchanges.ts';
import { inShort } from './support.ts';
import { specifications } from './validators/specifications.ts';

const validator = exchangeValidator(specifications);
const agreeOn = (exchange: Exchange): Agreement => {
  const { specification, operation, request, response } = exchange;
  return agree(exchange, validator({ operation: `${specification}/${operation}`, request, response }));
};
const rejection = (location: string, difference?: IntendedDifference): { decision: Decision } => ({
  decision: {
    kind: 'rejected',
    problems: [{ location, message: `${location} is wrong`, ...(difference ? { difference } : {}) }],
  },
});

/** Rejected by the service, with an Error body. */
const rejected = (status: number, location: string, difference?: IntendedDifference): Parts => ({
  ...errorResponse(status),
  ...rejection(location, difference),
});

describe('service and validator', () => {
  test('disagree when the service accepts what the validator rejects', () => {
    expect(agreeOn(listPets('?limit=0')).disagreement).toBe(
      'the service accepted a request that the validator rejects',
    );
  });

  test('disagree when the service rejects what the validator accepts', () => {
    const exchange = listPets('?limit=5', rejected(400, 'query/limit'));
    expect(agreeOn(exchange).disagreement).toBe('the service rejected a request that the validator accepts');
  });

  test('cannot disagree where the service did not decide', () => {
    expect(agreeOn(listPets('?limit=0', { decision: { kind: 'undecided' } })).disagreement).toBeUndefined();
  });

  test('see a response that breaks the specification as a bug of ours', () => {
    const agreement = agreeOn(listPets('', { response: { body: '[{}]' } }));
    expect(agreement.brokenResponse).toBe(true);
    expect(agreement.disagreement).toBeUndefined();
  });

  test('validate the request but not the response of an injected fault', () => {
    const agreement = agreeOn(
      listPets('?limit=0', { response: { body: 'cut o' }, injectedFault: 'connection=truncate' }),
    );
    expect(agreement).toMatchObject({ brokenResponse: false });
    expect(agreement.disagreement).toBeUndefined();
    expect(inShort(agreement.verdict)).toEqual(['request query/limit minimum']);
  });

  test('leave an exchange that was not validated as it is', () => {
    const verdict = { violations: [], warnings: [], validationError: 'too much' };
    expect(agree(listPets('', rejection('query/limit')), verdict)).toEqual({ verdict });
  });

  test('never change the verdict that others share', () => {
    const exchange = listPets('', { request: { authorization: 'bearer …' } });
    const { specification, operation, request, response } = exchange;
    const shared = validator({ operation: `${specification}/${operation}`, request, response });
    const before = structuredClone(shared);
    expect(agree(exchange, shared).verdict.violations).toEqual([]);
    expect(shared).toEqual(before);
    expect(Object.isFrozen(agree(exchange, shared).verdict.violations)).toBe(true);
  });
});

/** Differences that the service accepts and the validator rejects: the client did nothing wrong. */
describe('accepted by the service alone', () => {
  test('scheme-case: the scheme in lower case', () => {
    const agreement = agreeOn(listPets('', { request: { authorization: 'bearer …' } }));
    expect(agreement.disagreement).toBeUndefined();
    expect(agreement.verdict.violations).toEqual([]);
  });

  test('scheme-case does not excuse a missing key or another scheme', () => {
    for (const authorization of [undefined, 'bearer', 'Basic …']) {
      expect(agreeOn(listPets('', { request: { authorization } })).disagreement).toBeDefined();
    }
  });

  test('scheme-case is excused where something else is rejected, too', () => {
    const agreement = agreeOn(
      listPets('?limit=0', {
        ...rejected(400, 'query/limit'),
        request: { authorization: 'bearer …' },
      }),
    );
    expect(inShort(agreement.verdict)).toEqual(['request query/limit minimum']);
  });

  test('parameter-name-case: another name, which is unknown', () => {
    const agreement = agreeOn(listPets('?LIMIT=500'));
    expect(agreement.disagreement).toBeUndefined();
    expect(agreement.verdict.violations).toEqual([]);
    expect(agreement.verdict.warnings).toMatchObject([{ location: 'query/LIMIT', rule: 'unknown-parameter' }]);
  });

  test('parameter-name-case excuses no parameter that the service rejected', () => {
    const agreement = agreeOn(listPets('?limit=500&LIMIT=600', rejected(400, 'query/limit')));
    expect(inShort(agreement.verdict)).toEqual(['request query/limit maximum']);
  });

  test('parameter-name-case: the validator reads the one, the service the other', () => {
    const agreement = agreeOn(listPets('?limit=500&LIMIT=6', rejected(400, 'query/limit')));
    expect(agreement.disagreement).toBeUndefined();
    expect(agreement.verdict.warnings).toMatchObject([
      { location: 'query/LIMIT', rule: 'unknown-parameter' },
      { location: 'query/limit', rule: 'rejected-beyond-specification' },
    ]);
  });

  test('body-undescribed: a body that means nothing', () => {
    const sent = { body: '{}', bodyBytes: 2, contentType: 'application/json' };
    const agreement = agreeOn(listPets('', { request: sent }));
    expect(agreement.disagreement).toBeUndefined();
    expect(agreement.verdict.violations).toEqual([]);
    expect(agreement.verdict.warnings).toMatchObject([{ location: 'body', rule: 'unknown-field' }]);
  });
});

/** What the service rejects and the validator does not mind, as it really goes over the wire. */
const pair = (members: string): string => `{"name":"Biscuit","categoryId":1${members}}`;
const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
const beyond: readonly [
  Exclude<
    IntendedDifference,
    | 'scheme-case'
    | 'credential-optional'
    | 'parameter-name-case'
    | 'body-undescribed'
    | 'key-unknown'
    | 'int64-range'
    | 'integer-form'
    | 'parameter-empty'
  >,
  Exchange,
][] = [
  ['authorization-twice', listPets('', rejected(401, 'header/authorization', 'authorization-twice'))],
  ['member-twice', createPet(pair(',"categoryId":2'), rejected(400, 'body/categoryId', 'member-twice'))],
  ['parameter-unknown', listPets('?limitt=5', rejected(400, 'query/limitt', 'parameter-unknown'))],
  ['id-twice', createPet(pet, rejected(400, 'body/fixture/pets/1/id', 'id-twice'))],
  ['secret-inside', createPet(pet, rejected(400, 'body/name', 'secret-inside'))],
  ['nesting', createPet(pair(`,"x":${deep}`), rejected(400, 'body/x', 'nesting'))],
  ['content-encoding', createPet(pet, rejected(415, 'header/content-encoding', 'content-encoding'))],
  ['text-encoding', createPet(pair(',"x":"\ufffd"'), rejected(400, 'body', 'text-encoding'))],
  ['text-encoding', listPets('?x=%E0%A4%A', rejected(400, 'query/x', 'text-encoding'))],
  [
    'media-type',
    createPet(pet, {
      ...rejected(415, 'header/content-type', 'media-type'),
      request: { contentType: 'application/json; charset=latin1' },
    }),
  ],
  [
    'too-large',
    createPet(undefined, {
      ...rejected(413, 'body', 'too-large'),
      request: { bodyUnread: true, bodyBytes: 2 ** 21 },
    }),
  ],
];

/** What the specification forbids, and only the service sees: the rule, and where it stands. */
const ofList = (name: string): string =>
  `#/paths/~1pets/get/parameters/${described.paths['/pets'].get.parameters.findIndex((each) => each.name === name)}/schema`;

const unseen: readonly [rule: string, pointer: string, Exchange][] = [
  ...['+5', '05', '5.0', '1e1', '0x10', '%205'].map((limit): [string, string, Exchange] => [
    'type',
    `${ofList('limit')}/type`,
    listPets(`?limit=${limit}`, rejected(400, 'query/limit', 'integer-form')),
  ]),
  [
    'type',
    '#/paths/~1pets~1{petId}/get/parameters/0/schema/type',
    getPet('1e1', rejected(404, 'path/petId', 'integer-form')),
  ],
  ['type', `${ofList('limit')}/type`, listPets('?limit=', rejected(400, 'query/limit', 'parameter-empty'))],
  ['enum', '#/components/schemas/PetStatus/enum', listPets('?status=', rejected(400, 'query/status', 'parameter-empty'))],
  ...['application/vnd.pet+json', 'application/hal+json', '', undefined].map(
    (contentType): [string, string, Exchange] => [
      'content-type',
      '#/paths/~1pets/post/requestBody/content',
      createPet(pair(''), { ...rejected(415, 'header/content-type', 'media-type'), request: { contentType } }),
    ],
  ),
];

describe('rejected by the service alone', () => {
  test.each(unseen)('is a violation where the specification forbids it: %s at %s (%#)', (rule, pointer, exchange) => {
    const { verdict, disagreement } = agreeOn(exchange);
    expect([disagreement, verdict.warnings.filter((each) => each.rule !== 'deprecated')]).toEqual([undefined, []]);
    expect(verdict.violations).toMatchObject([{ side: 'request', rule, pointer }]);
  });

  test.each(beyond)('%s becomes a warning, not a disagreement (%#)', (difference, exchange) => {
    const { verdict, disagreement } = agreeOn(exchange);
    expect(disagreement).toBeUndefined();
    expect(verdict.violations).toEqual([]);
    const [problem] = exchange.decision.kind === 'rejected' ? exchange.decision.problems : [];
    expect(problem?.difference).toBe(difference);
    expect(verdict.warnings).toContainEqual({
      location: problem?.location,
      rule: 'rejected-beyond-specification',
      message: problem?.message,
    });
  });

  test.each([
    [
      '#/paths/~1pets~1{petId}/get/parameters/0/schema/format',
      getPet('9223372036854775808', rejected(404, 'path/petId', 'int64-range')),
    ],
    [
      '#/components/schemas/NewPet/properties/categoryId/format',
      createPet('{"name":"x","categoryId":9223372036854775808}', rejected(400, 'body/categoryId', 'int64-range')),
    ],
  ])('int64-range breaks the format that the specification gives: %s', (pointer, exchange) => {
    const { verdict, disagreement } = agreeOn(exchange);
    expect([disagreement, verdict.warnings.filter(({ rule }) => rule !== 'deprecated')]).toEqual([undefined, []]);
    expect(verdict.violations).toMatchObject([
      { side: 'request', pointer, rule: 'format', message: expect.stringContaining('int64') },
    ]);
    // The pointer leads somewhere.
    const parts = pointer
      .slice(2)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    expect(parts.reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], described)).toBe('int64');
  });

  test('key-unknown is nothing to warn of: the specification describes that 401', () => {
    const exchange = listPets('', rejected(401, 'header/authorization', 'key-unknown'));
    const { verdict, disagreement } = agreeOn(exchange);
    expect([disagreement, verdict.violations, verdict.warnings]).toEqual([undefined, [], []]);
  });

  test('parameter-twice is a violation to the validator, too, where the schema takes one value', () => {
    const exchange = listPets('?limit=5&limit=6', rejected(400, 'query/limit', 'parameter-twice'));
    expect(agreeOn(exchange).disagreement).toBeUndefined();
    expect(inShort(agreeOn(exchange).verdict)).toEqual(['request query/limit type']);
  });

  test('without its name the same is a disagreement', () => {
    const exchange = listPets('?limit=05', rejected(400, 'query/limit'));
    expect(agreeOn(exchange).disagreement).toBeDefined();
  });
});
