/**
 * JSON texts by class, as bodies of the API and of a control. What is no JSON is always rejected with 400, what is
 * JSON never makes the service fail, and service and validator agree on each.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { type Reply, send } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { texts } from '../support/texts.ts';

const server = await startTestServer();
const client = await server.sandbox({ fixture: 'empty' });

afterAll(async () => {
  await server.validator.whenValidated();
  expect(server.validator.tallies).toMatchObject({ validationFailures: 0, disagreements: 0, brokenResponses: 0 });
});

const PLACES = ['/v1/pets', '/_sandbox/keys'];

const post = (path: string, body: string | Buffer): Promise<Reply> =>
  send(server.url, {
    method: 'POST',
    path,
    headers: { Authorization: `Bearer ${client.key}`, 'Content-Type': 'application/json' },
    body,
  });

/** A text as the whole body, and as the value of a member and of an item. */
const everywhere = (text: string): string[] => [text, `{"name":"Rex","categoryId":1,"x":${text}}`, `[1,${text},2]`];
const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
const nested = (open: string, levels: number, close: string): string => open.repeat(levels) + close.repeat(levels);

const NO_JSON: Record<string, readonly string[]> = {
  'words that are nearly right': ['True', 'nul', 'nulll', 'truefalse', 'undefined', 'NaN', '-Infinity', 'TRUE', 'none'],
  'numbers that are none': texts(
    '01 | -01 | 00 | +1 | .5 | -.5 | 1. | -1. | 1.e5 | 1e | 1e+ | 1E- | 1e1.5 | 1e1e1 | --1 | - | 0x1F | 0b1',
    '0o7 | 1_000 | 1,5 6 | 1 000 | 1n | 1f | １ | ١ | 2.0.0 | -a | 1-1 | 5e٣',
  ),
  'strings that do not end': ['"', '"a', '"a\\"', '"\\', '"\\u12', '"a\\\\\\"'],
  'escapes that are none': texts(
    '"\\x41" | "\\a" | "\\u" | "\\u12" | "\\u12G4" | "\\uD8" | "\\U0041" | "\\0" | "\\\n"',
  ),
  'control characters in strings': Array.from({ length: 32 }, (_, code) => `"a${String.fromCharCode(code)}b"`),
  'other quotes': ["'a'", '`a`', '“a”', '«a»', '"a\''],
  'arrays that are none': texts('[ | ] | [1 | [1, | [,] | [1,] | [,1] | [1 2] | [1,,2] | [1;2] | [1:2] | [1} | [...]'),
  'objects that are none': texts(
    '{ | } | {"a" | {"a": | {"a":1 | {"a":1, | {"a":1,} | {,} | {,"a":1} | {"a" 1} | {"a",1} | {"a"} | {a:1}',
    "{'a':1}",
    '{1:1} | {null:1} | {"a":1 "b":2} | {"a":1;"b":2} | {"a"::1} | {"a":1] | {["a"]:1} | {{}}',
  ),
  comments: ['/* a */ 1', '1 // a', '# a\n1', '[1 /* a */]', '<!-- a --> 1'],
  'more than one value': ['1 2', '{} {}', '[][]', '"a" "b"', 'null,', '{}]', '1\n2'],
  'space that is none': ['\u00a01', '\u20281', '\u20031', '\v1', '\f1', '\u00851', '\u200b1', '\u30001'],
  'marks and zeros around it': ['\ufeff1', '1\0', '\0', '\0{}', '{}\0'],
  'other languages': texts('<a/> | a: 1 | name=Rex | (1) | {"a":function(){}} | new Date() | !!1 | %7B%7D | {"a":$a}'),
  'brackets without end': ['['.repeat(99), '{"a":'.repeat(99), ']'.repeat(99), '[{"a":'.repeat(40)],
};

