/**
 * Requests to which Node responds itself, before or instead of a request event: bad HTTP, oversized heads, request timeouts,
 * CONNECT. Each gets an Error body, and each is recorded, with the sandbox of its key where that can be read.
 */

import type { IncomingMessage, Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERROR_STATUS, type ErrorCode, errorBody } from '../api/errors.ts';
import { type MalformedCause, NOTHING_SENT } from '../api/exchange.ts';
import { redactAllOf } from '../requests/credentials.ts';
import { inOneSentence, MALFORMED, malformedFix } from '../requests/malformed.ts';
import type { Redact } from '../requests/redact.ts';
import { DROPPED, isAgreeing, isRequestBegun, readRest, requestUnderWay, sayLast } from './connection.ts';
import { ownRedactOf, type Recorder, type Request, type RequestParts } from './open-exchange.ts';
import { type FailedRequest, type RawRequest, readRaw, UNREAD, UnparsedRequests } from './raw-request.ts';
import { commonHeaders } from './response.ts';

/** What the rest of the server does for malformed requests. */
export interface MalformedRequests {
  /** Redacts secrets in error messages. */
  readonly redact: Redact;
  readonly recorder: Recorder;
  /** Finds the sandbox of a request's key, if it has one. It never fails. */
  claim(req: RequestParts): Promise<void>;
}

interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** Sends Error bodies where Node would respond itself. */
export function respondToNodeErrors(server: Server, { redact, recorder, claim }: MalformedRequests): void {
  const rejected = new WeakSet<Socket>();
  const isBegun = (socket: Socket, { rawPacket, code }: ParseError): boolean =>
    socket.bytesRead > 0 && (rawPacket !== undefined || code === TIMEOUT || isRequestBegun(socket, server));

  const bodyOf = ({ exchange }: Request, code: ErrorCode, message: string): string =>
    errorBody(code, redactAllOf({ redact: ownRedactOf(exchange) }, redact)(message), ERROR_STATUS[code]);

  /** Sends the last response of a connection, if it can carry one. */
  const reject = (socket: Socket, raw: RawRequest, cause: MalformedCause, headers: readonly string[] = []): void => {
    const underWay = requestUnderWay(socket) as Request | undefined;
    // A client that leaves within a body broke no rule: its exchange says that it left.
    if (underWay?.exchange && cause === 'cut-off') {
      const status = ERROR_STATUS.invalid_request;
      const body = bodyOf(underWay, 'invalid_request', malformedMessage(raw, cause));
      sayLast(socket, rawResponse(underWay.exchange.id, status, body));
      return;
    }
    const req = underWay?.exchange ? underWay : recorder.beginRaw(raw);
    const { exchange } = req;
    exchange.malformed = { cause, message: MALFORMED[cause][0] };
    const code = CODES[cause] ?? 'invalid_request';
    const status = ERROR_STATUS[code];
    const body = bodyOf(req, code, malformedMessage(raw, cause));
    const respond = (): void => {
      const isOpen = socket.writable;
      if (isOpen) sayLast(socket, rawResponse(exchange.id, status, body, headers));
      recorder.close(exchange, isOpen ? { status, contentType: 'application/json', body } : NOTHING_SENT);
    };
    if (exchange.sandbox === undefined) void claim(req).then(respond);
    else respond();
  };

  const record = (raw: RawRequest, cause: MalformedCause): void => {
    const req = recorder.beginRaw(raw);
    req.exchange.malformed = { cause, message: MALFORMED[cause][0] };
    void claim(req).then(() => recorder.close(req.exchange, NOTHING_SENT));
  };

  /** A request on a connection that can carry HTTP. */
  const failed = (socket: Socket, raw: RawRequest, error: ParseError): void => {
    const cause = isLeftUnread(socket, error) ? 'server-busy' : parseCause(error, raw);
    if (socket.writable && cause !== 'not-served' && isOfParser(error)) {
      reject(socket, raw, cause);
      return;
    }
    // A response that ends the connection may still be in transit; the connection closes after it.
    if (requestUnderWay(socket) === undefined) record(raw, cause);
    if (socket.writable) sayLast(socket, '');
  };

  /** Records the requests that nobody reads. @param behind what has arrived of them */
  const recordBehind = (socket: Socket, behind: string): void => {
    const unparsed = new UnparsedRequests();
    const recordAll = (requests: readonly RawRequest[]): void => {
      for (const each of requests) record(each, 'not-read');
    };
    recordAll(unparsed.add(behind));
    socket.on(DROPPED, (bytes: Buffer) => recordAll(unparsed.add(bytes.toString('latin1'))));
    if (socket.destroyed) recordAll(unparsed.end());
    else socket.once('close', () => recordAll(unparsed.end()));
  };

  const respond = async (socket: Socket, error: ParseError): Promise<void> => {
    const { raw, behind } = await readFailed(socket, error);
    failed(socket, raw, error);
    recordBehind(socket, behind);
  };

  server.on('clientError', (error: ParseError, socket: Socket) => {
    // Everything after malformed bytes is malformed too, and each further chunk raises another error.
    if (rejected.has(socket)) return;
    rejected.add(socket);
    // Before TLS is agreed on there is no way to say anything: not HTTPS, a client that rejects the certificate, or
    // one that takes too long.
    if (isAgreeing(socket)) {
      if (error.code === PLAIN) record(UNREAD, 'plain');
      socket.destroy();
      return;
    }
    if (socket.writableFinished) socket.destroy();
    // A connection on which nothing was sent times out, and one between two requests is reset.
    if (!isBegun(socket, error)) {
      socket.destroy();
      return;
    }
    void respond(socket, error);
  });
  // CONNECT asks for a tunnel, which is not supported; Node alone would close the connection.
  server.on('connect', (req: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node no longer handles errors of this socket: without a listener, a reset by the client would end the process.
    socket.on('error', () => socket.destroy());
    const raw = { method: 'CONNECT', target: req.url ?? '', rawHeaders: req.rawHeaders };
    reject(socket, raw, 'connect', ['Allow', 'GET, HEAD, POST, OPTIONS']);
    recordBehind(socket, head.toString('latin1'));
  });
}

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';
const PLAIN = 'ERR_SSL_HTTP_REQUEST';

