/**
 * Heavy work passes here: whatever holds the event loop for milliseconds, such as parsing a body of 1 MiB, sending a long
 * list or making a report. It goes in rounds with a rest between them, and sandboxes take turns, so that one that asks
 * for much slows down itself and not the others. Light work never comes here.
 */
import { stopwatch } from '../clock.ts';
import { RoundRobin } from '../round-robin.ts';

/** Bytes or characters: less is light, and takes about as long as any other request. */
export const LIGHT = 8 * 1024;
/** The weight of one round: about a millisecond of work, or one piece that is heavier. */
export const ROUND = 64 * 1024;
/** A rest is as many times as long as the round before it: heavy work gets a third of the time. */
const REST = 2;
/** A round took longer when the process was stopped, or another one had the processor. */
const MAX_REST_MS = 100;
/** For how long a sandbox that sent a request counts as active. */
const ACTIVE_MS = 1_000;

interface Waiting {
  readonly weight: number;
  readonly begin: () => void;
}

export class HeavyLane {
  readonly #waiting = new RoundRobin<Waiting>();
  /** Pieces of this round that are under way, and the weight of all that it let in. */
  #running = 0;
  #weight = 0;
  #began = 0;
  /** The round is over, and the next one has yet to begin. */
  #isOver = false;
  #latest = '';
  /** How often a request came from another sandbox than the one before it. */
  #changes = 0;
  #changesSeen = 0;
  #sharedUntil = 0;

  /** Notes whom a request comes from: who is alone needs no rest. */
  saw(owner: string): void {
    if (owner === this.#latest) return;
    this.#latest = owner;
    this.#changes += 1;
  }

  /**
   * Does a piece of work when its turn comes, and at once when it is light. It must not wait for a client in it.
   *
   * @param weight in bytes or characters; `ROUND` where nobody knows
   */
  async run<T>(owner: string, weight: number, work: () => T | Promise<T>): Promise<T> {
    if (weight <= LIGHT) return work();
    if (this.#waiting.size === 0 && this.#hasRoom()) this.#begin(weight);
    else await new Promise<void>((begin) => this.#waiting.push(owner, { weight, begin }));
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#endRound();
    }
  }

  #hasRoom(): boolean {
    return !this.#isOver && this.#weight < ROUND;
  }

  #begin(weight: number): void {
    if (this.#weight === 0) this.#began = stopwatch();
    this.#running += 1;
    this.#weight += weight;
  }

  #endRound(): void {
    this.#isOver = true;
    const now = stopwatch();
    if (this.#changes !== this.#changesSeen) this.#sharedUntil = now + ACTIVE_MS;
    this.#changesSeen = this.#changes;
    const next = (): void => this.#nextRound();
    // Others get at least the turn of the event loop that comes now.
    if (now > this.#sharedUntil) setImmediate(next);
    else setTimeout(next, Math.min(REST * (now - this.#began), MAX_REST_MS));
  }

  #nextRound(): void {
    this.#isOver = false;
    this.#weight = 0;
    while (this.#hasRoom()) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#begin(next.weight);
      next.begin();
    }
  }
}
