/** Sandboxes that this process alone keeps: in memory, or in a data directory. */

import type { Exchange } from '../api/exchange.ts';
import type { Log } from '../core/log.ts';
import { collectorOf, type MemoryPlan } from '../core/memory.ts';
import { isoTime } from '../core/time.ts';
import type { SandboxEvent } from '../requests/events.ts';
import type { Backend, Freshness, TrafficLog, TrafficLogParts } from '../sandbox/backend.ts';
import type { Fixtures } from '../sandbox/fixtures.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Settings } from '../settings/settings.ts';
import { openFiles } from '../store/files.ts';
import { MemoryLogs } from '../store/logs.ts';
import { Store } from '../store/store.ts';

/** Nothing is newer than what this process has. */
export const ALWAYS_FRESH: Freshness = {
  refreshKey: () => undefined,
  refreshSandbox: () => undefined,
  refreshAll: () => undefined,
};

interface EmbeddedOptions {
  readonly settings: Pick<Settings, 'data' | 'maxPets' | 'maxBytes'>;
  readonly memory: MemoryPlan;
  readonly fixtures: Fixtures;
  readonly log: Log;
}

/** @throws {DataFileError} {LockedError} naming the file */
export async function openEmbedded({ settings, memory, fixtures, log }: EmbeddedOptions): Promise<Backend> {
  const { data, maxPets, maxBytes = memory.pets } = settings;
  const limits = { maxPets, maxBytes, maxHeadBytes: memory.heads };
  const warn = (message: string, details: object = {}): void => log.warn(details, message);
  const kept = data === undefined ? { logs: new MemoryLogs() } : await openFiles({ directory: data, fixtures, warn });
  const store = new Store({ ...kept, fixtures, limits, maxListed: memory.lists, onGivenUp: collectorOf(memory) });
  return {
    store,
    freshness: ALWAYS_FRESH,
    quota: undefined,
    unmatched: undefined,
    valkey: undefined,
    trafficLogOf: (parts) => new EmbeddedTrafficLog(parts),
    close: () => store.close(),
  };
}

/** The traffic of sandboxes whose every exchange this process answered itself. */
class EmbeddedTrafficLog implements TrafficLog {
  readonly #parts: TrafficLogParts;

  constructor(parts: TrafficLogParts) {
    this.#parts = parts;
  }

  record(exchange: Exchange): void {
    this.#parts.requestLogs.record(exchange);
  }

  settle(exchange: Exchange): void {
    const { requestLogs, events } = this.#parts;
    requestLogs.settle(exchange);
    events.wake(exchange.sandbox);
  }

  abandon(): void {
    // It is not in the request log before it is recorded.
  }

  settled(id: string): Promise<void> {
    return this.#parts.validated(id);
  }

  refresh(): undefined {
    // It always is up to date.
  }

  adopt(sandbox: Sandbox, exchanges: readonly Exchange[], dropped: number): undefined {
    this.#parts.requestLogs.restore(sandbox, exchanges, dropped);
  }

  async clear(sandbox: Sandbox): Promise<void> {
    const { requestLogs, events, clock, sandboxes } = this.#parts;
    await this.settled(sandbox.id);
    // The sandbox may have been deleted meanwhile. Its request log is gone and must not be recreated.
    if (sandboxes.get(sandbox.id) !== sandbox) return;
    requestLogs.clear(sandbox);
    events.notify(sandbox, { event: 'cleared', data: { at: isoTime(clock.now()) } });
  }

  drop(): void {
    // The request log goes with its sandbox.
  }

  notify(sandbox: Sandbox, event: SandboxEvent): void {
    void this.settled(sandbox.id).then(() => this.#parts.events.notify(sandbox, event));
  }
}
