/** A schema in words: what a value must be is said, whichever keyword says it. */
import { expect, test } from 'vitest';

// A script of the build has no types.
const { SchemaWriter } = await import('../../../scripts/pages/schema.mjs' as string);

test.each<[object, string]>([
  [{ oneOf: [{ type: 'integer' }, { type: 'string', maxLength: 5 }] }, 'integer or string'],
  [{ oneOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or null'],
  [
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 9 },
    'exclusiveMinimum <code>0</code> · exclusiveMaximum <code>9</code>',
  ],
  [{ type: 'integer', multipleOf: 2 }, 'multipleOf <code>2</code>'],
  [{ type: ['string', 'null'], enum: ['small', null] }, 'enum <code>small</code>, <code>null</code>'],
  [{ type: 'string', deprecated: true, readOnly: true }, 'deprecated <code>true</code> · readOnly <code>true</code>'],
  [{ type: 'object', properties: { a: {} }, not: { const: 1 } }, 'must not be as <code>{"const":1}</code> says.'],
])('says of %j: %s', (schema, words) => {
  const html: string = new SchemaWriter({}).fieldsOf({ properties: { field: schema } });
  expect(html.replaceAll('&quot;', '"')).toContain(words);
  expect(html).not.toMatch(/undefined|\[object/);
});
