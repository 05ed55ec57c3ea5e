/** Bodies that become no pet. */
import { type Ask, type Case, casesOf, each, JSON_TYPE, type Level, post } from './case.ts';
import { nested } from './new-pets.ts';

const refuses = (level: Level, asks: Readonly<Record<string, Ask>>): readonly Case[] =>
  casesOf({ section: 'Add an animal', level, rule: 'body-refused', risk: 'creates', status: 400 }, asks);

const GOOD = '{"name":"Rex","categoryId":1}';
const ofCategory = (json: string): Ask => post(`{"name":"Rex","categoryId":${json}}`);

/** The body is required; its JSON type is named where nothing else is said. */
export const missingBodies = refuses('contract', {
  'no body': post(undefined, {}),
  'an empty body': post(''),
  'an empty body of another type': post('', { 'Content-Type': 'x/y' }),
  'a body of chunks that hold nothing': post([]),
});

/** The description knows JSON bodies only: that 400 is for what is no JSON, too, is the sandbox's. */
export const bodiesNoJson = refuses('sandbox', {
  'white space': post('  '),
  'half a body': post('{"name":"Rex",'),
  'two bodies': post(`${GOOD} {}`),
  'a comma too many': post('{"name":"Rex","categoryId":1,}'),
  'single quotes': post("{'name':'Rex','categoryId':1}"),
  'a byte order mark': post(`\ufeff${GOOD}`),
  'a line break in a name': post('{"name":"Re\nx","categoryId":1}'),
  ...each(
    ['01', '+1', '.5', '1.', '0x1', 'NaN', 'Infinity', '1e', '1_000'],
    (number) => `${number}, which is no JSON`,
    ofCategory,
  ),
});

export const bodiesNoUtf8 = refuses('sandbox', {
  'bytes that are no UTF-8': post(Buffer.from('{"name":"\xff","categoryId":1}', 'latin1')),
  'a surrogate in UTF-8': post(Buffer.from('{"name":"\xed\xa0\x80","categoryId":1}', 'latin1')),
});

export const membersTwice = refuses('sandbox', {
  'a member given twice with different values': post('{"name":"Rex","name":"Max","categoryId":1}'),
  'a member given twice, once escaped': post('{"name":"Rex","categoryId":1,"n\\u0061me":"Max"}'),
  'a member given twice deep down': post('{"name":"Rex","categoryId":1,"x":[{"a":1,"a":2}]}'),
});

export const bodiesTooDeep = refuses('sandbox', { 'a body of 101 levels': post(nested(101)) });

export const bodiesNoObject = refuses(
  'contract',
  each(
    ['[]', `[${GOOD}]`, '"Rex"', '5', 'null', 'true', 'false', '0', '""'],
    (body) => `${body}, which is no object`,
    (body) => post(body),
  ),
);

/** Fields that are missing. */
export const fieldsMissing = refuses('contract', {
  'an empty object': post('{}'),
  'a pet without a name': post('{"categoryId":1}'),
  'a pet without a category': post('{"name":"Rex","catgoryId":1}'),
  'names in other case': post('{"Name":"Rex","CategoryId":1}'),
});

export const namesNoString = refuses(
  'contract',
  each(
    ['null', '5', 'true', '[]', '{}'],
    (name) => `the name ${name}`,
    (name) => post(`{"name":${name},"categoryId":1}`),
  ),
);

export const categoriesNoInteger = refuses(
  'contract',
  each(['null', '"1"', 'true', '[1]', '{}', '1.5', '-0.1'], (id) => `the category ${id}`, ofCategory),
);

/** Beyond int64, and fractions that only doubles lose. */
export const categoriesNoInt64 = refuses(
  'contract',
  each(
    [
      '9223372036854775808',
      '-9223372036854775809',
      '1e19',
      '9223372036854775807.5',
      '1e400',
      '1'.repeat(500),
      '0.99999999999999999999',
      '1e-400',
      '9007199254740993.5',
    ],
    (id) => `the category ${id.slice(0, 25)}`,
    ofCategory,
  ),
);

export const statusesUnknown = refuses(
  'contract',
  each(
    ['"lost"', '"Sold"', '""', 'null', '5', '["sold"]'],
    (status) => `the status ${status}`,
    (status) => post(`{"name":"Rex","categoryId":1,"status":${status}}`),
  ),
);

export const allFieldsWrong = refuses('contract', {
  'all that is wrong with a pet at once': post('{"name":7,"categoryId":"x","status":"lost"}'),
});

const refusedType = {
  section: 'Add an animal',
  level: 'sandbox',
  rule: 'media-type-refused',
  risk: 'creates',
  status: 415,
} as const;

/** Requests use `application/json`; 415 for others is the sandbox's. */
export const otherTypes = casesOf(refusedType, {
  'a body without a type': post(GOOD, {}),
  ...each(
    [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/problem+json',
      'application/json; charset=iso-8859-1',
      'application/jsonp',
      'application/json, text/plain',
      'rubbish',
      '',
    ],
    (type) => `a body of the type ${JSON.stringify(type)}`,
    (type) => post(GOOD, { 'Content-Type': type }),
  ),
});

export const contentEncodings = casesOf(
  refusedType,
  each(
    ['gzip', 'identity', 'br', ''],
    (encoding) => `a body with the Content-Encoding ${JSON.stringify(encoding)}`,
    (encoding) => post(GOOD, { ...JSON_TYPE, 'Content-Encoding': encoding }),
  ),
);

export const emptyParameter = refuses('sandbox', {
  'an empty object of application/json with an empty parameter': post('{}', { 'Content-Type': 'application/json;' }),
});

export const typeFirst = casesOf(refusedType, {
  'a bad body of another type: the type comes first': post('{', { 'Content-Type': 'text/plain' }),
});
