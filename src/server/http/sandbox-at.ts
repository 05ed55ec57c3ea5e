/** The sandbox whose address a request was sent to. */
import { ApiError } from '../../base/api/errors.ts';
import { quoted } from '../../base/text.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { rejectMisdirected } from './misdirected.ts';
import type { RequestParts } from './open-exchange.ts';

/** The server's sandboxes, and its name. */
export interface SandboxesHere {
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
