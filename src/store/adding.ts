/** The plan that adds pets. */
import { ApiError } from '../api/errors.ts';
import { type NewPet, petOf } from '../api/pet.ts';
import { INT64_MAX } from '../core/int64.ts';
import type { Plan } from './store.ts';

/**
 * New pets under the next free ids, in their order. @param ms when a control adds them: see `PetsEntry`
 * @returns a plan that throws `limit_reached` (`ApiError`) when the ids run out at the end of int64
 */
export const adding =
  (newPets: readonly NewPet[], ms?: number): Plan =>
  (contents) => {
    let next = contents.nextId;
    const pets = newPets.map((newPet) => {
      const id = contents.freeIdFrom(next);
      if (id > INT64_MAX) {
        throw new ApiError('limit_reached', 'no id is left: the largest int64 has been given out; reset the sandbox');
      }
      next = id + 1n;
      return petOf(id, newPet);
    });
    return pets.length === 0 ? undefined : { pets, ...(ms !== undefined && { ms }) };
  };
