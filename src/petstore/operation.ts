/** What an operation of the interface is: how its request is parsed, and what it does. The specification says the rest. */
import type { Request } from 'express';
import type { Body } from '../http/answer.ts';
import type { NewPet, Pet } from '../pet.ts';
import type { ListQuery } from '../store/lists.ts';

/** The pets that an operation works on: those of one sandbox. */
export interface Pets {
  listPets(query: ListQuery): Promise<PetTexts>;
  addPets(newPets: readonly NewPet[]): Promise<readonly Pet[]>;
  findPet(id: bigint): Promise<Pet | undefined>;
}

/** Some pets, and the array that they are as JSON: made when it is asked for. */
interface PetTexts {
  readonly pets: readonly { readonly json: string }[];
  readonly characters: number;
  readonly json: string;
}

/** Where the text of a long list finds room and gets its turn: an exchange. */
export interface Room {
  /** `undefined` when there is room; else a promise of some. */
  roomFor(characters: number): Promise<void> | undefined;
  /** Does a piece of work when its turn comes, by its weight in characters. */
  inTurn<T>(weight: number, work: () => T): Promise<T>;
  /** Characters of the largest text that is made as one. */
  readonly room: { readonly largest: number };
}

/** One operation, in a file of its own that is called by its `operationId`. */
export interface Operation<Input = unknown> {
  /** The parts of a request that `parse` reads: `query/limit`, `body`. A described part that is not read stops the start. */
  readonly reads: readonly string[];
  /** What to use instead, of an operation that the specification removes one day. */
  readonly successor?: { readonly address: string; readonly advice: string };
  /** @param bytes the body, where it was sent @throws {ApiError} for a request that the specification does not allow */
  parse(req: Request, bytes?: Buffer): Input;
  /** The JSON of the success, in pieces where it is too long for one text; empty where it has no body. */
  operate(pets: Pets, input: Input, exchange: Room): Promise<Body>;
}
