/**
 * The capacity of the validator's queue, shared fairly. An owner (usually a sandbox) may take as much as the others leave
 * free: a single one gets half of the capacity, two get a third each, and a new one always gets some. An owner's share
 * beyond half of the capacity, such as a single list of 100 MiB, does not count against the others. Waiting owners are
 * woken in turn, one exchange each, and in order within an owner.
 */
import { RoundRobin } from '../core/round-robin.ts';

/** An amount, available or taken. */
interface Extent {
  readonly places: number;
  readonly characters: number;
}

export class FairCapacity {
  readonly #whole: Extent;
  readonly #waiting = new RoundRobin<() => void>();
  /** The share of each owner; only owners with a share are listed. */
  readonly #shares = new Map<string, { places: number; characters: number }>();
  /** The total of all owners, counting at most half of the capacity for each. */
  #places = 0;
  #characters = 0;

  constructor(whole: Extent) {
    this.#whole = whole;
  }

  /** `undefined` if the owner may take a place; otherwise a promise that resolves when it may. */
  request(owner: string): Promise<void> | undefined {
    // No owner has more than the total: below half of the capacity no lookup is needed.
    const isHalfEmpty = 2 * this.#places < this.#whole.places && 2 * this.#characters < this.#whole.characters;
    if (this.#waiting.size === 0 && isHalfEmpty) return undefined;
    if (!this.#waiting.has(owner) && this.#mayTake(owner, 0)) return undefined;
    return new Promise((resolve) => this.#waiting.push(owner, resolve));
  }

  /** Takes a place, even if there is none: new exchanges do not wait for earlier ones. */
  take(owner: string, characters: number): void {
    this.#change(owner, 1, characters);
  }

  /** Returns a place. `wake` notifies the waiting owners. */
  give(owner: string, characters: number): void {
    this.#change(owner, -1, -characters);
  }

  /**
   * Wakes as many callers as places were returned. Not all woken callers take a place: when the queue is empty, all are
   * woken, since nothing would wake them later.
   */
  wake(freed: number): void {
    if (this.#waiting.size === 0) return;
    const isEmpty = this.#shares.size === 0;
    for (let woken = 0; isEmpty || woken < freed; woken += 1) {
      const resolve = this.#waiting.shift(isEmpty ? undefined : (owner) => this.#mayTake(owner, woken));
      if (!resolve) return;
      resolve();
    }
  }

  #change(owner: string, places: number, characters: number): void {
    let share = this.#shares.get(owner);
    if (!share) {
      share = { places: 0, characters: 0 };
      this.#shares.set(owner, share);
    }
    this.#places -= Math.min(share.places, this.#whole.places / 2);
    this.#characters -= Math.min(share.characters, this.#whole.characters / 2);
    share.places += places;
    share.characters += characters;
    this.#places += Math.min(share.places, this.#whole.places / 2);
    this.#characters += Math.min(share.characters, this.#whole.characters / 2);
    if (share.places === 0) this.#shares.delete(owner);
  }

  /** @param promised places reserved for woken callers */
  #mayTake(owner: string, promised: number): boolean {
    const share = this.#shares.get(owner) ?? NOTHING;
    const free = this.#whole.places - this.#places - promised;
    return share.places < free && share.characters < this.#whole.characters - this.#characters;
  }
}

const NOTHING: Extent = { places: 0, characters: 0 };
