/**
 * The typed client of the control API: one implementation for the command line, the dashboard and tests. It needs only
 * `fetch`, in Node and in the browser. Calls are named as in the specification: `request('POST /clock/advance', …)`.
 * (openapi-fetch has such calls too, but parses numbers with `JSON.parse`, which rounds an int64.)
 */

import { withoutAddress } from '../base/address.ts';
import { forCallers, WrongUseError } from '../base/for-callers.ts';
import { pathsWithoutSandbox } from '../base/generated/facts.ts';
import { writeJson } from '../base/int64.ts';
import { ClientError, type ClientResponse, errorOf } from './errors.ts';
import { type ControlEvent, readEvents } from './events.ts';
import { readJson } from './json.ts';
import type { CallArguments, ControlRoute, RequestOf, ResponseOf, Schema } from './routes.ts';

export interface ClientOptions {
  /**
   * The server's address, `http://127.0.0.1:4020`, or that of a sandbox on it; the base address of an API, which ends in
   * `/v1`, is accepted too.
   * Empty in a page that comes from the server itself.
   */
  readonly url: string;
  /** A key, which opens its own sandbox, or the admin token. Some calls need neither. */
  readonly credential?: string | undefined;
  /** With the admin token: the sandbox that every call acts on, except calls that concern the whole server. */
  readonly sandbox?: string | undefined;
  /** The timeout of one response in milliseconds; none by default. Event streams are not limited. */
  readonly timeoutMs?: number | undefined;
  /** Sends the requests; by default `fetch`. */
  readonly fetch?: ((url: string, init: SentWith) => Promise<ClientResponse>) | undefined;
}

/** The text of a file, or its bytes. */
type FileContent = NonNullable<CallArguments['file']>;

/** What a request consists of, besides its address. */
interface SentWith {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: FileContent;
  readonly signal?: AbortSignal;
  readonly credentials: 'omit';
  readonly redirect: 'error';
}

export class ControlsClient {
  /** Without a trailing slash, and without `/v1`. */
  readonly url: string;
  readonly #options: ClientOptions;

  /** @throws {WrongUseError} for a malformed key */
  constructor(options: ClientOptions) {
    this.url = options.url.replace(/\/+$/, '').replace(/\/v1$/, '');
    this.#options = options;
    // As a header it would fail with an error that quotes it.
    if (!/^[\x21-\x7e]*$/.test(options.credential ?? ''))
      throw new WrongUseError('this key has characters that no key has');
  }

