/**
 * Verdicts by their exact input: the same input always gets the same verdict. Two generations of a Map: a full young
 * one becomes the old one, and what was asked for again has moved to the young one by then. It costs a lookup or two
 * where a list of last use would have to be kept in order.
 */
import type { Verdict } from '../exchange.ts';

/** Verdicts in one generation, so twice as many in all. */
const MAX_ENTRIES = 1_000;
/** Characters of input in one generation, of one or two bytes each: 8 MiB in all at the worst. */
const MAX_CHARACTERS = 2 * 1024 * 1024;
/** Longer inputs are not remembered: hashing them would cost more than it spares. */
export const MAX_REMEMBERED = 16 * 1024;

export class Memory {
  #young = new Map<string, Verdict>();
  #old = new Map<string, Verdict>();
  #characters = 0;

  get(input: string): Verdict | undefined {
    if (input.length > MAX_REMEMBERED) return undefined;
    const verdict = this.#young.get(input);
    if (verdict) return verdict;
    const older = this.#old.get(input);
    if (older) this.set(input, older);
    return older;
  }

  set(input: string, verdict: Verdict): void {
    if (input.length > MAX_REMEMBERED || this.#young.has(input)) return;
    if (this.#young.size >= MAX_ENTRIES || this.#characters + input.length > MAX_CHARACTERS) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#characters = 0;
    }
    this.#young.set(input, verdict);
    this.#characters += input.length;
  }
}
