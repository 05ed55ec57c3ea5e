/** Clients that go on sending while a server stops, and count what they sent without getting a response. */
import { connect, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { limit } from '../support/slow.ts';

/** What clients saw. A connection that was rejected carried no request, so nothing of it can be lost. */
export interface Seen {
  answered: number;
  /** Requests whose bytes went out on a connection and that got no whole response. */
  readonly lost: string[];
  /** Responses that ask the client to leave. */
  toldToClose: number;
  rejected: number;
  /** Statuses other than those of a request that succeeds. */
  readonly odd: number[];
}

const HEAD_END = '\r\n\r\n';
/** How long a response may take before its request counts as lost. */
const PATIENCE_MS = limit(10_000);

/** One connection, one request at a time. */
class Connection {
  readonly #socket: Socket;
  #text = '';
  #wake: () => void = () => undefined;
  #asked = 0;
  #endedWith = '';
  isOver = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (part) => {
      this.#text += part.toString('latin1');
      this.#wake();
    });
    for (const event of ['end', 'close', 'error']) {
      socket.on(event, () => {
        this.isOver = true;
        this.#endedWith += ` ${event}`;
        this.#wake();
      });
    }
    setTimeout(() => socket.destroy(), PATIENCE_MS * 3).unref();
  }

  /** Sends a request and reads its response; `undefined` when the connection ended before it was whole. */
  async request(request: string): Promise<{ status: number; closes: boolean } | undefined> {
    this.#text = '';
    this.#asked += 1;
    this.#socket.write(request, 'latin1');
    for (;;) {
      const whole = this.#whole();
      if (whole) return whole;
      if (this.isOver) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** For a request that was lost: which one of its connection, what came of its response, how the connection ended. */
  get described(): string {
    return `request ${this.#asked}, ${this.#text.length} bytes of its response, then${this.#endedWith}`;
  }

  leave(): void {
    this.#socket.destroy();
  }

  #whole(): { status: number; closes: boolean } | undefined {
    const end = this.#text.indexOf(HEAD_END);
    if (end < 0) return undefined;
    const head = this.#text.slice(0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#text.length < end + HEAD_END.length + length) return undefined;
    return { status: Number(head.split(' ')[1]), closes: /\r\nconnection: close/i.test(head) };
  }
}

/** A connection; `undefined` when the server takes none. */
function dial(url: string): Promise<Connection | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => resolve(new Connection(socket)));
    socket.once('error', () => resolve(undefined));
  });
}

export interface Load {
  readonly seen: Seen;
  /** Resolves when every client has left. */
  readonly over: Promise<unknown>;
}

/** Clients that keep their connection, and so many new connections a second, until no connection is to be had. */
export function startLoad(url: string, requests: readonly string[], { kept = 24, newPerSecond = 8 } = {}): Load {
  const seen: Seen = { answered: 0, lost: [], toldToClose: 0, rejected: 0, odd: [] };
  const over = Promise.all([
    ...Array.from({ length: kept }, (_, i) => keepSending(url, requests, i, seen)),
    arrive(url, requests, newPerSecond, seen),
  ]);
  return { seen, over };
}

async function keepSending(url: string, requests: readonly string[], own: number, seen: Seen): Promise<void> {
  for (;;) {
    const connection = await dial(url);
    if (!connection) {
      seen.rejected += 1;
      return;
    }
    for (let i = own; !connection.isOver; i += 1) {
      if (!(await sendOne(connection, requests[i % requests.length] as string, seen))) break;
      // Each thinks for another time, so that at every moment some are sending and some are idle.
      await after((i * 7) % 40);
    }
    connection.leave();
  }
}

async function arrive(url: string, requests: readonly string[], perSecond: number, seen: Seen): Promise<void> {
  for (let i = 0; ; i += 1) {
    const connection = await dial(url);
    if (!connection) {
      seen.rejected += 1;
      return;
    }
    await sendOne(connection, requests[i % requests.length] as string, seen);
    connection.leave();
    await after(1000 / perSecond);
  }
}

/** Whether the connection may carry another request. */
async function sendOne(connection: Connection, request: string, seen: Seen): Promise<boolean> {
  const response = await connection.request(request);
  if (!response) {
    seen.lost.push(connection.described);
    return false;
  }
  seen.answered += 1;
  if (response.status >= 300) seen.odd.push(response.status);
  if (response.closes) seen.toldToClose += 1;
  return !response.closes;
}
