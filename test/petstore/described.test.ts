import { expect, test } from 'vitest';
import { methodsOf, routesOf } from '../../src/petstore/described.ts';
import type { Operation } from '../../src/petstore/operation.ts';
import { createPet } from '../../src/petstore/operations/createPet.ts';
import { getPet } from '../../src/petstore/operations/getPet.ts';
import { listPets } from '../../src/petstore/operations/listPets.ts';
import { OPERATIONS } from '../../src/petstore/router.ts';
import { methodsOn, NO_OPERATION } from '../support/documented.ts';

const built: Readonly<Record<string, Operation>> = OPERATIONS;
const { getPet: _, ...withoutGetPet } = built;

test('serves what the specification describes: exact paths first, each with its own methods', () => {
  const routes = routesOf(built, '').map(({ path, served }) => [path, methodsOf(served)]);
  expect(routes).toEqual([
    ['/v1/pets', methodsOn('/pets')],
    ['/v1/pets/:petId', methodsOn('/pets/{petId}')],
  ]);
});

test.each([
  ['an operation that is not built', withoutGetPet, 'describes the operation getPet, which is not built'],
  [
    'an operation that is not described',
    { ...built, [NO_OPERATION]: getPet },
    `does not describe the operation ${NO_OPERATION}, which is built`,
  ],
  [
    'a parameter that is not read',
    { ...built, listPets: { ...listPets, reads: listPets.reads.filter((part) => part !== 'query/status') } },
    'describes the query parameter status of listPets, which is not built',
  ],
  [
    'a body that is not read',
    { ...built, createPet: { ...createPet, reads: [] } },
    'describes the body of createPet, which is not built',
  ],
  [
    'a parameter that is not described',
    { ...built, listPets: { ...listPets, reads: [...listPets.reads, 'query/page'] } },
    'does not describe the query parameter page of listPets, which is built',
  ],
])('%s stops the start, by its name', (_title, operations, message) => {
  expect(() => routesOf(operations, '')).toThrow(`spec/openapi.yaml ${message}`);
});
