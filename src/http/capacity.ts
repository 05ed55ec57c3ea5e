/** What requests share, each sandbox in its turn: the validator's queue, processor time, and memory for large bodies. */
import type { Exchange } from '../api/exchange.ts';
import { FairBudget } from '../core/fair-budget.ts';
import { CpuQueue, LIGHT } from './cpu-queue.ts';
import type { Hold, Holder, RequestParts } from './open-exchange.ts';
import type { Route } from './route.ts';

export interface CapacityOptions extends BodyMemoryOptions {
  /** Resolves when the validator has room for one more exchange of this owner; `undefined` if it has already. */
  readonly validator: (owner: string) => Promise<void> | undefined;
}

/** An owner is a sandbox, the admin, or nobody. */
export class Capacity {
  readonly memory: BodyMemory;
  readonly #cpu = new CpuQueue();
  readonly #validator: CapacityOptions['validator'];

  constructor({ validator, ...options }: CapacityOptions) {
    this.memory = new BodyMemory(options);
    this.#validator = validator;
  }

  /**
   * Admits a request, whose owner is known now.
   * @returns a promise to await first: when the validator falls behind, requests wait instead of going not validated
   */
  admit(owner: string): Promise<void> | undefined {
    this.#cpu.saw(owner);
    return this.#validator(owner);
  }

  /** Opens a request by its route, then admits it: a rejection is validated, too. */
  async opened<T>(open: Required<Route<T>>['open'], req: RequestParts): Promise<T> {
    try {
      return await open(req);
    } finally {
      const waiting = this.admit(req.exchange.owner);
      if (waiting) await waiting;
    }
  }

  /** Runs possibly heavy work when its turn comes, see `CpuQueue.run`. */
  inTurn<T>(owner: string, weight: number, work: () => T | Promise<T>): Promise<T> {
    return this.#cpu.run(owner, weight, work);
  }

  /** Like `inTurn`, for a request with a body of this size. The validator gets the body too, so it needs room. */
  async inTurnWithBody<T>({ owner }: Holder, bytes: number, work: () => T | Promise<T>): Promise<T> {
    if (bytes > LIGHT) await this.#validator(owner);
    return this.inTurn(owner, bytes, work);
  }
}

/** The size in bytes from which the body of a request needs memory. */
export const MEDIUM = 4 * 1024;
/** The size in bytes from which a body counts in the pool for large ones; bodies of responses need memory from here on. */
export const LARGE = 64 * 1024;

export interface BodyMemoryOptions {
  /** Bytes in flight at once. A single body may be larger. */
  readonly most: number;
  /** Characters of the largest body that is built as one string: longer lists are sent pet by pet. */
  readonly largest: number;
  /** How long a reader of a large body may be slower than the slowest that is waited for (see slow-reader.ts). */
  readonly slowReaderMs: number;
}

/**
 * Memory for large bodies. A pet of 1 MiB is copied half a dozen times while it is in flight (received, parsed, sent,
 * validated), and a list of a hundred such pets takes a hundred times that: so the total bytes in flight are limited, and
 * further bodies wait. There are two pools, so that a slow reader of large lists does not block requests of
 * medium size. Small bodies need no memory of it.
 */
export class BodyMemory {
  readonly largest: number;
  readonly slowReaderMs: number;
  readonly #medium: FairBudget;
  readonly #large: FairBudget;

  constructor({ most, largest, slowReaderMs }: BodyMemoryOptions) {
    this.largest = largest;
    this.slowReaderMs = slowReaderMs;
    this.#medium = new FairBudget(most / 2);
    this.#large = new FairBudget(most / 2);
  }

  /** Bytes in flight. */
  get bytes(): number {
    return this.#medium.taken + this.#large.taken;
  }

  /** Takes memory for a request's body and the response to it. @returns as `forResponse` */
  forBody(holder: Holder, bytes: number): Promise<void> | undefined {
    if (bytes < MEDIUM || holder.hold) return undefined;
    return hold(bytes < LARGE ? this.#medium : this.#large, holder, 2 * bytes);
  }

  /**
   * Takes memory for a response. An exchange that already has memory never waits for more: two could wait for each other.
   * @returns `undefined` if there is memory, or none is needed; otherwise a promise that resolves when there is
   */
  forResponse(holder: Holder, bytes: number): Promise<void> | undefined {
    if (bytes < LARGE || holder.hold) return undefined;
    return hold(this.#large, holder, bytes);
  }

  /** Releases the memory of an exchange whose bodies are not needed any more: it was validated, or abandoned. */
  leave(exchange: Exchange | Holder): void {
    if (!('hold' in exchange) || !exchange.hold) return;
    const { hold } = exchange;
    exchange.hold = undefined;
    this.#free(hold);
  }

  /** Keeps the memory of an exchange, whatever leaves meanwhile. @returns a function that gives it back */
  use({ hold }: Holder): () => void {
    if (!hold) return () => undefined;
    hold.users += 1;
    return () => this.#free(hold);
  }

  #free(hold: Hold): void {
    hold.users -= 1;
    if (hold.users > 0) return;
    hold.pool.give(hold.owner, hold.bytes);
    hold.pool.admit();
  }
}

function hold(pool: FairBudget, holder: Holder, bytes: number): Promise<void> | undefined {
  const { owner } = holder;
  const note = (): void => {
    holder.hold = { bytes, owner, pool, users: 1 };
  };
  const waiting = pool.enter(owner, bytes);
  if (!waiting) {
    note();
    return undefined;
  }
  return waiting.then(note);
}
