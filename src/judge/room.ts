/**
 * The room in front of the referee, shared fairly. An owner (a sandbox, as a rule) may take as much as the others leave
 * free: one alone gets half of the room, two get a third each, and a newcomer always finds some. What an owner takes
 * beyond half of the room, a single list of 100 MiB for one, does not count against the others. Those that have to wait
 * are woken in turn, one of each owner, and in order within an owner.
 */
import { RoundRobin } from '../round-robin.ts';

/** How much there is, or how much is taken. */
export interface Extent {
  readonly places: number;
  readonly characters: number;
}

export class FairRoom {
  readonly #whole: Extent;
  readonly #waiting = new RoundRobin<() => void>();
  /** What each owner takes. Those that take nothing are not listed. */
  readonly #shares = new Map<string, { places: number; characters: number }>();
  /** Of all owners, with half of the room at most for each. */
  #places = 0;
  #characters = 0;

  constructor(whole: Extent) {
    this.#whole = whole;
  }

  /** `undefined` when the owner may take a place, which costs nothing; else a promise that it may. */
  ask(owner: string): Promise<void> | undefined {
    // Nobody has more than all have together: below half of the room there is nothing to look up.
    const isHalfEmpty = 2 * this.#places < this.#whole.places && 2 * this.#characters < this.#whole.characters;
    if (this.#waiting.size === 0 && isHalfEmpty) return undefined;
    if (!this.#waiting.has(owner) && this.#mayTake(owner, 0)) return undefined;
    return new Promise((resolve) => this.#waiting.push(owner, resolve));
  }

  /** Takes a place, whether there is one or not: those that ask first do not wait for those that asked before them. */
  take(owner: string, characters: number): void {
    this.#change(owner, 1, characters);
  }

  /** Gives a place back. `wake` tells those that wait. */
  give(owner: string, characters: number): void {
    this.#change(owner, -1, -characters);
  }

  /**
   * Lets as many go on as places were given back. Of those that go on not all come to take a place: when the room is
   * empty, everybody goes on, since nobody would be left to wake them.
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

  /** @param promised places that are as good as taken */
  #mayTake(owner: string, promised: number): boolean {
    const share = this.#shares.get(owner) ?? NOTHING;
    const free = this.#whole.places - this.#places - promised;
    return share.places < free && share.characters < this.#whole.characters - this.#characters;
  }
}

const NOTHING: Extent = { places: 0, characters: 0 };
