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
    const length = pets.reduce((sum, { json }) => sum + json.length + 1, pets.length > 0 ? 1 : 2);
    if (length > MAX_LENGTH) return new LongList(pets, length);
    const list = { pets, length, json: joined(pets) };
    this.#characters += length;
    if (this.#characters > this.#maxCharacters) {
      this.#ofWorlds = new WeakMap();
      this.#characters = length;
      known = undefined;
    }
    if (known) known.set(query, list);
    else this.#ofWorlds.set(world, new Map([[query, list]]));
    return list;
  }
}

/** A list that is too long to be joined before there is room for it. */
class LongList implements PetList {
  readonly pets: readonly Pet[];
  readonly length: number;

  constructor(pets: readonly Pet[], length: number) {
    this.pets = pets;
    this.length = length;
  }

  get json(): string {
    return joined(this.pets);
  }
}

const joined = (pets: readonly Pet[]): string => `[${pets.map(({ json }) => json).join(',')}]`;
