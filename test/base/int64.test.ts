/** JSON is written with every digit. `json.test.ts` has how it is read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDigits, writeJson } from '../../src/base/int64.ts';

test('a value is written as the engine writes it, and what only digits can say as its digits', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      expect(writeJson(value, indent)).toBe(JSON.stringify(value, null, indent));
    }),
  );
  expect(writeJson({ id: 9007199254740993n, none: undefined, list: [undefined] })).toBe(
    '{"id":9007199254740993,"list":[null]}',
  );
});

test('numbers of any form keep the digits that were written', () => {
  const text = '{"a":[1.0,9007199254740993,-0,1e400],"b":{"__proto__":1E+2}}';
  expect(writeJson(parseDigits(text))).toBe(text);
  expect(() => parseDigits('['.repeat(200))).toThrow(/nested/);
});
