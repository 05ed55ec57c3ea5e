/**
 * A cache of lists with their texts: a list stays the same until a pet is added. The pets of a state never change, so a
 * cached list never becomes stale; it is collected with them. Without it, a list of 20 takes 29 % more processor time (in
 * pairs, on Node 24); a get and a create take as long.
 */

import { Contents, type ListQuery, type PetList } from './contents.ts';
import type { Fixture } from './fixture.ts';
import type { Pets } from './pets.ts';

/** Longer texts are not cached. */
const MAX_CACHED_LIST = 64 * 1024;
/** What a cached list takes besides its text, in characters, roughly. */
const OVERHEAD = 256;
/** Characters cached for all sandboxes together; at the limit, the whole cache is cleared. */
const MAX_CACHED_LISTS = 4 * 1024 * 1024;

export class Lists {
  #lists = new WeakMap<object, Map<string, PetList>>();
  #characters = 0;
  readonly #maxCharacters: number;

  constructor(maxCharacters = MAX_CACHED_LISTS) {
    this.#maxCharacters = maxCharacters;
  }

  /** The first pets in ascending id. @param own the pets that were added to the fixture */
  first(own: Pets, fixture: Fixture, query: ListQuery): PetList {
    // Without own pets, all sandboxes with this fixture have the same lists.
    const of = own.length > 0 ? own : fixture;
    let known = this.#lists.get(of);
    const key = JSON.stringify(query);
    const before = known?.get(key);
    if (before) return before;
    const made = new Contents(own, fixture).list(query);
    if (made.characters > MAX_CACHED_LIST) return made;
    const { count, characters, json } = made;
    const list: PetList = {
      ...{ count, characters, json, pieces: [json] },
      get pets() {
        return made.pets;
      },
    };
    this.#characters += characters + key.length + OVERHEAD;
    if (this.#characters > this.#maxCharacters) {
      this.#lists = new WeakMap();
      this.#characters = characters + key.length + OVERHEAD;
      known = undefined;
    }
    if (known) known.set(key, list);
    else this.#lists.set(of, new Map([[key, list]]));
    return list;
  }
}
