import type { ErrorObject } from 'ajv';

/** Checks a value, without exact integers, by a schema of the petstore API; the last errors are in `errors`. */
interface Check {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** By the place of the schema: `NewPet/weightKg`, `listPets/query/tag`. */
export const checks: Readonly<Record<string, Check>>;
