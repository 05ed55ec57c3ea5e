/**
 * A cache of verdicts by their exact input: equal inputs have equal verdicts. An input is looked up by the request's
 * target, and all its other fields are compared: comparing a list of pets is far cheaper than hashing it. Requests with
 * a body are not cached: nearly all of them create something, with a new id each time.
 * There are two generations. A full young one becomes the old one, and entries in use have moved to the young one by
 * then: this needs no list in order of last use.
 */
import type { Exchange, Verdict } from '../requests/exchange.ts';

/** Verdicts in one generation; the total is twice as high. */
const MAX_ENTRIES = 1_000;
/** Characters of input in one generation, of one or two bytes each: 8 MiB in total at most. */
const MAX_CHARACTERS = 2 * 1024 * 1024;
/** Longer inputs are not cached. */
const MAX_REMEMBERED = 16 * 1024;
/** Inputs with the same target: only the last few are kept, so that searching them stays cheap. */
const MAX_ALIKE = 8;
/** Characters that an input counts in addition to its target and its response's body. */
const OVERHEAD = 100;

/** Everything that a verdict depends on. */
export type Key = Pick<Exchange, 'specification' | 'operation' | 'request' | 'response'>;

interface KnownVerdict extends Key {
  readonly verdict: Verdict;
}

export class Memory {
  #young = new Map<string, KnownVerdict[]>();
  #old = new Map<string, KnownVerdict[]>();
  #entries = 0;
  #characters = 0;
  readonly #maxCharacters: number;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  get(key: Key): Verdict | undefined {
    const verdict = find(this.#young.get(key.request.target), key);
    if (verdict) return verdict;
    const older = find(this.#old.get(key.request.target), key);
    if (older) this.set(key, older);
    return older;
  }

  /** Caches the verdict on an input that `get` did not find. */
  set({ specification, operation, request, response }: Key, verdict: Verdict): void {
    const { target, contentType = '' } = request;
    const characters = OVERHEAD + target.length + contentType.length + response.body.length;
    if (characters > MAX_REMEMBERED) return;
    if (this.#entries >= MAX_ENTRIES || this.#characters + characters > this.#maxCharacters) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#entries = 0;
      this.#characters = 0;
    }
    this.#entries += 1;
    this.#characters += characters;
    const entry = { specification, operation, request, response, verdict };
    const alike = this.#young.get(target);
    if (!alike) this.#young.set(target, [entry]);
    else {
      if (alike.length >= MAX_ALIKE) alike.shift();
      alike.push(entry);
    }
  }
}

function find(entries: readonly KnownVerdict[] | undefined, key: Key): Verdict | undefined {
  if (entries === undefined) return undefined;
  for (const entry of entries) if (isSame(entry, key)) return entry.verdict;
  return undefined;
}

const isSame = (one: Key, other: Key): boolean =>
  one.operation === other.operation &&
  one.specification === other.specification &&
  isSameRequest(one.request, other.request) &&
  one.response.status === other.response.status &&
  one.response.contentType === other.response.contentType &&
  one.response.body === other.response.body;

const isSameRequest = (one: Key['request'], other: Key['request']): boolean =>
  one.target === other.target &&
  one.method === other.method &&
  one.authorization === other.authorization &&
  one.contentType === other.contentType &&
  one.bodyBytes === other.bodyBytes &&
  one.bodyUnread === other.bodyUnread &&
  one.body === other.body;
