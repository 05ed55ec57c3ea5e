import { describe, expect, test } from 'vitest';
import type { Exchange, Verdict } from '../../src/api/exchange.ts';
import { decodeInput, encodeInput } from '../../src/validator/message.ts';
import { exchangeValidator } from '../../src/validator/serve.ts';
import { createPet, errorResponse, getPet, listPets, pet } from '../support/exchanges.ts';
import { inShort, resolvePointer } from './support.ts';
import { specifications } from './validators/specifications.ts';

const ofText = exchangeValidator(specifications);
const validate = (exchange: Exchange): Verdict => ofText(decodeInput(encodeInput(exchange)));

/** The one violation of an exchange, with what its pointer leads to. */
const onlyViolation = (exchange: Exchange) => {
  const { violations } = validate(exchange);
  expect(violations).toHaveLength(1);
  const [violation] = violations;
  if (!violation) throw new Error('no violation');
  return { ...violation, written: resolvePointer(specifications.petstore.specification, violation.pointer) };
};

describe('the validator', () => {
  test('finds nothing wrong where nothing is', () => {
    expect(validate(listPets('?limit=100&status=sold'))).toEqual({ violations: [], warnings: [] });
    expect(validate(createPet({ name: 'Biscuit', categoryId: 1 }))).toEqual({ violations: [], warnings: [] });
    expect(validate(getPet(404, errorResponse(404))).violations).toEqual([]);
  });

  const POST = '#/paths/~1pets/post/requestBody';
  const text = { contentType: 'text/plain' };
  const unread = { ...text, body: undefined, bodyUnread: true };
  const noStatus = { body: JSON.stringify({ code: 'x', message: 'y' }) };

  test.each<[title: string, exchange: Exchange, violation: object]>([
    [
      'a limit of 0',
      listPets('?limit=0', errorResponse(400)),
      {
        location: 'query/limit',
        pointer: '#/paths/~1pets/get/parameters/0/schema/minimum',
        rule: 'minimum',
        written: 1,
      },
    ],
    [
      'a status that is none, by the component that its enumeration stands in',
      listPets('?status=lost', errorResponse(400)),
      {
        location: 'query/status',
        pointer: '#/components/schemas/PetStatus/enum',
        written: ['available', 'pending', 'sold'],
      },
    ],
    [
      'an id that is none',
      getPet('abc', errorResponse(404)),
      { location: 'path/petId', rule: 'type', written: 'integer' },
    ],
    [
      'a path that is badly percent-encoded',
      getPet('%E0%A4%A', errorResponse(400)),
      { location: 'path/petId', rule: 'percent-encoding', pointer: '#/paths/~1pets~1{petId}/get/parameters/0' },
    ],
    [
      'no body',
      createPet(undefined, errorResponse(400)),
      { location: 'body', rule: 'required', pointer: `${POST}/required`, written: true },
    ],
    ['null as a body, which is not none', createPet('null', errorResponse(400)), { location: 'body', rule: 'type' }],
    ['0 as a body, which is not none', createPet('0', errorResponse(400)), { location: 'body', rule: 'type' }],
    ['a body that is no JSON', createPet('{"name":', errorResponse(400)), { location: 'body', rule: 'syntax' }],
    [
      'a missing field',
      createPet({ name: 'Biscuit' }, errorResponse(400)),
      { location: 'body/categoryId', pointer: '#/components/schemas/NewPet/required', written: ['name', 'categoryId'] },
    ],
    ...[text, unread, { ...unread, bodyBytes: 0 }].map((request): [string, Exchange, object] => [
      `another media type: ${JSON.stringify(request)}`,
      createPet('hello', { ...errorResponse(415), request }),
      { location: 'header/content-type', rule: 'content-type', pointer: `${POST}/content` },
    ]),
    [
      'a Content-Type on which Prism throws',
      createPet(pet, { ...errorResponse(415), request: { contentType: ';;;' } }),
      { side: 'request', location: 'header/content-type' },
    ],
    [
      'a body where none is described',
      listPets('', { request: { body: '{}', bodyBytes: 2, contentType: 'application/json' } }),
      { location: 'body', rule: 'body' },
    ],
    ...[undefined, 'Bearer', 'Basic …', '…', 'bearer …'].map((authorization): [string, Exchange, object] => [
      `the credential ${authorization}`,
      listPets('', { ...errorResponse(401), request: { authorization } }),
      { location: 'header/authorization', pointer: '#/security', rule: 'security' },
    ]),
    [
      'a response with a status that is none in its list',
      listPets('', { response: { body: JSON.stringify([pet, { ...pet, status: 'lost' }]) } }),
      { side: 'response', location: 'body/1/status', pointer: '#/components/schemas/PetStatus/enum' },
    ],
    ...[401, 404, 503].map((status): [string, Exchange, object] => [
      `an Error without its status, as ${status}`,
      getPet(1, { response: { status, ...noStatus } }),
      { side: 'response', location: 'body/status', pointer: '#/components/schemas/Error/required' },
    ]),
    ...['text/html', ';;;', undefined].map((contentType): [string, Exchange, object] => [
      `a response of the type ${contentType}`,
      listPets('', { response: { contentType } }),
      { side: 'response', location: 'header/content-type' },
    ]),
    ['a status that falls to the default response', listPets('', { response: { status: 202 } }), { rule: 'type' }],
    [
      'a response that is cut off',
      getPet(1, { response: { body: '{"id":1,"na' } }),
      { side: 'response', location: 'body' },
    ],
    ['an empty response', getPet(1, { response: { body: '' } }), { side: 'response', location: 'body' }],
  ])('finds %s, and nothing else', (_title, exchange, violation) => {
    expect(onlyViolation(exchange)).toMatchObject(violation);
  });

  test.each<[title: string, exchange: Exchange]>([
    [
      'a body that was rejected unread',
      createPet(undefined, {
        ...errorResponse(413),
        request: { body: undefined, bodyUnread: true, bodyBytes: 2_000_000 },
      }),
    ],
    ['a Content-Type where there is no body', listPets('', { request: { contentType: ';;;' } })],
    ['an undocumented status with an Error', listPets('', errorResponse(503))],
  ])('finds nothing wrong with %s', (_title, exchange) => {
    expect(validate(exchange).violations).toEqual([]);
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
      for (const { pointer } of violations) {
        expect(() => resolvePointer(specifications.petstore.specification, pointer)).not.toThrow();
        expect(pointer.length).toBeGreaterThan('#/'.length);
      }
    }
  });

  test('names no more violations than anyone reads, and cuts what it quotes', () => {
    const many = JSON.stringify(Array.from({ length: 5_000 }, () => ({})));
    expect(validate(listPets('', { response: { body: many } })).violations).toHaveLength(50);
    const [violation] = validate(listPets(`?limit=${'9'.repeat(5_000)}`, errorResponse(400))).violations;
    expect(violation?.message.length).toBeLessThan(600);
  });

  test('throws on an operation that no specification describes', () => {
    expect(() => validate({ ...listPets(), operation: 'sellPet' })).toThrow('petstore/sellPet');
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
  const changed = (from: string, to: string) => JSON.parse(JSON.stringify(specifications).replaceAll(from, to));

  test('stops the start when a pattern of a body is illegal', () => {
    const broken = changed('"name":{"type":"string"', '"name":{"type":"string","pattern":"\\\\-"');
    expect(() => exchangeValidator(broken)).toThrow(/petstore\/\w+: the schema of its .* does not compile/);
  });

  test('stops the start when a format is unknown: nothing would obey it', () => {
    const broken = changed('"format":"int64"', '"format":"decimal"');
    expect(() => exchangeValidator(broken)).toThrow(/spec\/openapi\.yaml: #\/\S+ has a format unknown here: decimal/);
  });

  test('stops the start when an example of it is rejected', () => {
    const broken = structuredClone(specifications);
    const operation = broken.petstore.operations.find(({ iid }) => iid === 'getPet');
    Object.assign(operation?.responses[0]?.contents?.[0]?.examples?.[0] ?? {}, { value: { ...pet, id: '1' } });
    expect(() => exchangeValidator(broken)).toThrow(/petstore\/getPet: an example .* is rejected: response body\/id/);
  });

  test('gives no verdict on an operation of the control API that fails its check, however often it is asked', () => {
    const broken = changed('"maxLength":200,"pattern":"', '"maxLength":200,"pattern":"\\\\-');
    const wrong = exchangeValidator(broken);
    for (const _ of [1, 2]) {
      expect(() => validateControl(wrong, 'createKey')).toThrow(
        /control\/createKey: the schema of its .* does not compile/,
      );
    }
  });
});

/** An exchange that no operation of the control API describes in full: the check comes before its verdict. */
const validateControl = (checked: typeof ofText, name: string): Verdict =>
  checked({ ...decodeInput(encodeInput(getPet(404, errorResponse(404)))), operation: `control/${name}` });

test.each(specifications.control.operations.map(({ iid }) => iid))(
  'the control %s compiles, and its examples pass',
  (name) => {
    expect(() => validateControl(ofText, name)).not.toThrow();
  },
);
