/** JSON is read as an oracle says that has nothing in common with the reader. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INT64_MAX, INT64_MIN, type JsonValue, NumberLiteral, parseJson } from '../../src/base/int64.ts';
import { JsonError } from '../../src/base/json.ts';
import { runs } from '../support/random.ts';
import { texts } from '../support/texts.ts';

/** A text, and what it has to be read as. */
interface Sample {
  readonly text: string;
  readonly value: JsonValue;
}

/** What a number's digits mean, by fractions of bigints. */
function numberOf(text: string): bigint | NumberLiteral {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const power = Number(exponent) - fraction.length;
  const [above, below] = power < 0 ? [1n, 10n ** BigInt(-power)] : [10n ** BigInt(power), 1n];
  const scaled = BigInt(whole.replace('-', '') + fraction) * above;
  const value = (text.startsWith('-') ? -1n : 1n) * (scaled / below);
  return scaled % below === 0n && value >= INT64_MIN && value <= INT64_MAX ? value : new NumberLiteral(text);
}

const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
const whole = fc.oneof(
  fc.bigInt(-(2n ** 64n), 2n ** 64n).map(String),
  fc.integer({ min: -200, max: 200 }).map(String),
  fc.constantFrom('-0', '0', '9007199254740993', '-9223372036854775808', '9223372036854775807', '9223372036854775808'),
);
const number: fc.Arbitrary<Sample> = fc
  .tuple(
    whole,
    fc.stringMatching(/^(?:\.(?:0|[0-9]{1,4}|0{30}|0{20}1))?$/),
    fc.stringMatching(/^(?:[eE][+-]?0?[0-9]{1,2})?$/),
  )
  .map((parts) => ({ text: parts.join(''), value: numberOf(parts.join('')) }));
const someText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ...texts('__proto__ | toJSON | constructor | 1 | a name of more than thirteen letters | \\ | " | \\"'),
  ),
);
/** As it is, or each of its UTF-16 units escaped. */
const string = fc.tuple(someText, fc.boolean()).map(([value, escaped]) => {
  const escapeOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return { text: escaped ? `"${value.split('').map(escapeOf).join('')}"` : JSON.stringify(value), value };
});
const word = fc.constantFrom(true, false, null).map((value) => ({ text: String(value), value }));

const { sample } = fc.letrec<{ sample: Sample; array: Sample; object: Sample }>((tie) => ({
  sample: fc
    .tuple(space, fc.oneof({ maxDepth: 4 }, number, string, word, tie('array'), tie('object')), space)
    .map(([before, { text, value }, behind]) => ({ text: before + text + behind, value })),
  array: fc.array(tie('sample'), { maxLength: 4 }).map((items) => ({
    text: `[${items.length === 0 ? ' ' : items.map(({ text }) => text).join(',')}]`,
    value: items.map(({ value }) => value),
  })),
  object: fc
    .uniqueArray(fc.tuple(string, tie('sample'), space), { maxLength: 4, selector: ([name]) => name.value })
    .map((entries) => ({
      text: `{${entries.map(([name, { text }, gap]) => `${gap}${name.text}${gap}:${text}`).join(',')}}`,
      value: Object.fromEntries(entries.map(([name, { value }]) => [name.value, value])),
    })),
}));

test('a text is read as what it was made of, with its members in the same order', () => {
  fc.assert(
    fc.property(sample, ({ text, value }) => {
      const read = parseJson(text);
      // Node's own comparison: `toEqual` takes a member named `constructor` for the constructor.
      expect(isDeepStrictEqual(read, value), text).toBe(true);
      expect(Object.keys(Object(read))).toEqual(Object.keys(Object(value)));
    }),
    { numRuns: runs(3_000) },
  );
});

