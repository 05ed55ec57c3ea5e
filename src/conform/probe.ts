/** Sends one request after the other to the server that is looked at: never faster than asked, never without end. */
import { type IncomingHttpHeaders, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { request as secureRequest, Agent as TlsAgent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask } from './cases/case.ts';

export interface ProbeOptions {
  /** The base address, ending in `/v1`. */
  readonly url: string;
  readonly key: string;
  /** How long one answer may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Between one request and the next, in milliseconds. */
  readonly pauseMs: number;
  /** Aborted to stop before the next request. */
  readonly stop: AbortSignal;
}

/** What came back; the key is nowhere in it, whatever the server repeats. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** No answer came, or none that ended in time; `message` says why. */
export class NoAnswer extends Error {}

/** Told to stop, or the server has stopped answering: no further request is sent. `message` says which. */
export class Stopped extends Error {}

/** The server asks for fewer requests, after a pause too. */
export class RateLimited extends Error {}

/** A hundred pets need far less. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** After so many requests in a row without an answer there is no point in going on. */
const MAX_UNANSWERED = 5;
const DEFAULT_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 60;

export class Probe {
  readonly #options: ProbeOptions;
  readonly #agent: PlainAgent | TlsAgent;
  #sent = 0;
  #unanswered = 0;

  constructor(options: ProbeOptions) {
    this.#options = options;
    const secure = options.url.startsWith('https:');
    // One connection at a time, kept.
    this.#agent = new (secure ? TlsAgent : PlainAgent)({ keepAlive: true, maxSockets: 1 });
  }

  /** How many requests went out. */
  get sent(): number {
    return this.#sent;
  }

  /**
   * Sends a request, with the key unless `Authorization` is among its headers; once more where the server asks for a
   * pause.
   *
   * @throws {NoAnswer | RateLimited | Stopped}
   */
  async ask(ask: Ask): Promise<Answer> {
    const answer = await this.#send(ask);
    if (answer.status !== 429) return answer;
    const seconds = Number(answer.headers['retry-after'] ?? DEFAULT_RETRY_SECONDS);
    await this.#rest(Math.min(Number.isFinite(seconds) ? seconds : DEFAULT_RETRY_SECONDS, MAX_RETRY_SECONDS) * 1000);
    const again = await this.#send(ask);
    if (again.status === 429) throw new RateLimited('the server limits the rate (429); give it a --pause');
    return again;
  }

  /** A text without the key, whole or with its last character cut off. */
  withoutKey(text: string): string {
    const cut = this.#options.key.slice(0, -1);
    const asJson = JSON.stringify(cut).slice(1, -1);
    return text.replaceAll(cut, '<KEY>').replaceAll(asJson, '<KEY>');
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(ask: Ask): Promise<Answer> {
    if (this.#sent > 0) await this.#rest(this.#options.pauseMs);
    if (this.#options.stop.aborted) throw new Stopped('stopped before its turn');
    if (this.#unanswered >= MAX_UNANSWERED) throw new Stopped('the server has stopped answering');
    this.#sent++;
    try {
      const answer = await this.#exchange(ask);
      this.#unanswered = 0;
      return answer;
    } catch (error) {
      this.#unanswered++;
      throw error;
    }
  }

  /** A pause that ends early when it is time to stop. */
  async #rest(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.#options.stop }).catch(() => undefined);
  }

  #exchange({ method = 'GET', path, headers = {}, body }: Ask): Promise<Answer> {
    const { url, key, timeoutMs } = this.#options;
    const { protocol, hostname, port, pathname } = new URL(url);
    const signal = AbortSignal.timeout(timeoutMs);
    const request = protocol === 'https:' ? secureRequest : plainRequest;
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(new NoAnswer(reasonOf(error, signal, timeoutMs), { cause: error }));
      const req = request({
        agent: this.#agent,
        // Node wants an IPv6 address without its brackets.
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        method,
        path: pathname + path,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(Array.isArray(body) && { 'Transfer-Encoding': 'chunked' }),
          ...headers,
        } as Record<string, string>,
        signal,
      });
      req.on('error', fail);
      req.on('response', (res) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        res.on('data', (part: Buffer) => {
          parts.push(part);
          bytes += part.length;
          if (bytes > MAX_ANSWER_BYTES) res.destroy(new Error(`an answer of over ${MAX_ANSWER_BYTES} bytes`));
        });
        res.on('error', fail);
        res.on('end', () =>
          resolve({
            status: res.statusCode ?? 0,
            headers: JSON.parse(this.withoutKey(JSON.stringify(res.headers))) as IncomingHttpHeaders,
            text: this.withoutKey(Buffer.concat(parts).toString('utf8')),
          }),
        );
      });
      for (const chunk of Array.isArray(body) ? body : []) req.write(chunk);
      req.end(Array.isArray(body) ? undefined : body);
    });
  }
}

function reasonOf(error: NodeJS.ErrnoException, signal: AbortSignal, timeoutMs: number): string {
  if (signal.aborted) return `no answer within ${timeoutMs / 1000} s`;
  return error.code ?? error.message;
}