/** Each alone: inside a text they would be something else, or nothing. */
const NO_JSON_ALONE: Record<string, readonly (string | Buffer)[]> = {
  'nothing but space': [' ', '\n', '\t\r\n', ' '.repeat(5_000)],
  'bytes that are no UTF-8': [
    bytes('"', [0xff], '"'),
    bytes('"', [0xc0, 0xaf], '"'),
    bytes('"', [0xe2, 0x82], '"'),
    bytes('"', [0xed, 0xa0, 0x80], '"'),
    bytes('"', [0xf4, 0x90, 0x80, 0x80], '"'),
    bytes('"', [0xf8, 0x88, 0x80, 0x80, 0x80], '"'),
    bytes('{"name":"', [0xe9], '","categoryId":1}'),
    bytes('{}', [0x80]),
  ],
  'other encodings': [
    Buffer.from('{"name":"Rex","categoryId":1}', 'utf16le'),
    Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('{}', 'utf16le').swap16()]),
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"name":"Rex","categoryId":1}')]),
    Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00]),
  ],
  'what is nested too deep': [
    nested('[', 101, ']'),
    nested('{"a":', 101, '}'),
    nested('[', 5_000, ']'),
    '['.repeat(200_000),
  ],
  'members given twice with different values': [
    ...texts(
      '{"a":1,"a":2} | {"a":1,"\\u0061":2} | {"a":{"b":1},"a":{"b":1.5}} | {"":1,"":null}',
      '{"__proto__":1,"__proto__":2} | [{"a":[]},{"b":1,"b":"1"}]',
    ),
    `{${Array.from({ length: 500 }, (_, i) => `"m${i}":1`).join(',')},"m250":2}`,
  ],
};

const JSON_TEXTS: Record<string, readonly string[]> = {
  words: ['true', 'false', 'null'],
  'numbers at bounds': texts(
    '0 | -0 | -0.0 | 0e0 | 0E+9 | 9007199254740991 | 9007199254740993 | -9007199254740993 | 4294967296',
    '9223372036854775807 | 9223372036854775808 | -9223372036854775808 | -9223372036854775809 | 1e19',
    '2147483648 | 18446744073709551615 | 1.7976931348623157e308 | 1.8e308 | 5e-324 | 2e-324 | 0.1 | 1.0',
    '100e-2 | 1e2',
  ),
  'long numbers and huge exponents': [
    ...texts('1e400 | -1e400 | 1e-400 | 1e999999999999999999 | 1e-999999999999999999 | 0e999999999 | 1E+0000000000001'),
    '9'.repeat(5_000),
    `1${'0'.repeat(5_000)}1`,
    `0.${'0'.repeat(5_000)}1`,
    `1${'0'.repeat(5_000)}.0`,
    `${'3'.repeat(900)}e-890`,
  ],
  escapes: texts(
    '"\\"\\\\\\/\\b\\f\\n\\r\\t" | "\\u0000" | "\\u0022\\u005c" | "\\u00E9\\u00e9" | "\\/" | "\\u2028\\u2029"',
    '"/"',
  ),
  surrogates: texts(
    '"\\ud83d\\ude00" | "\\ud800" | "\\udc00" | "\\udc00\\ud800" | "\\ud83d" | "a\\ud83db" | "\\uD83D\\u0041"',
    '"😀"',
  ),
  'characters that are odd but fine': texts(
    '"\u007f" | "\u0080" | "\u2028\u2029" | "\ufeff" | "\ufffe\uffff" | "\u202e" | "\u{10ffff}" | "é"',
    '"e\u0301" | "ﷺ" | "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}" | "" | " " | "null" | "{}" | "[1,2" | "// a"',
  ),
  space: [
    ...texts('[ ] | { } | [\n1\t,\r2 ] | { "a" : 1 } |  \t\r\n1 \t\r\n'),
    `[${' '.repeat(20_000)}1]`,
    `[1${'\n'.repeat(20_000)}]`,
  ],
  'odd member names': [
    ...texts(
      '{"":1} | {"__proto__":{"a":1}} | {"constructor":{"prototype":1}} | {"toString":1,"valueOf":2}',
      '{"toJSON":"a"} | {"0":1,"-1":2,"1.5":3,"01":4} | {"a/b":1,"~0":2,"a.b":3} | {"\\u0000":1} | {"\\ud800":1}',
    ),
    `{"${'n'.repeat(20_000)}":1}`,
    '{"length":3,"4294967295":1,"4294967294":2}',
    '{"then":1}',
    '{"hasOwnProperty":null}',
  ],
  'members given twice with one value': texts(
    '{"a":1,"a":1} | {"a":1.0,"a":1} | {"a":[{}],"a":[{}]} | {"a":"b","a":"\\u0062"}',
  ),
  'what is nested as deep as may be': [nested('[', 98, ']'), `${'{"a":'.repeat(98)}1${'}'.repeat(98)}`],
  'what is wide': [
    `[${'0,'.repeat(9_000)}0]`,
    `[${'[],'.repeat(4_000)}{}]`,
    `{${Array.from({ length: 9_000 }, (_, i) => `"m${i}":null`).join(',')}}`,
    `{${Array.from({ length: 3_000 }, (_, i) => `"${i * 4_097}":"${i}"`).join(',')}}`,
    `"${'a'.repeat(900_000)}"`,
    `"${'\\u0041'.repeat(100_000)}"`,
  ],
  'what has too much in it': [
    `[${'0,'.repeat(20_000)}0]`,
    `{${Array.from({ length: 90_000 }, (_, i) => `"m${i}":0`).join(',')}}`,
  ],
};

