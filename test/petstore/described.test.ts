import { expect, test } from 'vitest';
import { type Field, parameterOf, queryOf } from '../../src/api/specification.ts';
import { methodsOf, routesOf } from '../../src/petstore/described.ts';
import { listReader } from '../../src/petstore/list-parameters.ts';
import type { Operation } from '../../src/petstore/operation.ts';
import { getPet } from '../../src/petstore/operations/getPet.ts';
import { listPets } from '../../src/petstore/operations/listPets.ts';
import { OPERATIONS } from '../../src/petstore/router.ts';
import { methodsOn, NO_OPERATION } from '../support/documented.ts';

const built: Readonly<Record<string, Operation>> = OPERATIONS;
const { getPet: _, ...withoutGetPet } = built;

test('serves what the specification describes: exact paths first, each with its own methods', () => {
  const routes = routesOf(built).map(({ path, served }) => [path, methodsOf(served)]);
  expect(routes).toEqual([
    ['/v1/pets', methodsOn('/pets')],
    ['/v1/pets/:petId', methodsOn('/pets/{petId}')],
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
  [rereads('listPets', unfiltered), 'describes the query parameter status of listPets, which is not built'],
  [rereads('createPet', []), 'describes the body of createPet, which is not built'],
  [
    rereads('listPets', [...listPets.reads, 'query/page']),
    'does not describe the query parameter page of listPets, which is built',
  ],
])('what is built and not described, or the other way round, stops the start: %#', (operations, message) => {
  expect(() => routesOf(operations)).toThrow(`spec/openapi.yaml ${message}`);
});

const text: Field = { ...parameterOf('listPets', 'query/status'), enum: undefined };
const integer = parameterOf('listPets', 'query/limit');

test.each<[why: string, ...more: Field[]]>([
  ['the list parameter color is named like no field of a pet', { ...text, name: 'color' }],
  ['the list parameters cursor and after mean the same', { ...text, name: 'cursor' }, { ...text, name: 'after' }],
  ['the list parameter page needs a minimum of 0 or more', { ...integer, name: 'page', minimum: -1n }],
])('a list parameter that has no known meaning, or makes another useless, stops the start: %s', (why, ...more) => {
  expect(() => listReader([...queryOf('listPets'), ...more])).toThrow(`spec/openapi.yaml: ${why}`);
});
