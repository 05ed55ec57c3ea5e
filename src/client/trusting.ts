/**
 * Clients of a server in Node, over its own HTTP client: `fetch` has no option to trust a certificate that only its owner has
 * signed, and in a test it may be that of a DOM environment, which applies CORS.
 */

import type { IncomingMessage, RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import { URL } from 'node:url';
import { WrongUseError } from '../base/for-callers.ts';
import { type ClientOptions, ControlsClient } from './client.ts';
import type { ClientResponse } from './errors.ts';

interface ConnectOptions extends ClientOptions {
  /** Certificates to trust, and no others, in PEM. */
  readonly ca?: string | undefined;
  /** Calls a server in this process without HTTP, except for what streams. */
  readonly callLocally?: ClientOptions['fetch'];
}

const STREAMS = /\/_sandbox\/(?:events|export)\b/;

/** A client of a server, over HTTP or within this process. @throws {WrongUseError} for an address that is none */
export async function connectTo({ ca, callLocally, ...options }: ConnectOptions): Promise<ControlsClient> {
  const overHttp = await fetchFrom(options.url, ca);
  const fetch: typeof overHttp = (url, sent) =>
    callLocally === undefined || STREAMS.test(url) ? overHttp(url, sent) : callLocally(url, sent);
  return new ControlsClient({ ...options, fetch });
}

/** As much of `fetch` as the client uses. */
async function fetchFrom(address: string, ca: string | undefined): Promise<NonNullable<ClientOptions['fetch']>> {
  if (!URL.canParse(address))
    throw new WrongUseError("the sandbox server's `url` is not an address like http://127.0.0.1:4020/v1");
  const { protocol } = new URL(address);
  const { Agent, request } = protocol === 'https:' ? await import('node:https') : await import('node:http');
  const agent = new Agent({ ...(ca !== undefined && { ca }), keepAlive: true });
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const options: RequestOptions = { agent, method, headers, ...(signal && { signal }) };
      const sent = request(url, options, (response) => resolve(responseOf(url, response)));
      // Node puts the reason of an aborted signal into an error of its own.
      sent.once('error', (error) => reject(signal?.aborted ? signal.reason : error));
      sent.end(body);
    });
}

function responseOf(url: string, message: IncomingMessage): ClientResponse {
  const { statusCode: status = 0, headers } = message;
  const field = (name: string): string | null => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? null : String(value);
  };
  return {
    url,
    status,
    ok: status >= 200 && status < 300,
    headers: { get: field, has: (name) => field(name) !== null },
    get body() {
      return Readable.toWeb(message) as ReadableStream<Uint8Array>;
    },
    text: async () => {
      const pieces: Buffer[] = [];
      for await (const piece of message) pieces.push(piece as Buffer);
      return Buffer.concat(pieces).toString();
    },
  };
}
