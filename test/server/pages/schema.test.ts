/** A schema in words: what a value must be is said, whichever keyword says it. */
import { expect, test } from 'vitest';
import { type SchemaObject, SchemaWriter } from '../../../src/server/pages/schema.ts';

test.each<[SchemaObject, string]>([
  [{ oneOf: [{ type: 'integer' }, { type: 'string', maxLength: 5 }] }, 'integer or string'],
  [{ oneOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or null'],
  [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 9 }, 'more than 0 · less than 9'],
  [{ type: 'integer', multipleOf: 2 }, 'a multiple of 2'],
  [{ type: ['string', 'null'], enum: ['small', null] }, 'one of <code>small</code>, <code>null</code>'],
  [{ type: 'string', deprecated: true, readOnly: true }, 'deprecated · only in responses'],
  [{ type: 'object', properties: { a: {} }, not: { const: 1 } }, 'must not be as <code>{"const":1}</code> says.'],
])('says of %j: %s', (schema, words) => {
  const html = new SchemaWriter({}).fieldsOf({ properties: { field: schema } });
  expect(html.replaceAll('&quot;', '"')).toContain(words);
  expect(html).not.toMatch(/undefined|\[object/);
});
