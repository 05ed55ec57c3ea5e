/** Where a server listens, and how it stops. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SettingsError } from '../config.ts';

/** How long requests that are under way may take once the server stops. */
const GRACE_MS = 4_000;

/**
 * Listens, and tells the address: `http://127.0.0.1:4020`.
 *
 * @throws {SettingsError} naming the flag that helps, when the port or the address cannot be had
 */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
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
  const { port: actual } = server.address() as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${actual}`;
}

/** Takes no new connection, lets requests end, and cuts off those that take longer than the grace. */
export async function stopListening(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const grace = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  server.closeIdleConnections();
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}

/** True when only this machine can reach what listens there. */
export const isLoopbackAddress = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
