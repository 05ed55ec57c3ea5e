/** Fixtures that a program gives as values. */
import { exactFixture, type InlineFixture } from '../inline-fixture.ts';
import type { NewFixture } from '../store/own-fixture.ts';
import { FixtureError, readInlineFixture } from './fixture-file.ts';
import { newFixture } from './new-fixture.ts';

/**
 * The name of a fixture as it is, and the pets of a value.
 * @throws {FixtureError} with every problem and its place: `fixture/pets/3/id must be …`
 * @throws {TypeError} for a number that may have lost digits
 */
export async function givenFixture<Named>(fixture: InlineFixture | Named): Promise<NewFixture | Named> {
  if (!isInline(fixture)) return fixture;
  const reading = readInlineFixture(exactFixture(fixture), 'fixture');
  if (reading.ok) return newFixture(reading.value);
  throw new FixtureError(reading.problems.map(({ place, message }) => `${place} ${message}`).join('\n'));
}

const isInline = (fixture: unknown): fixture is InlineFixture => typeof fixture === 'object' && fixture !== null;
