/** Finds expectations that no request can meet: a verification with one says nothing about the client. */

import { pathOfTarget, percentEncoded } from '../base/address.ts';
import { whyNotRecorded } from '../base/api/credential.ts';
import { operationAt } from '../base/api/specification.ts';
import { basePath, type OperationName, operations } from '../base/generated/facts.ts';
import type { Expectation } from './comparison.ts';

/** Why no request can match, as `location: message`; `undefined` if one can. */
export function whyImpossible({ operation, method, path }: Expectation): string | undefined {
  const described = operation === undefined ? undefined : operations[operation as OperationName];
  const own = described?.method.toUpperCase();
  if (own !== undefined && method !== undefined && method !== own && !(own === 'GET' && method === 'HEAD'))
    return `method: ${operation} is ${own}, so no request of it is ${method}; leave one of the two out`;
  if (path === undefined) return undefined;
  const bare = pathOfTarget(path);
  const odd = /[^!-~]|[#{}]/u.exec(path)?.[0];
  if (odd === '{' || odd === '}')
    return `path: ${bare} is a template, and no request has one; send an id in place of the braces, or an operation in place of the path`;
  if (odd !== undefined)
    return `path: no request has ${JSON.stringify(odd)} in its path as sent; encode it as ${percentEncoded(odd)}`;
  const hidden = whyNotRecorded(path);
  if (hidden) return `body/path: ${hidden}`;
  if (described === undefined || own === undefined) return undefined;
  const below = bare.startsWith(`${basePath}/`) ? bare.slice(basePath.length) : bare;
  if (operationAt(own, below) === operation) return undefined;
  return `path: ${operation} is ${own} ${basePath}${described.path}, so no request of it has the path ${bare}; leave one of the two out`;
}
