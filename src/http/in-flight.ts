/**
 * Room for large bodies. A pet of 1 MiB is copied half a dozen times while it is under way (received, parsed, answered,
 * judged), and a list of a hundred such pets a hundred times that: so only so many bytes are under way at once, and what
 * comes beyond waits its turn, in order. Bodies below `LARGE` never wait.
 */
import type { Exchange, Hold } from '../exchange.ts';

/** Characters, or bytes, from which on a body waits for room. */
export const LARGE = 64 * 1024;

export interface InFlightOptions {
  /** Bytes that are under way at once. A single body may be larger: it goes alone. */
  readonly most: number;
  /** Characters of the largest body that is made as one text: longer lists are sent pet by pet. */
  readonly largest: number;
  /** For how long a reader may take nothing of a large body. */
  readonly patienceMs: number;
}

export class InFlight {
  readonly largest: number;
  readonly patienceMs: number;
  readonly #most: number;
  #bytes = 0;
  readonly #waiting: { readonly bytes: number; readonly enter: () => void }[] = [];

  constructor({ most, largest, patienceMs }: InFlightOptions) {
    this.#most = most;
    this.largest = largest;
    this.patienceMs = patienceMs;
  }

  /**
   * Takes room for an exchange, once: what has room does not wait for more, else two could wait for each other.
   *
   * @returns `undefined` when there is room, or none is needed; else a promise of some
   */
  enter(exchange: Pick<Exchange, 'hold'>, bytes: number): Promise<void> | undefined {
    if (bytes < LARGE || exchange.hold) return undefined;
    const enter = (): void => {
      this.#bytes += bytes;
      exchange.hold = { bytes, users: 1 };
    };
    if (this.#waiting.length === 0 && this.#fits(bytes)) {
      enter();
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.push({
        bytes,
        enter: () => {
          enter();
          resolve();
        },
      });
    });
  }

  /** Nobody needs the bodies of an exchange any more: it was judged, or came to nothing. */
  leave(exchange: Pick<Exchange, 'hold'>): void {
    const { hold } = exchange;
    if (!hold) return;
    exchange.hold = undefined;
    this.free(hold);
  }

  /** One user of a hold less. */
  free(hold: Hold): void {
    hold.users -= 1;
    if (hold.users > 0) return;
    this.#bytes -= hold.bytes;
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      next.enter();
    }
  }

  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#most;
  }
}
