/** `POST /_sandbox/pets`: generated pets. */
import { randomInt } from 'node:crypto';
import type { NewPet, Pet, PetStatus } from '../core/pet.ts';
import { ROUND } from '../http/heavy-lane.ts';
import { generatePets, MAX_SEED } from '../sandbox/generate.ts';
import { adding } from '../store/adding.ts';
import { present } from '../store/start.ts';
import type { Controls } from './control.ts';

interface GenerateBody {
  readonly count: number;
  readonly seed?: number;
  readonly status?: PetStatus;
}

export const petControls = (): Controls => ({
  generatePets: async (call) => {
    const { count, status, seed = randomInt(MAX_SEED + 1) } = call.body as unknown as GenerateBody;
    const newPets: NewPet[] = [];
    const sandbox = call.sandbox();
    const slices = generatePets({ count, seed, status });
    for (;;) {
      const slice = await call.req.exchange.inTurn(ROUND, () => slices.next());
      if (slice.done) break;
      newPets.push(...slice.value);
    }
    return call.req.exchange.inTurn(count * A_PET, async () => {
      const pets = await sandbox.addPets(adding(newPets, present()));
      return { status: 201, body: shown(seed, pets) };
    });
  },
});

/** Characters of a generated pet. */
const A_PET = 80;

/** As JSON text: ids may exceed 53 bits. */
const shown = (seed: number, pets: readonly Pet[]): string =>
  `{"count":${pets.length},"seed":${seed},"firstId":${pets[0]?.id},"lastId":${pets.at(-1)?.id},"pets":[${pets
    .map(({ json }) => json)
    .join(',')}]}`;