/** Sends each text to each place, a few at a time. */
async function repliesTo(texts: readonly (string | Buffer)[]): Promise<(readonly [text: string, reply: Reply])[]> {
  const replies: (readonly [string, Reply])[] = [];
  for (const text of texts) {
    const shown = JSON.stringify(String(text).slice(0, 80));
    for (const [index, reply] of (await Promise.all(PLACES.map((path) => post(path, text)))).entries()) {
      replies.push([`${PLACES[index]} ${shown}`, reply]);
    }
  }
  return replies;
}

describe('a body that is no JSON is rejected', () => {
  const inside = Object.entries(NO_JSON).map(([name, texts]) => [name, texts.flatMap(everywhere)] as const);
  test.each([...inside, ...Object.entries(NO_JSON_ALONE)])('with 400: %s', async (_, texts) => {
    for (const [text, reply] of await repliesTo(texts)) {
      expect([text, reply.status, reply.json.code]).toEqual([text, 400, 'invalid_request']);
    }
  });
});

describe('a body that is JSON is read', () => {
  test.each(Object.entries(JSON_TEXTS))('and never makes the service fail: %s', async (_, texts) => {
    for (const [text, reply] of await repliesTo(texts.flatMap(everywhere))) {
      expect([text, reply.status < 500, reply.text.includes('not valid JSON')]).toEqual([text, true, false]);
    }
  });

  test.each(Object.entries(JSON_TEXTS).filter(([name]) => name !== 'what has too much in it'))(
    'and makes a pet, where it is in an unknown member: %s',
    async (_, texts) => {
      for (const text of texts) {
        const reply = await post('/v1/pets', `{"name":"Rex","categoryId":1,"x":${text}}`);
        expect([text.slice(0, 80), reply.status, reply.json.name]).toEqual([text.slice(0, 80), 201, 'Rex']);
      }
    },
  );

  test('and a name comes back as the engine reads it', async () => {
    const names = [JSON_TEXTS['escapes'], JSON_TEXTS['surrogates'], JSON_TEXTS['characters that are odd but fine']];
    for (const name of names.flatMap((texts) => texts ?? [])) {
      const reply = await post('/v1/pets', ` {"categoryId":1,"name":${name}}`);
      expect(reply.json.name, name).toBe(JSON.parse(name));
    }
  });
});

test('the server is well at the end, and nothing that was rejected became a pet', async () => {
  expect((await client.get('/_sandbox/health')).json.status).toBe('ok');
  const { json } = await client.get('/v1/pets?limit=100');
  for (const pet of json)
    expect(Object.keys(pet).filter((name) => !['id', 'name', 'categoryId', 'status'].includes(name))).toEqual([]);
});
