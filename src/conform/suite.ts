/**
 * The black-box suite of the API, as one list. The checks are the same for every key; only their requests differ.
 */
import { CASES, keyCases } from './cases.ts';
import { type ConformCheck, checksOf, hasStatus } from './check.ts';
import { listChecks } from './checks/lists.ts';
import { creates, newPetChecks } from './checks/new-pets.ts';
import { isAbsent, onePetChecks } from './checks/one-pet.ts';

/** Every check. New pets come first, so that the lists contain pets. */
export function suite(key: string): readonly ConformCheck[] {
  const { newPets, acceptedPets, absentPets, ...others } = CASES;
  return [
    ...[newPets, acceptedPets].flatMap((cases) => checksOf(cases, creates)),
    ...newPetChecks,
    ...listChecks,
    ...onePetChecks,
    ...checksOf(absentPets, isAbsent),
    ...[...keyCases(key), ...Object.values(others)].flatMap((cases) => checksOf(cases, hasStatus)),
  ];
}
