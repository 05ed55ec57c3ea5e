/** Queries that `listPets` rejects, and ids without a pet. */

import { ERROR_STATUS } from '../../core/errors.ts';
import { parameterOf } from '../../core/specification.ts';
import { petStatuses } from '../../generated/facts.ts';
import { casesOf, documented, each, get, LIST_PATH, petPath } from './case.ts';

const LIMIT = parameterOf('listPets', 'query/limit');
export const MIN_LIMIT = Number(LIMIT.minimum);
export const MAX_LIMIT = Number(LIMIT.maximum);
/** The maximum length of a list without a limit. */
export const DEFAULT_LIMIT = Number(LIMIT.default ?? LIMIT.maximum);

/** Bounds of an id. */
export const ID = parameterOf('getPet', 'path/petId');
/** An odd integer that a double cannot represent. */
export const BEYOND_DOUBLE = BigInt(Number.MAX_SAFE_INTEGER) + 2n;

/** A status of a pet, and another one. */
export const [STATUS, OTHER_STATUS] = [petStatuses[petStatuses.length - 1] as string, petStatuses[0] as string];

/**
 * The specification bounds `limit` and `status`, but documents no response to a violation: 400 is the sandbox's
 * decision.
 */
const badQuery = {
  section: 'List pets',
  rule: 'query-rejected',
  risk: 'none',
  status: ERROR_STATUS.invalid_request,
} as const;
const query = (text: string) => get(`${LIST_PATH}?${text}`);
const limit = (value: string) => query(`limit=${encodeURIComponent(value)}`);

export const limitsBeyond = casesOf(
  badQuery,
  each(
    [`${MIN_LIMIT - 1}`, `${MAX_LIMIT + 1}`, '-1', `${ID.maximum + 1n}`, `1${'0'.repeat(500)}`],
    (value) => `the limit ${value.slice(0, 25)}`,
    limit,
  ),
);

export const limitsNoInteger = casesOf(
  badQuery,
  each(
    ['2.5', 'ten', '0b11', 'NaN', 'Infinity', '5,6', '٥', '1e-1', '1_0'],
    (value) => `the limit ${value}, which is no integer`,
    limit,
  ),
);

/** Accepted as integers by lenient parsers. */
export const limitsOtherForms = casesOf(
  badQuery,
  each(
    ['+5', '05', '5.0', '1e1', '0x10', ' 5', '5 ', '5.', '00'],
    (value) => `the limit ${JSON.stringify(value)}, which is not a plain integer`,
    limit,
  ),
);

export const badQueries = casesOf(badQuery, {
  'a limit with a plus sign, which is a space': query('limit=5+'),
  'an empty limit': query('limit='),
  'a limit without a value': query('limit'),
  'the limit given twice': query('limit=5&limit=5'),
  'an unknown status': query('status=lost'),
  'a status in other case': query(`status=${STATUS.toUpperCase()}`),
  'an empty status': query('status='),
  'the status given twice': query(`status=${STATUS}&status=${STATUS}`),
  'two invalid parameters': query(`limit=${MIN_LIMIT - 1}&status=lost`),
  'two invalid parameters, one empty and one given twice': query('limit=&status=a&status=b'),
});

const noPet = { section: 'Get a pet', risk: 'none', status: documented('getPet', 404) } as const;
const pet = (id: string) => get(petPath(id));

/** Valid integers, which a server may assign one day. */
export const unusedIds = casesOf(
  { ...noPet, rule: 'pet-not-found' },
  each(
    [0n, -1n, BigInt(Number.MAX_SAFE_INTEGER), ID.maximum, ID.minimum, ID.minimum + 1n, BEYOND_DOUBLE].map(String),
    (id) => `the pet ${id}, which does not exist`,
    pet,
  ),
);

/** Numbers that the specification does not allow as an id; 404 for them is the sandbox's decision. */
export const idsNoInt64 = casesOf(
  { ...noPet, rule: 'id-rejected' },
  each(
    [
      `${ID.maximum + 1n}`,
      `${ID.minimum - 1n}`,
      '1'.repeat(500),
      '+1',
      '01',
      '1.0',
      '1e0',
      '0x1',
      '%201',
      '1%20',
      '-0x',
      '--1',
      'Infinity',
    ],
    (id) => `the id ${id.slice(0, 25)}, which is no plain int64`,
    pet,
  ),
);

export const idsNoInteger = casesOf(
  { ...noPet, rule: 'id-rejected' },
  each(['rex', 'null', '1%2F', '%F0%9F%90%B6'], (id) => `the id ${id}, which is no integer`, pet),
);
