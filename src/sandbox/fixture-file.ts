/** Validates fixtures: the text of a fixture file, and a fixture that is part of a request. */
import type { Problem } from '../base/api/exchange.ts';
import { type PetFields, type ReadResult, readPetFields } from '../base/api/pet.ts';
import { problemOf } from '../base/api/schema-problems.ts';
import { fieldsOf } from '../base/api/specification.ts';
import { checks } from '../base/generated/control-checks.js';
import {
  describeJson,
  INT64_MAX,
  INT64_MIN,
  isObject,
  type JsonObject,
  type JsonValue,
  NumberLiteral,
  parseJson,
  plainValue,
} from '../base/int64.ts';
import { isAndSent, notKnown, shorten } from '../base/text.ts';

/** An invalid fixture: each line of `message` names the file, the location, and what to write instead. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
}

/** Parameters for generating a fixture's pets. */
interface Recipe {
  readonly count: number;
  readonly seed: number;
}

/** The content of a fixture file: its pets in file order, or a recipe for generating them. */
export interface FixtureContent {
  readonly description: string;
  /** The first id to assign, if the file names one. */
  readonly nextId: bigint | undefined;
  readonly pets: readonly PetFields[];
  readonly generate: Recipe | undefined;
}

/** Problems of one fixture that are described; further ones are counted. */
const SHOWN_PROBLEMS = 20;

/** Characters of a fixture that a message quotes. */
const MAX_QUOTED_MEMBER = 40;

const AN_INT64 = `an integer from ${INT64_MIN} to ${INT64_MAX}`;

const NEEDS_PETS = 'is missing: give "pets": [] or "generate": {"count": 100, "seed": 1}';
const PET_MEMBERS = fieldsOf('Pet').map(({ name }) => name);

/** The place of a pet: `pets[3]` in a file, `pets/3` in a body. */
type PetPlace = (index: number) => string;

/**
 * Parses a fixture file: integers exactly, pets by the specification's Pet without additional members.
 * @param file the file's name in messages
 * @throws {FixtureError} with every problem of the file, the first twenty described
 */
export function readFixture(text: string, file: string): FixtureContent {
  const problems = new Problems();
  const fixture = parseObject(text, file);
  const content = contentOf(fixture, (index) => `pets[${index}]`, problems);
  if (fixture['description'] === undefined)
    problems.add(() => ({ location: 'description', message: 'is missing: say what the fixture is for' }));
  if (problems.count === 0) return content;
  const shown = problems.described.map(({ location, message }) => `${file}: ${location} ${message}`);
  if (problems.count > shown.length) shown.push(`${file}: and ${problems.count - shown.length} more`);
  throw new FixtureError(shown.join('\n'));
}

/**
 * Reads a fixture that is a value of a body. It needs no description.
 * @param petAt the place of a pet below it
 */
export function readInlineFixture(
  value: JsonValue,
  location: string,
  petAt: PetPlace = (index) => `pets/${index}`,
): ReadResult<FixtureContent> {
  const problems = new Problems();
  if (!isObject(value)) {
    const message = isAndSent('the name of a fixture, or a fixture such as {"pets": []}', describeJson(value));
    return { ok: false, problems: [{ location, message }] };
  }
  const content = contentOf(value, petAt, problems);
  if (problems.count === 0) return { ok: true, value: content };
  const all = problems.described.map((problem) => ({ ...problem, location: `${location}/${problem.location}` }));
  const more = problems.count - all.length;
  if (more > 0) all.push({ location, message: `has ${more} more problems` });
  return { ok: false, problems: all };
}

/** What is wrong with a fixture. A text may have a problem for each of its characters: only the first are worded. */
class Problems {
  readonly described: Problem[] = [];
  count = 0;

  /** @param word called for the first problems only */
  add(word: () => Problem): void {
    this.count += 1;
    if (this.count <= SHOWN_PROBLEMS) this.described.push(word());
  }
}

function parseObject(text: string, file: string): JsonObject {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw new FixtureError(`${file}: ${(cause as Error).message}`, { cause });
  }
  if (isObject(value)) return value;
  throw new FixtureError(
    `${file}: the file ${isAndSent('a JSON object such as {"description": "…", "pets": []}', describeJson(value))}`,
  );
}

