/** Requests for sandboxes of other servers (RFC 9110, section 15.5.20). */

import { SANDBOX_PREFIX } from '../../base/address.ts';
import { serverOf } from '../../base/api/credential.ts';
import { ApiError } from '../../base/api/errors.ts';
import type { RequestParts } from './open-exchange.ts';

/**
 * Rejects a request that names another server in the id of a sandbox, or in its key. It is nobody's finding: nothing here
 * knows what is right there. @param own the name of this server; one without a name has all there is
 * @throws {ApiError} `misdirected_request`
 */
export function rejectMisdirected(
  { exchange }: Pick<RequestParts, 'exchange'>,
  idOrKey: string,
  own: string | undefined,
): void {
  const other = own === undefined ? undefined : serverOf(idOrKey);
  if (other === undefined || other === own) return;
  exchange.operation = undefined;
  const what = idOrKey.startsWith(SANDBOX_PREFIX) ? 'this sandbox' : 'the sandbox of this key';
  throw new ApiError(
    'misdirected_request',
    `${what} is on the server ${other}, and this is the server ${own}; send the request to ${other}, or through the balancer`,
  );
}
