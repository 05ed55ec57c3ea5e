/** Sends recorded requests again, one after another over one connection. */
import type { IncomingMessage } from 'node:http';
import { pathOfAddress } from '../core/address.ts';
import { OneConnection } from '../core/one-connection.ts';
import { basePath } from '../generated/facts.ts';
import type { RecordingExchange } from '../requests/shown.ts';
import type { Arrived } from './compare.ts';

interface SenderOptions {
  /** The base address, ending in `/v1`. */
  readonly url: string;
  readonly key: string;
  /** The sandbox on that server, where requests go to its address that were sent to one. */
  readonly sandbox?: string;
  /** The timeout of one response, in milliseconds. */
  readonly timeoutMs: number;
}

/** Node sets these for each transmission. */
const OF_TRANSMISSION = new Set(['Content-Length', 'Authorization']);
const MAX_REPLAYED_BYTES = 64 * 1024 * 1024;

export class RequestSender {
  readonly #options: SenderOptions;
  readonly #connection: OneConnection;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#connection = new OneConnection(options.url);
  }

  /** Resolves with status 0 if no response came. */
  send({ method, address, target, request }: RecordingExchange): Promise<Arrived> {
    const { key, sandbox, timeoutMs } = this.#options;
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers as Record<string, string>)) {
      if (!OF_TRANSMISSION.has(name)) headers[name] = name === 'Sandbox-Fault' ? withoutDelay(value) : value;
    }
    const { Authorization: form } = request.headers as Record<string, string>;
    if (form !== undefined) headers['Authorization'] = form.replace('…', () => key);
    if (request.body !== null) headers['Content-Length'] = String(Buffer.byteLength(request.body));
    const server = this.#connection.path.slice(0, -basePath.length);
    const path = server + (address === null ? '' : pathOfAddress(sandbox)) + target;
    return new Promise((resolve) => {
      const none = (): void => resolve({ status: 0, headers: {}, text: '' });
      const req = this.#connection.request({ method, path, headers, timeout: timeoutMs });
      req.on('response', (response) => receive(response, resolve));
      req.on('timeout', () => req.destroy());
      req.on('error', none);
      req.end(request.body ?? undefined);
    });
  }

  close(): void {
    this.#connection.close();
  }
}

/** A response that breaks off counts as far as it came. */
function receive(response: IncomingMessage, resolve: (arrived: Arrived) => void): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  response.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > MAX_REPLAYED_BYTES) response.destroy();
    else parts.push(part);
  });
  response.on('error', () => undefined);
  response.on('close', () => {
    const headers = response.headers as Record<string, string | undefined>;
    resolve({ status: response.statusCode ?? 0, headers, text: Buffer.concat(parts).toString('utf8') });
  });
}

/** A replay waits for nothing. The part stays: without any, a rule of the sandbox would act instead. */
const withoutDelay = (header: string): string => header.replaceAll(/(^|;)(\s*delay\s*=)[^;]*/gi, '$1$20');
