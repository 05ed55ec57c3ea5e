/** One connection: which of its responses come next, and how it ends so that its client reads all of them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * What Node notes on a connection, under no public name; its own `closeIdleConnections` reads it too. To note the same a
 * second time would cost every request something, for the sake of connections that break.
 */
interface HttpSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
}

/** The response that a connection is to send, or is sending; `undefined` when all have been handed to the system. */
export const responseInLine = (socket: Socket): ServerResponse | undefined =>
  (socket as HttpSocket)._httpMessage ?? undefined;

/** Whether a request has begun on this connection and its body is not there yet. */
const isRequestOpen = (socket: Socket): boolean => (socket as HttpSocket).parser?.incoming?.complete === false;

/**
 * Says a last thing on a connection whose bytes cannot be read any further, and ends it. The responses to the requests
 * before go out first. A request that is itself the broken one and has been answered already gets nothing more.
 *
 * @param text a whole response
 */
export function sayLast(socket: Socket, text: string): void {
  const response = responseInLine(socket);
  if (response === undefined) {
    if (socket.writable) endGently(socket, isRequestOpen(socket) ? '' : text);
    return;
  }
  if (response.headersSent || response.req.complete) {
    response.once('close', () => sayLast(socket, text));
    return;
  }
  // It is the response to the broken request. Its handler sees that the response is closed, and sends none.
  response.detachSocket(socket);
  response.destroy();
  socket.once('close', () => response.emit('close'));
  endGently(socket, text);
}

/** How long a client may go on sending what nobody reads, before its connection is cut. */
const LINGER_MS = 1_000;

/**
 * Ends a connection on which the client may still be sending. What comes is dropped: a socket that is closed with unread
 * bytes resets the connection, and the client loses the response that it was about to read (RFC 9112, section 9.6).
 */
export function endGently(socket: Socket, text = ''): void {
  // No request is taken any more. Node's parser lets go of the bytes once somebody else wants them.
  socket.removeAllListeners('data');
  socket.on('data', drop);
  socket.resume();
  if (text === '') socket.end();
  else socket.end(text);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}

/** Has a connection end gently when its response says that it closes: its request has not arrived whole. */
export function readOn(socket: Socket): void {
  socket.destroySoon = () => endGently(socket);
}

function drop(): void {
  // On purpose.
}
