/** Creates sandboxes: within the limit, each with its first key. */
import { ApiError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { NewFixture } from '../store/fixture.ts';
import { NO_SETTINGS, type SandboxRecord } from '../store/record.ts';
import { gone } from '../store/state.ts';
import type { Source } from '../store/store.ts';
import type { Quota } from './backend.ts';
import { keyRecordOf } from './key-records.ts';
import type { Issued, Registry } from './registry.ts';
import type { Sandbox, SandboxParts } from './sandbox.ts';

export interface CreationOptions extends SandboxParts {
  readonly maxSandboxes: number;
  /** How many sandboxes there may be, if another process counts them too. */
  readonly quota?: Quota | undefined;
}

/** A sandbox to be made. `ttlSeconds` `null`: it never expires. */
export interface NewSandbox {
  readonly label?: string | undefined;
  readonly fixture?: string | NewFixture | undefined;
  readonly ttlSeconds?: number | null | undefined;
}

export class Creation {
  /** Sandboxes under construction: each is counted already, so that concurrent requests do not exceed the limit. */
  readonly #underWay = new Set<string>();
  readonly #registry: Registry;
  readonly #eviction: Eviction;
  readonly #end: (sandbox: Sandbox) => Promise<void>;
  readonly #options: CreationOptions;

  /** @param end ends a sandbox to make room */
  constructor(registry: Registry, end: (sandbox: Sandbox) => Promise<void>, options: CreationOptions) {
    this.#registry = registry;
    this.#eviction = new Eviction(registry);
    this.#end = end;
    this.#options = options;
  }

  /** @throws {ApiError} `limit_reached`, `storage_failed`; `not_found` for a copy of a sandbox that has ended */
  async create(
    source: Source,
    about: Pick<SandboxRecord, 'label' | 'createdAt' | 'expiresAt' | 'preconfigured'>,
    secret: string,
  ): Promise<Omit<Issued, 'handle'>> {
    const key = keyRecordOf(secret, about);
    const record: SandboxRecord = {
      ...NO_SETTINGS,
      ...about,
      id: newId('sbx'),
      keys: [key],
      drill: null,
      drillResults: [],
    };
    this.#underWay.add(record.id);
    try {
      await (this.#options.quota?.take(record) ?? this.#makeRoom());
      await this.#options.store.create(record, source);
    } finally {
      this.#underWay.delete(record.id);
    }
    const sandbox = this.#registry.get(record.id);
    if (!sandbox) throw gone(record.id);
    return { sandbox, key, secret };
  }

  /** At the limit, one sandbox makes room: an expired one, or the one idle for longest. */
  async #makeRoom(): Promise<void> {
    const { maxSandboxes, clock } = this.#options;
    // One that was just finished is in both for a moment.
    const making = [...this.#underWay].filter((id) => !this.#registry.get(id)).length;
    if (this.#registry.size + making <= maxSandboxes) return;
    const idlest = this.#eviction.next(clock.now());
    if (!idlest) {
      throw new ApiError(
        'limit_reached',
        `the server holds ${maxSandboxes} sandboxes and all are in use; end one with DELETE /_sandbox`,
      );
    }
    await this.#end(idlest);
  }
}

const IDLE_BEFORE_EVICTION = 3_600_000;
/** The number of candidates kept from one search. */
const KEPT = 1_000;
/** After an unsuccessful search, the delay before the next one: a rejected client often retries at once. */
const SEARCH_EVERY_MS = 1_000;

/** Selects the sandbox to evict when the server is at its limit. */
class Eviction {
  readonly #registry: Registry;
  /** The first to be evicted is last. */
  #candidates: Sandbox[] = [];
  #searchedInVain = Number.NEGATIVE_INFINITY;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /**
   * An expired one, otherwise the one idle for longest: not fixed, and unused for an hour. `now` in milliseconds since
   * 1970.
   */
  next(now: number): Sandbox | undefined {
    const found = this.#nextKept(now);
    // A clock that is set back must not extend the delay.
    if (found || Math.abs(now - this.#searchedInVain) < SEARCH_EVERY_MS) return found;
    this.#search(now);
    if (this.#candidates.length === 0) this.#searchedInVain = now;
    return this.#nextKept(now);
  }

  #nextKept(now: number): Sandbox | undefined {
    for (let next = this.#candidates.pop(); next; next = this.#candidates.pop())
      if (this.#registry.has(next) && this.#mayGo(next, now)) return next;
    return undefined;
  }

  #search(now: number): void {
    // Sandboxes that became idle since were used later than all candidates: the order stays right until the next
    // search.
    const rank = (sandbox: Sandbox): number =>
      this.#registry.isOver(sandbox, now) ? Number.NEGATIVE_INFINITY : sandbox.lastUsedAt;
    const found: { sandbox: Sandbox; rank: number }[] = [];
    for (const sandbox of this.#registry.all())
      if (this.#mayGo(sandbox, now)) found.push({ sandbox, rank: rank(sandbox) });
    found.sort((a, b) => a.rank - b.rank);
    this.#candidates = found
      .slice(0, KEPT)
      .map(({ sandbox }) => sandbox)
      .reverse();
  }

  #mayGo(sandbox: Sandbox, now: number): boolean {
    if (sandbox.record.preconfigured) return false;
    return sandbox.lastUsedAt <= now - IDLE_BEFORE_EVICTION || this.#registry.isOver(sandbox, now);
  }
}