/** All but the pets is checked by the schema of the control API. Invalid members are as they are: the caller rejects them. */
function contentOf(fixture: JsonObject, petAt: PetPlace, problems: Problems): FixtureContent {
  const { pets, ...others } = fixture;
  const plain = plainValue({ ...others, ...(pets !== undefined && { pets: Array.isArray(pets) ? [] : pets }) });
  const { fixture: check } = checks;
  // Each branch of `anyOf` reports its own missing member.
  const errors = check(plain) ? [] : (check.errors ?? []).filter(({ schemaPath }) => !schemaPath.includes('/anyOf/'));
  for (const error of errors)
    problems.add(() => {
      if (error.keyword === 'anyOf') return { location: 'pets', message: NEEDS_PETS };
      const { location, message } = problemOf(error, '', fixture) as Problem;
      return { location: location.slice(1) || 'generate', message };
    });
  const { description = '', generate } = plain as { readonly description?: string; readonly generate?: Recipe };
  const { nextId } = fixture;
  // The schema sees doubles: for it 2^63 is an integer.
  if (nextId instanceof NumberLiteral && Number.isInteger(Number(nextId.text)))
    problems.add(() => ({
      ...{ location: 'nextId', message: isAndSent(AN_INT64, describeJson(nextId)) },
      difference: 'int64-range',
    }));
  return {
    description,
    nextId: typeof nextId === 'bigint' ? nextId : undefined,
    pets: Array.isArray(pets) ? readPets(pets, petAt, problems) : [],
    generate,
  };
}

function readPets(value: readonly JsonValue[], petAt: PetPlace, problems: Problems): readonly PetFields[] {
  const indexOfId = new Map<bigint, number>();
  const pets: PetFields[] = [];
  for (const [index, member] of value.entries()) {
    const location = petAt(index);
    if (isObject(member)) rejectUnknownMembers(member, `${location}/`, problems);
    const reading = readPetFields(member, location);
    if (!reading.ok) for (const problem of reading.problems) problems.add(() => problem);
    // The id of a pet with other problems counts too, so that all problems are listed at once.
    const id = isObject(member) ? member['id'] : undefined;
    const first = typeof id === 'bigint' ? indexOfId.get(id) : undefined;
    if (typeof id === 'bigint' && first === undefined) indexOfId.set(id, index);
    if (first !== undefined) {
      const message = `is an id of its own; ${id} is taken by ${petAt(first)}`;
      problems.add(() => ({ location: `${location}/id`, message, difference: 'id-twice' }));
    }
    if (reading.ok) pets.push(reading.value);
  }
  return pets;
}

function rejectUnknownMembers(value: JsonObject, prefix: string, problems: Problems): void {
  for (const member in value) {
    if (PET_MEMBERS.includes(member)) continue;
    problems.add(() => ({
      location: prefix + shorten(member, MAX_QUOTED_MEMBER),
      message: notKnown(member, PET_MEMBERS),
    }));
  }
}

// Writes fixture files: the counterpart of `fixture-file.ts`.

/** A line break, the indentation and a comma. */
const BYTES_BETWEEN = 6;
/** Far more than the lines before and after the pets. */
const BYTES_AROUND = 4 * 1024;

/** The content of a fixture file. */
interface WrittenFixture {
  readonly description: string;
  /** Above the largest int64 if no id is left; then a pet has that id, and readers come to the same result. */
  readonly nextId: bigint;
  /** The JSON texts of its pets. */
  readonly pets: Iterable<string>;
}

/** A fixture file, one pet a line, as the parts of a long text: its items are the pets. */
export function fixtureParts({ description, nextId, pets }: WrittenFixture) {
  let isEmpty = true;
  function* lines(): Generator<string, void> {
    for (const pet of pets) {
      isEmpty = false;
      yield `\n    ${pet}`;
    }
  }
  const next = nextId <= INT64_MAX ? `  "nextId": ${nextId},\n` : '';
  return {
    before: `{\n  "description": ${JSON.stringify(description)},\n${next}  "pets": [`,
    items: lines(),
    between: ',',
    after: () => (isEmpty ? ']\n}\n' : '\n  ]\n}\n'),
  };
}

/** An upper bound of the bytes of a fixture file. */
export const fixtureBytes = (pets: number, bytes: number): number => bytes + pets * BYTES_BETWEEN + BYTES_AROUND;
