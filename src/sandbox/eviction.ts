/** Selects the sandbox to evict when the server is at its limit. */
import { isOver, type Sandbox } from './sandbox.ts';

const IDLE_BEFORE_EVICTION = 3_600_000;
/** The number of candidates kept from one search. */
const KEPT = 1_000;
/** After an unsuccessful search, the delay before the next one: a rejected client often retries at once. */
const SEARCH_EVERY_MS = 1_000;

/** The sandboxes to select from. */
interface Evictable {
  all(): Iterable<Sandbox>;
  has(sandbox: Sandbox): boolean;
}

export class Eviction {
  readonly #sandboxes: Evictable;
  /** The first to be evicted is last. */
  #candidates: Sandbox[] = [];
  #searchedInVain = Number.NEGATIVE_INFINITY;

  constructor(sandboxes: Evictable) {
    this.#sandboxes = sandboxes;
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
      if (this.#sandboxes.has(next) && this.#mayGo(next, now)) return next;
    return undefined;
  }

  #search(now: number): void {
    // Sandboxes that became idle since were used later than all candidates: the order stays right until the next
    // search.
    const rank = (sandbox: Sandbox): number => (isOver(sandbox, now) ? Number.NEGATIVE_INFINITY : sandbox.lastUsedAt);
    const found: { sandbox: Sandbox; rank: number }[] = [];
    for (const sandbox of this.#sandboxes.all())
      if (this.#mayGo(sandbox, now)) found.push({ sandbox, rank: rank(sandbox) });
    found.sort((a, b) => a.rank - b.rank);
    this.#candidates = found
      .slice(0, KEPT)
      .map(({ sandbox }) => sandbox)
      .reverse();
  }

  #mayGo(sandbox: Sandbox, now: number): boolean {
    if (sandbox.record.preconfigured) return false;
    return sandbox.lastUsedAt <= now - IDLE_BEFORE_EVICTION || isOver(sandbox, now);
  }
}
