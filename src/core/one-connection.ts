/** One persistent connection to a server, for requests that are sent as they are. */
import { type ClientRequest, Agent as PlainAgent, request as plainRequest, type RequestOptions } from 'node:http';
import { request as secureRequest, Agent as TlsAgent } from 'node:https';

export class OneConnection {
  readonly #base: URL;
  readonly #agent: PlainAgent | TlsAgent;

  /** @param ca a certificate to trust, in PEM; by default those that Node trusts */
  constructor(url: string, ca?: string) {
    this.#base = new URL(url);
    const one = { keepAlive: true, maxSockets: 1 };
    const isSecure = this.#base.protocol === 'https:';
    this.#agent = isSecure ? new TlsAgent({ ...one, ...(ca !== undefined && { ca }) }) : new PlainAgent(one);
  }

  /** The path of the address. */
  get path(): string {
    return this.#base.pathname;
  }

  request(options: RequestOptions): ClientRequest {
    const { protocol, hostname, port } = this.#base;
    const send = protocol === 'https:' ? secureRequest : plainRequest;
    // Node expects an IPv6 address without brackets.
    return send({ agent: this.#agent, hostname: hostname.replace(/^\[|\]$/g, ''), port, ...options });
  }

  close(): void {
    this.#agent.destroy();
  }
}
