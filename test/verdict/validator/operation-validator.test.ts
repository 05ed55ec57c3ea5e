import { describe, expect, test } from 'vitest';
import type { Exchange, Verdict } from '../../../src/base/api/exchange.ts';
import { decodeInput, encodeInput } from '../../../src/verdict/validator/message.ts';
import { exchangeValidator } from '../../../src/verdict/validator/serve.ts';
import { createPet, errorResponse, getPet, listPets, pet } from '../../support/exchanges.ts';
import { inShort, resolvePointer } from './support.ts';
import { described } from './validators/specifications.ts';

const ofText = exchangeValidator(described);
const validate = (exchange: Exchange): Verdict => ofText(decodeInput(encodeInput(exchange)));

describe('the validator', () => {
  const POST = '#/paths/~1pets/post/requestBody';
  const ENUM = '#/components/schemas/PetStatus/enum';
  const LIMIT = '#/paths/~1pets/get/parameters/0/schema/minimum';
  const REQUIRED = '#/components/schemas/NewPet/required';
  const NO_TYPE = 'request header/content-type content-type';
  const NEEDED = ['name', 'categoryId'];
  const STATUSES = ['available', 'pending', 'sold'];
  const wrong = errorResponse(400);
  const text = { contentType: 'text/plain' };
  const unread = { ...text, body: undefined, bodyUnread: true };
  const noType = { ...errorResponse(415), request: { contentType: ';;;' } };
  const lost = { response: { body: JSON.stringify([pet, { ...pet, status: 'lost' }]) } };
  const noStatus = JSON.stringify({ code: 'x', message: 'y' });
  const undescribed = { body: '{}', bodyBytes: 2, contentType: 'application/json' };

  test.each<[title: string, exchange: Exchange, violation: string, pointer?: string | undefined, written?: unknown]>([
    ['a limit of 0', listPets('?limit=0', wrong), 'request query/limit minimum', LIMIT, 1],
    ['a status that is none', listPets('?status=lost', wrong), 'request query/status enum', ENUM, STATUSES],
    ['an id that is none', getPet('abc', errorResponse(404)), 'request path/petId type', undefined, 'integer'],
    ['an id that is badly percent-encoded', getPet('%E0%A4%A', wrong), 'request path/petId percent-encoding'],
    ['no body', createPet(undefined, wrong), 'request body required', `${POST}/required`, true],
    ['null as a body, which is not none', createPet('null', wrong), 'request body type'],
    ['a body that is no JSON', createPet('{"name":', wrong), 'request body syntax'],
    ['a missing field', createPet({ name: 'x' }, wrong), 'request body/categoryId required', REQUIRED, NEEDED],
    ...[text, unread, { ...unread, bodyBytes: 0 }].map((request): [string, Exchange, string, string] => [
      `another media type: ${JSON.stringify(request)}`,
      createPet('hello', { ...errorResponse(415), request }),
      NO_TYPE,
      `${POST}/content`,
    ]),
    ['a Content-Type on which Prism throws', createPet(pet, noType), NO_TYPE],
    ['a body where none is described', listPets('', { request: undescribed }), 'request body body'],
    ...[undefined, 'Bearer', 'Basic …', '…', 'bearer …'].map((authorization): [string, Exchange, string, string] => [
      `the credential ${authorization}`,
      listPets('', { ...errorResponse(401), request: { authorization } }),
      'request header/authorization security',
      '#/security',
    ]),
    ['a status that is none in a response', listPets('', lost), 'response body/1/status enum', ENUM],
    ...[401, 404, 503].map((status): [string, Exchange, string, string] => [
      `an Error without its status, as ${status}`,
      getPet(1, { response: { status, body: noStatus } }),
      'response body/status required',
      '#/components/schemas/Error/required',
    ]),
    ...['text/html', ';;;', undefined].map((contentType): [string, Exchange, string] => [
      `a response of the type ${contentType}`,
      listPets('', { response: { contentType } }),
      'response header/content-type content-type',
    ]),
    ['a status that falls to the default response', listPets('', { response: { status: 202 } }), 'response body type'],
    ['a response that is cut off', getPet(1, { response: { body: '{"id":1,"na' } }), 'response body type'],
    ['an empty response', getPet(1, { response: { body: '' } }), 'response body type'],
  ])('finds %s, and nothing else', (_, exchange, short, pointer, written) => {
    const verdict = validate(exchange);
    expect(inShort(verdict)).toEqual([short]);
    const found = verdict.violations[0]?.pointer as string;
    expect(found).toBe(pointer ?? found);
    const place = resolvePointer(described.specification, found);
    expect(place).toEqual(written ?? place);
  });

  const tooLarge = { body: undefined, bodyUnread: true, bodyBytes: 2_000_000 };
  test.each<[title: string, exchange: Exchange]>([
    ['a list', listPets('?limit=100&status=sold')],
    ['a create', createPet({ name: 'Biscuit', categoryId: 1 })],
    ['a body that was rejected unread', createPet(undefined, { ...errorResponse(413), request: tooLarge })],
    ['a Content-Type where there is no body', listPets('', { request: { contentType: ';;;' } })],
    ['an undocumented status with an Error', listPets('', errorResponse(503))],
  ])('finds nothing wrong with %s', (_, exchange) => {
    expect(validate(exchange)).toEqual({ violations: [], warnings: [] });
  });

  test('finds what is wrong on both sides at once', () => {
    expect(inShort(validate(createPet({ name: 1, categoryId: 1 }, { response: { body: '{}' } })))).toEqual([
      'request body/name type',
      'response body/id required',
      'response body/name required',
      'response body/categoryId required',
    ]);
  });

  test('points at something in the specification, whatever is wrong', () => {
    const wrong = [
      listPets('?limit=abc&status=', { response: { body: '[{},1]' }, request: { authorization: undefined } }),
      getPet('x,y', {
        response: { status: 299, contentType: 'a/b' },
        request: { body: 'x', bodyBytes: 1, contentType: 'x' },
      }),
      createPet({ name: [], categoryId: 1.5, status: null }, { response: { body: '{"id":"1","status":7}' } }),
      createPet(undefined, { response: { status: 400, body: '{"code":1,"message":{},"status":"400"}' } }),
    ];
    for (const exchange of wrong) {
      const { violations } = validate(exchange);
      expect(violations.length).toBeGreaterThan(1);
      for (const { pointer } of violations)
        expect(resolvePointer(described.specification, pointer)).not.toBe(described.specification);
    }
  });

  test('names no more violations than anyone reads, and cuts what it quotes', () => {
    const many = JSON.stringify(Array.from({ length: 5_000 }, () => ({})));
    expect(validate(listPets('', { response: { body: many } })).violations).toHaveLength(50);
    const [violation] = validate(listPets(`?limit=${'9'.repeat(5_000)}`, errorResponse(400))).violations;
    expect(violation?.message.length).toBeLessThan(600);
  });

  test('throws on an operation that no specification describes', () => {
    expect(() => validate({ ...listPets(), operation: 'sellPet' })).toThrow('sellPet');
  });

  test('gives the same verdict again and again, also after many other shapes of requests', () => {
    const exchange = createPet({ name: 1 }, { response: { body: '{}' } });
    const first = validate(exchange);
    for (let shape = 0; shape < 700; shape += 1)
      validate(createPet(pet, { request: { contentType: `text/x-${shape}` } }));
    expect(validate(exchange)).toEqual(first);
  });
});

describe('a specification that Prism would silently not validate by', () => {
  const changed = (from: string, to: string) => JSON.parse(JSON.stringify(described).replaceAll(from, to));

  test.each([
    [
      'a pattern of a body is illegal',
      changed('"name":{"type":"string"', '"name":{"type":"string","pattern":"\\\\-"'),
      /\w+: the schema of its .* does not compile/,
    ],
    [
      'a format is unknown: nothing would obey it',
      changed('"format":"int64"', '"format":"decimal"'),
      /spec\/openapi\.yaml: #\/\S+ has a format unknown here: decimal/,
    ],
  ])('stops the start when %s', (_, broken, why) => {
    expect(() => exchangeValidator(broken)).toThrow(why);
  });
});
