/** The three operations of interface.md, as plain functions of what they use. */
import { ApiError } from '../errors.ts';
import { LIGHT } from '../http/heavy-lane.ts';
import type { NewPet, Pet } from '../pet.ts';
import type { PetQuery } from './parse.ts';

/** The pets that an operation works on: those of one sandbox. */
export interface Pets {
  listPets(query: PetQuery): Promise<{ readonly characters: number; readonly json: string }>;
  addPets(newPets: readonly NewPet[]): Promise<readonly Pet[]>;
  findPet(id: bigint): Promise<Pet | undefined>;
}

/** Who does a piece of work when its turn comes, by its weight in characters. */
export interface Turns {
  inTurn<T>(weight: number, work: () => T): Promise<T>;
}

/** The Pets array, as JSON, in ascending id. */
export async function listPets(pets: Pets, query: PetQuery, turns: Turns): Promise<string> {
  const list = await pets.listPets(query);
  return list.characters <= LIGHT ? list.json : turns.inTurn(list.characters, () => list.json);
}

/** The new Pet, as JSON, with the id that it was given. @throws {ApiError} `limit_reached`, `storage_failed` */
export async function createPet(pets: Pets, newPet: NewPet): Promise<string> {
  const [pet] = await pets.addPets([newPet]);
  return (pet as Pet).json;
}

/** The Pet, as JSON. @throws {ApiError} `not_found` */
export async function getPet(pets: Pets, id: bigint): Promise<string> {
  const pet = await pets.findPet(id);
  if (pet) return pet.json;
  throw new ApiError('not_found', `no pet has the id ${id}; GET /v1/pets lists those there are`);
}
