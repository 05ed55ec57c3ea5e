import { describe, expect, test } from 'vitest';
import type { Exchange, Verdict } from '../../src/requests/exchange.ts';
import { decode, encode } from '../../src/validator/message.ts';
import { exchangeValidator } from '../../src/validator/serve.ts';
import { createPet, errorResponse, getPet, listPets, pet } from '../support/exchanges.ts';
import { inShort, resolvePointer } from './support.ts';
import { specifications } from './validators/specifications.ts';

const ofText = exchangeValidator(specifications);
const validate = (exchange: Exchange): Verdict => ofText(decode(encode(exchange)));

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

  test('takes every int64, also beyond 2^53', () => {
    for (const id of ['9007199254740993', '9223372036854775807', '-9223372036854775808']) {
      const body = `{"id":${id},"name":"Biscuit","categoryId":${id}}`;
      expect(validate(getPet(id, { response: { body } })).violations).toEqual([]);
      expect(validate(createPet(`{"name":"Biscuit","categoryId":${id}}`, { response: { body } })).violations).toEqual(
        [],
      );
    }
  });

  test.each([
    ['0', 'minimum', 1],
    ['101', 'maximum', 100],
    ['abc', 'type', 'integer'],
  ])('points at the rule that limit=%s breaks', (limit, rule, written) => {
    expect(onlyViolation(listPets(`?limit=${limit}`, errorResponse(400)))).toMatchObject({
      side: 'request',
      location: 'query/limit',
      pointer: `#/paths/~1pets/get/parameters/0/schema/${rule}`,
      rule,
      written,
    });
  });

  test('points into the component that an enumeration stands in', () => {
    expect(onlyViolation(listPets('?status=lost', errorResponse(400)))).toMatchObject({
      location: 'query/status',
      pointer: '#/components/schemas/PetStatus/enum',
      written: ['available', 'pending', 'sold'],
    });
  });

  test('calls a path parameter by its name as the specification writes it', () => {
    const violation = onlyViolation(getPet('abc', errorResponse(404)));
    expect(violation).toMatchObject({ location: 'path/petId', rule: 'type', written: 'integer' });
    expect(violation.message).toContain('petId');
  });

  test('rejects a path that is badly percent-encoded', () => {
    expect(onlyViolation(getPet('%E0%A4%A', errorResponse(400)))).toMatchObject({
      location: 'path/petId',
      rule: 'percent-encoding',
      pointer: '#/paths/~1pets~1{petId}/get/parameters/0',
    });
  });

  test('misses a body where one is required', () => {
    expect(onlyViolation(createPet(undefined, errorResponse(400)))).toMatchObject({
      location: 'body',
      rule: 'required',
      pointer: '#/paths/~1pets/post/requestBody/required',
      written: true,
    });
  });

  test.each(['null', '0', 'false', '""', '[]'])('takes %s for a body of a wrong type, not for none', (body) => {
    expect(onlyViolation(createPet(body, errorResponse(400)))).toMatchObject({ location: 'body', rule: 'type' });
  });

  test('rejects a body that is no JSON', () => {
    expect(onlyViolation(createPet('{"name":', errorResponse(400)))).toMatchObject({
      location: 'body',
      rule: 'syntax',
    });
  });

  test('names each missing field by its place', () => {
    expect(inShort(validate(createPet({}, errorResponse(400))))).toEqual([
      'request body/name required',
      'request body/categoryId required',
    ]);
    expect(onlyViolation(createPet({ name: 'Biscuit' }, errorResponse(400)))).toMatchObject({
      pointer: '#/components/schemas/NewPet/required',
      written: ['name', 'categoryId'],
    });
  });

  test('rejects a media type that the specification does not describe, read or not', () => {
    const asked = { contentType: 'text/plain' };
    const unread = { ...asked, body: undefined, bodyUnread: true };
    for (const request of [asked, unread, { ...unread, bodyBytes: 0 }]) {
      expect(onlyViolation(createPet('hello', { ...errorResponse(415), request }))).toMatchObject({
        location: 'header/content-type',
        rule: 'content-type',
        pointer: '#/paths/~1pets/post/requestBody/content',
      });
    }
  });

  test('does not miss a body that was rejected unread', () => {
    const unread = { body: undefined, bodyUnread: true, bodyBytes: 2_000_000 };
    expect(validate(createPet(undefined, { ...errorResponse(413), request: unread })).violations).toEqual([]);
  });

  test('rejects a Content-Type that cannot be parsed, on which Prism throws', () => {
    const asked = { contentType: ';;;' };
    expect(onlyViolation(createPet(pet, { ...errorResponse(415), request: asked }))).toMatchObject({
      location: 'header/content-type',
    });
    expect(onlyViolation(listPets('', { response: { contentType: ';;;' } }))).toMatchObject({
      side: 'response',
      location: 'header/content-type',
    });
  });

  test('lets a Content-Type be anything where there is no body', () => {
    expect(validate(listPets('', { request: { contentType: ';;;' } })).violations).toEqual([]);
  });

  test('sees a body where none is described', () => {
    const asked = { body: '{}', bodyBytes: 2, contentType: 'application/json' };
    expect(onlyViolation(listPets('', { request: asked }))).toMatchObject({ location: 'body', rule: 'body' });
  });

  test.each([undefined, 'Bearer', 'Basic …', '…', 'bearer …'])('asks for a bearer key where %s was sent', (sent) => {
    expect(onlyViolation(listPets('', { ...errorResponse(401), request: { authorization: sent } }))).toMatchObject({
      location: 'header/authorization',
      pointer: '#/security',
      rule: 'security',
    });
  });

  test('finds what is wrong on both sides at once', () => {
    expect(inShort(validate(createPet({ name: 1, categoryId: 1 }, { response: { body: '{}' } })))).toEqual([
      'request body/name type',
      'response body/id required',
      'response body/name required',
      'response body/categoryId required',
    ]);
  });

  test('finds a value outside its enumeration in a list of a response', () => {
    const body = JSON.stringify([pet, { ...pet, status: 'lost' }]);
    expect(onlyViolation(listPets('', { response: { body } }))).toMatchObject({
      side: 'response',
      location: 'body/1/status',
      pointer: '#/components/schemas/PetStatus/enum',
    });
  });

  test('misses the status in an Error, whichever response it falls to', () => {
    const body = JSON.stringify({ code: 'x', message: 'y' });
    for (const status of [401, 404, 503]) {
      expect(onlyViolation(getPet(1, { response: { status, body } }))).toMatchObject({
        side: 'response',
        location: 'body/status',
        pointer: '#/components/schemas/Error/required',
      });
    }
  });

  test('holds an undocumented status against the default response', () => {
    expect(validate(listPets('', errorResponse(503))).violations).toEqual([]);
    expect(inShort(validate(listPets('', { response: { status: 202 } })))).toEqual(['response body type']);
  });

  test('rejects a response of another media type, or of none', () => {
    for (const contentType of ['text/html', undefined]) {
      expect(onlyViolation(listPets('', { response: { contentType } }))).toMatchObject({
        side: 'response',
        location: 'header/content-type',
        pointer: '#/paths/~1pets/get/responses/200/content',
      });
    }
  });

  test('rejects a response that is cut off', () => {
    expect(inShort(validate(getPet(1, { response: { body: '{"id":1,"na' } })))).toEqual(['response body type']);
    expect(inShort(validate(getPet(1, { response: { body: '' } })))).toEqual(['response body type']);
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

  test('stops the start when a pattern of a parameter is illegal', () => {
    const broken = changed('"minimum":1,"maximum":100,', '"pattern":"\\\\-","minimum":1,"maximum":100,');
    expect(() => exchangeValidator(broken)).toThrow('petstore/listPets: the schema of its parameter limit');
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
  checked({ ...decode(encode(getPet(404, errorResponse(404)))), operation: `control/${name}` });

test.each(specifications.control.operations.map(({ iid }) => iid))(
  'the control %s compiles, and its examples pass',
  (name) => {
    expect(() => validateControl(ofText, name)).not.toThrow();
  },
);
