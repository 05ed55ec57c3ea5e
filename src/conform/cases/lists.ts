/** Queries that `listPets` refuses, and ids that no pet has. */
import { parameterOf } from '../../document.ts';
import { casesOf, each } from './case.ts';

const LIMIT = parameterOf('listPets', 'query/limit');
export const MIN_LIMIT = Number(LIMIT.minimum);
export const MAX_LIMIT = Number(LIMIT.maximum);
/** What a list without a limit holds. */
export const DEFAULT_LIMIT = Number(LIMIT.default ?? LIMIT.maximum);

/** The description has the constraints of `limit` and `status`, but no answer for what breaks them: 400 is the sandbox's. */
const badQuery = {
  section: 'List animals',
  level: 'sandbox',
  rule: 'query-refused',
  risk: 'none',
  status: 400,
} as const;
const query = (text: string) => ({ path: `/pets?${text}` });
const limit = (value: string) => query(`limit=${encodeURIComponent(value)}`);

export const limitsBeyond = casesOf(
  badQuery,
  each(
    [`${MIN_LIMIT - 1}`, `${MAX_LIMIT + 1}`, '-1', '9223372036854775808', `1${'0'.repeat(500)}`],
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

/** Integers to a lenient reader. */
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
  'a status in other case': query('status=SOLD'),
  'an empty status': query('status='),
  'the status given twice': query('status=sold&status=sold'),
  'all that is wrong with a query at once': query('limit=0&status=lost'),
  'all that is wrong with a query at once, empty and twice': query('limit=&status=a&status=b'),
});

const noPet = { section: 'Get an animal', rule: 'pet-not-found', risk: 'none', status: 404 } as const;
const pet = (id: string) => ({ path: `/pets/${id}` });

/** Integers of the right form, which some server may give out one day. */
export const unusedIds = casesOf(
  { ...noPet, level: 'contract' },
  each(
    [
      '0',
      '-1',
      '9007199254740991',
      '9223372036854775807',
      '-9223372036854775808',
      '-9223372036854775807',
      '9007199254740993',
    ],
    (id) => `the pet ${id}, which is not there`,
    pet,
  ),
);

/** Numbers, but none that the description allows as an id; that no pet has them is the sandbox's reading. */
export const idsNoInt64 = casesOf(
  { ...noPet, level: 'sandbox' },
  each(
    [
      '9223372036854775808',
      '-9223372036854775809',
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
    (id) => `a pet of the id ${id.slice(0, 25)}, which is no int64`,
    pet,
  ),
);

export const idsNoInteger = casesOf(
  { ...noPet, level: 'sandbox' },
  each(['rex', 'null', '1%2F', '%F0%9F%90%B6'], (id) => `a pet of the id ${id}, which is no integer`, pet),
);
