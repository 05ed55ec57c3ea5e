/**
 * Requests to which Node responds itself, before or instead of a request event: bad HTTP, oversized heads, request timeouts,
 * CONNECT. Each gets an Error body, and each is recorded, with its request line where the parser shows it, and with the
 * sandbox of its address. Keys are not read out of what is not HTTP.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, type ErrorCode, errorBody } from '../../base/api/errors.ts';
import { type Malformed, type MalformedCause, NOTHING_SENT } from '../../base/api/exchange.ts';
import type { Log } from '../../base/log.ts';
import { inOneSentence, MALFORMED, malformedFix } from '../../traffic/malformed.ts';
import type { Redact } from '../../traffic/redact.ts';
import { dropBytes, endGently, sayLast, stateOf } from './connection.ts';
import type { OpenExchange, Recorder, Request, Response } from './open-exchange.ts';
import { type RawRequest, readRaw, UNREAD } from './request-head.ts';
import { commonHeaders } from './response.ts';

/** What the rest of the server does for malformed requests. */
export interface MalformedRequests {
  /** Redacts secrets in error messages. */
  readonly redact: Redact;
  readonly recorder: Recorder;
  readonly log: Log;
  /** Begins the record of a request of which nothing but its beginning was read: with the sandbox of its address, if any. */
  beginRaw(raw: RawRequest): OpenExchange;
  /** Begins the record of a request whose headers were read: with the sandbox that they name, if any. */
  beginRead(req: IncomingMessage): Promise<OpenExchange>;
  /** Rejects a request that broke off within its body. */
  rejectMalformed(req: Request, res: Response, cause: MalformedCause, error: ApiError): void;
}

interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
  /** In the words of Node's parser. */
  readonly reason?: string;
}

/** Sends Error bodies where Node would respond itself. Nothing that comes behind such a request is read. */
export function respondToNodeErrors(server: Server, app: MalformedRequests): void {
  const lastResponse = (exchange: OpenExchange, problem: ParseProblem, headers: readonly string[] = []) => {
    const { code, message, status } = errorOf(exchange.request, problem);
    const body = errorBody(code, app.redact(message), status);
    return { text: rawResponse(exchange.id, status, body, headers), status, contentType: 'application/json', body };
  };

  /** Sends the last response of a connection. */
  const reject = (socket: Socket, exchange: OpenExchange, problem: ParseProblem, headers?: readonly string[]): void => {
    exchange.malformed = { cause: problem.cause, message: problem.message };
    const { text, ...response } = lastResponse(exchange, problem, headers);
    const isOpen = socket.writable;
    if (isOpen) sayLast(socket, text);
    app.recorder.close(exchange, isOpen ? response : NOTHING_SENT);
  };

  /** Records a request that gets no response. */
  const record = (raw: RawRequest, problem: ParseProblem): void => {
    const exchange = app.beginRaw(raw);
    exchange.malformed = { cause: problem.cause, message: problem.message };
    app.recorder.close(exchange, NOTHING_SENT);
  };

  /** The connection broke within the body of a request. */
  const failedInBody = (socket: Socket, res: Response, error: ParseError): void => {
    const req = res.req as Request;
    // Who serves the request sees that its client has left.
    if (!isOfParser(error)) socket.destroy();
    else if (res.headersSent || req.exchange.malformed) sayLast(socket, '');
    else {
      const isLeftUnread = error.code === TIMEOUT && req.readableFlowing !== true;
      const problem = isLeftUnread ? LEFT_UNREAD : problemOf(error);
      if (problem !== CUT_OFF) app.rejectMalformed(req, res, problem.cause, errorOf(req.exchange.request, problem));
      // It broke no rule: its exchange says that the client left, which may still read.
      else if (res.socket) endGently(socket, lastResponse(req.exchange, problem).text);
      else res.once('socket', () => endGently(socket, lastResponse(req.exchange, problem).text));
    }
  };

  /** The connection broke within the head of a request, or between two. */
  const failedInHead = (socket: Socket, before: ServerResponse | undefined, error: ParseError): void => {
    const { rawPacket, bytesParsed = 0 } = error;
    const raw = rawPacket ? readRaw(rawPacket, bytesParsed) : UNREAD;
    const isBehindLast = before?.shouldKeepAlive === false;
    if (socket.writable && !isBehindLast && isOfParser(error)) reject(socket, app.beginRaw(raw), problemOf(error));
    else {
      record(raw, isBehindLast ? CUT_OFF : problemOf(error));
      sayLast(socket, '');
    }
  };

  const failed = (error: ParseError, socket: Socket): void => {
    const state = stateOf(socket);
    // Before TLS is agreed on there is no way to say anything: not HTTPS, a client that rejects the certificate, or
    // one that takes too long.
    if (!state) {
      if (error.code === PLAIN) record(UNREAD, problemOf(error));
      socket.destroy();
      return;
    }
    if (state.isBroken) return;
    state.isBroken = true;
    dropBytes(socket);
    const { last, bytesRead } = state;
    if (last && !last.req.complete) failedInBody(socket, last as Response, error);
    else if (isBegun(socket, error, last === undefined, bytesRead)) failedInHead(socket, last, error);
    else socket.destroy();
  };

  server.on('clientError', (error: ParseError, socket: Socket) => {
    try {
      failed(error, socket);
    } catch (thrown) {
      // Whatever the bytes of a client lead to must not end the process.
      socket.destroy();
      app.log.error({ err: thrown }, 'a malformed request could not be answered');
      record(UNREAD, problemOf(error));
    }
  });
  // CONNECT asks for a tunnel, which is not supported; Node alone would close the connection.
  server.on('connect', async (req: IncomingMessage, socket: Socket) => {
    // Node no longer handles errors of this socket: without a listener, a reset by the client would end the process.
    socket.on('error', () => socket.destroy());
    dropBytes(socket);
    reject(socket, await app.beginRead(req), TUNNEL, ['Allow', 'GET, HEAD, POST, OPTIONS']);
  });
}

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';
const PLAIN = 'ERR_SSL_HTTP_REQUEST';

