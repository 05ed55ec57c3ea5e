/** The trafficLog of sandboxes that several servers serve: each request log is a stream in Valkey, which all of them read. */
import type { Exchange } from '../../api/exchange.ts';
import type { Log } from '../../core/log.ts';
import { setImmediate, setTimeout } from '../../core/real-globals.ts';
import { redactAllOf } from '../../requests/credentials.ts';
import type { SandboxEvent } from '../../requests/events.ts';
import { redactedJson } from '../../requests/redact.ts';
import { cutBodies, isLong } from '../../requests/request-log.ts';
import type { TrafficLog, TrafficLogParts } from '../../sandbox/backend.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ValkeyClient } from './client.ts';
import { sharedTextOf } from './exchange-text.ts';
import { channelOf, streamKeys, wholeKey } from './names.ts';
import { Outbox } from './outbox.ts';
import type { StreamField } from './request-order.ts';
import { KEEP_EVERY, RequestStream } from './request-stream.ts';
import { ADD, CLEAR } from './scripts.ts';

const NOTIFY_MS = 20;
/** Exchanges of a recording in one entry. */
const ADOPTED = 100;

interface SharedTrafficLogOptions {
  readonly valkey: ValkeyClient;
  readonly log: Log;
  /** Brings a sandbox up to date. */
  readonly enter: (sandbox: string) => Promise<unknown>;
}

export class SharedTrafficLog implements TrafficLog {
  readonly #options: SharedTrafficLogOptions;
  readonly #parts: TrafficLogParts;
  readonly #outbox: Outbox;
  readonly #streams = new Map<string, RequestStream>();
  /** Sandboxes with listeners. */
  readonly #listening = new Set<string>();
  readonly #refreshing = new Set<string>();
  readonly #notifying = new Set<string>();
  #settled = 0;

  constructor(options: SharedTrafficLogOptions, parts: TrafficLogParts) {
    this.#options = options;
    this.#parts = parts;
    this.#outbox = new Outbox({ ...options, redact: parts.redact, onSent: (sandbox) => this.#sent(sandbox) });
    parts.events.onListening((sandbox, isListening) => this.#hear(sandbox, isListening));
  }

  /** Requests were entered into the request log of a sandbox. @param ids of their exchanges */
  entered(sandbox: string, ids: readonly string[]): void {
    this.#outbox.entered(sandbox, ids);
  }

  /** Whether somebody listens to a sandbox. */
  isHeard(sandbox: string): boolean {
    return this.#listening.has(sandbox);
  }

  /** The store may have lost what was read. */
  forget(): void {
    for (const stream of this.#streams.values()) stream.forget();
  }

  /** It goes to Valkey with its verdict. */
  record(exchange: Exchange): void {
    this.#outbox.answered(exchange);
  }

  settle(exchange: Exchange): void {
    const { sandbox } = exchange;
    if (sandbox === undefined || !this.#outbox.settled(exchange)) return;
    if (isLong(exchange)) cutBodies(exchange, redactAllOf(exchange, this.#parts.redact));
    const stream = this.#stream(sandbox);
    stream?.remember(exchange);
    // Reading writes a checkpoint if it is time.
    this.#settled += 1;
    if (stream && this.#settled % KEEP_EVERY === 0) void stream.read(false).catch(() => undefined);
  }

  abandon({ id }: { readonly id: string }): void {
    this.#outbox.abandoned(id);
  }

  async settled(id: string): Promise<void> {
    await this.#parts.validated(id);
    await this.refresh(id);
  }

  async refresh(id: string): Promise<void> {
    await this.#outbox.flush();
    await this.#stream(id)?.read(true);
  }

  async clear({ id }: Sandbox): Promise<void> {
    await this.settled(id);
    await this.#options.valkey.change(CLEAR, [...streamKeys(id), wholeKey(id)], [this.#parts.clock.now()]);
    await this.#stream(id)?.read(false);
    this.#sent(id);
  }

  async adopt({ id }: Sandbox, exchanges: readonly Exchange[], dropped: number): Promise<void> {
    const { valkey } = this.#options;
    await valkey.run(ADD, streamKeys(id), ['d' satisfies StreamField, dropped]);
    for (let at = 0; at < exchanges.length; at += ADOPTED) {
      const some = exchanges.slice(at, at + ADOPTED);
      const fields = [
        'q',
        some.map((each) => each.id).join(' '),
        ...some.flatMap((each) => ['a', sharedTextOf(each, this.#parts.redact)]),
      ];
      await valkey.run(ADD, streamKeys(id), fields);
    }
    await valkey.confirm();
    await this.#stream(id)?.read(false);
  }

  notify(sandbox: Sandbox, event: SandboxEvent): void {
    void this.#add(sandbox, event).catch((err: unknown) =>
      this.#options.log.warn({ err }, 'listeners were not notified of an event'),
    );
  }

  drop(id: string): void {
    this.#streams.delete(id);
  }

  async close(): Promise<void> {
    await this.#outbox.close();
  }

  #stream(id: string): RequestStream | undefined {
    const sandbox = this.#parts.sandboxes.get(id);
    const known = this.#streams.get(id);
    if (!sandbox || known?.sandbox === sandbox) return known;
    const stream = new RequestStream(sandbox, { ...this.#options, ...this.#parts });
    this.#streams.set(id, stream);
    return stream;
  }

  /**
   * An event is an entry, so that all servers notify their listeners after the same exchanges. It is sent before the
   * response to its cause, so that the client's next request comes after it.
   */
  async #add({ id }: Sandbox, event: SandboxEvent): Promise<void> {
    const fields = ['e' satisfies StreamField, redactedJson(event, this.#parts.redact)];
    await this.#options.valkey.run(ADD, streamKeys(id), fields);
    this.#sent(id);
  }

  /** All servers are notified at most every 20 ms. What is not delivered is found with the next exchange. */
  #sent(sandbox: string): void {
    if (this.#listening.has(sandbox)) this.#wake(sandbox);
    if (this.#notifying.has(sandbox)) return;
    this.#notifying.add(sandbox);
    setTimeout(() => {
      this.#notifying.delete(sandbox);
      void this.#options.valkey.publish(channelOf(sandbox));
    }, NOTIFY_MS).unref();
  }

  #hear(sandbox: string, isListening: boolean): void {
    const { valkey } = this.#options;
    if (isListening && !this.#listening.has(sandbox)) {
      this.#listening.add(sandbox);
      void valkey.subscribe(channelOf(sandbox), () => this.#wake(sandbox));
    } else if (!isListening && this.#listening.delete(sandbox)) void valkey.unsubscribe(channelOf(sandbox));
  }

  /** Several messages share one look. */
  #wake(sandbox: string): void {
    if (this.#refreshing.has(sandbox)) return;
    this.#refreshing.add(sandbox);
    setImmediate(() => {
      this.#refreshing.delete(sandbox);
      void this.#options
        .enter(sandbox)
        .then(() => this.#stream(sandbox)?.read(false))
        .catch(() => undefined)
        .then(() => this.#parts.events.wake(sandbox));
    });
  }
}
