/**
 * Memory for large bodies. A pet of 1 MiB is copied half a dozen times while it is in flight (received, parsed, sent,
 * judged), and a list of a hundred such pets takes a hundred times that: so the total bytes in flight are limited, and
 * further bodies wait in order. There are two lanes, so that a slow reader of large lists does not block requests of
 * medium size. Small bodies need no room.
 */
import type { Exchange } from '../exchange.ts';

/** The size in bytes from which the body of a request needs room. */
export const MEDIUM = 4 * 1024;
/** The size in bytes from which a body uses the lane for large ones; bodies of responses need room from here on. */
export const LARGE = 64 * 1024;

export interface InFlightOptions {
  /** Bytes in flight at once. A single body may be larger: it runs alone. */
  readonly most: number;
  /** Characters of the largest body that is built as one string: longer lists are sent pet by pet. */
  readonly largest: number;
  /** How long a reader may read nothing of a large body. */
  readonly patienceMs: number;
}

/** The room used by one exchange. */
export interface Hold {
  readonly bytes: number;
  readonly lane: Lane;
  /** Its users: the exchange until it is judged, and the response until it is sent. */
  users: number;
}

/** An exchange that can use room. */
export interface Holder {
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

  /** Releases the room of an exchange whose bodies are not needed any more: it was judged, or abandoned. */
  leave(exchange: Exchange | Holder): void {
    if (!('hold' in exchange) || !exchange.hold) return;
    const { hold } = exchange;
    exchange.hold = undefined;
    this.free(hold);
  }

  /** Removes one user of a hold. */
  free(hold: Hold): void {
    hold.users -= 1;
    if (hold.users === 0) hold.lane.leave(hold.bytes);
  }
}

/** Limits the bytes in flight, first come, first served. */
class Lane {
  readonly #most: number;
  #bytes = 0;
  readonly #waiting: { readonly bytes: number; readonly enter: () => void }[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  enter(holder: Holder, bytes: number): Promise<void> | undefined {
    const take = (): void => {
      this.#bytes += bytes;
      holder.hold = { bytes, lane: this, users: 1 };
    };
    if (this.#waiting.length === 0 && this.#fits(bytes)) {
      take();
      return undefined;
    }
    return new Promise((resolve) => {
      const enter = (): void => {
        take();
        resolve();
      };
      this.#waiting.push({ bytes, enter });
    });
  }

  leave(bytes: number): void {
    this.#bytes -= bytes;
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      next.enter();
    }
  }

  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#most;
  }
}
