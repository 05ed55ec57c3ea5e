/** The three operations of interface.md, as plain functions of what they use. */
import { ApiError } from '../errors.ts';
import type { NewPet, Pet } from '../pet.ts';
import type { PetQuery } from './parse.ts';

/** The pets that an operation works on: those of one sandbox. */
export interface Pets {
  listPets(query: PetQuery): Promise<PetTexts>;
  addPets(newPets: readonly NewPet[]): Promise<readonly Pet[]>;
  findPet(id: bigint): Promise<Pet | undefined>;
}

/** Some pets, and the array that they are as JSON, made when it is asked for. */
interface PetTexts {
  readonly pets: readonly { readonly json: string }[];
  readonly characters: number;
  readonly json: string;
}

/** Where the text of a long list finds room: an exchange. */
export interface Room {
  /** Characters of the largest text that is made as one. */
  readonly room: { readonly largest: number };
  /** `undefined` when there is room; else a promise of some. */
  roomFor(characters: number): Promise<void> | undefined;
}

/** What stays in memory of a list that is sent pet by pet. */
const IN_PIECES = 512 * 1024;

/** The Pets array, as JSON, in ascending id; where it is too long to be one text, in pieces. */
export async function listPets(pets: Pets, query: PetQuery, exchange: Room): Promise<string | readonly string[]> {
  const list = await pets.listPets(query);
  const isTooLong = list.characters > exchange.room.largest;
  const waiting = exchange.roomFor(isTooLong ? IN_PIECES : list.characters);
  if (waiting) await waiting;
  return isTooLong ? ['[', ...list.pets.flatMap(({ json }, i) => (i === 0 ? json : [',', json])), ']'] : list.json;
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
