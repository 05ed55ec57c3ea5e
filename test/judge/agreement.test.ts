import { describe, expect, test } from 'vitest';
import type { Decision, Difference, Exchange } from '../../src/exchange.ts';
import { type Agreement, agree } from '../../src/judge/agreement.ts';
import { createReferee } from '../../src/judge/serve.ts';
import { documents } from './referees/documents.ts';
import { createPet, errorAnswer, getPet, inShort, listPets, pet } from './support.ts';

const referee = createReferee(documents);
const agreeOn = (exchange: Exchange): Agreement => {
  const { document, operation, request, answer } = exchange;
  return agree(exchange, referee({ operation: `${document}/${operation}`, request, answer }));
};
const refusal = (place: string, difference?: Difference): { decision: Decision } => ({
  decision: {
    kind: 'refused',
    problems: [{ place, message: `${place} is wrong`, ...(difference ? { difference } : {}) }],
  },
});

describe('service and referee', () => {
  test('agree on what is right', () => {
    const exchange = listPets();
    const { verdict, disagreement, brokenAnswer } = agreeOn(exchange);
    expect([verdict.violations, disagreement, brokenAnswer]).toEqual([[], undefined, undefined]);
  });

  test('agree on what is wrong', () => {
    const agreement = agreeOn(listPets('?limit=0', errorAnswer(400), refusal('query/limit')));
    expect(agreement.disagreement).toBeUndefined();
    expect(inShort(agreement.verdict)).toEqual(['request query/limit minimum']);
  });

  test('disagree when the service accepts what the referee refuses', () => {
    expect(agreeOn(listPets('?limit=0')).disagreement).toBe('the service accepted a request that the referee refuses');
  });

  test('disagree when the service refuses what the referee accepts', () => {
    const exchange = listPets('?limit=5', errorAnswer(400), refusal('query/limit'));
    expect(agreeOn(exchange).disagreement).toBe('the service refused a request that the referee accepts');
  });

  test('cannot disagree where the service did not decide', () => {
    expect(agreeOn(listPets('?limit=0', {}, { decision: { kind: 'undecided' } })).disagreement).toBeUndefined();
  });

  test('see an answer that breaks the document as a bug of ours', () => {
    const agreement = agreeOn(listPets('', { body: '[{}]' }));
    expect(agreement.brokenAnswer).toBe(true);
    expect(agreement.disagreement).toBeUndefined();
  });

  test('judge the request but not the answer of an injected fault', () => {
    const agreement = agreeOn(listPets('?limit=0', { body: 'cut o' }, { injected: 'connection=truncate' }));
    expect(agreement).toMatchObject({ brokenAnswer: false });
    expect(agreement.disagreement).toBeUndefined();
    expect(inShort(agreement.verdict)).toEqual(['request query/limit minimum']);
  });

  test('leave an unjudged exchange as it is', () => {
    const verdict = { violations: [], warnings: [], unjudged: 'too much' };
    expect(agree(listPets('', {}, refusal('query/limit')), verdict)).toEqual({ verdict });
  });

  test('never change the verdict that others share', () => {
    const exchange = listPets('', {}, {}, { authorization: 'bearer …' });
    const { document, operation, request, answer } = exchange;
    const shared = referee({ operation: `${document}/${operation}`, request, answer });
    const before = structuredClone(shared);
    expect(agree(exchange, shared).verdict.violations).toEqual([]);
    expect(shared).toEqual(before);
    expect(Object.isFrozen(agree(exchange, shared).verdict.violations)).toBe(true);
  });
});

/** Differences that the service accepts and the referee refuses: the client did nothing wrong. */
describe('accepted by the service alone', () => {
  test('scheme-case: the scheme in lower case', () => {
    const agreement = agreeOn(listPets('', {}, {}, { authorization: 'bearer …' }));
    expect(agreement.disagreement).toBeUndefined();
    expect(agreement.verdict.violations).toEqual([]);
  });

  test('scheme-case does not excuse a missing key or another scheme', () => {
    for (const authorization of [undefined, 'bearer', 'Basic …']) {
      expect(agreeOn(listPets('', {}, {}, { authorization })).disagreement).toBeDefined();
    }
  });

  test('scheme-case is excused where something else is refused, too', () => {
    const agreement = agreeOn(
      listPets('?limit=0', errorAnswer(400), refusal('query/limit'), { authorization: 'bearer …' }),
    );
    expect(inShort(agreement.verdict)).toEqual(['request query/limit minimum']);
  });

  test('parameter-name-case: another name, which is unknown', () => {
    const agreement = agreeOn(listPets('?LIMIT=500'));
    expect(agreement.disagreement).toBeUndefined();
    expect(agreement.verdict.violations).toEqual([]);
    expect(agreement.verdict.warnings).toMatchObject([{ place: 'query/LIMIT', rule: 'unknown-parameter' }]);
  });

  test('parameter-name-case excuses no parameter that the service refused', () => {
    const agreement = agreeOn(listPets('?limit=500&LIMIT=600', errorAnswer(400), refusal('query/limit')));
    expect(inShort(agreement.verdict)).toEqual(['request query/limit maximum']);
  });

  test('parameter-name-case: the referee reads the one, the service the other', () => {
    const agreement = agreeOn(listPets('?limit=500&LIMIT=6', errorAnswer(400), refusal('query/limit')));
    expect(agreement.disagreement).toBeUndefined();
    expect(agreement.verdict.warnings).toMatchObject([
      { place: 'query/LIMIT', rule: 'unknown-parameter' },
      { place: 'query/limit', rule: 'refused-beyond-document' },
    ]);
  });

  test('body-undescribed: a body that means nothing', () => {
    const sent = { body: '{}', bodyBytes: 2, contentType: 'application/json' };
    const agreement = agreeOn(listPets('', {}, {}, sent));
    expect(agreement.disagreement).toBeUndefined();
    expect(agreement.verdict.violations).toEqual([]);
    expect(agreement.verdict.warnings).toMatchObject([{ place: 'body', rule: 'unknown-field' }]);
  });
});

