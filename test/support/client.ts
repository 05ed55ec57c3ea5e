/** Talks to a server as a client would; every response is held to what must be true of all of them. */
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { checkResponse } from './sound.ts';

export interface TestRequest {
  readonly method?: string;
  /** Sent as it is: no dot segment or percent-encoding is touched. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders | readonly string[];
  /** Sent with its length; in chunks where there are several. */
  readonly body?: string | Buffer | readonly (string | Buffer)[];
  /** Whom to trust, for a server with HTTPS; the connection is for this request alone. */
  readonly ca?: string;
}

export class Reply {
  constructor(
    readonly status: number,
    readonly headers: IncomingHttpHeaders,
    readonly rawHeaders: readonly string[],
    readonly text: string,
  ) {}

  /** The body as plain JSON; integers beyond 53 bits lose digits here, see `text`. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads out of it, it also checks
  get json(): any {
    return JSON.parse(this.text);
  }

  /** The id that the request has in the request log. */
  get requestId(): string {
    return String(this.headers['sandbox-request-id']);
  }
}

/** Connections are kept within a file: a test sends thousands of requests. `test/_setup.ts` ends them. */
export const agent = new Agent({ keepAlive: true, maxSockets: 50 });

/** Sends one request, without looking at the response. `base` is `http://127.0.0.1:4020`. */
export function send(base: string, { method = 'GET', path, headers = {}, body, ca }: TestRequest): Promise<Reply> {
  const chunks = body === undefined ? [] : Array.isArray(body) ? body : undefined;
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const options = { hostname, port, method, path, headers: withLength(headers, body) };
    const req = ca ? requestSecurely({ ...options, ca, agent: false }) : request({ ...options, agent });
    req.on('response', (res) => {
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part));
      res.on('error', reject);
      res.on('end', () => {
        resolve(new Reply(res.statusCode ?? 0, res.headers, res.rawHeaders, Buffer.concat(parts).toString('utf8')));
      });
    });
    req.on('error', reject);
    for (const chunk of chunks ?? []) req.write(chunk);
    req.end(chunks === undefined ? body : undefined);
  });
}

/** Node leaves the length out, and chunks too, for methods that have no body as a rule. */
function withLength(
  headers: Required<TestRequest>['headers'],
  body: TestRequest['body'],
): OutgoingHttpHeaders | readonly string[] {
  if (body === undefined || Array.isArray(headers)) return headers;
  if (Array.isArray(body)) return { 'Transfer-Encoding': 'chunked', ...headers };
  return { 'Content-Length': Buffer.byteLength(body as string), ...headers };
}

export class Client {
  readonly url: string;
  readonly key: string | undefined;

  constructor(url: string, key?: string) {
    this.url = url;
    this.key = key;
  }

  /** Sends a request with the key, unless `Authorization` is among its headers already. */
  async send(ask: TestRequest): Promise<Reply> {
    const headers = this.#withKey(ask.headers ?? {});
    const reply = await send(this.url, { ...ask, headers });
    checkResponse(ask, reply, this.key);
    return reply;
  }

  get(path: string, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    return this.send({ path, headers });
  }

  importRecording(file: string, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    const type = { 'Content-Type': 'application/jsonl' };
    return this.send({ method: 'POST', path: '/_sandbox/import', headers: { ...type, ...headers }, body: file });
  }

  /** Sends a JSON body: a text as it is, anything else as JSON. */
  sendJson(method: string, path: string, body: unknown, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    if (body === undefined) return this.send({ method, path, headers });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send({ method, path, body: text, headers: { 'Content-Type': 'application/json', ...headers } });
  }

  /** Posts a JSON body: see `sendJson`. */
  post(path: string, body?: unknown, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    return this.sendJson('POST', path, body, headers);
  }

  /** Puts one. */
  put(path: string, body: unknown): Promise<Reply> {
    return this.sendJson('PUT', path, body);
  }

  delete(path: string, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    return this.send({ method: 'DELETE', path, headers });
  }

  /** Gets so many times, fifty at once. @param pathOf the path of a number */
  async getMany(count: number, pathOf: (n: number) => string): Promise<Reply[]> {
    const replies: Reply[] = [];
    for (let sent = 0; sent < count; sent = replies.length) {
      const some = Array.from({ length: Math.min(50, count - sent) }, (_, n) => this.get(pathOf(sent + n)));
      replies.push(...(await Promise.all(some)));
    }
    return replies;
  }

  #withKey(headers: Required<TestRequest>['headers']): Required<TestRequest>['headers'] {
    if (this.key === undefined) return headers;
    const authorization = `Bearer ${this.key}`;
    if (Array.isArray(headers)) {
      return headers.some((each) => /^authorization$/i.test(each))
        ? headers
        : [...headers, 'Authorization', authorization];
    }
    const named = Object.keys(headers).some((name) => /^authorization$/i.test(name));
    return named ? headers : { ...headers, Authorization: authorization };
  }
}
