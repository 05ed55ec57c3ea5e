/** `POST /pets`. */

import { type NewPet, newPetShape, type Pet, readNewPet } from '../../../base/api/pet.ts';
import { parsedBody, recordedText, rejection } from '../../http/body.ts';
import type { Request } from '../../http/open-exchange.ts';
import type { AddingOperation } from '../operation.ts';

export const createPet: AddingOperation<NewPet> = {
  reads: ['body'],
  parse,
  newPets: (newPet) => [newPet],
  /** The new Pet with its assigned id. */
  body: (added) => (added as readonly [Pet])[0].json,
};

/** @throws {ApiError} `invalid_request`, `payload_too_large` */
function parse(req: Request, bytes?: Buffer): NewPet {
  if (bytes === undefined) {
    throw rejection(req, 'invalid_request', [{ location: 'body', message: `is missing; send ${newPetShape}` }]);
  }
  const reading = readNewPet(parsedBody(req, recordedText(req, bytes)), 'body');
  if (!reading.ok) throw rejection(req, 'invalid_request', reading.problems);
  return reading.value;
}
