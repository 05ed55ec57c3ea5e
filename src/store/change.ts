/** Changes to the pets of a sandbox. A branch is a log of them, in memory (branch.ts) and in files (log-file.ts). */

import type { JsonObject, JsonValue } from '../int64.ts';
import { type Pet, readPet } from '../pet.ts';
import { fieldsOf } from '../specification.ts';
import { DataFileError, objectIn, refuseUnknown } from './data-file.ts';

/**
 * Every kind of change. A new kind is one more member of this union; the compiler then reports the functions that must
 * handle it: `textOf` and `readChange` here, and `Branch.append`.
 */
export type Change = Added;

/** A new pet. Its id is above all ids assigned before in the same log. */
export interface Added {
  readonly added: Pet;
}

const PET_MEMBERS = new Set(fieldsOf('Pet').map(({ name }) => name));
const CHANGE_MEMBERS = new Set(['added']);

/** The file form of a change: an object with one member, named by the kind. */
export const textOf = ({ added }: Change): string => `{"added":${added.json}}`;

/**
 * Parses a change strictly.
 * @param place its location in the file: `changes[3]`
 * @throws {DataFileError}
 */
export function readChange(path: string, value: JsonValue, place: string): Change {
  const change = objectIn(value);
  refuseUnknown(path, change, CHANGE_MEMBERS, place);
  const { added } = change;
  if (added === undefined) throw new DataFileError(path, `${place} must be a change, such as {"added":{"id":1,…}}`);
  return { added: readStoredPet(path, added, `${place}/added`) };
}

/** Reads a pet of a file. @throws {DataFileError} */
export function readStoredPet(path: string, pet: JsonValue, place: string): Pet {
  const reading = readPet(pet, place);
  if (!reading.ok)
    throw new DataFileError(path, reading.problems.map((problem) => `${problem.place} ${problem.message}`).join('; '));
  refuseUnknown(path, pet as JsonObject, PET_MEMBERS, place);
  return reading.value;
}
