import type { JsonSchema } from 'json-schema-faker';
import description from '../generated/interface.json' with { type: 'json' };
import type { NewPet, PetStatus } from '../pet.ts';
import { drawPetName } from './pet-names.ts';

/** The most pets that one call makes. */
export const MAX_GENERATED = 10_000;

/** Seeds are integers from 0 to this. */
export const MAX_SEED = 0xffff_ffff;

/** Pets made before others get their turn: about a millisecond of work. */
const SLICE_LENGTH = 200;

/** Keeps the slices of one seed far apart: 2^32 divided by the golden ratio. */
const SEED_STEP = 0x9e37_79b9;

/** What to make. */
export interface GenerateRequest {
  /** How many pets, from 1 to `MAX_GENERATED`. */
  readonly count: number;
  /** An integer from 0 to `MAX_SEED`. The same seed gives the same pets, and fewer are the first of more. */
  readonly seed: number;
  /** The status of them all; without it, any or none. */
  readonly status?: PetStatus | undefined;
}

/**
 * Makes pets up from the document's NewPet, through json-schema-faker, and hands them over in slices. Between two
 * slices the event loop turns, so that a server stays responsive. The library is loaded when the first pet is wanted:
 * most sandboxes never ask.
 *
 * @throws RangeError when `count` or `seed` is out of range.
 */
export async function* generatePets({ count, seed, status }: GenerateRequest): AsyncGenerator<readonly NewPet[], void> {
  requireInteger('count', count, 1, MAX_GENERATED);
  requireInteger('seed', seed, 0, MAX_SEED);
  const { generateSync } = await import('json-schema-faker');
  const items = petLikeSchema(status);
  for (let made = 0; made < count; made += SLICE_LENGTH) {
    if (made > 0) await new Promise((resolve) => setImmediate(resolve));
    const length = Math.min(SLICE_LENGTH, count - made);
    const slice = generateSync(
      { type: 'array', items, minItems: length, maxItems: length },
      {
        seed: (seed + (made / SLICE_LENGTH) * SEED_STEP) >>> 0,
        // Formats and the resolver are given with each call: the library's global registry would be shared by all.
        formats: { 'pet-name': drawPetName },
        refResolver: schemaAt,
        optionalsProbability: 0.9,
      },
    ) as MadePet[];
    yield slice.map(withBigInts);
  }
}

/** As the library makes it: with plain numbers. */
type MadePet = Readonly<Record<string, string | number>>;

const withBigInts = (pet: MadePet): NewPet =>
  Object.fromEntries(
    Object.entries(pet).map(([name, value]) => [name, typeof value === 'number' ? BigInt(value) : value]),
  ) as unknown as NewPet;

/** The document's NewPet, narrowed to what looks real: a name that reads like one, one of twenty categories. */
function petLikeSchema(status: PetStatus | undefined): JsonSchema {
  const { NewPet } = description.components.schemas;
  const properties: Record<string, JsonSchema> = {
    ...NewPet.properties,
    name: { ...NewPet.properties.name, format: 'pet-name' },
    categoryId: { ...NewPet.properties.categoryId, minimum: 1, maximum: 20 },
  };
  if (status === undefined) return { ...NewPet, properties };
  return {
    ...NewPet,
    properties: { ...properties, status: { const: status } },
    required: [...NewPet.required, 'status'],
  };
}

/** The schema behind `#/components/schemas/PetStatus`. */
function schemaAt(reference: string): JsonSchema {
  const schemas: Readonly<Record<string, JsonSchema>> = description.components.schemas;
  const schema = schemas[reference.replace('#/components/schemas/', '')];
  if (schema === undefined) throw new Error(`the interface has no schema at ${reference}`);
  return schema;
}

function requireInteger(name: string, value: number, from: number, to: number): void {
  if (Number.isInteger(value) && value >= from && value <= to) return;
  throw new RangeError(`${name} must be an integer from ${from} to ${to}; got ${value}`);
}
