import type { ErrorObject } from 'ajv';

/** Checks a value, without exact integers, by the schema of a fixture; the last errors are in `errors`. */
interface Check {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** By name. */
export const checks: Readonly<Record<string, Check>>;
