/** The connections of a server, and their orderly shutdown: every request that was sent gets a response. */

import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as ListeningSocket, type Socket } from 'node:net';
import { stopwatch } from '../../base/clock.ts';
import { AbortController, clearTimeout, nextTurn, setTimeout, sleep } from '../../base/real-globals.ts';
import { carrierOf, pendingOn, setPending, track } from './connection.ts';

interface Listeners {
  serve(req: IncomingMessage, res: ServerResponse): void;
  notServed(req: IncomingMessage): void;
}

interface StopTimes {
  /** How long an idle connection stays open, because its client may be about to send a request. */
  readonly idleMs: number;
  /** How long requests in flight may take. */
  readonly graceMs: number;
}

/** The interval of checks for idle connections. */
const LOOK_EVERY_MS = 25;
const MAX_TURNS = 1_000;
const SHORT_TURN_MS = 0.1;

export class Connections {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  /** TCP connections that have not agreed on TLS yet. */
  readonly #agreeing = new Set<Socket>();
  #accepted = 0;
  #isStopping = false;
  /** Responses that end their connection only because the server stops. */
  readonly #asked = new WeakSet<ServerResponse>();

  /** @param app handles each request, and is notified of those that get no response */
  constructor(server: Server, app: Listeners) {
    this.#server = server;
    // A client may half-close its connection before it reads the response: by default, Node would end the connection
    // then.
    Object.assign(server, { httpAllowHalfOpen: true });
    const isTls = 'setSecureContext' in server;
    const accept = (socket: Socket, into: Set<Socket>): void => {
      into.add(socket);
      if (into === this.#open) track(socket);
      socket.once('close', () => into.delete(socket));
    };
    server.on('connection', (socket: Socket) => {
      this.#accepted += 1;
      accept(socket, isTls ? this.#agreeing : this.#open);
    });
    server.on('timeout', (socket: Socket) => void closeIfIdle(socket));
    server.on('secureConnection', (socket: Socket) => {
      this.#agreeing.delete(carrierOf(socket));
      accept(socket, this.#open);
    });
    server.on('request', (req, res) => {
      const before = pendingOn(req.socket);
      setPending(req.socket, res);
      // A pending response ends the connection: this request would take effect without a response.
      if (before && !before.shouldKeepAlive && !this.#asked.has(before)) {
        res.shouldKeepAlive = false;
        app.notServed(req);
        return;
      }
      if (this.#isStopping) this.#askToClose(res, before);
      app.serve(req, res);
    });
  }

  /**
   * Stops the server. The listening socket closes first. From then on the last response of each connection contains
   * `Connection: close`. Idle connections close last, after a delay in which requests in transit still arrive; requests
   * in flight may finish until the grace period is over.
   */
  async stop({ idleMs, graceMs }: StopTimes): Promise<void> {
    await this.#takeWaiting();
    const closed = once(this.#server, 'close');
    // Only the listening socket: the HTTP server's own close would also end idle connections, and take longer, while the
    // system accepts connections that it then resets.
    // In Bun, no HTTP server is such a socket, and only its own close works.
    const isSocket: boolean = (this.#server as object) instanceof ListeningSocket;
    const { close }: ListeningSocket = isSocket ? ListeningSocket.prototype : this.#server;
    close.call(this.#server);
    // Not before: clients that are asked to disconnect connect again.
    this.#isStopping = true;
    for (const socket of this.#open) {
      const last = pendingOn(socket);
      if (last) this.#askToClose(last, undefined);
    }
    const over = new AbortController();
    const { signal } = over;
    const cut = setTimeout(() => this.#server.closeAllConnections(), graceMs);
    const look = async (): Promise<void> => {
      await sleep(idleMs, signal);
      for (;;) {
        await this.#closeIdle();
        await sleep(LOOK_EVERY_MS, signal);
      }
    };
    const looking = look().catch(() => undefined);
    await closed;
    clearTimeout(cut);
    over.abort();
    await looking;
    // Ends the interval that checks the timeouts of requests.
    this.#server.close();
  }

  /** The last response of a connection asks its client to close it; the one before no longer does, if its head was not sent. */
  #askToClose(last: ServerResponse, before: ServerResponse | undefined): void {
    if (before && !before.headersSent && this.#asked.has(before)) before.shouldKeepAlive = true;
    if (last.shouldKeepAlive) this.#asked.add(last);
    last.shouldKeepAlive = false;
  }

  /**
   * The system may have accepted connections whose requests have already arrived: closing now would reset them. They
   * are accepted until a turn of the event loop brings none and is too short for new ones to arrive.
   */
  async #takeWaiting(): Promise<void> {
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const before = this.#accepted;
      const began = stopwatch();
      await nextTurn();
      if (this.#accepted === before && stopwatch() - began < SHORT_TURN_MS) return;
    }
  }

  async #closeIdle(): Promise<void> {
    // This turn reads what has arrived: a connection with a started request is not idle any more.
    await nextTurn();
    for (const socket of this.#agreeing) socket.destroy();
    // Node treats the first request of a new connection as started.
    for (const socket of this.#open) if (socket.bytesRead === 0) socket.destroySoon();
    // Node considers a response sent once it is written, even if most of it is still buffered for a slow client: then
    // all idle connections stay open a little longer.
    if ([...this.#open].every(({ writableLength }) => writableLength === 0)) this.#server.closeIdleConnections();
  }
}

/**
 * Closes a connection that was idle for too long, unless a request has arrived that was not read yet: this process was
 * held up, by a debugger or a busy machine, and closing now would reset the connection under its client.
 */
async function closeIfIdle(socket: Socket): Promise<void> {
  const { bytesRead } = socket;
  // This turn reads what has arrived.
  await nextTurn();
  if (socket.bytesRead === bytesRead) socket.destroy();
}
