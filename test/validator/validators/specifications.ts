/** The specifications as the product's worker has them. */
import { readFileSync } from 'node:fs';
import controls from '../../../src/generated/control-api.json' with { type: 'json' };
import petstore from '../../../src/generated/petstore.json' with { type: 'json' };
import type { Specifications } from '../../../src/validator/operations.ts';

// Built before the tests; also bundled into workers elsewhere, so the path is not from here.
const operations = JSON.parse(readFileSync('dist/operations.json', 'utf8'));

export const specifications = {
  petstore: { specification: petstore, operations: operations.petstore },
  control: { specification: controls, operations: operations.control },
} as Specifications;