test('what the engine takes for no JSON is rejected with its position, and nothing else is', () => {
  const put = fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom('', ',', '"', '\\', ']', '}', '-', '\n', '\0'));
  const damaged = fc.tuple(sample, fc.nat(), fc.nat({ max: 2 }), put).map(([{ text }, at, drop, put]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + put + text.slice(from + drop);
  });
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(damaged, (text) => {
      const error = errorOf(text);
      if (isJson(text)) expect(error?.reason ?? 'member-twice').toBe('member-twice');
      // A member may be given twice before the place where the text is damaged.
      else if (error?.reason === 'member-twice') expect(error.message).toMatch(/\(at position \d+\)$/);
      else expect(error?.message).toMatch(/^not valid JSON: .* at position \d+(?:$|; got )/s);
    }),
    { numRuns: runs(3_000) },
  );
});

function errorOf(text: string, maxMembers?: number): JsonError | undefined {
  try {
    parseJson(text, maxMembers);
    return undefined;
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
}

describe('a message says where and what', () => {
  test.each([
    ['', 'expected a value at position 0; got the end'],
    ['{"a":}', 'expected a value at position 5; got "}"'],
    ['{"a":1,}', 'expected a field name in double quotes at position 7; got "}"'],
    ["{'a':1}", 'expected a field name in double quotes at position 1; got "\'"'],
    ['{"a" 1}', 'expected ":" at position 5; got "1"'],
    ['[1 2]', 'expected "," or "]" at position 3; got "2"'],
    ['{} {}', 'expected the end at position 3; got "{"'],
    ['[1.]', 'expected a digit at position 3; got "]"'],
    ['[01]', 'expected "," or "]" at position 2; got "1"'],
    ['"a', 'a string without an end at position 0'],
    ['["a\nb"]', 'a string with a control character or a bad escape at position 1'],
    ['["a long one with a \\x in it"]', 'a string with a control character or a bad escape at position 1'],
    ['\ufeff{}', 'it begins with a byte order mark; send it without'],
  ])('of %j', (text, message) => {
    expect(errorOf(text)?.message).toBe(`not valid JSON: ${message}`);
  });
});

test('an escaped name is read as it is, also where the engine takes it for another', () => {
  // V8 of Node 24 compares an escaped name, as it is written, with the one that came next in an object like this one.
  const kept: unknown[] = [];
  for (let i = 0; i < 50; i++) {
    kept.push(parseJson(`{"k${i}":1,"\\\\":1}`), JSON.parse(`{"k${i}":1,"\\\\":1}`));
    expect(Object.keys(parseJson(`{"k${i}":1,"\\"":1}`) as object)).toEqual([`k${i}`, '"']);
    expect(Object.keys(parseJson(`{"k${i}":1,"\\"":[]}`) as object)).toEqual([`k${i}`, '"']);
  }
  expect(kept).toHaveLength(100);
});

test('a member may be given twice with the same value, whatever it is', () => {
  expect(parseJson('{"a":{"b":[1.5,"x"]},"a":{"b":[1.5,"x"]}}')).toEqual({ a: { b: [new NumberLiteral('1.5'), 'x'] } });
  expect(parseJson('{"a":1e2,"a":100}')).toEqual({ a: 100n });
});

test.each([
  ['1', '"1"'],
  ['1', '2'],
  ['[]', '{}'],
  ['1.5', '{"text":"1.5"}'],
  ['{"b":1}', '{"c":1}'],
  ['null', '[]'],
])('a member that is %s and then %s is rejected', (one, other) => {
  expect(errorOf(`{"a":${one},"a":${other}}`)).toMatchObject({
    reason: 'member-twice',
    message: `ambiguous: the field "a" is given twice with different values (at position ${`{"a":${one},"`.length})`,
  });
});

test.each([
  ['{"a":1,"b":[1,2],"c":{"d":"[,,,]"}}', 6],
  ['[[],{},[ ],{ }]', 4],
  ['[["a"],[{"b":[[1]]}]]', 7],
  ['"a,b"', 0],
  ['[","]', 1],
])('members and items are counted in all, and empty lists hold none: %s', (text, members) => {
  const long = `${text}${' '.repeat(200)}`;
  expect(errorOf(long, members)).toBeUndefined();
  if (members > 0) expect(errorOf(long, members - 1)).toMatchObject({ reason: 'members' });
});
