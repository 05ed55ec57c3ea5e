/** JSON is read exactly, by whichever of the two ways a text is read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDigits, parseJson, writeJson } from '../../src/core/int64.ts';
import { runs } from '../support/runs.ts';

/** The text's value, or the message that rejects it. */
function read(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    return (error as Error).message.replace(/position \d+/, 'position');
  }
}

test('a text is read the same with a space in front of it, which is read by the slower way', () => {
  const member = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('__proto__', 'toJSON', 'constructor', '1', ''),
  );
  const number = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double(), fc.bigInt(-(2n ** 65n), 2n ** 65n));
  const value = fc.oneof(
    number,
    fc.string({ unit: 'binary' }),
    fc.boolean(),
    fc.constant(null),
    fc.constant({ a: [1] }),
  );
  const literal = value.map((each) => (typeof each === 'bigint' ? String(each) : JSON.stringify(each)));
  const object = fc
    .array(fc.tuple(member, literal), { maxLength: 4 })
    .map((members) => `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
  fc.assert(
    fc.property(fc.oneof(object, object, fc.json(), fc.string()), (text) => {
      expect(read(text)).toEqual(read(` ${text}`));
      expect(Object.keys(Object(read(text)))).toEqual(Object.keys(Object(read(` ${text}`))));
    }),
    { numRuns: runs(2_000) },
  );
});

test.each([
  ['9007199254740991', 9007199254740991n],
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n],
  ['123456789012345680', 123456789012345680n],
  ['1000000000000000100', 1000000000000000100n],
  ['1e2', 100n],
  ['5.0', 5n],
  ['-0', 0n],
  ['0', 0n],
])('%s is read to its last digit', (text, value) => {
  expect(parseJson(`{"categoryId":${text}}`)).toEqual({ categoryId: value });
});

test('a member that is given twice with different values is rejected, also where the last one would be taken', () => {
  expect(() => parseJson('{"a":1,"a":2}')).toThrow(/"a" is given twice/);
  expect(parseJson('{"a":1,"a":1}')).toEqual({ a: 1n });
});

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
