/** The documents as the product's worker has them. */
import controls from '../../../src/generated/controls.json' with { type: 'json' };
import petstore from '../../../src/generated/interface.json' with { type: 'json' };
import operations from '../../../src/judge/operations.json' with { type: 'json' };
import type { Documents } from '../../../src/judge/operations.ts';

export const documents = {
  interface: { document: petstore, operations: operations.interface },
  controls: { document: controls, operations: operations.controls },
} as unknown as Documents;
