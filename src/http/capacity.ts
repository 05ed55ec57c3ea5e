/** What requests share, each sandbox in its turn: the validator's queue, processor time, and memory for large bodies. */
import { BodyMemory, type BodyMemoryOptions, type Holder } from './body-memory.ts';
import { CpuQueue, LIGHT } from './cpu-queue.ts';

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
