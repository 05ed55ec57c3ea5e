/**
 * Calls of the control API from within this process: with the same checks, limits and responses as over HTTP. They are
 * neither recorded nor validated.
 */
import type { ClientOptions } from '../../client/client.ts';
import type { ClientResponse } from '../../client/errors.ts';
import { tooLarge } from '../http/body.ts';
import { responseToError } from '../http/errors.ts';
import type { OpenExchange, RequestParts } from '../http/open-exchange.ts';
import type { ResponseData } from '../http/response.ts';
import type { ControlContext } from './control.ts';
import type { ControlRequest } from './parse.ts';

/** Instead of `fetch`, for a client of the control API. */
export type Send = NonNullable<ClientOptions['fetch']>;

/** Makes the exchange of a call. */
export type BeginLocally = (method: string, target: string) => OpenExchange;

/** @param run runs an operation @param host as in the `Host` of a request: addresses in responses have it */
export const localCalls =
  (
    run: (request: ControlRequest) => Promise<ResponseData>,
    options: Pick<ControlContext, 'log' | 'redact' | 'capacity'>,
    begin: BeginLocally,
    host?: string,
  ): Send =>
  async (url, { method, headers, body }) => {
    const target = url.slice(url.indexOf('/_sandbox'));
    const exchange = begin(method, target);
    const { lease } = exchange;
    const parts = {
      method,
      exchange,
      params: {},
      ...headersOf({ ...headers, ...(host !== undefined && { host }) }),
    };
    try {
      return localResponseOf(exchange, await run({ ...parts, readBody: bodyReader(parts, body) }));
    } catch (error) {
      return localResponseOf(exchange, responseToError(error, parts, options));
    } finally {
      if (exchange.lease !== lease) options.capacity.release(exchange);
    }
  };

/** As Node has them of a request that came over a connection. */
function headersOf(given: Readonly<Record<string, string>>): Pick<RequestParts, 'headers' | 'rawHeaders'> {
  const all = Object.entries(given);
  return {
    headers: Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), value])),
    rawHeaders: all.flat(),
  };
}

const bodyReader =
  (parts: RequestParts, body: Parameters<Send>[1]['body'] = ''): ControlRequest['readBody'] =>
  async (limits) => {
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
    if (bytes.length > limits.maxBytes) throw tooLarge(parts, limits);
    return bytes.length === 0 ? undefined : bytes;
  };

/** @throws {Error} for a call with an endless response: it needs a connection */
function localResponseOf({ id }: OpenExchange, { status, body, pieces, stream }: ResponseData): ClientResponse {
  if (stream) {
    stream.cancel();
    throw new Error('a stream of events needs a connection');
  }
  const text = pieces
    ? [...{ [Symbol.iterator]: () => pieces }].join('')
    : typeof body === 'string'
      ? body
      : Buffer.concat(body.map((piece) => Buffer.from(piece))).toString();
  const get = (name: string): string | null => (name === 'Sandbox-Request-Id' ? id : null);
  return {
    url: '',
    status,
    ok: status < 300,
    headers: { get, has: (name) => get(name) !== null },
    body: null,
    text: async () => text,
  };
}
