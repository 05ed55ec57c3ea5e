/** Sends raw requests, and holds what comes back to what must be true of it. */
import { expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { checkResponse } from '../support/sound.ts';
import { dial, readReplies } from '../support/wire.ts';

const TIMEOUTS = { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50 };
/** Far beyond the patience of the server: what takes longer was not answered. */
const WAIT_MS = limit(15_000);
const AT_ONCE = 20;

export const CLOSE = 'Connection: close\r\n';
export const BODY = '{"name":"Rex","categoryId":1}';

/** A server, a sandbox on it, and requests that would succeed. */
export class RawTarget {
  readonly server: TestServer;
  readonly client: Client;
  /** `Host` and the key. */
  readonly head: string;

  constructor(server: TestServer, client: Client) {
    this.server = server;
    this.client = client;
    this.head = `Host: localhost\r\nAuthorization: Bearer ${client.key}\r\n`;
  }

  static async start(): Promise<RawTarget> {
    const server = await startTestServer({ timeouts: TIMEOUTS });
    return new RawTarget(server, await server.sandbox());
  }

  get(target = '/v1/pets/1', more = ''): string {
    return `GET ${target} HTTP/1.1\r\n${this.head}${more}\r\n`;
  }

  /** @param framing the headers that say where the body ends */
  post(framing = `Content-Length: ${BODY.length}\r\n`, body = BODY): string {
    return `POST /v1/pets HTTP/1.1\r\n${this.head}Content-Type: application/json\r\n${framing}\r\n${body}`;
  }

  /** Sends bytes and reads to the end of the connection. @throws when it does not end, or a response is unsound */
  async statusesOf(bytes: string, { half = false } = {}): Promise<number[]> {
    const socket = await dial(this.server.url);
    const reading = readReplies(socket);
    if (half) socket.end(bytes, 'latin1');
    else socket.write(bytes, 'latin1');
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      socket.destroy();
    }, WAIT_MS);
    const replies = await reading;
    clearTimeout(late);
    if (isLate) throw new Error(`never ended: ${JSON.stringify(bytes.slice(0, 300))}`);
    const method = bytes.startsWith('HEAD') ? 'HEAD' : 'GET';
    for (const reply of replies) {
      const length = reply.headers['content-length'];
      if (length !== undefined && method === 'GET' && Buffer.byteLength(reply.text) !== Number(length))
        throw new Error(`a response is cut off: ${JSON.stringify(bytes.slice(0, 300))}`);
      checkResponse({ path: '', method }, reply, this.client.key);
    }
    return replies.map(({ status }) => status);
  }

  /** What each of these gets, some at a time. */
  async statusesOfAll(all: readonly string[], options?: { half?: boolean }): Promise<number[][]> {
    const statuses: number[][] = [];
    for (let i = 0; i < all.length; i += AT_ONCE)
      statuses.push(...(await Promise.all(all.slice(i, i + AT_ONCE).map((bytes) => this.statusesOf(bytes, options)))));
    return statuses;
  }

  /** Each gets one rejection, and no failure of the server's. */
  async expectRejected(all: readonly string[]): Promise<void> {
    const statuses = await this.statusesOfAll(all);
    const wrong = all.flatMap((bytes, i) => {
      const [status = 0, ...more] = statuses[i] as number[];
      return status >= 400 && status !== 500 && more.length === 0 ? [] : [[bytes.slice(0, 200), statuses[i]]];
    });
    expect(wrong).toEqual([]);
  }

  /** The server serves, validated all it should, and logged no error. */
  async expectWell(): Promise<void> {
    const health = await this.client.get('/_sandbox/health');
    expect(health.json.validator).toMatchObject({ validationFailures: 0, disagreements: 0, brokenResponses: 0 });
    expect(this.server.lines.filter(({ level }) => level === 'error')).toEqual([]);
  }
}
