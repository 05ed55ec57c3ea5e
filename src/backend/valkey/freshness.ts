/**
 * Brings a sandbox up to date before a request reads it: one round trip, which requests that arrive together share. So
 * what another server acknowledged before a request arrived is what the request finds. The request is entered into the
 * request log in the same step.
 */
import { nextTurn } from '../../core/real-globals.ts';
import type { Freshness } from '../../sandbox/backend.ts';
import type { Store } from '../../store/store.ts';
import type { ValkeyClient } from './client.ts';
import type { KeyIndex } from './key-index.ts';
import type { ValkeyLogs } from './logs.ts';
import { USED } from './names.ts';

/** Sandboxes that are read at the same time. */
const AT_ONCE = 16;

/** Requests of one turn of the event loop to one sandbox. */
interface Entering {
  /** Ids of the exchanges that belong to the request log. */
  readonly exchanges: string[];
  readonly done: Promise<void>;
}

interface FreshnessOptions {
  readonly valkey: ValkeyClient;
  readonly logs: ValkeyLogs;
  readonly store: Store;
  readonly keys: KeyIndex;
  /** The id of the sandbox that this process has for a key, by the key's hash. */
  readonly sandboxOf: (hash: string) => string | undefined;
  /** Called with the ids of exchanges that were entered into the request log of a sandbox. */
  readonly onEntered: (sandbox: string, ids: readonly string[]) => void;
}

export class SharedFreshness implements Freshness {
  readonly #options: FreshnessOptions;
  readonly #entering = new Map<string, Entering>();

  constructor(options: FreshnessOptions) {
    this.#options = options;
  }

  async refreshKey(hash: string, exchange?: string): Promise<void> {
    const { keys, sandboxOf } = this.#options;
    const known = keys.known(hash) ?? (await keys.find(hash));
    if (known !== undefined) return this.#enter(known, exchange);
    // What this process has in memory counts only if the store has it too: another server may have ended it.
    const own = sandboxOf(hash);
    if (own === undefined) return;
    await this.#enter(own, exchange);
    if (sandboxOf(hash) === own) await keys.claim(hash, own);
  }

  refreshSandbox(id: string): Promise<void> {
    return this.#enter(id, undefined);
  }

  async refreshAll(): Promise<void> {
    const ids = (await this.#options.valkey.call('ZRANGE', USED, 0, -1)) as string[];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => this.refreshSandbox(id)));
    }
  }

  #enter(id: string, exchange: string | undefined): Promise<void> {
    let entering = this.#entering.get(id);
    if (!entering) {
      const exchanges: string[] = [];
      entering = { exchanges, done: this.#enterTogether(id, exchanges) };
      this.#entering.set(id, entering);
    }
    if (exchange !== undefined) entering.exchanges.push(exchange);
    return entering.done;
  }

  async #enterTogether(id: string, exchanges: readonly string[]): Promise<void> {
    const { logs, store, onEntered } = this.#options;
    await nextTurn();
    this.#entering.delete(id);
    if (await logs.enter(store, id, exchanges)) onEntered(id, exchanges);
  }
}
