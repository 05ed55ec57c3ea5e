/**
 * Verdicts by their exact input: the same input always gets the same verdict. An input is found by its head and then
 * compared, answer and all: to compare a list of pets is far cheaper than to hash it. Requests with a body are not
 * remembered: nearly all of them make something, and what is made has a new id each time.
 *
 * There are two generations. A full young one becomes the old one, and what was asked for again has moved to the young
 * one by then: that spares a list in order of last use.
 */
import type { Verdict } from '../exchange.ts';

/** Verdicts in one generation, so twice as many in all. */
const MAX_ENTRIES = 1_000;
/** Characters of input in one generation, of one or two bytes each: 8 MiB in all at the worst. */
const MAX_CHARACTERS = 2 * 1024 * 1024;
/** Longer inputs are not remembered. */
const MAX_REMEMBERED = 16 * 1024;
/** Inputs with the same head: the last few are kept, so that looking through them stays cheap. */
const MAX_ALIKE = 8;

interface Entry {
  readonly answer: string;
  readonly verdict: Verdict;
}

/** What an input is made of: its head (see `headOf`) and the answer's body. */
export interface Key {
  readonly head: string;
  readonly answer: string;
}

export class Memory {
  #young = new Map<string, Entry[]>();
  #old = new Map<string, Entry[]>();
  #entries = 0;
  #characters = 0;
  readonly #maxCharacters: number;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  get(key: Key): Verdict | undefined {
    const verdict = find(this.#young.get(key.head), key);
    if (verdict) return verdict;
    const older = find(this.#old.get(key.head), key);
    if (older) this.set(key, older);
    return older;
  }

  /** Remembers the verdict on an input that `get` did not know. */
  set({ head, answer }: Key, verdict: Verdict): void {
    const characters = head.length + answer.length;
    if (characters > MAX_REMEMBERED) return;
    if (this.#entries >= MAX_ENTRIES || this.#characters + characters > this.#maxCharacters) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#entries = 0;
      this.#characters = 0;
    }
    this.#entries += 1;
    this.#characters += characters;
    const alike = this.#young.get(head);
    if (!alike) this.#young.set(head, [{ answer, verdict }]);
    else {
      if (alike.length >= MAX_ALIKE) alike.shift();
      alike.push({ answer, verdict });
    }
  }
}

function find(entries: readonly Entry[] | undefined, { answer }: Key): Verdict | undefined {
  if (entries === undefined) return undefined;
  for (const entry of entries) if (entry.answer === answer) return entry.verdict;
  return undefined;
}
