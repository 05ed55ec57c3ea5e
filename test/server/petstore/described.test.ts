import { expect, test } from 'vitest';
import { methodsOf } from '../../../src/server/http/response.ts';
import { routesOf } from '../../../src/server/petstore/described.ts';
import { OPERATIONS } from '../../../src/server/petstore/endpoints.ts';
import type { Operation } from '../../../src/server/petstore/operation.ts';
import { getPet } from '../../../src/server/petstore/operations/getPet.ts';
import { listPets } from '../../../src/server/petstore/operations/listPets.ts';
import { methodsOn, NO_OPERATION } from '../../support/documented.ts';

const built: Readonly<Record<string, Operation>> = OPERATIONS;
const { getPet: _, ...withoutGetPet } = built;

test('serves what the specification describes: exact paths first, each with its own methods', () => {
  const served = routesOf(built);
  const paths = [...new Set(served.map(({ path }) => path))];
  expect(paths.map((path) => [path, methodsOf(served.filter((each) => each.path === path))])).toEqual([
    ['/v1/pets', methodsOn('/pets')],
    ['/v1/pets/{petId}', methodsOn('/pets/{petId}')],
  ]);
});

const rereads = (name: 'listPets' | 'createPet', reads: Operation['reads']) => ({
  ...built,
  [name]: { ...(built[name] as Operation), reads },
});
const unfiltered = listPets.reads.filter((part) => part !== 'query/status');

test.each([
  [withoutGetPet, 'describes the operation getPet, which is not built'],
  [{ ...built, [NO_OPERATION]: getPet }, `does not describe the operation ${NO_OPERATION}, which is built`],
  [
    rereads('listPets', unfiltered),
    'describes the query parameter status of listPets, which is not built: src/server/petstore/operations/listPets.ts',
  ],
  [rereads('createPet', []), 'describes the body of createPet, which is not built'],
  [
    rereads('listPets', [...listPets.reads, 'query/page']),
    'does not describe the query parameter page of listPets, which is built',
  ],
])('what is built and not described, or the other way round, stops the start: %#', (operations, message) => {
  expect(() => routesOf(operations)).toThrow(`spec/openapi.yaml ${message}`);
});
