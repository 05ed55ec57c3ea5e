/** Limits on the store's content, and its memory accounting in bytes (see weight.ts). */
import { ApiError } from '../core/errors.ts';
import type { Branch } from './branch.ts';
import type { SandboxState } from './state.ts';
import { weightOfHead } from './weight.ts';

export interface StoreLimits {
  /** Pets of a sandbox, including its fixture. */
  readonly maxPets: number;
  /** Memory of all added pets of all sandboxes, in bytes. */
  readonly maxBytes: number;
  /** Memory of all sandboxes without their pets, in bytes. */
  readonly maxHeadBytes?: number;
}

export class Account {
  /** Memory of added pets. */
  bytes = 0;
  /** Memory of sandboxes without their pets. */
  headBytes = 0;
  readonly #limits: StoreLimits;

  constructor(limits: StoreLimits) {
    this.#limits = limits;
  }

  /** @throws {ApiError} `limit_reached` @param pets of one sandbox @param more pets, which may be fewer */
  rejectBeyondPets(pets: number, more = 0): void {
    const { maxPets } = this.#limits;
    if (more < 0 || pets + more <= maxPets) return;
    throw new ApiError('limit_reached', `a sandbox holds ${maxPets} pets at most; reset it to go on`);
  }

  /** @throws {ApiError} `limit_reached` @param pets of a fixture */
  rejectLargeFixture(pets: number): void {
    const { maxPets } = this.#limits;
    if (pets <= maxPets) return;
    throw new ApiError('limit_reached', `the fixture has ${pets} pets, and a sandbox holds ${maxPets} at most`);
  }

  /** @throws {ApiError} `limit_reached` @param more bytes */
  rejectBeyondBytes(more: number): void {
    const { maxBytes } = this.#limits;
    if (this.bytes + more <= maxBytes) return;
    throw new ApiError(
      'limit_reached',
      `the pets of all sandboxes together take ${maxBytes} bytes of memory at most; reset or end a sandbox to go on`,
    );
  }

  /** Counts the branches that states reference, with their ancestors, each once. */
  countBranches(states: readonly SandboxState[]): void {
    const counted = new Set<Branch>();
    for (const held of states.flatMap(({ references }) => references.branches)) {
      for (let branch: Branch | undefined = held; branch && !counted.has(branch); branch = branch.from?.branch) {
        counted.add(branch);
        this.bytes += branch.bytes;
      }
    }
  }

  /** Changes the size of a branch, and accounts for it. */
  change<T>(branch: Branch, how: () => T): T {
    const before = branch.bytes;
    const result = how();
    // If the branch was dropped meanwhile, its whole weight has been subtracted already.
    if (branch.refs > 0) this.bytes += branch.bytes - before;
    return result;
  }

  /**
   * The new weight of a sandbox without its pets. A weight that does not increase is never rejected.
   * @throws {ApiError} `limit_reached`
   */
  weigh(next: SandboxState, before: number): number {
    const { maxHeadBytes = Infinity } = this.#limits;
    const weight = weightOfHead(next);
    if (weight > before && this.headBytes + weight - before > maxHeadBytes) {
      throw new ApiError(
        'limit_reached',
        `all sandboxes together, with their keys, snapshots and faults, take ${maxHeadBytes} bytes of memory at most; end one with DELETE /_sandbox`,
      );
    }
    this.headBytes += weight - before;
    return weight;
  }
}
