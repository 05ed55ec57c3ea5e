/**
 * Lists of worlds, with their texts, remembered: as long as nothing is added, a list is the same each time. A world
 * never changes, so that a list of it cannot go stale; when a world goes, its lists go with it.
 */
import type { Pet, PetStatus } from '../pet.ts';
import { type Fixture, firstPets, type PetList, type World } from './world.ts';

/** Longer texts are not remembered. */
const MAX_LENGTH = 64 * 1024;
/** Characters that are remembered, of all worlds together; then all are forgotten. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** What is listed: so many pets, of one status or of all. */
export interface ListQuery {
  readonly status?: PetStatus | undefined;
  readonly limit: number;
}

export class Lists {
  #ofWorlds = new WeakMap<World, Map<string, PetList>>();
  #characters = 0;
  readonly #maxCharacters: number;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  /** The first pets of a world in ascending id. */
  first(world: World, fixture: Fixture, { status, limit }: ListQuery): PetList {
    let known = this.#ofWorlds.get(world);
    const query = `${limit} ${status}`;
    const before = known?.get(query);
    if (before) return before;
    const pets = firstPets(world, fixture, status, limit);
    let characters = 1 + Math.max(pets.length, 1);
    for (const { json } of pets) characters += json.length;
    if (characters > MAX_LENGTH)
      return {
        pets,
        characters,
        get json() {
          return joined(pets);
        },
      };
    const list = { pets, characters, json: joined(pets) };
    this.#characters += characters;
    if (this.#characters > this.#maxCharacters) {
      this.#ofWorlds = new WeakMap();
      this.#characters = characters;
      known = undefined;
    }
    if (known) known.set(query, list);
    else this.#ofWorlds.set(world, new Map([[query, list]]));
    return list;
  }
}

const joined = (pets: readonly Pet[]): string => `[${pets.map(({ json }) => json).join(',')}]`;
