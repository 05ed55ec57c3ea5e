/** `POST /pets`. */
import type { Request } from 'express';
import { parsedBody, refusal, textOf } from '../../http/body.ts';
import { type NewPet, newPetInWords, type Pet, readNewPet } from '../../pet.ts';
import type { Operation } from '../operation.ts';

export const createPet: Operation<NewPet> = {
  reads: ['body'],
  parse,
  /** The new Pet, with the id that it was given. @throws {ApiError} `limit_reached`, `storage_failed` */
  operate: async (pets, newPet) => {
    const [pet] = await pets.addPets([newPet]);
    return (pet as Pet).json;
  },
};

/** @throws {ApiError} `invalid_request`, `payload_too_large` */
function parse(req: Request, bytes?: Buffer): NewPet {
  if (bytes === undefined) {
    throw refusal(req, 'invalid_request', [{ place: 'body', message: `is missing; send ${newPetInWords}` }]);
  }
  const reading = readNewPet(parsedBody(req, textOf(req, bytes)), 'body');
  if (!reading.ok) throw refusal(req, 'invalid_request', reading.problems);
  return reading.value;
}
