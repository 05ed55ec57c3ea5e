/** Pets in responses that match the specification. */

import { type JsonObject, type JsonValue, NumberLiteral, writeJson } from '../core/int64.ts';
import { shorten } from '../core/text.ts';
import { schemas } from '../generated/facts.ts';
import type { components } from '../generated/petstore.d.ts';

export type SeenPet = components['schemas']['Pet'];

const MAX_PET_TEXT = 100;

/** The described fields of a pet. */
const PET_FIELDS: readonly string[] = Object.keys(schemas.Pet.properties);

/** The pets of a list that matches the schema Pets. */
export const petsOf = (value: JsonValue): readonly SeenPet[] => value as unknown as SeenPet[];

/** The pet of a body that matches the schema Pet. */
export const seenPet = (value: JsonValue): SeenPet => value as unknown as SeenPet;

/** The described fields in which two objects differ; the id is ignored unless both have one. */
export const differentFields = (one: object, other: object): string[] =>
  PET_FIELDS.filter((name) => {
    const [a, b] = [(one as JsonObject)[name], (other as JsonObject)[name]];
    return (name !== 'id' || (a !== undefined && b !== undefined)) && !isSameValue(a, b);
  });

/** Numbers are compared by value: `2.50` is 2.5. */
function isSameValue(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a instanceof NumberLiteral && b instanceof NumberLiteral) return Number(a.text) === Number(b.text);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [one, other] = [a, b] as JsonObject[];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    Object.keys(a).length === Object.keys(b).length &&
    Object.keys(a).every((name) => Object.hasOwn(b, name) && isSameValue(one?.[name], other?.[name]))
  );
}

/** A short description of a pet. */
export const shownPet = (pet: Partial<SeenPet>): string =>
  `{${PET_FIELDS.flatMap((name) => {
    const value = (pet as JsonObject)[name];
    return value === undefined
      ? []
      : [
          `"${name}":${typeof value === 'string' ? JSON.stringify(shorten(value, MAX_PET_TEXT)) : shorten(writeJson(value), MAX_PET_TEXT)}`,
        ];
  }).join()}}`;
