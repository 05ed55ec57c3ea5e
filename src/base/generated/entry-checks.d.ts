import type { ErrorObject } from 'ajv';

/** Checks a value, without exact integers, by the schema of a journal entry; the last errors are in `errors`. */
interface Check {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** By the kind of entry. */
export const checks: Readonly<Record<string, Check>>;
