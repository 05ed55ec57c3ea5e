/** `POST /pets`. */
import type { Request } from 'express';
import { parsedBody, refusal, textOf } from '../../http/body.ts';
import { type NewPet, newPetShape, type Pet, readNewPet } from '../../pet.ts';
import type { Operation } from '../operation.ts';

export const createPet: Operation<NewPet> = {
  reads: ['body'],
  parse,
  /** The new Pet with its assigned id. @throws {ApiError} `limit_reached`, `storage_failed` */
  operate: async (pets, newPet, exchange) => {
    const [pet] = (await pets.addPets([newPet])) as [Pet];
    exchange.created = [pet.id];
    return pet.json;
  },
};

/** @throws {ApiError} `invalid_request`, `payload_too_large` */
function parse(req: Request, bytes?: Buffer): NewPet {
  if (bytes === undefined) {
    throw refusal(req, 'invalid_request', [{ place: 'body', message: `is missing; send ${newPetShape}` }]);
  }
  const reading = readNewPet(parsedBody(req, textOf(req, bytes)), 'body');
  if (!reading.ok) throw refusal(req, 'invalid_request', reading.problems);
  return reading.value;
}
