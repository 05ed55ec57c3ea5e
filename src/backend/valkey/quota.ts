/** The sandboxes under `--max-sandboxes`, which all servers count together. No server leads. */
import { ApiError } from '../../api/errors.ts';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { clearInterval, setInterval } from '../../core/real-globals.ts';
import type { OpenSandboxes, Quota } from '../../sandbox/backend.ts';
import { isActive, type Sandbox } from '../../sandbox/sandbox.ts';
import type { Store } from '../../store/store.ts';
import type { ValkeyClient } from './client.ts';
import type { ValkeyLogs } from './logs.ts';
import { EXPIRES, USED } from './names.ts';
import { PAGE, TAKE_PLACE } from './scripts.ts';

/** A sandbox that was not used for so long may make room for another, in milliseconds. */
const IDLE_MS = 3_600_000;
/** How often this process tells which sandboxes were used. */
const TELL_EVERY_MS = 15_000;
/** Sandboxes that a sweep looks at. */
const SWEPT = 100;
/** The sandbox of a preconfigured key is never evicted. */
const NEVER = '+inf';

interface QuotaOptions {
  readonly valkey: ValkeyClient;
  readonly logs: ValkeyLogs;
  readonly store: Store;
  /** Whether a sandbox must stay in memory: somebody listens to it. */
  readonly isHeld: (id: string) => boolean;
  readonly clock: Clock;
  readonly maxSandboxes: number;
  readonly log: Log;
  /** Ends a sandbox. */
  readonly sandboxes: () => OpenSandboxes;
}

export class SharedQuota implements Quota {
  readonly #options: QuotaOptions;
  readonly #telling: NodeJS.Timeout;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(options: QuotaOptions) {
    this.#options = options;
    this.#telling = setInterval(() => void this.#tell(), TELL_EVERY_MS).unref();
  }

  async take({ id, preconfigured }: { readonly id: string; readonly preconfigured: boolean }): Promise<void> {
    const { valkey, clock, maxSandboxes } = this.#options;
    const location = [maxSandboxes, id, preconfigured ? NEVER : clock.now()];
    if ((await valkey.run(TAKE_PLACE, [USED], location)) === 1) return;
    await this.#makeRoom();
    if ((await valkey.run(TAKE_PLACE, [USED], location)) === 1) return;
    throw this.#full();
  }

  async expired(): Promise<readonly string[]> {
    const { valkey, logs, store, isHeld, clock } = this.#options;
    const ids = (await valkey.call('ZRANGE', EXPIRES, '-inf', clock.now(), 'BYSCORE', 'LIMIT', 0, SWEPT)) as string[];
    for (const id of ids) await this.#open(id);
    logs.relieve(store.timelines(), isHeld);
    return ids;
  }

  async isAnotherUsed(id: string, since: number): Promise<boolean> {
    await this.#tell();
    const { valkey } = this.#options;
    // Two of them: one may be the sandbox itself. Fixed sandboxes have no time.
    const used = await valkey.call('ZRANGE', USED, `(${since}`, `(${NEVER}`, 'BYSCORE', 'LIMIT', 0, 2);
    return (used as string[]).some((other) => other !== id);
  }

  close(): void {
    clearInterval(this.#telling);
  }

  /** Ends an expired sandbox, or the one that was idle for longest. @throws {ApiError} `limit_reached` */
  async #makeRoom(): Promise<void> {
    const { valkey, clock, sandboxes } = this.#options;
    const now = clock.now();
    await this.#tell();
    for (const [set, until] of [
      [EXPIRES, now],
      [USED, now - IDLE_MS],
    ] as const) {
      const [id] = (await valkey.call('ZRANGE', set, '-inf', until, 'BYSCORE', 'LIMIT', 0, 1)) as string[];
      if (id === undefined) continue;
      const sandbox = await this.#open(id);
      // The place of one that was lost is free now.
      if (!sandbox) return;
      // Keys of an expired sandbox may have been prolonged since.
      const isOver = set === USED || !sandbox.record.keys.some((key) => isActive(key, now));
      if (isOver) return sandboxes().end(sandbox);
    }
    throw this.#full();
  }

  /** Brings a sandbox up to date. One that was lost loses its place. */
  async #open(id: string): Promise<Sandbox | undefined> {
    const { valkey, logs, store, sandboxes } = this.#options;
    await logs.enter(store, id);
    if (store.timeline(id)) return sandboxes().get(id);
    await valkey.all([
      ['ZREM', USED, id],
      ['ZREM', EXPIRES, id],
    ]);
    return undefined;
  }

  /** Tells the other servers which sandboxes were used here. */
  async #tell(): Promise<void> {
    const { valkey, clock, store, sandboxes, log } = this.#options;
    const since = this.#toldAt;
    this.#toldAt = clock.now();
    const used: (string | number)[] = [];
    for (const { id } of store.timelines()) {
      const sandbox = sandboxes().get(id);
      if (sandbox && !sandbox.record.preconfigured && sandbox.lastUsedAt >= since) used.push(sandbox.lastUsedAt, id);
    }
    if (used.length === 0) return;
    try {
      for (let at = 0; at < used.length; at += PAGE) {
        await valkey.call('ZADD', USED, 'XX', 'GT', ...used.slice(at, at + PAGE));
      }
    } catch (err) {
      this.#toldAt = since;
      log.debug?.({ err }, 'the store was not told which sandboxes were used');
    }
  }

  #full(): ApiError {
    const { maxSandboxes } = this.#options;
    return new ApiError(
      'limit_reached',
      `there are ${maxSandboxes} sandboxes and all are in use; end one with DELETE /_sandbox`,
    );
  }
}