  /** A client of the same server, at the address of a sandbox. */
  at(sandbox: string): ControlsClient {
    return new ControlsClient({ ...this.#options, url: `${withoutAddress(this.url)}/${sandbox}` });
  }

  /** A client of the same server with another key, which may be of another sandbox than the address. */
  as(credential: string): ControlsClient {
    return new ControlsClient({ ...this.#options, url: withoutAddress(this.url), credential, sandbox: undefined });
  }

  /** With the admin token: a client that acts on this sandbox. */
  on(sandbox: string): ControlsClient {
    return new ControlsClient({ ...this.#options, url: withoutAddress(this.url), sandbox });
  }

  /** Base address of the API. */
  get apiUrl(): string {
    return `${this.url}/v1`;
  }

  /**
   * Calls an operation of the control API and returns the JSON of its response, `undefined` for a 204. Integers that are
   * int64 in the specification are `bigint`, in requests and responses.
   * @throws {ClientError} for an error response, or none at all
   */
  readonly request = forCallers(
    async <R extends ControlRoute>(route: R, ...[request]: RequestOf<R>): Promise<ResponseOf<R>> => {
      const response = await this.#send(route, request, { timed: true });
      const text = await bodyTextOf(response);
      if (response.status === 204) return undefined as ResponseOf<R>;
      try {
        return readJson(text) as ResponseOf<R>;
      } catch (cause) {
        throw ClientError.unexpected(response, 'its response is not JSON', cause);
      }
    },
  );

  /** Like `request`, for responses that are not JSON or are passed on unchanged. @throws {ClientError} */
  readonly text = forCallers(
    async <R extends ControlRoute>(route: R, ...[request]: RequestOf<R>): Promise<string> =>
      await bodyTextOf(await this.#send(route, request, { timed: true })),
  );

  /** Makes a new sandbox of a recording. @throws {ClientError} */
  importRecording(file: string): Promise<Schema<'IssuedKey'>> {
    return this.#sendFile('POST /import', file, 'application/jsonl');
  }

  /** Previews a draft of the specification. @throws {ClientError} */
  previewDraft(file: string, query?: CallArguments['query']): Promise<Schema<'Preview'>> {
    return this.#sendFile('POST /preview', file, 'application/yaml', query);
  }

  /** Reports on the requests in a HAR: its text, or the bytes of its file. @throws {ClientError} */
  reportHar(file: FileContent, query?: CallArguments['query']): Promise<Schema<'Report'>> {
    const type = typeof file === 'string' ? 'application/json' : 'application/octet-stream';
    return this.#sendFile('POST /report', file, type, query);
  }

  async #sendFile<T>(route: string, file: FileContent, type: string, query: CallArguments['query'] = {}): Promise<T> {
    const parts = { file, query, headers: { 'Content-Type': type } };
    return readJson(await bodyTextOf(await this.#send(route, parts, { timed: true }))) as T;
  }

  /**
   * The events of the sandbox: until the server ends the stream, the loop is left, or `signal` aborts. To continue
   * after an end, call again with the last `id`: missed events come first then.
   * @param onOpen called once the stream is open: all later events will arrive
   * @throws {ClientError} for an error response, or when the connection breaks
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
      if (!signal?.aborted) throw ClientError.notReached(withoutAddress(this.url), cause);
    }
  }

  /** @returns a response of status 200 to 299 */
  async #send(route: string, parts: CallArguments = {}, { timed }: { timed: boolean }): Promise<ClientResponse> {
    const { credential, timeoutMs, fetch: send = fetch } = this.#options;
    const [method, path] = route.split(' ') as [string, string];
    const { file, signal } = parts;
    const body = parts.body === undefined ? file : writeJson(parts.body);
    const limits = [...(signal ? [signal] : []), ...(timed && timeoutMs ? [AbortSignal.timeout(timeoutMs)] : [])];
    let response: ClientResponse;
    try {
      response = await send(`${this.url}/_sandbox${this.#target(path, parts)}`, {
        method,
        headers: {
          ...(credential === undefined ? {} : { Authorization: `Bearer ${credential}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...parts.headers,
        },
        ...(body === undefined ? {} : { body }),
        ...(limits.length > 0 ? { signal: limits.length > 1 ? AbortSignal.any(limits) : limits[0] } : {}),
        credentials: 'omit',
        redirect: 'error',
      });
    } catch (cause) {
      throw ClientError.notReached(withoutAddress(this.url), cause);
    }
    // Every response of a sandbox carries this header; otherwise another program listens at the address.
    if (!response.headers.has('Sandbox-Request-Id')) {
      void response.body?.cancel().catch(() => undefined);
      throw ClientError.unexpected(response, `the server at ${withoutAddress(this.url)} is not a petstore sandbox`);
    }
    if (response.ok) return response;
    throw errorOf(response, await bodyTextOf(response));
  }

  #target(path: string, { params = {}, query = {} }: CallArguments): string {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const search = new URLSearchParams();
    const sandbox = (pathsWithoutSandbox as readonly string[]).includes(path) ? undefined : this.#options.sandbox;
    for (const [name, value] of Object.entries({ sandbox, ...query })) {
      if (value !== undefined) search.append(name, String(value));
    }
    const target = filled === '/' ? '' : filled;
    return search.size === 0 ? target : `${target}?${search}`;
  }
}

/** @throws {ClientError} when the response breaks off */
async function bodyTextOf(response: ClientResponse): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw ClientError.notReached(response.url, cause);
  }
}

/**
 * Creates a second key to the sandbox and revokes it. Requests with it get 401, and still belong to the sandbox.
 * @throws {ClientError} `forbidden` if only the admin may create keys
 */
export async function makeRevokedKey(own: ControlsClient): Promise<string> {
  const { id, key } = await own.request('POST /keys', { body: { label: 'revoked on purpose', shared: true } });
  await own.request('DELETE /keys/{keyId}', { params: { keyId: id } });
  return key;
}

/** Deletes a sandbox. If the server has ended, or the client deleted its sandbox or its key, there is nothing left to delete. */
export async function endSandbox(own: ControlsClient): Promise<void> {
  await own.request('DELETE /').catch((error: unknown) => {
    if (!(error instanceof ClientError)) throw error;
  });
}

/** Waits until the validator of a server is loaded: a test would otherwise spend its own time on that. */
const BETWEEN_MS = 100;
/** A minute in all. Then the test continues: its report waits for the verdicts. */
const MAX_ATTEMPTS = 600;

/** @throws {ClientError} */
export async function waitForValidator(client: ControlsClient): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { validator } = await client.request('GET /health');
    // A server of an older version does not say it.
    if (validator.ready !== false) return;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  }
}
