/**
 * The black-box suite of the API, as one list. The checks are the same for every key; only their requests differ.
 */
import {
  badEncodingFirst,
  badEncodings,
  methodsOfList,
  methodsOfPet,
  postOfPet,
  safeMethodsOfList,
  unknownPathPosted,
  unknownPaths,
} from './cases/addresses.ts';
import {
  badQueries,
  idsNoInt64,
  idsNoInteger,
  limitsBeyond,
  limitsNoInteger,
  limitsOtherForms,
} from './cases/lists.ts';
import * as rejected from './cases/rejected-pets.ts';
import { type ConformCheck, checkOf } from './check.ts';
import { keyChecks } from './checks/keys.ts';
import { listChecks } from './checks/lists.ts';
import { newPetChecks } from './checks/new-pets.ts';
import { onePetChecks } from './checks/one-pet.ts';

/** Every check. New pets come first, so that the lists contain pets. */
export const suite = (key: string): readonly ConformCheck[] => [
  ...newPetChecks,
  ...listChecks,
  ...onePetChecks,
  ...keyChecks(key),
  ...[
    limitsBeyond,
    limitsNoInteger,
    limitsOtherForms,
    badQueries,
    idsNoInt64,
    idsNoInteger,
    unknownPaths,
    unknownPathPosted,
    badEncodings,
    badEncodingFirst,
    safeMethodsOfList,
    methodsOfList,
    postOfPet,
    methodsOfPet,
    ...Object.values(rejected),
  ].flatMap((rows) => rows.map(checkOf)),
];
