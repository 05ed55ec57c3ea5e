/** Where a server listens. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SettingsError } from '../config.ts';

export interface Listening {
  /** An address to reach it at: `http://127.0.0.1:4020`. */
  readonly url: string;
  /** What it listens on: `127.0.0.1`; `0.0.0.0` or `::` stand for all addresses. */
  readonly host: string;
}

/**
 * Listens, and tells where.
 *
 * @throws {SettingsError} naming the flag that helps, when the port or the address cannot be had
 */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new SettingsError(`port ${port} of ${host} is in use; choose another with --port, or 0 for any`, { cause });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new SettingsError(`${host} is no address of this machine; choose another with --host`, { cause });
    if (code === 'EACCES')
      throw new SettingsError(`port ${port} needs rights that this process lacks; choose one above 1023 with --port`, {
        cause,
      });
    throw cause;
  }
  const { address, port: actual } = server.address() as AddressInfo;
  const shown = isAllAddresses(address) ? '127.0.0.1' : host;
  return { url: `http://${shown.includes(':') ? `[${shown}]` : shown}:${actual}`, host: address };
}

/** Whether listening there is listening on every address of this machine. */
export const isAllAddresses = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** True when only this machine can reach what listens there. */
export const isLoopbackAddress = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
