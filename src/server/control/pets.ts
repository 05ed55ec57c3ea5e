/** `GET /_sandbox/pets`: looking at pets without a request of a client. `POST`: generated pets. */
import { randomInt } from 'node:crypto';
import { ApiError } from '../../base/api/errors.ts';
import type { Pet, PetStatus } from '../../base/api/pet.ts';
import { type JsonObject, parseJson } from '../../base/int64.ts';
import { inSlices } from '../../base/lane.ts';
import { generatePets, MAX_SEED } from '../../sandbox/generate.ts';
import { A_PET, type Controls } from './control.ts';

interface GenerateBody {
  readonly count: number;
  readonly seed?: number;
  readonly status?: PetStatus;
}

interface LookQuery {
  readonly status?: PetStatus;
  readonly id?: string;
  readonly limit?: number;
}

export const petControls = (): Controls => ({
  lookAtPets: async (call) => {
    const { status, id, limit = MAX_LISTED_PETS } = call.query as LookQuery;
    const sandbox = call.sandbox();
    const { seeded, added } = sandbox.journal.contents;
    const total = seeded + added;
    if (id === undefined) {
      const { json } = await call.inTurn(() => sandbox.journal.listPets({ status, limit }), limit * A_PET);
      return { status: 200, body: `{"total":${total},"pets":${json}}` };
    }
    const pet = await sandbox.journal.findPet(BigInt(id));
    if (!pet) throw new ApiError('not_found', `query/id: no pet has the id ${id}`);
    if (status !== undefined && (parseJson(pet.json) as JsonObject)['status'] !== status)
      throw new ApiError('not_found', `query/id: no pet has the id ${id} and the status ${status}`);
    return { status: 200, body: `{"total":${total},"pets":[${pet.json}]}` };
  },

  generatePets: async (call) => {
    const { count, status, seed = randomInt(MAX_SEED + 1) } = call.body as unknown as GenerateBody;
    const sandbox = call.sandbox();
    const newPets = await inSlices(generatePets({ count, seed, status }), call.inTurn);
    return call.inTurn(async () => {
      const pets = await sandbox.journal.addPets(newPets);
      return { status: 201, body: shownPets(seed, pets) };
    }, count * A_PET);
  },
});

/** As the specification says. */
const MAX_LISTED_PETS = 1000;

/** As JSON text: ids may exceed 53 bits. */
const shownPets = (seed: number, pets: readonly Pet[]): string =>
  `{"count":${pets.length},"seed":${seed},"firstId":${pets[0]?.id},"lastId":${pets.at(-1)?.id},"pets":[${pets
    .map(({ json }) => json)
    .join(',')}]}`;
