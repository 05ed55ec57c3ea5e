/** Requests over TLS, to a server whose certificate only its owner has signed. */
import { once } from 'node:events';
import { request } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';

export interface SecureReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface SecureRequest {
  readonly ca: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends one request on a connection of its own. */
export async function fetchSecurely(
  url: string,
  { ca, method = 'GET', headers = {}, body }: SecureRequest,
): Promise<SecureReply> {
  const sent = request(url, { ca, method, headers, agent: false }).end(body);
  // A connection that is reset within a response is an error of the request, too, which has nobody who waits for it by then.
  sent.on('error', () => undefined);
  const [response] = await once(sent, 'response');
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(parts).toString() };
}

/** A connection that has agreed on TLS. */
export async function dialSecurely(url: string, ca: string): Promise<TLSSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ca, ALPNProtocols: ['h2', 'http/1.1'] });
  await once(socket, 'secureConnect');
  return socket;
}