/**
 * Whether a request has begun: a connection on which nothing was sent times out, and one between two requests is reset. What
 * came with the request before it, and was reset, is not seen.
 * @param isIdle whether all requests had their responses
 * @param bytesRead those that had arrived by then
 */
const isBegun = (socket: Socket, { code, rawPacket }: ParseError, isIdle: boolean, bytesRead: number): boolean =>
  rawPacket !== undefined || (code === TIMEOUT ? socket.bytesRead > 0 : isIdle && socket.bytesRead > bytesRead);

/** Whether it is the request's fault; else the connection was lost. */
const isOfParser = ({ code = '' }: ParseError): boolean => code.startsWith('HPE_') || code === TIMEOUT;

/** What was wrong with a request, and the error code to answer it with. */
interface ParseProblem extends Malformed {
  readonly code: ErrorCode;
}

const problemWith = (cause: MalformedCause, code: ErrorCode, message = MALFORMED[cause][0]): ParseProblem => ({
  cause,
  code,
  message,
});

const CUT_OFF = problemWith('cut-off', 'invalid_request');
/** Not the fault of its client, so what it wanted to send is not known. */
const LEFT_UNREAD = problemWith(
  'cut-off',
  'request_timeout',
  'the server did not read the body in time, because other large ones came first',
);
const TUNNEL = problemWith('not-http', 'method_not_allowed', 'CONNECT asks for a tunnel, which is not possible here');
/** By Node's codes. Its parser has others: they are no HTTP. All else is an end of the connection. */
const PROBLEMS: Readonly<Record<string, ParseProblem>> = {
  HPE_HEADER_OVERFLOW: problemWith('too-large', 'headers_too_large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: problemWith('too-large', 'payload_too_large'),
  HPE_INVALID_EOF_STATE: CUT_OFF,
  HPE_CLOSED_CONNECTION: CUT_OFF,
  [TIMEOUT]: problemWith('too-slow', 'request_timeout'),
  [PLAIN]: problemWith('tls', 'invalid_request'),
};

/** The first byte of TLS: a handshake. */
const HANDSHAKE = 0x16;

function problemOf({ code = '', reason = '', rawPacket }: ParseError): ParseProblem {
  if (rawPacket?.[0] === HANDSHAKE) return problemWith('tls', 'invalid_request');
  const isOther = code.startsWith('HPE_') && !Object.hasOwn(PROBLEMS, code);
  if (isOther) return problemWith('not-http', 'invalid_request', `it is not HTTP/1.1 (RFC 9112): ${reason}`);
  return PROBLEMS[code] ?? CUT_OFF;
}

/** For the client: what was wrong, and what to send instead. */
const errorOf = ({ method, target }: RawRequest, { cause, code, message }: ParseProblem): ApiError =>
  new ApiError(code, inOneSentence(message, malformedFix(method, target, cause)));

function rawResponse(id: string, status: number, body: string, more: readonly string[] = []): string {
  const headers = [
    ...commonHeaders(id),
    'Content-Type',
    'application/json',
    'Content-Length',
    String(Buffer.byteLength(body)),
    ...more,
    'Connection',
    'close',
  ];
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
