/**
 * The histories of sandboxes that several servers serve. An exchange goes to Valkey under the number that its
 * request got; who reads takes all numbers that were given out before, wherever they were answered.
 */

import { newId } from '../../core/ids.ts';
import type { Log } from '../../core/log.ts';
import { clearedEvent, type SandboxEvent } from '../../requests/events.ts';
import type { Exchange } from '../../requests/exchange.ts';
import { redactedJson } from '../../requests/redact.ts';
import { cutBodies, isLong } from '../../requests/request-log.ts';
import type { Histories, HistoryParts } from '../../sandbox/backend.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ValkeyClient } from './client.ts';
import { ExchangeTexts } from './exchange-text.ts';
import { channelOf, headKey, talliesKey } from './names.ts';
import { Outbox } from './outbox.ts';
import { FOLD_EVERY, LogReader } from './reader.ts';
import { CLEAR } from './scripts.ts';

const TELL_MS = 20;

/** What servers tell each other: the request log of a sandbox has more, or the sandbox has ended. */
export interface Message {
  /** The process that tells it, if it knows already. */
  readonly from?: string;
  readonly sandbox: string;
}

interface SharedHistoriesOptions {
  readonly valkey: ValkeyClient;
  readonly log: Log;
  /** Brings a sandbox up to date. @returns the last of so many numbers of its request log, which were taken */
  readonly enter: (sandbox: string, numbers: number) => Promise<number>;
}

export class SharedHistories implements Histories {
  readonly #valkey: ValkeyClient;
  readonly #parts: HistoryParts;
  readonly #texts: ExchangeTexts;
  readonly #outbox: Outbox;
  readonly #readers = new Map<string, LogReader>();
  /** Sandboxes with listeners. */
  readonly #heard = new Set<string>();
  readonly #refreshing = new Set<string>();
  readonly #telling = new Set<string>();
  /** Of this process. */
  readonly #name = newId('key');
  readonly #log: Log;
  readonly #enter: SharedHistoriesOptions['enter'];

