/** Paths and methods that are not in the specification. */
import { ERROR_STATUS } from '../../core/errors.ts';
import { basePath, operationNames, operations } from '../../generated/facts.ts';
import { casesOf, each, get, LIST_PATH, petPath, post } from './case.ts';

/** The specification states no status for an unknown path: 404 is the sandbox's decision. */
const unknownPath = { section: 'Endpoints', rule: 'path-rejected', status: ERROR_STATUS.not_found } as const;

export const unknownPaths = casesOf(
  { ...unknownPath, risk: 'none' },
  each(
    [
      '',
      '/',
      `${LIST_PATH}/`,
      LIST_PATH.replace(/[a-z]/, (letter) => letter.toUpperCase()),
      LIST_PATH.slice(0, -1),
      `${petPath('1')}/`,
      `${petPath('1')}/toys`,
      '/store',
      LIST_PATH.replace('e', '%65'),
    ],
    (path) => `${basePath}${path}, an unknown path`,
    get,
  ),
);

export const unknownPathPosted = casesOf(
  { ...unknownPath, risk: 'creates' },
  { 'an unknown path, posted to with an invalid body': { ...post('{'), path: '/toys' } },
);

const badEncoding = { section: 'Endpoints', rule: 'encoding-rejected', status: ERROR_STATUS.invalid_request } as const;

export const badEncodings = casesOf(
  { ...badEncoding, risk: 'none' },
  each(
    [
      ...['%zz', '%', '%ff', '%c3%28'].map(petPath),
      '/%zz',
      `${LIST_PATH}?status=%zz`,
      `${LIST_PATH}?%`,
      `${petPath('1')}?x=%e0`,
    ],
    (path) => `${basePath}${path}, an invalid percent-encoding`,
    get,
  ),
);

export const badEncodingFirst = casesOf(
  { ...badEncoding, risk: 'destroys' },
  {
    'an invalid percent-encoding before the method and the body': {
      ...post('{'),
      method: 'PATCH',
      path: `${LIST_PATH}?x=%zz`,
    },
  },
);

const otherMethod = { section: 'Endpoints', rule: 'method-rejected', status: ERROR_STATUS.method_not_allowed } as const;

/** Methods that change or delete pets, on paths for which the specification has none. */
const undescribedOn = (path: string): string[] =>
  ['PUT', 'PATCH', 'DELETE'].filter(
    (method) =>
      !operationNames.some((name) => {
        const operation: { readonly path: string; readonly method: string } = operations[name];
        return operation.path === path && operation.method === method.toLowerCase();
      }),
  );

const BAD_QUERY = `${LIST_PATH}?limit=zzz`;
/** Not a valid id, so that no pet is affected. */
const NO_PET = petPath('zzz');

/** Safe methods of RFC 9110 and RFC 4918: they change nothing on any server. */
export const safeMethodsOfList = casesOf(
  { ...otherMethod, risk: 'none' },
  each(
    ['TRACE', 'PROPFIND'],
    (method) => `${method} of the list`,
    (method) => ({ method, path: BAD_QUERY }),
  ),
);

export const methodsOfList = casesOf(
  { ...otherMethod, risk: 'destroys' },
  each(
    undescribedOn(LIST_PATH),
    (method) => `${method} of the list`,
    (method) => ({ method, path: BAD_QUERY }),
  ),
);

export const postOfPet = casesOf(
  { ...otherMethod, risk: 'creates' },
  { 'POST of one pet': { method: 'POST', path: NO_PET } },
);

export const methodsOfPet = casesOf(
  { ...otherMethod, risk: 'destroys' },
  each(
    undescribedOn(operations.getPet.path),
    (method) => `${method} of one pet`,
    (method) => ({ method, path: NO_PET }),
  ),
);
