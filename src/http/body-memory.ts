/**
 * Memory for large bodies. A pet of 1 MiB is copied half a dozen times while it is in flight (received, parsed, sent,
 * validated), and a list of a hundred such pets takes a hundred times that: so the total bytes in flight are limited, and
 * further bodies wait. There are two pools, so that a slow reader of large lists does not block requests of
 * medium size. Small bodies need no memory of it.
 */

import type { Exchange } from '../api/exchange.ts';
import { RoundRobin } from '../core/round-robin.ts';

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

/** The memory used by one exchange. */
export interface Hold {
  readonly bytes: number;
  readonly owner: string;
  readonly pool: Pool;
  /** Its users: the exchange until it is validated, and the response until it is sent. */
  users: number;
}

/** An exchange that can use memory. */
export interface Holder {
  /** Whose it is: a sandbox, or nobody's. */
  readonly owner: string;
  hold: Hold | undefined;
}

export class BodyMemory {
  readonly largest: number;
  readonly slowReaderMs: number;
  readonly #medium: Pool;
  readonly #large: Pool;

  constructor({ most, largest, slowReaderMs }: BodyMemoryOptions) {
    this.largest = largest;
    this.slowReaderMs = slowReaderMs;
    this.#medium = new Pool(most / 2);
    this.#large = new Pool(most / 2);
  }

  /** Bytes in flight. */
  get bytes(): number {
    return this.#medium.bytes + this.#large.bytes;
  }

  /** Takes memory for a request's body and the response to it. @returns as `forResponse` */
  forBody(holder: Holder, bytes: number): Promise<void> | undefined {
    if (bytes < MEDIUM || holder.hold) return undefined;
    return (bytes < LARGE ? this.#medium : this.#large).enter(holder, 2 * bytes);
  }

  /**
   * Takes memory for a response. An exchange that already has memory never waits for more: two could wait for each other.
   * @returns `undefined` if there is memory, or none is needed; otherwise a promise that resolves when there is
   */
  forResponse(holder: Holder, bytes: number): Promise<void> | undefined {
    if (bytes < LARGE || holder.hold) return undefined;
    return this.#large.enter(holder, bytes);
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
    if (hold.users === 0) hold.pool.leave(hold);
  }
}

interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

/**
 * Limits the bytes in flight, fairly between owners: one may hold what it and a newcomer share, so that a newcomer finds
 * memory, and those that wait take turns. A body that is larger than the half counts as the half, and runs beside no other
 * such body.
 */
class Pool {
  readonly #most: number;
  #bytes = 0;
  /** Bytes of each owner that holds any. */
  readonly #held = new Map<string, number>();
  readonly #waiting = new RoundRobin<Waiting>();
  /** Whether a body that is larger than the half is in flight. */
  #hasGiant = false;

  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @returns `undefined` if there is memory now; otherwise a promise that resolves when there is */
  enter(holder: Holder, bytes: number): Promise<void> | undefined {
    const { owner } = holder;
    let tell: (() => void) | undefined;
    let isIn = false;
    const enter = (): void => {
      this.#take(owner, bytes);
      holder.hold = { bytes, owner, pool: this, users: 1 };
      isIn = true;
      tell?.();
    };
    this.#waiting.push(owner, { bytes, enter });
    this.#admit();
    if (isIn) return undefined;
    return new Promise((resolve) => {
      tell = resolve;
    });
  }

  leave({ owner, bytes }: Hold): void {
    const held = (this.#held.get(owner) ?? 0) - this.#counted(bytes);
    if (held > 0) this.#held.set(owner, held);
    else this.#held.delete(owner);
    this.#bytes -= this.#counted(bytes);
    if (this.#isGiant(bytes)) this.#hasGiant = false;
    this.#admit();
  }

  /** Admits those that wait, by turns. Who waits for memory goes first; who waits for another giant, or its own, does not. */
  #admit(): void {
    let isFull = false;
    const may = (owner: string): boolean => {
      const { bytes } = this.#waiting.first(owner) as Waiting;
      if (isFull || (this.#hasGiant && this.#isGiant(bytes)) || this.#isBeyondShare(owner, bytes)) return false;
      isFull = this.#bytes + this.#counted(bytes) > this.#most;
      return !isFull;
    };
    for (let next = this.#waiting.shift(may); next; next = this.#waiting.shift(may)) next.enter();
  }

  #take(owner: string, bytes: number): void {
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + this.#counted(bytes));
    this.#bytes += this.#counted(bytes);
    if (this.#isGiant(bytes)) this.#hasGiant = true;
  }

  readonly #isGiant = (bytes: number): boolean => bytes > this.#most / 2;
  readonly #counted = (bytes: number): number => Math.min(bytes, this.#most / 2);

  #isBeyondShare(owner: string, bytes: number): boolean {
    const held = this.#held.get(owner) ?? 0;
    return held > 0 && held + this.#counted(bytes) > this.#most / (this.#held.size + 1);
  }
}
