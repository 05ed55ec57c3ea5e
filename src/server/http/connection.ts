/** One connection: the response that is pending on it, and an orderly end that lets the client read all of them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from '../../base/real-globals.ts';

/** What is known of a connection that can carry HTTP. */
interface ConnectionState {
  /** The response to the newest request, until the request has arrived and the response was sent. */
  last: ServerResponse | undefined;
  /** The bytes that had arrived when it was sent. */
  bytesRead: number;
  /** Whether the bytes that arrive are no longer parsed. */
  isBroken: boolean;
}

const STATE = Symbol('the state of a connection');
type TrackedSocket = Socket & { [STATE]?: ConnectionState };

/** Begins to track a connection: one with HTTPS once TLS is agreed on. */
export function track(socket: TrackedSocket): void {
  socket[STATE] = { last: undefined, bytesRead: 0, isBroken: false };
}

/** `undefined` until TLS is agreed on, so that nothing can be sent. */
export const stateOf = (socket: TrackedSocket): ConnectionState | undefined => socket[STATE];

/** The response to the newest request of a connection; `undefined` if all were sent. */
export const pendingOn = (socket: TrackedSocket): ServerResponse | undefined => socket[STATE]?.last;

/** Call it when the headers of a request have arrived. */
export function setPending(socket: TrackedSocket, response: ServerResponse): void {
  const state = socket[STATE] as ConnectionState;
  state.last = response;
  response.on('finish', forget);
}

/** Forgets a response that was sent: an idle connection keeps no request in memory. */
function forget(this: ServerResponse): void {
  const { req } = this;
  const state = (req.socket as TrackedSocket)[STATE] as ConnectionState;
  if (state.last !== this || !req.complete) return;
  state.last = undefined;
  state.bytesRead = req.socket.bytesRead;
}

/** The TCP connection that carries a connection: itself, unless that is TLS. Node has no public name for it. */
export const carrierOf = (socket: Socket & { readonly _parent?: Socket | null }): Socket => socket._parent ?? socket;

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

/**
 * Sends a last response on a connection whose bytes cannot be parsed any further, behind the responses to previous requests,
 * and ends it.
 * @param text a complete response, or nothing
 */
export function sayLast(socket: Socket, text: string): void {
  const pending = pendingOn(socket);
  if (pending && !pending.writableFinished) pending.once('close', () => endGently(socket, text));
  else endGently(socket, text);
}

/** How long a client may continue to send unread data before its connection is cut. */
const LINGER_MS = 1_000;

/**
 * Ends a connection on which the client may still be sending. Incoming bytes are dropped: closing a socket with unread
 * bytes resets the connection, and the client loses the response that it was about to read (RFC 9112, section 9.6).
 */
export function endGently(socket: Socket, text = ''): void {
  dropBytes(socket);
  if (!socket.writable) return;
  if (text === '') socket.end();
  else socket.end(text);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}

/** Ends a connection gently when its response closes it: its request is incomplete. */
export function readOn(socket: Socket): void {
  socket.destroySoon = () => endGently(socket);
}

/** Parses nothing more of a connection: Node's parser detaches when the socket gets another reader. */
export function dropBytes(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
  socket.resume();
}
