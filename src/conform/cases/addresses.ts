/** Addresses and methods that there are not. */
import { operationNames, operations } from '../../generated/facts.ts';
import { casesOf, each, post } from './case.ts';

const get = (path: string) => ({ path });

/** The description names no status for a path that it does not have: 404 is the sandbox's. */
export const unknownPaths = casesOf(
  { section: 'Endpoints', level: 'sandbox', rule: 'path-refused', risk: 'none', status: 404 },
  each(
    ['', '/', '/pets/', '/Pets', '/pet', '/pets/1/', '/pets/1/toys', '/store', '/p%65ts'],
    (path) => `/v1${path}, which is no path`,
    get,
  ),
);

export const unknownPathPosted = casesOf(
  { section: 'Endpoints', level: 'sandbox', rule: 'path-refused', risk: 'creates', status: 404 },
  { 'a path that is no path, posted to with a bad body': { ...post('{'), path: '/toys' } },
);

export const badEncodings = casesOf(
  { section: 'Endpoints', level: 'sandbox', rule: 'encoding-refused', risk: 'none', status: 400 },
  each(
    ['/pets/%zz', '/pets/%', '/pets/%ff', '/pets/%c3%28', '/%zz', '/pets?status=%zz', '/pets?%', '/pets/1?x=%e0'],
    (path) => `/v1${path}, a bad percent-encoding`,
    get,
  ),
);

export const badEncodingFirst = casesOf(
  { section: 'Endpoints', level: 'sandbox', rule: 'encoding-refused', risk: 'destroys', status: 400 },
  {
    'a bad percent-encoding before the method and the body': { ...post('{'), method: 'PATCH', path: '/pets?x=%zz' },
  },
);

const otherMethod = { section: 'Endpoints', level: 'sandbox', rule: 'method-refused', status: 405 } as const;

/** Methods that change or drop what there is, where the specification has none of them. */
const undescribedOn = (path: string): string[] =>
  ['PUT', 'PATCH', 'DELETE'].filter(
    (method) =>
      !operationNames.some((name) => {
        const operation: { readonly path: string; readonly method: string } = operations[name];
        return operation.path === path && operation.method === method.toLowerCase();
      }),
  );

/** RFC 9110 and RFC 4918 call these safe: they change nothing, whatever a server makes of them. */
export const safeMethodsOfList = casesOf(
  { ...otherMethod, risk: 'none' },
  each(
    ['TRACE', 'PROPFIND'],
    (method) => `${method} of the list`,
    (method) => ({ method, path: '/pets?limit=zzz' }),
  ),
);

export const methodsOfList = casesOf(
  { ...otherMethod, risk: 'destroys' },
  each(
    undescribedOn('/pets'),
    (method) => `${method} of the list`,
    (method) => ({ method, path: '/pets?limit=zzz' }),
  ),
);

/** To a pet that cannot be there. */
export const postOfPet = casesOf(
  { ...otherMethod, risk: 'creates' },
  { 'POST of one pet': { method: 'POST', path: '/pets/zzz' } },
);

export const methodsOfPet = casesOf(
  { ...otherMethod, risk: 'destroys' },
  each(
    undescribedOn('/pets/{petId}'),
    (method) => `${method} of one pet`,
    (method) => ({ method, path: '/pets/zzz' }),
  ),
);