/** The request in which the parser failed. The rest of its head, with the key, may be in the next packet. */
async function readFailed(socket: Socket, { rawPacket, bytesParsed = 0 }: ParseError): Promise<FailedRequest> {
  if (!rawPacket) return { raw: UNREAD, behind: '', isWhole: true };
  const found = readRaw(rawPacket, bytesParsed);
  if (found.isWhole || requestUnderWay(socket) || !socket.readable) return found;
  const rest = await readRest(socket, (bytes) => readRaw(Buffer.concat([rawPacket, bytes]), bytesParsed).isWhole);
  return readRaw(Buffer.concat([rawPacket, rest]), bytesParsed);
}

/** Whether it is the request's fault; else the connection was lost. */
const isOfParser = ({ code = '' }: ParseError): boolean => code.startsWith('HPE_') || code === TIMEOUT;

/** Whether a request took too long because its body waited here: for memory, or for its turn. */
function isLeftUnread(socket: Socket, { code }: ParseError): boolean {
  const underWay = requestUnderWay(socket);
  return code === TIMEOUT && underWay !== undefined && underWay.readableFlowing !== true;
}

/** The error code of a cause that is not `invalid_request`. */
const CODES: Partial<Record<MalformedCause, ErrorCode>> = {
  'head-too-large': 'headers_too_large',
  'too-large-chunks': 'payload_too_large',
  timeout: 'request_timeout',
  'server-busy': 'request_timeout',
  connect: 'method_not_allowed',
};

/** By the codes of Node's parser; others are an end of the connection. */
const CAUSES: Readonly<Record<string, MalformedCause>> = {
  [TIMEOUT]: 'timeout',
  HPE_HEADER_OVERFLOW: 'head-too-large',
  HPE_INVALID_URL: 'target',
  HPE_INVALID_METHOD: 'method',
  HPE_INVALID_VERSION: 'version',
  HPE_PAUSED_H2_UPGRADE: 'http2',
  HPE_INVALID_HEADER_TOKEN: 'header',
  HPE_INVALID_CONTENT_LENGTH: 'framing',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'framing',
  HPE_INVALID_TRANSFER_ENCODING: 'framing',
  HPE_INVALID_CHUNK_SIZE: 'chunks',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too-large-chunks',
  HPE_INVALID_EOF_STATE: 'cut-off',
  HPE_CLOSED_CONNECTION: 'not-served',
};

/** The first byte of TLS: a handshake. */
const HANDSHAKE = 0x16;

function parseCause({ code = '', rawPacket }: ParseError, { target }: RawRequest): MalformedCause {
  if (code === 'HPE_INVALID_METHOD' && rawPacket?.[0] === HANDSHAKE) return 'tls';
  // The parser expected the version.
  if (code === 'HPE_INVALID_CONSTANT') return target.includes(' ') ? 'target' : 'version';
  return CAUSES[code] ?? (code.startsWith('HPE_') ? 'other' : 'cut-off');
}

/** For the client: what was wrong, and what to send instead. */
function malformedMessage({ method, target }: RawRequest, cause: MalformedCause): string {
  const text = inOneSentence(MALFORMED[cause][0], malformedFix(method, target, cause));
  return CODES[cause] === undefined ? `this is not HTTP/1.1 (RFC 9112) as far as it could be read: ${text}` : text;
}

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
