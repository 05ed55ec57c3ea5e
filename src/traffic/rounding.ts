/**
 * Detects clients that parse int64 values as doubles. JavaScript's `JSON.parse` turns 9007199254740993 into
 * 9007199254740992; such a client later requests an id that it never received, or sends such a category. So large
 * numbers in responses are remembered by their value as a double.
 *
 * A client may also make such a number itself: a category of its own, or the id after the one that it was given. Certain
 * is only a request for a pet by the rounded form of an id that the client was given and never sent exactly.
 */

import type { Exchange } from '../base/api/exchange.ts';

/** A number that a client returned rounded. */
export interface RoundedNumber {
  readonly location: 'path/petId' | 'body/categoryId';
  /** As the client sent it. */
  readonly sent: string;
  /** As sent by the sandbox. */
  readonly handedOut: string;
  /** False if the client may have meant another number. */
  readonly isCertain: boolean;
}

/** A large number that the sandbox sent. */
interface HandedOut {
  readonly digits: string;
  isId: boolean;
  /** Whether the client sent it back exactly: then it can keep its digits. */
  isKept: boolean;
}

const MAX_REMEMBERED_NUMBERS = 1_000;
/** From here on, two integers may map to one double: 2^53 + 1 becomes 2^53. */
const FIRST_SHARED = 2n ** 53n;

export class Rounding {
  readonly #handedOut = new Map<string, HandedOut>();
  /** Maps the digits of a double to the exact number. */
  readonly #rounded = new Map<string, HandedOut>();
  #forgotten = 0;
  /** Whether a response had numbers that are no longer readable. */
  #hasCut = false;

  /** Large numbers that could not be watched: there was no room for them, or for the response that may have had them. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** The rounded numbers in a request. Call it before `note`. */
  find({ operation, request: { target, body } }: Exchange): RoundedNumber | undefined {
    if (this.#rounded.size === 0 && !this.#hasCut) return undefined;
    if (operation === 'getPet') return this.#match('path/petId', PET_ID.exec(target.replace(/%2b/i, '+'))?.[1]);
    if (operation === 'createPet' && body) return this.#match('body/categoryId', SENT_CATEGORY.exec(body)?.[1]);
    return undefined;
  }

  /** Remembers the large numbers of an unmodified response. */
  note({ injectedFault, truncated, response: { status, body } }: Exchange): void {
    if (injectedFault !== undefined || status >= 300) return;
    if (truncated?.response) this.#hasCut = true;
    for (const [, name, digits = ''] of body.matchAll(LARGE_IN_RESPONSE)) this.#remember(digits, name === 'id');
  }

  #match(location: RoundedNumber['location'], text: string | undefined): RoundedNumber | undefined {
    if (text === undefined) return undefined;
    // 9.007199254740992e15 is the same double, as written by another language.
    const sent = /[.eE]/.test(text) ? exactForm(text) : text;
    const exactly = this.#handedOut.get(sent);
    if (exactly) {
      exactly.isKept = true;
      return undefined;
    }
    const handedOut = this.#rounded.get(sent);
    if (!handedOut) {
      if (this.#hasCut && mayBeRounded(sent)) this.#forgotten += 1;
      return undefined;
    }
    const isCertain = location === 'path/petId' && handedOut.isId && !handedOut.isKept;
    return { location, sent: text, handedOut: handedOut.digits, isCertain };
  }

  #remember(digits: string, isId: boolean): void {
    const value = BigInt(digits);
    if (value < FIRST_SHARED && value > -FIRST_SHARED) return;
    const known = this.#handedOut.get(digits);
    if (known) {
      known.isId ||= isId;
      return;
    }
    if (this.#handedOut.size >= MAX_REMEMBERED_NUMBERS) {
      this.#forgotten += 1;
      return;
    }
    const handedOut = { digits, isId, isKept: false };
    this.#handedOut.set(digits, handedOut);
    // JavaScript writes the shortest digits that give the same double (…775807 becomes …776000); other languages write
    // all.
    for (const rounded of [String(Number(digits)), exactForm(digits)]) {
      if (rounded !== digits) this.#rounded.set(rounded, handedOut);
    }
  }
}

/** Go writes a float64 with an exponent: `9.007199254740992e+15`. */
const PET_ID = /\/pets\/(-?\d{16,20}|-?\d(?:\.\d{1,20})?[eE]\+?\d{1,2})(?:\?|$)/;
const SENT_CATEGORY = /"categoryId"\s*:\s*(-?\d[\d.eE+-]{15,40})/;
/** Other servers than this one put blanks after a colon. */
const LARGE_IN_RESPONSE = /"(id|categoryId)"\s*:\s*(-?\d{16,19})/g;

const exactForm = (text: string): string => {
  const value = Number(text);
  return Number.isInteger(value) ? String(BigInt(value)) : text;
};

/** Whether a double has this value: one that has more digits than that was not rounded. */
const mayBeRounded = (digits: string): boolean =>
  Math.abs(Number(digits)) >= 2 ** 53 && [String(Number(digits)), exactForm(digits)].includes(digits);
