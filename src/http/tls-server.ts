/** A server that speaks HTTP/1.1 over TLS, with the limits of the plain one. */
import type { Server, ServerOptions } from 'node:http';
import type { Certificate } from './certificate.ts';

/** @param options those of the plain server: a handshake may take as long as the head of a request */
export async function createTlsServer(options: ServerOptions, { cert, key }: Certificate): Promise<Server> {
  // A plain server does not pay for it.
  const { createServer } = await import('node:https');
  const handshakeTimeout = options.headersTimeout;
  const server = createServer({
    ...options,
    ...(handshakeTimeout !== undefined && { handshakeTimeout }),
    cert,
    key,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
  });
  // It has every method and event that is used of the other.
  return server as unknown as Server;
}
