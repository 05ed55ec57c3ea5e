/** The logs of sandboxes that several servers share. */
import { ApiError } from '../../api/errors.ts';
import { stopwatch } from '../../core/clock.ts';
import type { EntryReader } from '../../store/entries.ts';
import type { Logs } from '../../store/logs.ts';
import type { State } from '../../store/state.ts';
import type { Store } from '../../store/store.ts';
import type { Timeline } from '../../store/timeline.ts';
import type { ValkeyClient } from './client.ts';
import type { KeyIndex } from './key-index.ts';
import { ValkeyLog, type ValkeyLogOptions } from './log.ts';
import { channelOf, logKey, wholeKey } from './names.ts';
import { PAGE } from './scripts.ts';

/** A sandbox that was not used for so long is dropped from memory; Valkey has it. In milliseconds. */
const IDLE_MS = 10 * 60_000;
/** One that was used more recently stays even if memory is short: a request may need it still. */
const IN_USE_MS = 60_000;

interface ValkeyLogsOptions {
  readonly valkey: ValkeyClient;
  readonly keys: KeyIndex;
  readonly reader: EntryReader;
  /** Memory of the pets of all sandboxes, in bytes. */
  readonly maxBytes: number;
  /** Closes what else is open. */
  readonly close: () => Promise<void>;
}

export class ValkeyLogs implements Logs {
  readonly kind = 'valkey';
  readonly isShared = true;
  readonly #options: ValkeyLogsOptions;
  readonly #logOptions: ValkeyLogOptions;
  readonly #opening = new Map<string, Promise<void>>();

  constructor(options: ValkeyLogsOptions) {
    this.#options = options;
    const { valkey, keys, reader } = options;
    // Servers with listeners learn it now, others with the next request.
    const onRemoved = (sandbox: string) => valkey.publish(channelOf(sandbox));
    this.#logOptions = { valkey, keys, reader, onRemoved };
  }

  get figures() {
    const { calls, failures } = this.#options.valkey.figures;
    return { writes: calls, failedWrites: failures };
  }

  get problem(): string | undefined {
    return this.#options.valkey.problem;
  }

  /** @throws {ApiError} `conflict` for a preconfigured key that has a sandbox */
  async create(state: State): Promise<ValkeyLog> {
    const log = await ValkeyLog.create(state, this.#logOptions);
    if (state.record.preconfigured) await this.#claim(state, log);
    await this.#options.keys.add(state.record);
    return log;
  }

  /** Brings a sandbox up to date. @param ids and @returns as `ValkeyLog.enter` */
  async enter(store: Store, id: string, ids: readonly string[] = []): Promise<boolean> {
    if (!store.timeline(id)) await this.#open(store, id);
    const timeline = store.timeline(id);
    return timeline ? (timeline.log as ValkeyLog).enter(timeline, ids) : false;
  }

  /** The connection was lost: has Valkey check what it still has of the request logs that this process wrote to. */
  async check(store: Store): Promise<void> {
    const all = [...store.timelines()];
    for (let at = 0; at < all.length; at += PAGE) {
      await Promise.all(all.slice(at, at + PAGE).map((timeline) => (timeline.log as ValkeyLog).check(timeline)));
    }
  }

  /**
   * Drops sandboxes from memory that nobody used for a while; then, if memory is short, those unused for longest.
   * @param isHeld whether one must stay: somebody listens to it
   */
  relieve(timelines: Iterable<Timeline>, isHeld: (id: string) => boolean): void {
    const all = [...timelines].sort((a, b) => a.usedAt - b.usedAt);
    let bytes = all.reduce((sum, { weight }) => sum + weight.pets, 0);
    const now = stopwatch();
    for (const timeline of all) {
      const enough = bytes > this.#options.maxBytes ? IN_USE_MS : IDLE_MS;
      if (isHeld(timeline.id) || timeline.isBusy || now - timeline.usedAt < enough) continue;
      bytes -= timeline.weight.pets;
      timeline.drop();
    }
  }

  close(): Promise<void> {
    return this.#options.close();
  }

  /** Once for all who ask meanwhile. */
  #open(store: Store, id: string): Promise<void> {
    let opening = this.#opening.get(id);
    if (!opening) {
      opening = this.#openOne(store, id).finally(() => this.#opening.delete(id));
      this.#opening.set(id, opening);
    }
    return opening;
  }

  async #openOne(store: Store, id: string): Promise<void> {
    const opened = await ValkeyLog.open(id, this.#logOptions);
    if (opened && !store.timeline(id)) store.adopt(...opened);
  }

  /** A server that starts at the same time may have made a sandbox for the same preconfigured key. */
  async #claim({ record }: State, log: ValkeyLog): Promise<void> {
    const { keys, valkey } = this.#options;
    const [key] = record.keys;
    if (key === undefined) return;
    const first = await keys.claim(key.hash, record.id);
    if (first === record.id || (await valkey.call('EXISTS', logKey(first))) === 0) return;
    await valkey.call('DEL', logKey(log.id), wholeKey(log.id));
    throw new ApiError('conflict', 'another server made the sandbox of this preconfigured key; try again');
  }
}