/** What the service refuses and the referee does not mind, as it really goes over the wire. */
const pair = (members: string): string => `{"name":"Biscuit","categoryId":1${members}}`;
const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
const beyond: readonly [
  Exclude<
    Difference,
    'scheme-case' | 'credential-optional' | 'parameter-name-case' | 'body-undescribed' | 'key-unknown'
  >,
  Exchange,
][] = [
  ['authorization-twice', listPets('', errorAnswer(401), refusal('header/authorization', 'authorization-twice'))],
  ['member-twice', createPet(pair(',"categoryId":2'), errorAnswer(400), refusal('body/categoryId', 'member-twice'))],
  ['parameter-empty', listPets('?limit=', errorAnswer(400), refusal('query/limit', 'parameter-empty'))],
  ['parameter-unknown', listPets('?limitt=5', errorAnswer(400), refusal('query/limitt', 'parameter-unknown'))],
  ['secret-inside', createPet(pet, errorAnswer(400), refusal('body/name', 'secret-inside'))],
  ['nesting', createPet(pair(`,"x":${deep}`), errorAnswer(400), refusal('body/x', 'nesting'))],
  ['content-encoding', createPet(pet, errorAnswer(415), refusal('header/content-encoding', 'content-encoding'))],
  ['text-encoding', createPet(pair(',"x":"\ufffd"'), errorAnswer(400), refusal('body', 'text-encoding'))],
  ['text-encoding', listPets('?x=%E0%A4%A', errorAnswer(400), refusal('query/x', 'text-encoding'))],
  ...['+5', '05', '5.0', '1e1', '0x10', '%205'].map((limit): ['integer-form', Exchange] => [
    'integer-form',
    listPets(`?limit=${limit}`, errorAnswer(400), refusal('query/limit', 'integer-form')),
  ]),
  ['integer-form', getPet('1e1', errorAnswer(404), refusal('path/petId', 'integer-form'))],
  ['int64-range', getPet('9223372036854775808', errorAnswer(404), refusal('path/petId', 'int64-range'))],
  [
    'int64-range',
    createPet(
      '{"name":"x","categoryId":9223372036854775808}',
      errorAnswer(400),
      refusal('body/categoryId', 'int64-range'),
    ),
  ],
  [
    'media-type',
    createPet(pet, errorAnswer(415), refusal('header/content-type', 'media-type'), {
      contentType: 'application/vnd.pet+json',
    }),
  ],
  [
    'media-type',
    createPet(pet, errorAnswer(415), refusal('header/content-type', 'media-type'), { contentType: undefined }),
  ],
  [
    'too-large',
    createPet(undefined, errorAnswer(413), refusal('body', 'too-large'), { bodyUnread: true, bodyBytes: 2 ** 21 }),
  ],
];

describe('refused by the service alone', () => {
  test.each(beyond)('%s becomes a warning, not a disagreement (%#)', (difference, exchange) => {
    const { verdict, disagreement } = agreeOn(exchange);
    expect(disagreement).toBeUndefined();
    expect(verdict.violations).toEqual([]);
    const [problem] = exchange.decision.kind === 'refused' ? exchange.decision.problems : [];
    expect(problem?.difference).toBe(difference);
    expect(verdict.warnings).toContainEqual({
      place: problem?.place,
      rule: 'refused-beyond-document',
      message: problem?.message,
    });
  });

  test('key-unknown is nothing to warn of: the document describes that 401', () => {
    const exchange = listPets('', errorAnswer(401), refusal('header/authorization', 'key-unknown'));
    const { verdict, disagreement } = agreeOn(exchange);
    expect([disagreement, verdict.violations, verdict.warnings]).toEqual([undefined, [], []]);
  });

  test('parameter-twice is a violation to the referee, too, where the schema takes one value', () => {
    const exchange = listPets('?limit=5&limit=6', errorAnswer(400), refusal('query/limit', 'parameter-twice'));
    expect(agreeOn(exchange).disagreement).toBeUndefined();
    expect(inShort(agreeOn(exchange).verdict)).toEqual(['request query/limit type']);
  });

  test('without its name the same is a disagreement', () => {
    const exchange = listPets('?limit=05', errorAnswer(400), refusal('query/limit'));
    expect(agreeOn(exchange).disagreement).toBeDefined();
  });
});
