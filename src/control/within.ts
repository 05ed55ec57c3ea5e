/** Calls the control API within the process, as a part of another request: with the same checks, limits and responses. */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Request } from 'express';
import { type Described, describedControls } from '../api/control-operations.ts';
import type { ClientOptions } from '../client/client.ts';
import { type ErrorOptions, responseToError } from '../http/errors.ts';
import type { ResponseData } from '../http/response.ts';

/** Each operation with a pattern for its path. */
const ROUTES = describedControls.map((described) => ({
  described,
  pattern: new RegExp(`^${described.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}));

/**
 * A function for a client to use in place of `fetch`.
 * @param outer the request that the calls are a part of
 * @param call runs an operation; no operation may write its response by itself
 */
export const sendWithin =
  (
    outer: Request,
    options: ErrorOptions,
    call: (described: Described, part: Request) => Promise<ResponseData | undefined>,
  ): NonNullable<ClientOptions['fetch']> =>
  async (url, { method, headers, body }) => {
    const target = url.slice(url.indexOf('/_sandbox'));
    const path = target.slice('/_sandbox'.length).split('?', 1)[0] || '/';
    const found = ROUTES.flatMap(({ described, pattern }) => {
      const params = described.method === method.toLowerCase() ? pattern.exec(path) : null;
      return params ? [{ described, params: params.groups ?? {} }] : [];
    })[0];
    if (!found) throw new Error(`the control API has no ${method} ${path}`);
    const part = partOf(outer, { method, target, headers, body });
    part.params = Object.fromEntries(
      Object.entries(found.params).map(([name, text]) => [name, decodeURIComponent(text)]),
    );
    const { exchange } = part;
    try {
      return responseTo(outer, (await call(found.described, part)) as ResponseData);
    } catch (error) {
      return responseTo(outer, responseToError(error, part, options));
    } finally {
      if (exchange.hold !== outer.exchange.hold) exchange.room.leave(exchange);
    }
  };

/** A request as Node would have made it of what a client sent. */
function partOf(
  { headers: { host }, exchange }: Request,
  {
    method,
    target,
    headers,
    body = '',
  }: { method: string; target: string; headers: Readonly<Record<string, string>>; body: string | undefined },
): Request {
  // Not the socket of the outer request, which must stay open whatever happens to this one.
  const part = new IncomingMessage(new Socket());
  const all = { host, ...headers, 'content-length': String(Buffer.byteLength(body)) };
  part.method = method;
  part.url = target;
  part.complete = true;
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined) continue;
    part.headers[name.toLowerCase()] = value;
    part.rawHeaders.push(name, value);
  }
  part.push(body);
  part.push(null);
  return Object.assign(part as Request, { exchange: exchange.part(method, target) });
}

function responseTo({ exchange }: Request, { status, body, contentType = 'application/json' }: ResponseData): Response {
  const text = typeof body === 'string' ? body : Buffer.concat(body.map((piece) => Buffer.from(piece))).toString();
  const headers = { 'Content-Type': contentType, 'Sandbox-Request-Id': exchange.id };
  return new Response(status === 204 ? null : text, { status, headers });
}
