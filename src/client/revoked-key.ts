/** Creates a key with which a client gets the documented 401, without waiting for an expiry. */
import type { ControlsClient } from './client.ts';

/**
 * Creates a second key to the sandbox and revokes it. Requests with it get 401, and still belong to the sandbox.
 * @throws {ClientError} `forbidden` if only the admin may create keys
 */
export async function makeRevokedKey(own: ControlsClient): Promise<string> {
  const { id, key } = await own.request('POST /keys', { body: { label: 'revoked on purpose', shared: true } });
  await own.request('DELETE /keys/{keyId}', { params: { keyId: id } });
  return key;
}
