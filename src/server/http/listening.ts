/** Binds a server to its address. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, isIPv4 } from 'node:net';
import { SettingsError } from '../../base/settings/settings.ts';
import type { Redact } from '../../traffic/redact.ts';
import type { RequestParts } from './open-exchange.ts';

export interface Listening {
  /** An address to reach it at: `http://127.0.0.1:4020`. */
  readonly url: string;
  /** The address that it is bound to: `127.0.0.1`; `0.0.0.0` or `::` mean all addresses. */
  readonly host: string;
}

/**
 * Listens, and returns the address.
 * @throws {SettingsError} naming the flag to change, if the port or the address is not available
 */
export async function listen(
  server: Server,
  { host, port, scheme }: { readonly host: string; readonly port: number; readonly scheme: 'http' | 'https' },
): Promise<Listening> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new SettingsError(`port ${port} of ${host} is in use; choose another with --port, or 0 for any`, { cause });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new SettingsError(`${host} is not an address of this machine; choose another with --host`, { cause });
    if (code === 'EACCES')
      throw new SettingsError(`port ${port} needs rights that this process lacks; choose one above 1023 with --port`, {
        cause,
      });
    throw cause;
  }
  const { address, port: actual } = server.address() as AddressInfo;
  return { url: reachedAt({ host: isAllAddresses(address) ? address : host, port: actual, scheme }), host: address };
}

/** An address to reach a server at that listens so: all addresses include the machine's own. */
export function reachedAt({ host, port, scheme }: { host: string; port: number; scheme: 'http' | 'https' }): string {
  const shown = isAllAddresses(host) ? '127.0.0.1' : host;
  return `${scheme}://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}

/** Whether this address means all addresses of the machine. */
export const isAllAddresses = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The usual names of this machine to itself. */
export const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'] as const;

/** True if only this machine can reach the address: one of the usual names, or another address of 127.0.0.0/8. */
export const isLoopbackAddress = (host: string): boolean =>
  LOOPBACK_NAMES.some((name) => name === host) || (isIPv4(host) && host.startsWith('127.'));

/** A host name, an IPv4 address or a bracketed IPv6 address, with or without a port, and nothing else. */
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

interface AddressOptions {
  readonly publicUrl: string | undefined;
  readonly listening: () => string;
  /** Redacts secrets: a `Host` that contains one is not repeated. */
  readonly redact: Redact;
}

/**
 * `http://…` or `https://…` without a path: as configured, otherwise from the request's `Host`, otherwise the address
 * the server listens on.
 */
export const addressFor =
  ({ publicUrl, listening, redact }: AddressOptions) =>
  (req: RequestParts): string => {
    if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
    const { host } = req.headers;
    const own = listening();
    if (host === undefined || !HOST.test(host) || redact(host) !== host) return own;
    return `${own.slice(0, own.indexOf(':'))}://${host}`;
  };
