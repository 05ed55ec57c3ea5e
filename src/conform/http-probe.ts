/** Sends requests sequentially to the server under test, with limits on rate, time and size. */

import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { OneConnection } from '../core/one-connection.ts';
import { AbortSignal, sleep } from '../core/real-globals.ts';
import { type Account, accountOf } from '../requests/account.ts';
import type { ProbeRequest } from './cases.ts';

export interface HttpProbeOptions {
  /** The base address, ending in `/v1`. */
  readonly url: string;
  /** A certificate to trust, in PEM; by default those that Node trusts. */
  readonly ca?: string | undefined;
  readonly key: string;
  /** The timeout of one response, in milliseconds. */
  readonly timeoutMs: number;
  /** The pause between requests, in milliseconds. */
  readonly pauseMs: number;
  /** Aborted to stop before the next request. */
  readonly stop: AbortSignal;
}

/** A response. The key is redacted in all of it. */
export interface ProbeResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Unpacked, if it came compressed. */
  readonly text: string;
  readonly isCompressed: boolean;
  readonly isUtf8: boolean;
  /** Bytes of the body as it came. */
  readonly size: number;
}

/** No response, or none that ended in time; `message` states the reason. */
export class NoResponse extends Error {}

/** Stopped by the caller, or the server no longer responds: no further request is sent. `message` states the reason. */
export class Stopped extends Error {}

/** The server limits the rate, even after a pause. */
export class RateLimited extends Error {}

/** Far more than a hundred pets need. */
const MAX_PROBED_BYTES = 4 * 1024 * 1024;
/** The number of consecutive requests without a response after which the run stops. */
const MAX_LOST = 5;
const DEFAULT_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 60;

export class HttpProbe {
  readonly #options: HttpProbeOptions;
  readonly #connection: OneConnection;
  readonly #key: RegExp;
  #sent = 0;
  /** Without a response, one after the other, and in all. */
  #lost = 0;
  #allLost = 0;
  #limited = 0;

  constructor(options: HttpProbeOptions) {
    this.#options = options;
    const cut = options.key.slice(0, -1);
    const forms = [cut, JSON.stringify(cut).slice(1, -1), encodeURIComponent(cut)].map((form) =>
      form.replace(/[^\w]/g, '\\$&'),
    );
    this.#key = new RegExp(forms.join('|'), 'gi');
    this.#connection = new OneConnection(options.url, options.ca);
  }

  /** Of the requests that were sent. */
  get account(): Account {
    return accountOf([
      { kind: 'validated', count: this.#sent - this.#allLost - this.#limited },
      { kind: 'skipped', count: this.#limited, reason: 'the server asked for a pause (429)' },
      { kind: 'notValidated', count: this.#allLost, reason: 'no response came' },
    ]);
  }

  /**
   * Sends a request, with the key unless `Authorization` is among its headers; repeats it once if the server asks for a
   * pause.
   * @throws {NoResponse | RateLimited | Stopped}
   */
  async send(request: ProbeRequest): Promise<ProbeResponse> {
    const response = await this.#sendOnce(request);
    if (response.status !== 429) return response;
    this.#limited++;
    const seconds = Number(response.headers['retry-after'] ?? DEFAULT_RETRY_SECONDS);
    await this.#rest(Math.min(Number.isFinite(seconds) ? seconds : DEFAULT_RETRY_SECONDS, MAX_RETRY_SECONDS) * 1000);
    const again = await this.#sendOnce(request);
    if (again.status === 429) throw new RateLimited('the server limits the rate (429); give it a --pause');
    return again;
  }

  /** Redacts the key in a text, in any case, with or without its last character. */
  withoutKey(text: string): string {
    return text.replace(this.#key, '<KEY>');
  }

  close(): void {
    this.#connection.close();
  }

  async #sendOnce(request: ProbeRequest): Promise<ProbeResponse> {
    if (this.#sent > 0) await this.#rest(this.#options.pauseMs);
    if (this.#options.stop.aborted) throw new Stopped('stopped before its turn');
    if (this.#lost >= MAX_LOST) throw new Stopped('the server has stopped responding');
    this.#sent++;
    try {
      const response = await this.#exchange(request);
      this.#lost = 0;
      return response;
    } catch (error) {
      this.#lost++;
      this.#allLost++;
      throw error;
    }
  }

  /** A pause that ends early when the run is stopped. */
  async #rest(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, this.#options.stop).catch(() => undefined);
  }

  async #exchange(request: ProbeRequest): Promise<ProbeResponse> {
    const { timeoutMs } = this.#options;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const { statusCode = 0, headers, body } = await this.#receive(request, signal);
      const plain = unpacked(body);
      return {
        status: statusCode,
        headers: JSON.parse(this.withoutKey(JSON.stringify(headers))) as IncomingHttpHeaders,
        text: this.withoutKey(plain.toString('utf8')),
        isCompressed: plain !== body || !/^(?:identity)?$/i.test(headers['content-encoding'] ?? ''),
        isUtf8: isUtf8(plain),
        size: body.length,
      };
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      const reason = signal.aborted ? `no response within ${timeoutMs / 1000} s` : (code ?? message);
      throw new NoResponse(reason, { cause });
    }
  }

  async #receive({ method = 'GET', path, headers = {}, body }: ProbeRequest, signal: AbortSignal) {
    const chunks = Array.isArray(body) ? (body as readonly (string | Buffer)[]) : undefined;
    const request = this.#connection.request({
      method,
      path: this.#connection.path + path,
      headers: {
        Authorization: `Bearer ${this.#options.key}`,
        'Accept-Encoding': 'identity',
        ...(chunks && { 'Transfer-Encoding': 'chunked' }),
        ...headers,
      } as Record<string, string>,
      signal,
    });
    const received = once(request, 'response') as Promise<[IncomingMessage]>;
    for (const chunk of chunks ?? []) request.write(chunk);
    request.end(chunks ? undefined : body);
    const [response] = await received;
    return { statusCode: response.statusCode, headers: response.headers, body: await bodyBytesOf(response) };
  }
}

/** Without what a server added on its own, also where no header says so. A body that is only said to be compressed stays. */
function unpacked(body: Buffer): Buffer {
  for (const unpack of [gunzipSync, inflateSync, brotliDecompressSync]) {
    if (isUtf8(body)) return body;
    try {
      return unpack(body, { maxOutputLength: MAX_PROBED_BYTES });
    } catch {
      // Not by this method.
    }
  }
  return body;
}

/** Reads the whole body; rejects a body larger than any list of pets. */
async function bodyBytesOf(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > MAX_PROBED_BYTES) throw new Error(`a response of over ${MAX_PROBED_BYTES} bytes`);
  }
  return Buffer.concat(parts);
}
