/** Requests that belong to no sandbox: one list of all servers, each request as JSON without secrets. */
import { newId } from '../ids.ts';
import { MAX_REQUESTS, type UnclaimedShare } from '../sandbox/unclaimed.ts';
import type { Engine } from './engine.ts';
import { UNCLAIMED, UNCLAIMED_CHANNEL, UNCLAIMED_DROPPED } from './keys.ts';
import { ADD_UNCLAIMED } from './scripts.ts';

export class SharedUnclaimed implements UnclaimedShare {
  readonly #engine: Engine;
  /** Of this process. */
  readonly #name = newId('key');
  #waiting: string[] = [];
  #sending: Promise<void> | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  add(text: string): void {
    this.#waiting.push(text);
    // What could not be sent goes with the next request, or before the list is read.
    void this.#send().catch(() => undefined);
    void this.#engine.publish(UNCLAIMED_CHANNEL, `${this.#name} ${text}`);
  }

  async read(): Promise<{ texts: readonly string[]; dropped: number }> {
    await this.#send();
    const [texts, dropped] = await this.#engine.all([
      ['LRANGE', UNCLAIMED, 0, -1],
      ['GET', UNCLAIMED_DROPPED],
    ]);
    return { texts: texts as string[], dropped: Number(dropped ?? 0) };
  }

  async clear(): Promise<void> {
    await this.#send();
    await this.#engine.call('DEL', UNCLAIMED, UNCLAIMED_DROPPED);
  }

  onAdded(tell: (text: string) => void): void {
    void this.#engine.subscribe(UNCLAIMED_CHANNEL, (message) => {
      const at = message.indexOf(' ');
      if (message.slice(0, at) !== this.#name) tell(message.slice(at + 1));
    });
  }

  async close(): Promise<void> {
    await this.#send().catch(() => undefined);
  }

  /** Resolves when everything added before is in the engine. @throws {ApiError} `storage_failed`, `limit_reached` */
  #send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const texts = this.#waiting;
      this.#waiting = [];
      try {
        await this.#engine.run(ADD_UNCLAIMED, [UNCLAIMED, UNCLAIMED_DROPPED], [MAX_REQUESTS, ...texts]);
      } catch (error) {
        this.#waiting = [...texts, ...this.#waiting].slice(-MAX_REQUESTS);
        throw error;
      }
    }
  }
}
