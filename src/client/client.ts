/**
 * The typed client of the controls: one implementation for the command line, the dashboard and tests. It runs on
 * `fetch` alone, in Node and in the browser. A call is named as the document names it: `ask('POST /clock/advance', …)`.
 * (openapi-fetch has such calls too, but reads numbers with `JSON.parse`, which rounds an int64.)
 */
import { ClientError, errorOf } from './errors.ts';
import { type ControlEvent, readEvents } from './events.ts';
import { readJson, writeJson } from './json.ts';
import type { Answer, Ask, Parts, Route } from './routes.ts';

export interface ClientOptions {
  /**
   * The server's address, `http://127.0.0.1:4020`; the address of its interface, which ends in `/v1`, does as well.
   * Empty in a page that comes from the server itself.
   */
  readonly url: string;
  /** A key, which opens its own sandbox, or the admin token. Some calls need none. */
  readonly credential?: string | undefined;
  /** With the admin token: the sandbox that every call acts on, but those that concern the whole server. */
  readonly sandbox?: string | undefined;
  /** Milliseconds that one answer may take; by default as long as it likes. Streams of events are not bound by it. */
  readonly timeoutMs?: number | undefined;
}

/** The paths whose operations act on no sandbox, and refuse to be told of one; held in step with the document by a test. */
export const OF_THE_SERVER: ReadonlySet<string> = new Set([
  '/health',
  '/sandboxes',
  '/metrics',
  '/fixtures',
  '/openapi.yaml',
  '/openapi.json',
  '/controls.yaml',
  '/docs',
]);

export class ControlsClient {
  /** Without a slash at its end, and without `/v1`. */
  readonly url: string;
  readonly #options: ClientOptions;

  /** @throws {TypeError} for a key that cannot be one */
  constructor(options: ClientOptions) {
    this.url = options.url.replace(/\/+$/, '').replace(/\/v1$/, '');
    this.#options = options;
    // As a header it would fail with an error that repeats it.
    if (!/^[\x21-\x7e]*$/.test(options.credential ?? ''))
      throw new TypeError('this key has characters that no key has');
  }

  /** A client of the same server with another key. */
  as(credential: string): ControlsClient {
    return new ControlsClient({ ...this.#options, credential, sandbox: undefined });
  }

  /** Base address of the interface. */
  get interfaceUrl(): string {
    return `${this.url}/v1`;
  }

  /**
   * Calls an operation of the controls and returns the JSON of its answer, `undefined` for a 204. Integers that are
   * int64 in the document are `bigint`, going and coming.
   *
   * @throws {ClientError} for an error answer, or none at all
   */
  async ask<R extends Route>(route: R, ...[ask]: Ask<R>): Promise<Answer<R>> {
    const response = await this.#send(route, ask, { timed: true });
    const text = await textOf(response);
    if (response.status === 204) return undefined as Answer<R>;
    try {
      return readJson(text) as Answer<R>;
    } catch (cause) {
      throw ClientError.unexpected(response, 'its answer is no JSON', cause);
    }
  }

  /** As `ask`, for answers that are no JSON or are passed on as they are. @throws {ClientError} */
  async text<R extends Route>(route: R, ...[ask]: Ask<R>): Promise<string> {
    return await textOf(await this.#send(route, ask, { timed: true }));
  }

  /**
   * What happens in the sandbox, as it happens: until the server ends the stream, the loop is left, or `signal` aborts.
   * To go on after an end, ask again with the `id` that came last: what was missed comes first then.
   *
   * @param onOpen called once the stream stands: what happens from then on will come
   * @throws {ClientError} for an error answer, or when the connection breaks
   */
  async *events({
    lastEventId,
    signal,
    onOpen,
  }: {
    lastEventId?: string | undefined;
    signal?: AbortSignal | undefined;
    onOpen?: (() => void) | undefined;
  } = {}): AsyncGenerator<ControlEvent, void, undefined> {
    const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
    const response = await this.#send('GET /events', { headers, signal }, { timed: false });
    if (!response.body) throw ClientError.unexpected(response, 'it sends no events');
    onOpen?.();
    try {
      yield* readEvents(response.body);
    } catch (cause) {
      if (!signal?.aborted) throw ClientError.notReached(this.url, cause);
    }
  }

  /** @returns an answer of status 200 to 299 */
  async #send(route: string, parts: Parts = {}, { timed }: { timed: boolean }): Promise<Response> {
    const { credential, timeoutMs } = this.#options;
    const [method, path] = route.split(' ') as [string, string];
    const { body, signal } = parts;
    const limits = [...(signal ? [signal] : []), ...(timed && timeoutMs ? [AbortSignal.timeout(timeoutMs)] : [])];
    let response: Response;
    try {
      response = await fetch(`${this.url}/_sandbox${this.#target(path, parts)}`, {
        method,
        headers: {
          ...(credential === undefined ? {} : { Authorization: `Bearer ${credential}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...parts.headers,
        },
        ...(body === undefined ? {} : { body: writeJson(body) }),
        ...(limits.length > 0 ? { signal: AbortSignal.any(limits) } : {}),
        credentials: 'omit',
        redirect: 'error',
      });
    } catch (cause) {
      throw ClientError.notReached(this.url, cause);
    }
    // Every answer of a sandbox carries it: what does not comes from something else that listens there.
    if (!response.headers.has('Sandbox-Request-Id')) {
      throw ClientError.unexpected(response, `what answers at ${this.url} is no petstore sandbox`);
    }
    if (response.ok) return response;
    throw errorOf(response, await textOf(response));
  }

  /** The path with its parameters filled in, and the query. */
  #target(path: string, { params = {}, query = {} }: Parts): string {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const search = new URLSearchParams();
    const sandbox = OF_THE_SERVER.has(path) ? undefined : this.#options.sandbox;
    for (const [name, value] of Object.entries({ sandbox, ...query })) {
      if (value !== undefined) search.append(name, String(value));
    }
    const target = filled === '/' ? '' : filled;
    return search.size === 0 ? target : `${target}?${search}`;
  }
}

/** @throws {ClientError} when the answer breaks off */
async function textOf(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw ClientError.notReached(response.url, cause);
  }
}
