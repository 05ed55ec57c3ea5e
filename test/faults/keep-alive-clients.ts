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
  /** Statuses other than those of a request that succeeds. */
  readonly odd: number[];
}

const KEPT = 24;
const NEW_PER_SECOND = 8;
const HEAD_END = '\r\n\r\n';
/** How long a response may take before its request counts as lost. */
const PATIENCE_MS = limit(30_000);

/** One connection, one request at a time. */
class Connection {
  readonly #socket: Socket;
  #text = '';
  #wake: () => void = () => undefined;
  #asked = 0;
  #endedWith = '';

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (part) => {
      this.#text += part.toString('latin1');
      this.#wake();
    });
    for (const event of ['end', 'close', 'error']) {
      socket.on(event, () => {
        this.#endedWith += ` ${event}`;
        this.#wake();
      });
    }
    setTimeout(() => socket.destroy(), PATIENCE_MS).unref();
  }

  get isOver(): boolean {
    return this.#endedWith !== '';
  }

  /** Sends a request, reads its response and counts what came of it. */
  async request(request: string, seen: Seen): Promise<void> {
    this.#text = '';
    this.#asked += 1;
    this.#socket.write(request, 'latin1');
    while (!this.#isWhole() && !this.isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (!this.#isWhole()) {
      // Which request of its connection it was, what came of its response, and how the connection ended.
      seen.lost.push(`request ${this.#asked}, ${this.#text.length} bytes of its response, then${this.#endedWith}`);
      return;
    }
    seen.answered += 1;
    const status = Number(this.#text.split(' ')[1]);
    if (status >= 300) seen.odd.push(status);
    if (!/\r\nconnection: close/i.test(this.#text)) return;
    seen.toldToClose += 1;
    this.leave();
  }

  leave(): void {
    this.#endedWith += ' leave';
    this.#socket.destroy();
  }

  #isWhole(): boolean {
    const end = this.#text.indexOf(HEAD_END);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#text)?.[1] ?? 0);
    return end >= 0 && this.#text.length >= end + HEAD_END.length + length;
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

/** Clients that keep their connection, and new ones each second, until no connection is to be had; then `over` resolves. */
export function startLoad(url: string, requests: readonly string[]): { seen: Seen; over: Promise<unknown> } {
  const seen: Seen = { answered: 0, lost: [], toldToClose: 0, odd: [] };
  const keepSending = async (own: number): Promise<void> => {
    for (let connection = await dial(url); connection; connection = await dial(url)) {
      for (let i = own; !connection.isOver; i += 1) {
        await connection.request(requests[i % requests.length] as string, seen);
        // Each thinks for another time, so that at every moment some are sending and some are idle.
        if (!connection.isOver) await after((i * 7) % 40);
      }
    }
  };
  const arrive = async (): Promise<void> => {
    let connection = await dial(url);
    for (let i = 0; connection; i += 1) {
      await connection.request(requests[i % requests.length] as string, seen);
      connection.leave();
      await after(1000 / NEW_PER_SECOND);
      connection = await dial(url);
    }
  };
  return { seen, over: Promise.all([...Array.from({ length: KEPT }, (_, own) => keepSending(own)), arrive()]) };
}
