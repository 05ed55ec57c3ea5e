/**
 * Error bodies for the responses that Node sends itself, before or instead of a request event: bad HTTP, oversized
 * heads, request timeouts, unsupported expectations.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERROR_STATUS, type ErrorCode, errorBody } from '../api/errors.ts';
import { isAgreeing, sayLast } from './connection.ts';
import { commonHeaders } from './response.ts';

/** Sends Error bodies where Node would respond itself. @param newId generates the id of each response */
export function respondToNodeErrors(server: Server, newId: () => string): void {
  const rejected = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Everything after malformed bytes is malformed too, and each further chunk raises another error.
    if (rejected.has(socket)) return;
    // Before TLS is agreed on there is no way to say anything: not HTTPS, a client that rejects the certificate, or
    // one that takes too long.
    if (isAgreeing(socket)) {
      socket.destroy();
      return;
    }
    if (socket.writableFinished) socket.destroy();
    // A response that ends the connection may still be in transit; the connection closes after it.
    if (!socket.writable) return;
    rejected.add(socket);
    sayLast(socket, rawResponse(newId(), ...whatWentWrong(error)));
  });
  server.on('checkExpectation', (_req: IncomingMessage, res: ServerResponse) => {
    const code = 'expectation_failed';
    const body = errorBody(code, 'the only expectation met here is 100-continue; leave Expect out', ERROR_STATUS[code]);
    res.writeHead(ERROR_STATUS[code], headersOf(newId(), body));
    res.end(body);
  });
  // CONNECT asks for a tunnel, which is not supported; Node alone would close the connection.
  server.on('connect', (_req: IncomingMessage, socket: Socket) => {
    // Node no longer handles errors of this socket: without a listener, a reset by the client would end the process.
    socket.on('error', () => socket.destroy());
    const allow = ['Allow', 'GET, HEAD, POST, OPTIONS'];
    sayLast(socket, rawResponse(newId(), 'method_not_allowed', 'CONNECT is not possible here', allow));
  });
}

function whatWentWrong({ code }: NodeJS.ErrnoException): [ErrorCode, string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['headers_too_large', 'the head of the request is over 16 KiB; send fewer or shorter headers'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return ['request_timeout', 'the request did not arrive whole in time; send it faster'];
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return ['payload_too_large', 'the chunk extensions are over 16 KiB; leave them out'];
  return ['invalid_request', 'this is not HTTP/1.1 (RFC 9112) as far as it could be read'];
}

function rawResponse(id: string, code: ErrorCode, message: string, more: readonly string[] = []): string {
  const status = ERROR_STATUS[code];
  const body = errorBody(code, message, status);
  const headers = [...headersOf(id, body), ...more, 'Connection', 'close'];
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

const headersOf = (id: string, body: string): string[] => [
  ...commonHeaders(id),
  'Content-Type',
  'application/json',
  'Content-Length',
  String(Buffer.byteLength(body)),
];
