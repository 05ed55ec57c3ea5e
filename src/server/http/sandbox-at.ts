/**
 * The sandbox whose address a request was sent to; and requests for sandboxes of other servers (RFC 9110, section
 * 15.5.20).
 */
import { SANDBOX_PREFIX } from '../../base/address.ts';
import { serverOf } from '../../base/api/credential.ts';
import { ApiError } from '../../base/api/errors.ts';
import { quoted } from '../../base/text.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { RequestParts } from './open-exchange.ts';

/** The server's sandboxes, and its name. */
interface SandboxesHere {
  readonly sandboxes: Pick<Sandboxes, 'get'>;
  readonly name: string | undefined;
}

/**
 * `undefined` for a request without such an address.
 * @throws {ApiError} `not_found` for an address of no sandbox, `misdirected_request` for one on another server
 */
export function sandboxAt(
  req: Pick<RequestParts, 'exchange'>,
  { sandboxes, name }: SandboxesHere,
): Sandbox | undefined {
  const { exchange } = req;
  const { address } = exchange;
  if (address === undefined) return undefined;
  const sandbox = sandboxes.get(address);
  if (sandbox) return sandbox;
  exchange.unmatched = 'unknown-address';
  // No operation describes this 404.
  exchange.operation = undefined;
  rejectMisdirected(req, address, name);
  const why = `no sandbox has the address /${quoted(address, 80).slice(1, -1)}; it may have been ended or have expired`;
  throw new ApiError('not_found', `${why}: POST /_sandbox/keys makes another`);
}

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
