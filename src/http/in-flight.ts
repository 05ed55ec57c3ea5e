/**
 * Memory for large bodies. A pet of 1 MiB is copied half a dozen times while it is in flight (received, parsed, sent,
 * validated), and a list of a hundred such pets takes a hundred times that: so the total bytes in flight are limited, and
 * further bodies wait. There are two lanes, so that a slow reader of large lists does not block requests of
 * medium size. Small bodies need no room.
 */

import type { Exchange } from '../api/exchange.ts';
import { RoundRobin } from '../core/round-robin.ts';

/** The size in bytes from which the body of a request needs room. */
export const MEDIUM = 4 * 1024;
/** The size in bytes from which a body uses the lane for large ones; bodies of responses need room from here on. */
export const LARGE = 64 * 1024;

export interface InFlightOptions {
  /** Bytes in flight at once. A single body may be larger. */
  readonly most: number;
  /** Characters of the largest body that is built as one string: longer lists are sent pet by pet. */
  readonly largest: number;
  /** How long a reader of a large body may be slower than the slowest that is waited for (see patience.ts). */
  readonly patienceMs: number;
}

/** The room used by one exchange. */
export interface Hold {
  readonly bytes: number;
  readonly owner: string;
  readonly lane: Lane;
  /** Its users: the exchange until it is validated, and the response until it is sent. */
  users: number;
}

/** An exchange that can use room. */
export interface Holder {
  /** Whose it is: a sandbox, or nobody's. */
  readonly owner: string;
  hold: Hold | undefined;
}

export class InFlight {
  readonly largest: number;
  readonly patienceMs: number;
  readonly #medium: Lane;
  readonly #large: Lane;

  constructor({ most, largest, patienceMs }: InFlightOptions) {
    this.largest = largest;
    this.patienceMs = patienceMs;
    this.#medium = new Lane(most / 2);
    this.#large = new Lane(most / 2);
  }

  /** Bytes in flight. */
  get bytes(): number {
    return this.#medium.bytes + this.#large.bytes;
  }

  /** Takes room for a request's body and the response to it. @returns as `forResponse` */
  forBody(holder: Holder, bytes: number): Promise<void> | undefined {
    if (bytes < MEDIUM || holder.hold) return undefined;
    return (bytes < LARGE ? this.#medium : this.#large).enter(holder, 2 * bytes);
  }

  /**
   * Takes room for a response. An exchange that already has room never waits for more: two could wait for each other.
   * @returns `undefined` if there is room, or none is needed; otherwise a promise that resolves when there is
   */
  forResponse(holder: Holder, bytes: number): Promise<void> | undefined {
    if (bytes < LARGE || holder.hold) return undefined;
    return this.#large.enter(holder, bytes);
  }

  /** Releases the room of an exchange whose bodies are not needed any more: it was validated, or abandoned. */
  leave(exchange: Exchange | Holder): void {
    if (!('hold' in exchange) || !exchange.hold) return;
    const { hold } = exchange;
    exchange.hold = undefined;
    this.free(hold);
  }

  /** Removes one user of a hold. */
  free(hold: Hold): void {
    hold.users -= 1;
    if (hold.users === 0) hold.lane.leave(hold);
  }
}

interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

/**
 * Limits the bytes in flight, fairly between owners: one may hold what it and a newcomer share, so that a newcomer finds
 * room, and those that wait take turns. A body that is larger than the half counts as the half, and runs beside no other
 * such body.
 */
class Lane {
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

  /** @returns `undefined` if there is room now; otherwise a promise that resolves when there is */
  enter(holder: Holder, bytes: number): Promise<void> | undefined {
    const { owner } = holder;
    let tell: (() => void) | undefined;
    let isIn = false;
    const enter = (): void => {
      this.#take(owner, bytes);
      holder.hold = { bytes, owner, lane: this, users: 1 };
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

  /** Admits those that wait, by turns. Who waits for room goes first; who waits for another giant, or its own, does not. */
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
