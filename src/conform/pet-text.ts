/** Pets as they come in answers that fit the document. */
import type { JsonObject, JsonValue } from '../int64.ts';

export interface SeenPet {
  readonly id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status?: string;
}

/** The pets of a list that fits the schema Pets. */
export const petsOf = (value: JsonValue): readonly SeenPet[] => value as unknown as SeenPet[];

/** The pet of a body that fits the schema Pet. */
export const petOf = (value: JsonValue): SeenPet => value as unknown as SeenPet;

/** The described fields in which one object is not the other; the id is left out unless both have one. */
export const differentFields = (one: object, other: object): string[] =>
  ['id', 'name', 'categoryId', 'status'].filter((name) => {
    const [a, b] = [(one as JsonObject)[name], (other as JsonObject)[name]];
    return name === 'id' ? a !== undefined && b !== undefined && a !== b : a !== b;
  });

/** A pet in a few words. */
export const shownPet = ({ id, name, categoryId, status }: Partial<SeenPet>): string =>
  `{${[
    ...(id === undefined ? [] : [`"id":${id}`]),
    `"name":${JSON.stringify(name)}`,
    `"categoryId":${categoryId}`,
    ...(status === undefined ? [] : [`"status":${JSON.stringify(status)}`]),
  ].join()}}`;
