/**
 * What a sandbox holds: its fixture, shared and read-only, and what was added since. A world is a value: adding makes
 * another one that shares nearly all of its memory with the first. So a reset, a snapshot and a fork are one
 * assignment, whatever the size, and a reader sees all of one world or all of the next.
 */
import { List } from 'immutable';
import { ApiError } from '../errors.ts';
import { petStatuses } from '../generated/facts.ts';
import { INT64_MAX } from '../int64.ts';
import { type NewPet, type Pet, type PetStatus, petOf } from '../pet.ts';

/** Seed data as it stands in memory: one copy for all sandboxes that start from it. */
export interface Fixture {
  readonly name: string;
  readonly description: string;
  /** The first id to give out; ids that are taken are passed over. */
  readonly nextId: bigint;
  /** In ascending id. */
  readonly pets: readonly Pet[];
  /** The pets of each status, in ascending id. */
  readonly byStatus: Readonly<Record<PetStatus, readonly Pet[]>>;
  find(id: bigint): Pet | undefined;
}

/** Which pets are there to start from: loaded when first used, then kept for all. */
export interface FixtureShelf {
  /** The fixture, when it is in memory already. */
  get(name: string): Fixture | undefined;
  /** The fixture, loaded once however many ask. */
  load(name: string): Promise<Fixture>;
  has(name: string): boolean;
}

/** A sandbox's pets at one moment. Its fixture is named, not held: ten thousand idle worlds need none loaded. */
export interface World {
  readonly fixture: string;
  /** `undefined` until something was added: then the fixture says. */
  readonly nextId: bigint | undefined;
  /** What was added to the fixture, in ascending id. */
  readonly added: List<Pet>;
  readonly addedByStatus: Readonly<Record<PetStatus, List<Pet>>>;
}

const NONE: List<Pet> = List();
/** A value for each status. */
export const eachStatus = <T>(value: () => T): Record<PetStatus, T> =>
  Object.fromEntries(petStatuses.map((status) => [status, value()])) as Record<PetStatus, T>;
const NONE_BY_STATUS = eachStatus(() => NONE);
const statusesOf = ({ status }: Pet): PetStatus[] => (status ? [status] : []);

/** A fixture to which nothing was added. */
export const worldOf = (fixture: string): World => ({
  fixture,
  nextId: undefined,
  added: NONE,
  addedByStatus: NONE_BY_STATUS,
});

/** The id that the next pet gets: taken ones are passed over. It may lie beyond int64, when none is left. */
export function nextIdOf(world: World, fixture: Fixture): bigint {
  let next = world.nextId ?? fixture.nextId;
  while (fixture.find(next) !== undefined) next++;
  return next;
}

/**
 * Gives each new pet the next free id.
 *
 * @throws {ApiError} `limit_reached` when the ids run out at the end of int64.
 */
export function numbered(world: World, fixture: Fixture, newPets: readonly NewPet[]): readonly Pet[] {
  let next = nextIdOf(world, fixture);
  return newPets.map((newPet) => {
    while (fixture.find(next) !== undefined) next++;
    if (next > INT64_MAX) {
      throw new ApiError('limit_reached', 'no id is left: the largest int64 has been given out; reset the sandbox');
    }
    return petOf(next++, newPet);
  });
}

/** The world with more pets, whose ids are above all that were added before. */
export function withPets(world: World, pets: readonly Pet[]): World {
  const last = pets.at(-1);
  if (last === undefined) return world;
  const addedByStatus = { ...world.addedByStatus };
  for (const status of pets.length === 1 ? statusesOf(last) : petStatuses) {
    const these = pets.filter((pet) => pet.status === status);
    if (these.length > 0) addedByStatus[status] = extended(addedByStatus[status], these);
  }
  return { ...world, nextId: last.id + 1n, added: extended(world.added, pets), addedByStatus };
}

/** The world when it held only the first `size` pets that were added; it shares its memory with the given one. */
export function withFirst(world: World, size: number): World {
  if (size >= world.added.size) return world;
  const added = world.added.setSize(size);
  const counts = eachStatus(() => 0);
  for (const { status } of added) if (status !== undefined) counts[status]++;
  const addedByStatus = { ...world.addedByStatus };
  for (const status of petStatuses) {
    addedByStatus[status] = addedByStatus[status].setSize(counts[status]);
  }
  const last = added.last();
  return { ...world, nextId: last && last.id + 1n, added, addedByStatus };
}

/** `push` is many times cheaper than `concat` for the one pet that a create adds. */
const extended = (list: List<Pet>, pets: readonly Pet[]): List<Pet> =>
  pets.length === 1 ? list.push(pets[0] as Pet) : list.concat(pets);

/** The pet with this id, if there is one. */
export const findPet = (world: World, fixture: Fixture, id: bigint): Pet | undefined =>
  findAdded(world.added, id) ?? fixture.find(id);

/** Some pets of a world, beside the text that they are served as. */
export interface PetList {
  readonly pets: readonly Pet[];
  /** Characters of `json`. */
  readonly characters: number;
  /** The Pets array, as JSON; a long one is made each time it is asked for. */
  readonly json: string;
}

/** The first pets in ascending id, of one status or of all: never more work than `limit` asks for. */
export function firstPets(
  world: World,
  fixture: Fixture,
  status: PetStatus | undefined,
  limit: number,
): readonly Pet[] {
  const seeded = status === undefined ? fixture.pets : fixture.byStatus[status];
  const added = status === undefined ? world.added : world.addedByStatus[status];
  if (added.size === 0) return seeded.slice(0, limit);
  const list: Pet[] = [];
  let s = 0;
  let a = 0;
  while (list.length < limit) {
    const left = seeded[s];
    const right = a < added.size ? added.get(a) : undefined;
    if (right !== undefined && (left === undefined || right.id <= left.id)) {
      list.push(right);
      a++;
      // A fixture edited between two starts may have taken the id of a pet that was added: the added one stays.
      if (left?.id === right.id) s++;
    } else if (left !== undefined) {
      list.push(left);
      s++;
    } else break;
  }
  return list;
}

/** Ids were given out in sequence, so the place is nearly always known at once; a gap costs a binary search. */
function findAdded(added: List<Pet>, id: bigint): Pet | undefined {
  const first = added.first();
  if (first === undefined || id < first.id) return undefined;
  const guess = added.get(Number(id - first.id));
  if (guess?.id === id) return guess;
  let low = 0;
  let high = added.size - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const pet = added.get(middle) as Pet;
    if (pet.id === id) return pet;
    if (pet.id < id) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
