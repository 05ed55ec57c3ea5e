/**
 * Room for large bodies. A pet of 1 MiB is copied half a dozen times while it is under way (received, parsed, answered,
 * judged), and a list of a hundred such pets a hundred times that: so only so many bytes are under way at once, and what
 * comes beyond waits its turn, in order. There are two lanes, so that a slow reader of large lists holds up no requests
 * of medium size. Small bodies need no room.
 */
import type { Exchange } from '../exchange.ts';

/** Bytes from which on the body of a request needs room. */
export const MEDIUM = 4 * 1024;
/** Bytes from which on a body takes the lane for large ones; those of responses need room from here on. */
export const LARGE = 64 * 1024;

export interface InFlightOptions {
  /** Bytes that are under way at once. A single body may be larger: it goes alone. */
  readonly most: number;
  /** Characters of the largest body that is made as one text: longer lists are sent pet by pet. */
  readonly largest: number;
  /** For how long a reader may take nothing of a large body. */
  readonly patienceMs: number;
}

/** What one exchange holds of the room. */
export interface Hold {
  readonly bytes: number;
  readonly lane: Lane;
  /** The exchange until it is judged, and the response until it is sent. */
  users: number;
}

/** An exchange that can hold room. */
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

  /** Bytes under way. */
  get bytes(): number {
    return this.#medium.bytes + this.#large.bytes;
  }

  /** Takes room for a request's body, and for what is answered to it. @returns as `forAnswer` */
  forBody(holder: Holder, bytes: number): Promise<void> | undefined {
    if (bytes < MEDIUM || holder.hold) return undefined;
    return (bytes < LARGE ? this.#medium : this.#large).enter(holder, 2 * bytes);
  }

  /**
   * Takes room for a response. What has room already does not wait for more: two could wait for each other.
   *
   * @returns `undefined` when there is room, or none is needed; else a promise of some
   */
  forAnswer(holder: Holder, bytes: number): Promise<void> | undefined {
    if (bytes < LARGE || holder.hold) return undefined;
    return this.#large.enter(holder, bytes);
  }

  /** Nobody needs the bodies of an exchange any more: it was judged, or came to nothing. */
  leave(exchange: Exchange | Holder): void {
    if (!('hold' in exchange) || !exchange.hold) return;
    const { hold } = exchange;
    exchange.hold = undefined;
    this.free(hold);
  }

  /** One user of a hold less. */
  free(hold: Hold): void {
    hold.users -= 1;
    if (hold.users === 0) hold.lane.leave(hold.bytes);
  }
}

/** So many bytes at once, first come, first served. */
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
