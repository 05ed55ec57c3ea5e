import { operations } from '../../src/generated/facts.ts';

/** Every response that the specification documents: `listPets 200`, in its order. */
export const documented: readonly string[] = Object.entries(operations).flatMap(([name, { responses }]) =>
  Object.keys(responses).map((status) => `${name} ${status}`),
);
