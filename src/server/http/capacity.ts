/** What requests share: the validator's queue, processor time, and memory for long bodies. Owners take turns in each. */
import { ByteBudget, type Lessee } from '../../base/byte-budget.ts';
import { Lane } from '../../base/lane.ts';
import type { RequestParts } from './open-exchange.ts';

/** Bytes or characters: what is longer is long work, and needs memory. Shorter work takes about as long as any request. */
export const LONG = 16 * 1024;

interface CapacityOptions {
  /** Bytes of long bodies in flight at once. */
  readonly most: number;
  /** Characters of the largest body that is built as one string: longer lists are sent pet by pet. */
  readonly largest: number;
  /** How long a client may take to read a long response, in milliseconds: until then it takes memory. */
  readonly readingMs: number;
  /** Resolves when the validator has room for one more exchange of this owner; `undefined` if it has already. */
  readonly validator: (owner: string) => Promise<void> | undefined;
}

export class Capacity {
  readonly largest: number;
  readonly readingMs: number;
  readonly #lane = new Lane();
  readonly #memory: ByteBudget;
  readonly #validator: CapacityOptions['validator'];

  constructor({ most, largest, readingMs, validator }: CapacityOptions) {
    this.largest = largest;
    this.readingMs = readingMs;
    this.#memory = new ByteBudget(most);
    this.#validator = validator;
  }

  /** Bytes of long bodies in flight. */
  get bytes(): number {
    return this.#memory.taken;
  }

  /**
   * Opens a request by its route. When the validator falls behind, requests wait, rejected ones too.
   * @returns a promise only where it waits: most requests need none
   */
  opened<T>(open: (req: RequestParts) => T, req: RequestParts): T | Promise<T> {
    const waits = (): Promise<void> | undefined => this.#validator(req.exchange.owner);
    try {
      const opened = open(req);
      const waiting = waits();
      return waiting ? waiting.then(() => opened) : opened;
    } catch (error) {
      const waiting = waits();
      if (!waiting) throw error;
      return waiting.then(() => {
        throw error;
      });
    }
  }

  /**
   * Runs work when its turn comes, or at once if it is short. @param size in bytes or characters, if it is known
   * @param goesOn see `Lane`
   */
  inTurn<T>(owner: string, work: () => T | Promise<T>, size = Number.POSITIVE_INFINITY, goesOn = false): Promise<T> {
    return size <= LONG ? (async () => work())() : this.#lane.run(owner, work, goesOn);
  }

  /** Like `inTurn`, for a body of this size, of a request or a response. The validator gets it too, so it needs room. */
  async inTurnWithBody<T>({ owner }: Lessee, bytes: number, work: () => T | Promise<T>): Promise<T> {
    if (bytes > LONG) await this.#validator(owner);
    return this.inTurn(owner, work, bytes);
  }

  /**
   * Takes memory for a body, once for each exchange: two that wait for more could wait for each other. It is given back when
   * the response is closed.
   * @returns `undefined` if there is memory, or none is needed; otherwise a promise that resolves when there is
   */
  reserve(exchange: Lessee, bytes: number): Promise<void> | undefined {
    if (bytes <= LONG || exchange.lease) return undefined;
    exchange.lease = this.#memory.take(exchange.owner, bytes);
    return exchange.lease.waiting;
  }

  /** Gives the memory of an exchange back. */
  release(exchange: Lessee): void {
    const { lease } = exchange;
    exchange.lease = undefined;
    lease?.release();
  }
}
