import { expect, test } from 'vitest';
import type { Exchange, Warning } from '../../../src/base/api/exchange.ts';
import type { PrismOperation } from '../../../src/verdict/validator/operations.ts';
import { exchangeValidator } from '../../../src/verdict/validator/serve.ts';
import { doubtfulParameters, unknownFields } from '../../../src/verdict/validator/warnings.ts';
import { createPet, listPets, pet } from '../../support/exchanges.ts';
import { described } from './validators/specifications.ts';

const validator = exchangeValidator(described);
const warningsOn = ({ operation = '', request, response }: Exchange): readonly Warning[] =>
  validator({ operation, request, response }).warnings;
const newPet = { name: 'Biscuit', categoryId: 1 };

test('warns of an unknown query parameter, by case as well', () => {
  const rule = 'unknown-parameter';
  expect(warningsOn(listPets('?LIMIT=5&statsu=sold'))).toEqual([
    { location: 'query/LIMIT', rule, message: 'is not known here; did you mean limit?' },
    { location: 'query/statsu', rule, message: 'is not known here; did you mean status?' },
  ]);
});

test('warns of unknown query parameters where the operation has none at all', () => {
  const warnings = warningsOn(createPet(newPet, { request: { target: '/v1/pets?dry=1' } }));
  expect(warnings).toMatchObject([{ location: 'query/dry' }]);
});

test('never warns of what a response holds', () => {
  expect(warningsOn(listPets('', { response: { body: JSON.stringify([{ ...pet, color: 'red' }]) } }))).toEqual([]);
});

test('takes names like those of Object for what they are', () => {
  const body = '{"name":"x","categoryId":1,"__proto__":1,"constructor":2,"toString":3}';
  const all = [...warningsOn(createPet(body)), ...warningsOn(listPets('?__proto__=1&limit=5'))];
  expect(all.map(({ location }) => location)).toEqual([
    ...['body/__proto__', 'body/constructor', 'body/toString', 'query/__proto__'],
  ]);
});

test('gives no more warnings than anyone reads, and cuts long names', () => {
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`${index}${'x'.repeat(5_000)}`, 1]));
  const warnings = warningsOn(createPet({ ...newPet, ...many }));
  const ofQuery = warningsOn(listPets(`?${Object.keys(many).slice(0, 50).join('&')}`));
  expect([warnings.length, ofQuery.length]).toEqual([20, 20]);
  for (const { message } of warnings) expect(message.length).toBeLessThan(200);
});

test('looks into nested objects, lists and combined schemas, and welcomes what a schema leaves open', () => {
  const inner = { type: 'object', properties: { delayMs: { type: 'integer' } } };
  const schema = {
    allOf: [{ properties: { one: inner } }, { properties: { list: { items: inner } } }],
    properties: { free: { type: 'object' }, map: { properties: { a: {} }, additionalProperties: { type: 'string' } } },
  };
  const body = { one: { delayMS: 1 }, list: [{ delayMs: 1 }, { delay: 1 }], free: { x: 1 }, map: { b: '' } };
  expect(unknownFields(body, schema).map(({ message }) => message)).toEqual([
    'is not known here; did you mean delayMs?',
    'is not known here; did you mean delayMs?',
  ]);
});

test('warns of a deprecated parameter', () => {
  const parameters: NonNullable<PrismOperation['request']>['query'] = [{ name: 'page', deprecated: true }];
  expect(doubtfulParameters(['page'], parameters)).toMatchObject([{ location: 'query/page', rule: 'deprecated' }]);
});
