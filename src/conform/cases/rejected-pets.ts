/** Bodies that create no pet. */
import { ERROR_STATUS } from '../../core/errors.ts';
import { type Case, casesOf, documented, each, JSON_TYPE, type ProbeRequest, post } from './case.ts';
import { BEYOND_DOUBLE, ID, STATUS } from './lists.ts';
import { nested } from './new-pets.ts';

const rejects = (
  rule: 'body-rejected' | 'unreadable-rejected',
  requests: Readonly<Record<string, ProbeRequest>>,
): readonly Case[] =>
  casesOf({ section: 'Add a pet', rule, risk: 'creates', status: documented('createPet', 400) }, requests);

const GOOD = '{"name":"Rex","categoryId":1}';
const ofCategory = (json: string): ProbeRequest => post(`{"name":"Rex","categoryId":${json}}`);

/** The body is required. */
export const missingBodies = rejects('body-rejected', {
  'no body': post(undefined, {}),
  'an empty body': post(''),
  'a body of no chunks': post([]),
});

export const emptyBodyOfOtherType = rejects('unreadable-rejected', {
  'an empty body of another type': post('', { 'Content-Type': 'x/y' }),
});

/** The specification describes JSON bodies only; 400 for others is the sandbox's decision. */
export const bodiesNoJson = rejects('unreadable-rejected', {
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

export const bodiesNoUtf8 = rejects('unreadable-rejected', {
  'bytes that are no UTF-8': post(Buffer.from('{"name":"\xff","categoryId":1}', 'latin1')),
  'a surrogate in UTF-8': post(Buffer.from('{"name":"\xed\xa0\x80","categoryId":1}', 'latin1')),
});

export const membersTwice = rejects('unreadable-rejected', {
  'a field given twice with different values': post('{"name":"Rex","name":"Max","categoryId":1}'),
  'a field given twice, once escaped': post('{"name":"Rex","categoryId":1,"n\\u0061me":"Max"}'),
  'a field given twice deep down': post('{"name":"Rex","categoryId":1,"x":[{"a":1,"a":2}]}'),
});

export const bodiesTooDeep = rejects('unreadable-rejected', { 'a body of 101 levels': post(nested(101)) });

export const bodiesNoObject = rejects(
  'body-rejected',
  each(
    ['[]', `[${GOOD}]`, '"Rex"', '5', 'null', 'true', 'false', '0', '""'],
    (body) => `${body}, which is no object`,
    (body) => post(body),
  ),
);

/** Missing fields. */
export const fieldsMissing = rejects('body-rejected', {
  'an empty object': post('{}'),
  'a pet without a name': post('{"categoryId":1}'),
  'a pet without a category': post('{"name":"Rex","catgoryId":1}'),
  'names in other case': post('{"Name":"Rex","CategoryId":1}'),
});

export const namesNoString = rejects(
  'body-rejected',
  each(
    ['null', '5', 'true', '[]', '{}'],
    (name) => `the name ${name}`,
    (name) => post(`{"name":${name},"categoryId":1}`),
  ),
);

export const categoriesNoInteger = rejects(
  'body-rejected',
  each(['null', '"1"', 'true', '[1]', '{}', '1.5', '-0.1'], (id) => `the category ${id}`, ofCategory),
);

/** Out of the int64 range, and fractions that are lost in a double. */
export const categoriesNoInt64 = rejects(
  'body-rejected',
  each(
    [
      `${ID.maximum + 1n}`,
      `${ID.minimum - 1n}`,
      '1e19',
      `${ID.maximum}.5`,
      '1e400',
      '1'.repeat(500),
      '0.99999999999999999999',
      '1e-400',
      `${BEYOND_DOUBLE}.5`,
    ],
    (id) => `the category ${id.slice(0, 25)}`,
    ofCategory,
  ),
);

export const statusesUnknown = rejects(
  'body-rejected',
  each(
    ['"lost"', `"${STATUS.toUpperCase()}"`, '""', 'null', '5', `["${STATUS}"]`],
    (status) => `the status ${status}`,
    (status) => post(`{"name":"Rex","categoryId":1,"status":${status}}`),
  ),
);

export const allFieldsWrong = rejects('body-rejected', {
  'a pet whose fields are all invalid': post('{"name":7,"categoryId":"x","status":"lost"}'),
});

const rejectedType = {
  section: 'Add a pet',
  rule: 'media-type-rejected',
  risk: 'creates',
  status: ERROR_STATUS.unsupported_media_type,
} as const;

/** Requests use `application/json`; 415 for other types is the sandbox's decision. */
export const otherTypes = casesOf(rejectedType, {
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
  rejectedType,
  each(
    ['gzip', 'identity', 'br', ''],
    (encoding) => `a body with the Content-Encoding ${JSON.stringify(encoding)}`,
    (encoding) => post(GOOD, { ...JSON_TYPE, 'Content-Encoding': encoding }),
  ),
);

export const typeFirst = casesOf(rejectedType, {
  'an invalid body of another type: the type comes first': post('{', { 'Content-Type': 'text/plain' }),
});
