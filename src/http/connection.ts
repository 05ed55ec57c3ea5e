/** One connection: its pending responses, and an orderly end that lets the client read all of them. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clearTimeout, setImmediate, setTimeout } from '../core/real-globals.ts';

/**
 * Node's private state of a connection, which its own `closeIdleConnections` reads too. Tracking the same state again
 * would cost time on every request, for the rare connections that break.
 */
interface HttpSocket extends Socket {
  /** Of a TLS connection: the TCP connection below it. */
  readonly _parent?: Socket | null;
  /** Until TLS is agreed on. */
  readonly secureConnecting?: boolean;
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: { readonly incoming?: IncomingMessage | null; getCurrentBuffer?(): Buffer | undefined } | null;
}

/** The response that a connection is sending or will send next; `undefined` if all were passed to the system. */
export const responseInLine = (socket: Socket): ServerResponse | undefined =>
  (socket as HttpSocket)._httpMessage ?? undefined;

/** The TCP connection that carries a connection: itself, unless that is TLS. */
export const carrierOf = (socket: Socket): Socket => (socket as HttpSocket)._parent ?? socket;

/** Whether a TLS connection has not been agreed on yet, so that nothing can be sent. */
export const isAgreeing = (socket: Socket): boolean => (socket as HttpSocket).secureConnecting === true;

/** The request whose headers have arrived on this connection, and whose body has not. */
export function requestUnderWay(socket: Socket): IncomingMessage | undefined {
  const incoming = (socket as HttpSocket).parser?.incoming;
  return incoming?.complete === false ? incoming : undefined;
}

/** Calls back when the rest of a request has arrived, or its connection has ended: Node says the second of no answered request. */
export function whenOver(req: IncomingMessage, over: () => void): void {
  const end = (): void => {
    req.off('close', end);
    req.socket.off('close', end);
    over();
  };
  req.on('close', end);
  req.socket.on('close', end);
}

/** The packet that the parser reads while a request is announced. */
export const packetOf = (socket: Socket): Buffer | undefined => (socket as HttpSocket).parser?.getCurrentBuffer?.();

/** Whether the first byte of a request has arrived on this connection, and not its last. */
export function isRequestBegun(socket: Socket, server: Server): boolean {
  const list = Object.getOwnPropertySymbols(server).find(({ description }) => description === LIST);
  const connections = list && (server as unknown as Record<symbol, { active(): readonly unknown[] }>)[list];
  return connections?.active().includes((socket as HttpSocket).parser) ?? false;
}

/** Where Node keeps the connections of a server, for its timeouts. */
const LIST = 'http.server.connections';

/**
 * Sends a last response on a connection whose bytes cannot be parsed any further, and ends it. The responses to
 * previous requests are sent first. If the broken request itself has been responded to already, nothing more is sent.
 * @param text a complete response
 */
export function sayLast(socket: Socket, text: string): void {
  const response = responseInLine(socket);
  if (response === undefined) {
    if (socket.writable) endGently(socket, requestUnderWay(socket) ? '' : text);
    return;
  }
  if (response.headersSent || response.req.complete) {
    response.once('close', () => sayLast(socket, text));
    return;
  }
  // It is the response to the broken request. The request's handler finds the response closed, and sends none.
  response.detachSocket(socket);
  response.destroy();
  socket.once('close', () => response.emit('close'));
  endGently(socket, text);
}

/** How long a client may continue to send unread data before its connection is cut. */
const LINGER_MS = 1_000;

/**
 * Ends a connection on which the client may still be sending. Incoming bytes are dropped: closing a socket with unread
 * bytes resets the connection, and the client loses the response that it was about to read (RFC 9112, section 9.6).
 */
function endGently(socket: Socket, text = ''): void {
  // No more requests are accepted.
  readAlone(socket, (bytes) => socket.emit(DROPPED, bytes));
  if (text === '') socket.end();
  else socket.end(text);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}

/** Ends a connection gently when its response closes it: its request is incomplete. */
export function readOn(socket: Socket): void {
  socket.destroySoon = () => endGently(socket);
}

/** Emitted by a connection that is ending, with each packet that is not parsed any more. */
export const DROPPED = 'droppedBytes';

/** How long the rest of a head may take whose beginning is malformed. */
const REST_MS = 200;

/**
 * Reads on where the parser has failed, until what arrived is enough, the client sends no more, or a moment is over.
 * @param isEnough is given all that arrived
 */
export function readRest(socket: Socket, isEnough: (bytes: Buffer) => boolean): Promise<Buffer> {
  return new Promise((resolve) => {
    let rest: Buffer = Buffer.alloc(0);
    const end = (): void => {
      clearTimeout(late);
      socket.off('end', end).off('close', end);
      readAlone(socket, (bytes) => socket.emit(DROPPED, bytes));
      resolve(rest);
    };
    // What arrived while the server was at other work is read before that.
    const late = setTimeout(() => setImmediate(end), REST_MS);
    socket.once('end', end).once('close', end);
    readAlone(socket, (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      if (isEnough(rest)) end();
    });
  });
}

/** Replaces the reader of a connection: Node's parser detaches when the socket gets another one. */
function readAlone(socket: Socket, read: (bytes: Buffer) => void): void {
  socket.removeAllListeners('data');
  socket.on('data', read);
  socket.resume();
}
