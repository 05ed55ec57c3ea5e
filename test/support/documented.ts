/** What the specification says of operations, as tests compare it. */
import { operations } from '../../src/base/generated/facts.ts';

/** Every response that the specification documents: `listPets 200`, in its order. */
export const documented: readonly string[] = Object.entries(operations).flatMap(([name, { responses }]) =>
  Object.keys(responses).map((status) => `${name} ${status}`),
);

/** A name that no operation will ever have. */
export const NO_OPERATION = 'noSuchOperation';

/** The methods of a path like `/pets/{petId}`, or of all paths, as `Access-Control-Allow-Methods` lists them. */
export function methodsOn(path?: string): string {
  const described = Object.values(operations).filter((operation) => path === undefined || operation.path === path);
  const methods = new Set(described.map(({ method }) => method.toUpperCase()));
  return [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

/** A request for each documented response; for a 401 the key must be wrong. */
export const documentedRequests = () =>
  Object.values(operations).flatMap(({ method, path, bodyExample, responses }) =>
    Object.keys(responses).map((code) => {
      const status = Number(code);
      // Without its first member, which is required: one violation.
      const sent = status === 400 ? Object.fromEntries(Object.entries(bodyExample ?? {}).slice(1)) : bodyExample;
      const body = bodyExample && JSON.stringify(sent);
      const request = {
        method: method.toUpperCase(),
        path: `/v1${path.replace('{petId}', status === 404 ? '987654321' : '1')}`,
        headers: body === null ? {} : { 'Content-Type': 'application/json' },
        ...(body !== null && { body }),
      };
      return { status, request };
    }),
  );
