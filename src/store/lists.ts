/**
 * A cache of lists of worlds with their texts: a list stays the same until a pet is added. A world never changes, so a
 * cached list never becomes stale; the lists of a world are collected with it.
 */

import type { Fixture } from './fixture.ts';
import type { ListQuery, PetList } from './pet-list.ts';
import type { World } from './world.ts';
import { WorldView } from './world-view.ts';

/** Longer texts are not cached. */
const MAX_LENGTH = 64 * 1024;
/** Characters cached for all worlds together; at the limit, the whole cache is cleared. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

export class Lists {
  #ofWorlds = new WeakMap<World, Map<string, PetList>>();
  #characters = 0;
  readonly #maxCharacters: number;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  /** The first pets of a world in ascending id. */
  first(world: World, fixture: Fixture, query: ListQuery): PetList {
    let known = this.#ofWorlds.get(world);
    const key = `${query.limit} ${query.status}`;
    const before = known?.get(key);
    if (before) return before;
    const made = new WorldView(world, fixture).first(query);
    if (made.characters > MAX_LENGTH) return made;
    const { count, characters, json } = made;
    const list: PetList = {
      count,
      characters,
      json,
      pieces: [json],
      get pets() {
        return made.pets;
      },
    };
    this.#characters += characters;
    if (this.#characters > this.#maxCharacters) {
      this.#ofWorlds = new WeakMap();
      this.#characters = characters;
      known = undefined;
    }
    if (known) known.set(key, list);
    else this.#ofWorlds.set(world, new Map([[key, list]]));
    return list;
  }
}
