/** The specification as the product's worker has it. */
import { readFileSync } from 'node:fs';
import petstore from '../../../../src/base/generated/petstore.json' with { type: 'json' };
import type { DescribedOperations } from '../../../../src/verdict/validator/operations.ts';

// Built before the tests; also bundled into workers elsewhere, so the path is not from here.
const { operations } = JSON.parse(readFileSync('dist/operations.json', 'utf8'));

export const described: DescribedOperations = { specification: petstore, operations };
