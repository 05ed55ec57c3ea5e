/**
 * For clients on a shared server: keeps their requests quick while another sandbox causes heavy work, such as parsing a body
 * of 1 MiB, sending a long list or building a report. Such work blocks the event loop for milliseconds. It runs in rounds
 * with pauses between them, and sandboxes take turns. Light work bypasses the queue.
 */

import { stopwatch } from '../core/clock.ts';
import { RoundRobin } from '../core/fair-budget.ts';
import { setImmediate, setTimeout } from '../core/real-globals.ts';

/** Bytes or characters: work below this is light, and takes about as long as any other request. */
export const LIGHT = 8 * 1024;
/** The weight of one round: about a millisecond of work, or one heavier task. */
export const ROUND = 64 * 1024;
/** A pause lasts this many times as long as the round before it: heavy work gets a third of the time. */
const REST = 2;
/** Longer measurements mean that the process was suspended or preempted. */
const MAX_REST_MS = 100;
/** How long a sandbox counts as active after a request. */
const ACTIVE_MS = 1_000;

interface WaitingTask {
  readonly weight: number;
  readonly begin: () => void;
}

export class CpuQueue {
  readonly #waiting = new RoundRobin<WaitingTask>();
  /** Running tasks of this round, and the weight of all that it admitted. */
  #running = 0;
  #weight = 0;
  #began = 0;
  /** The round is over, and the next one has not started. */
  #isOver = false;
  #latest = '';
  /** How often a request came from a different sandbox than the previous one. */
  #changes = 0;
  #changesSeen = 0;
  #sharedUntil = 0;

  /** Notes the owner of a request: without other active sandboxes, no pauses are needed. */
  saw(owner: string): void {
    if (owner === this.#latest) return;
    this.#latest = owner;
    this.#changes += 1;
  }

  /**
   * Runs a task when its turn comes, or at once if it is light. The task must not wait for a client.
   * @param weight in bytes or characters; `ROUND` if unknown
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
    // Others get at least the next turn of the event loop.
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
