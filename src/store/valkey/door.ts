/**
 * Brings a sandbox up to date before a request reads it: one round trip, which requests that arrive together share. So
 * what another server acknowledged before a request arrived is what the request finds.
 */

import { ApiError } from '../../core/errors.ts';
import type { Door } from '../../sandbox/backend.ts';
import type { Store } from '../store.ts';
import type { ValkeyClient } from './client.ts';
import type { KeyIndex } from './key-index.ts';
import type { ValkeyLogs } from './logs.ts';
import { USED } from './names.ts';

/** Sandboxes that are read at the same time. */
const AT_ONCE = 16;

interface Waiting {
  readonly isExchange: boolean;
  readonly done: (number: number | undefined) => void;
  readonly failed: (error: unknown) => void;
}

interface DoorOptions {
  readonly valkey: ValkeyClient;
  readonly logs: ValkeyLogs;
  readonly store: Store;
  readonly keys: KeyIndex;
  /** Called with numbers of a request log that this process took. */
  readonly onNumbers: (sandbox: string, first: number, last: number) => void;
}

export class SharedDoor implements Door {
  readonly #options: DoorOptions;
  /** Requests of this turn of the event loop, by their sandbox. */
  #waiting = new Map<string, Waiting[]>();

  constructor(options: DoorOptions) {
    this.#options = options;
  }

  openKey(hash: string, isExchange: boolean): Promise<number | undefined> {
    const known = this.#options.keys.known(hash);
    if (known !== undefined) return this.#enter(known, isExchange);
    return this.#options.keys.find(hash).then((id) => (id === undefined ? undefined : this.#enter(id, isExchange)));
  }

  async openSandbox(id: string): Promise<void> {
    await this.#enter(id, false);
  }

  async openAll(): Promise<void> {
    const ids = (await this.#options.valkey.call('ZRANGE', USED, 0, -1)) as string[];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => this.openSandbox(id)));
    }
  }

  #enter(id: string, isExchange: boolean): Promise<number | undefined> {
    return new Promise((done, failed) => {
      if (this.#waiting.size === 0) setImmediate(() => this.#enterAll());
      const waiting = this.#waiting.get(id);
      if (waiting) waiting.push({ isExchange, done, failed });
      else this.#waiting.set(id, [{ isExchange, done, failed }]);
    });
  }

  #enterAll(): void {
    const all = this.#waiting;
    this.#waiting = new Map();
    for (const [id, waiting] of all) void this.#enterTogether(id, waiting);
  }

  async #enterTogether(id: string, waiting: readonly Waiting[]): Promise<void> {
    const { logs, store, onNumbers } = this.#options;
    const numbers = waiting.filter(({ isExchange }) => isExchange).length;
    try {
      const last = await logs.enter(store, id, numbers);
      const isKnown = last > 0 && numbers > 0;
      let number = last - numbers;
      if (isKnown) onNumbers(id, number + 1, last);
      for (const { isExchange, done } of waiting) done(isExchange && isKnown ? ++number : undefined);
    } catch (error) {
      for (const { failed } of waiting) failed(asRejection(error));
    }
  }
}

/** A full Valkey gives out no numbers, so that reading fails as well: a request log with holes would look whole. */
function asRejection(error: unknown): unknown {
  if (!(error instanceof ApiError && error.code === 'limit_reached')) return error;
  return new ApiError('storage_failed', error.message, [], { cause: error });
}
