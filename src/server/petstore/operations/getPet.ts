/** `GET /pets/{petId}`, which is deprecated. */
import { ApiError } from '../../../base/api/errors.ts';
import { parameterOf } from '../../../base/api/specification.ts';
import { pathInteger, type ReadingOperation } from '../operation.ts';

const PET_ID = parameterOf('getPet', 'path/petId');

export const getPet: ReadingOperation<bigint> = {
  reads: ['path/petId'],
  successor: { address: '../pets', advice: 'use GET /v1/pets with the status filter' },
  parse: (req) => pathInteger(req, PET_ID),
  /** @throws {ApiError} `not_found` */
  operate: (pets, id) => {
    const pet = pets.findPet(id);
    if (pet) return pet.json;
    throw new ApiError('not_found', `no pet has the id ${id}; GET /v1/pets lists those there are`);
  },
};
