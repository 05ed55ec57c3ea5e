/**
 * Calls of the control API from within this process: with the same checks, limits and responses as over HTTP. They are
 * neither recorded nor validated.
 */
import { type Described, describedControls } from '../api/control-operations.ts';
import type { ClientOptions } from '../client/client.ts';
import type { ClientResponse } from '../client/errors.ts';
import { tooLarge } from '../http/body.ts';
import { type ErrorOptions, responseToError } from '../http/errors.ts';
import type { OpenExchange, RequestParts } from '../http/open-exchange.ts';
import type { ResponseData } from '../http/response.ts';
import type { ControlRequest } from './parse.ts';

/** In place of `fetch`, for a client of the control API. */
export type Send = NonNullable<ClientOptions['fetch']>;

/** Each operation with a pattern for its path. */
const ROUTES = describedControls.map((described) => ({
  described,
  pattern: new RegExp(`^${described.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}));

/**
 * @param run runs an operation; it throws for one that writes its response itself
 * @param begin makes the exchange of a call @param host as in the `Host` of a request: addresses in responses have it
 */
export const localCalls =
  (
    run: (described: Described, request: ControlRequest) => Promise<ResponseData>,
    options: ErrorOptions,
    begin: (method: string, target: string) => OpenExchange,
    host?: string,
  ): Send =>
  async (url, { method, headers, body }) => {
    const target = url.slice(url.indexOf('/_sandbox'));
    const { described, params } = operationAt(method, target);
    const exchange = begin(method, target);
    const { hold } = exchange;
    const parts = { method, params, exchange, ...headersOf({ ...headers, ...(host !== undefined && { host }) }) };
    try {
      return responseOf(exchange, await run(described, { ...parts, readBody: bodyReader(parts, body) }));
    } catch (error) {
      return responseOf(exchange, responseToError(error, parts, options));
    } finally {
      if (exchange.hold !== hold) exchange.memory.leave(exchange);
    }
  };

/** @throws {Error} if there is none: only our own client calls */
function operationAt(method: string, target: string) {
  const path = target.slice('/_sandbox'.length).split('?', 1)[0] || '/';
  for (const { described, pattern } of ROUTES) {
    const match = described.method === method.toLowerCase() ? pattern.exec(path) : null;
    if (!match) continue;
    const params = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)] as const);
    return { described, params: Object.fromEntries(params) };
  }
  throw new Error(`the control API has no ${method} ${path}`);
}

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

function responseOf({ id }: OpenExchange, { status, body }: ResponseData): ClientResponse {
  const text = typeof body === 'string' ? body : Buffer.concat(body.map((piece) => Buffer.from(piece))).toString();
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
