/** The connections of a server, and how they end when the server stops: no request that was sent goes unanswered. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as after, setImmediate as nextTurn } from 'node:timers/promises';
import { stopwatch } from '../clock.ts';
import { responseInLine } from './connection.ts';

export interface StopTimes {
  /** How long a connection that carries no request stays open, because its client may be about to send one. */
  readonly idleMs: number;
  /** How long requests that are under way may take. */
  readonly graceMs: number;
}

/** Between two looks at which connections have become idle. */
const LOOK_EVERY_MS = 25;
const MAX_TURNS = 1_000;
const SHORT_TURN_MS = 0.1;

export class Connections {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #accepted = 0;
  #isStopping = false;
  /** The last response in line, where a client sends requests without waiting for responses, or the server stops. */
  readonly #lastInLine = new WeakMap<Socket, ServerResponse>();
  /** Responses that end their connection only because the server stops. */
  readonly #asked = new WeakSet<ServerResponse>();

  /** @param serve takes each request */
  constructor(server: Server, serve: (req: IncomingMessage, res: ServerResponse) => void) {
    this.#server = server;
    // A client that has sent all it wants may say so before it reads the response: Node would end its connection then.
    Object.assign(server, { httpAllowHalfOpen: true });
    server.on('connection', (socket) => {
      this.#accepted += 1;
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
    server.on('request', (req, res) => {
      // A response has no socket while others are in line before it.
      if (res.socket === null && this.#isLeaving(req.socket)) return;
      if (res.socket === null || this.#isStopping) this.#putLast(req.socket, res);
      serve(req, res);
    });
  }

  /**
   * Stops the server. The listening socket closes first. From then on the last response of each connection says
   * `Connection: close`. Idle connections close last, after a time in which requests that are on their way still arrive;
   * what is under way may end until the grace is over.
   */
  async stop({ idleMs, graceMs }: StopTimes): Promise<void> {
    await this.#takeWaiting();
    const closed = once(this.#server, 'close');
    // Node's own close ends idle connections at once.
    this.#holding(() => this.#server.close());
    // Not before: clients that are asked to leave connect again.
    this.#isStopping = true;
    for (const socket of this.#open) {
      const first = responseInLine(socket);
      if (first) this.#putLast(socket, this.#unsent(socket) ?? first);
    }
    const over = new AbortController();
    const { signal } = over;
    const cut = setTimeout(() => this.#server.closeAllConnections(), graceMs);
    const look = async (): Promise<void> => {
      await after(idleMs, undefined, { signal });
      for (;;) {
        await this.#closeIdle();
        await after(LOOK_EVERY_MS, undefined, { signal });
      }
    };
    const looking = look().catch(() => undefined);
    await closed;
    clearTimeout(cut);
    over.abort();
    await looking;
  }

  /** Whether a response in line ends the connection: a request behind it would take effect without a response. */
  #isLeaving(socket: Socket): boolean {
    const last = this.#unsent(socket) ?? responseInLine(socket);
    return last !== undefined && !last.shouldKeepAlive && !this.#asked.has(last);
  }

  #putLast(socket: Socket, response: ServerResponse): void {
    if (this.#isStopping) {
      const before = this.#unsent(socket);
      if (before && this.#asked.has(before)) before.shouldKeepAlive = true;
      if (response.shouldKeepAlive) this.#asked.add(response);
      response.shouldKeepAlive = false;
    }
    this.#lastInLine.set(socket, response);
  }

  /** The last in line, if its head has not gone out. */
  #unsent(socket: Socket): ServerResponse | undefined {
    const last = this.#lastInLine.get(socket);
    return last === undefined || last.headersSent ? undefined : last;
  }

  /**
   * The system may have accepted connections whose requests are here already: closing now would reset them. They are taken
   * until a turn of the event loop brings none, and is so short that hardly any can have come meanwhile.
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
    // The turn reads what has arrived: a connection on which a request has begun is idle no more.
    await nextTurn();
    const idle = this.#holding(() => this.#server.closeIdleConnections());
    // Node waits for the first request of a new connection as if it had begun.
    for (const socket of this.#open) if (socket.bytesRead === 0) idle.push(socket);
    // Node takes a response for sent once it is written, however much of it still waits for the client.
    for (const socket of idle) if (!responseInLine(socket)) socket.destroySoon();
  }

  /** The connections that Node would close as idle. It tells by destroying them, so that is withheld for the moment. */
  #holding(closeIdle: () => unknown): Socket[] {
    const idle: Socket[] = [];
    for (const socket of this.#open) {
      socket.destroy = () => {
        idle.push(socket);
        return socket;
      };
    }
    closeIdle();
    for (const socket of this.#open) Reflect.deleteProperty(socket, 'destroy');
    return idle;
  }
}