  constructor({ valkey, log, enter }: SharedHistoriesOptions, parts: HistoryParts) {
    this.#valkey = valkey;
    this.#parts = parts;
    this.#log = log;
    this.#enter = enter;
    this.#texts = new ExchangeTexts(parts.redact);
    this.#outbox = new Outbox({
      valkey,
      log,
      textOf: (exchange) => this.#texts.of(exchange),
      onSent: (sandbox) => this.#sent(sandbox),
    });
    parts.events.onListening((sandbox, isListening) => this.#hear(sandbox, isListening));
  }

  /** Numbers of a request log were taken for requests. */
  take(sandbox: string, first: number, last: number): void {
    this.#outbox.take(sandbox, first, last);
  }

  /** Whether somebody listens to a sandbox. */
  isHeard(sandbox: string): boolean {
    return this.#heard.has(sandbox);
  }

  /** It goes to Valkey with its verdict. */
  record({ sandbox, number }: Exchange): void {
    if (sandbox !== undefined && number !== undefined) this.#outbox.answered(sandbox, number);
  }

  settle(exchange: Exchange): void {
    const { sandbox, number } = exchange;
    if (sandbox === undefined || number === undefined) return;
    if (isLong(exchange)) cutBodies(exchange, this.#parts.redact);
    this.#outbox.add(sandbox, number, exchange);
    this.#reader(sandbox)?.remember(number, exchange);
    if (number % FOLD_EVERY === 0) void this.#fold(sandbox);
  }

  async settled(id: string): Promise<void> {
    await this.#parts.validated(id);
    await this.#outbox.flush();
    await this.#reader(id)?.read(true);
  }

  async refresh(id: string): Promise<void> {
    await this.#outbox.flush();
    await this.#reader(id)?.read(true);
  }

  async clear(sandbox: Sandbox): Promise<void> {
    const { clock } = this.#parts;
    await this.settled(sandbox.id);
    const reader = this.#reader(sandbox.id);
    if (!reader) return;
    const at = clock.now();
    const keys = [headKey(sandbox.id), talliesKey(sandbox.id)];
    await this.#valkey.change(CLEAR, keys, [reader.position, at]);
    await reader.read(false);
    this.notify(sandbox, clearedEvent(at));
  }

  async adopt(sandbox: Sandbox, exchanges: readonly Exchange[], dropped: number): Promise<void> {
    const { requestLogs, redact } = this.#parts;
    requestLogs.restore(sandbox, exchanges, dropped);
    const texts = exchanges.map((exchange) => this.#texts.of(exchange));
    await this.#reader(sandbox.id)?.adopt(texts, (value) => redactedJson(value, redact));
  }

  notify(sandbox: Sandbox, event: SandboxEvent): void {
    void this.#add(sandbox, event).catch((err: unknown) =>
      this.#log.warn({ err }, 'listeners were not told of an event'),
    );
  }

  drop(id: string): void {
    this.#readers.delete(id);
    this.#outbox.forget(id);
  }

  async close(): Promise<void> {
    await this.#outbox.close();
  }

  #reader(id: string): LogReader | undefined {
    const { requestLogs, events, sandboxes } = this.#parts;
    const sandbox = sandboxes.get(id);
    const known = this.#readers.get(id);
    if (!sandbox || known?.sandbox === sandbox) return known;
    const reader = new LogReader(sandbox, { valkey: this.#valkey, requestLogs, events });
    this.#readers.set(id, reader);
    return reader;
  }

  async #fold(sandbox: string): Promise<void> {
    try {
      await this.settled(sandbox);
      await this.#reader(sandbox)?.fold((value) => redactedJson(value, this.#parts.redact));
    } catch (err) {
      this.#log.warn({ err }, 'the counts of a request log were not kept; the next time they are');
    }
  }

  /** An event has a number of the request log, so that all servers tell it after the same exchanges. */
  async #add({ id }: Sandbox, event: SandboxEvent): Promise<void> {
    const number = await this.#enter(id, 1);
    if (number === 0) return;
    await this.#parts.validated(id);
    await this.#outbox.flush();
    this.#outbox.add(id, number, redactedJson(event, this.#parts.redact));
  }

  /** Other servers are told at most every 20 ms. */
  #sent(sandbox: string): void {
    if (!this.#telling.has(sandbox)) {
      this.#telling.add(sandbox);
      setTimeout(() => {
        this.#telling.delete(sandbox);
        this.#publish({ from: this.#name, sandbox });
      }, TELL_MS).unref();
    }
    if (this.#heard.has(sandbox)) this.#wake(sandbox);
  }

  /** What is not delivered is found with the next exchange. */
  #publish(message: Message): void {
    void this.#valkey.publish(channelOf(message.sandbox), JSON.stringify(message));
  }

  #hear(sandbox: string, isListening: boolean): void {
    if (isListening && !this.#heard.has(sandbox)) {
      this.#heard.add(sandbox);
      void this.#valkey.subscribe(channelOf(sandbox), (text) => this.#receive(text));
    } else if (!isListening && this.#heard.delete(sandbox)) void this.#valkey.unsubscribe(channelOf(sandbox));
  }

  #receive(text: string): void {
    const { from, sandbox } = JSON.parse(text) as Message;
    if (from !== this.#name) this.#wake(sandbox);
  }

  /** Several messages share one look. */
  #wake(sandbox: string): void {
    if (this.#refreshing.has(sandbox)) return;
    this.#refreshing.add(sandbox);
    setImmediate(() => {
      this.#refreshing.delete(sandbox);
      void this.#enter(sandbox, 0)
        .then(() => this.#reader(sandbox)?.read(false))
        .catch(() => undefined)
        .then(() => this.#parts.events.wake(sandbox));
    });
  }
}
