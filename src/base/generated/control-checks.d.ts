import type { ErrorObject } from 'ajv';

/** Checks a value, without exact integers, by a schema of the control API; the last errors are in `errors`. */
interface Check {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** By name. */
export const checks: Readonly<Record<'fixture' | 'fault', Check>>;
