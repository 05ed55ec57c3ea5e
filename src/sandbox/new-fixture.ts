/** From the content of a fixture, which may be a recipe, to its pets. */

import { type NewPet, type Pet, type PetFields, petOf } from '../base/api/pet.ts';
import type { components } from '../base/generated/petstore.d.ts';
import { parseJson, writeJson } from '../base/int64.ts';
import { inSlices, type RunSlice } from '../base/lane.ts';
import { type FixtureContent, FixtureError, readInlineFixture } from './fixture-file.ts';
import { generatePets } from './generate.ts';
import type { NewFixture } from './store/fixture.ts';

/** Integers as `number`, or as `bigint` beyond 2^53. */
type Loosely<T> = { readonly [Name in keyof T]: T[Name] extends bigint ? number | bigint : T[Name] };

/** Exactly these pets, or made-up ones. The form is that of a fixture file; a description is not needed. */
export interface InlineFixture {
  readonly description?: string;
  /** The first id to assign; by default one above the largest. */
  readonly nextId?: number | bigint;
  /** In any order, each id once. */
  readonly pets?: readonly Loosely<components['schemas']['Pet']>[];
  /** Instead of `pets`. */
  readonly generate?: { readonly count: number; readonly seed: number };
}

/** The pets of a fixture in ascending id, and the first id to assign. */
export async function newFixture({ pets, nextId, generate }: FixtureContent, turn?: RunSlice): Promise<NewFixture> {
  const all = generate ? numbered(await inSlices(generatePets(generate), turn)) : sorted(pets);
  // A value above the largest int64 means that no id is left.
  return { nextId: nextId ?? (all.at(-1)?.id ?? 0n) + 1n, pets: all };
}

const sorted = (pets: readonly PetFields[]): Pet[] =>
  [...pets].sort((a, b) => (a.id < b.id ? -1 : 1)).map((pet) => petOf(pet.id, pet));

const numbered = (pets: readonly NewPet[]): Pet[] => pets.map((pet, index) => petOf(BigInt(index + 1), pet));

/**
 * The name of a fixture as it is, and the pets of a value.
 * @throws {FixtureError} with every problem and its place: `fixture/pets/3/id must be …`
 * @throws {TypeError} for a number that may have lost digits
 */
export async function givenFixture<Named>(fixture: InlineFixture | Named): Promise<NewFixture | Named> {
  if (!isInline(fixture)) return fixture;
  rejectRounded(fixture, 'fixture');
  const reading = readInlineFixture(parseJson(writeJson(fixture)), 'fixture');
  if (reading.ok) return newFixture(reading.value);
  throw new FixtureError(reading.problems.map(({ location, message }) => `${location} ${message}`).join('\n'));
}

const isInline = (fixture: unknown): fixture is InlineFixture => typeof fixture === 'object' && fixture !== null;

/** @throws {TypeError} for a number beyond 2^53: it may have lost digits before it came here */
export function rejectRounded(value: unknown, location: string): void {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new TypeError(
      `${location}: ${BigInt(value)} is beyond 2^53 and may have lost digits; give a bigint, like ${BigInt(value)}n`,
    );
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) rejectRounded(member, `${location}/${name}`);
}
