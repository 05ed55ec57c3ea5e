/** Validates fixtures: the text of a fixture file, and a fixture that is part of a request. */

import type { Problem } from '../api/exchange.ts';
import { type PetFields, type ReadResult, readPetFields } from '../api/pet.ts';
import { fieldsOf } from '../api/specification.ts';
import {
  describeJson,
  INT64_MAX,
  INT64_MIN,
  isObject,
  type JsonObject,
  type JsonValue,
  NumberLiteral,
  parseJson,
} from '../core/int64.ts';
import { MAX_GENERATED } from '../core/limits.ts';
import { isAndSent, notKnown, shorten } from '../core/text.ts';
import { MAX_SEED } from './generate.ts';

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

const MAX_DESCRIPTION = 500;

/** Characters of a fixture that a message quotes. */
const MAX_QUOTED_MEMBER = 40;

const AN_INT64 = `an integer from ${INT64_MIN} to ${INT64_MAX}`;

const FIXTURE_MEMBERS = ['$schema', 'description', 'nextId', 'pets', 'generate'];
const GENERATE_MEMBERS = ['count', 'seed'];
const PET_MEMBERS = fieldsOf('Pet').map(({ name }) => name);

/** How a fixture was given. */
interface Form {
  readonly needsDescription: boolean;
  /** The place of a pet: `pets[3]` in a file, `pets/3` in a body. */
  readonly petAt: (index: number) => string;
}

const FILE: Form = { needsDescription: true, petAt: (index) => `pets[${index}]` };

/**
 * Parses a fixture file: integers exactly, pets by the specification's Pet without additional members.
 * @param file the file's name in messages
 * @throws {FixtureError} with every problem of the file, the first twenty described
 */
export function readFixture(text: string, file: string): FixtureContent {
  const problems = new Problems();
  const content = contentOf(parseObject(text, file), FILE, problems);
  if (problems.count === 0) return content;
  const shown = problems.described.map(({ location, message }) => `${file}: ${location} ${message}`);
  if (problems.count > shown.length) shown.push(`${file}: and ${problems.count - shown.length} more`);
  throw new FixtureError(shown.join('\n'));
}

/**
 * Reads a fixture that is a value of a body. It needs no description.
 * @param place its location: `body/fixture`
 * @param petAt the place of a pet below it
 */
export function readInlineFixture(
  value: JsonValue,
  location: string,
  petAt = (index: number): string => `pets/${index}`,
): ReadResult<FixtureContent> {
  const problems = new Problems();
  if (!isObject(value)) {
    const message = isAndSent('the name of a fixture, or a fixture such as {"pets": []}', describeJson(value));
    return { ok: false, problems: [{ location, message }] };
  }
  const content = contentOf(value, { needsDescription: false, petAt }, problems);
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

  /** @param value what was given instead */
  wrong(location: string, wanted: string, value: JsonValue | undefined): void {
    this.add(() => ({ location, message: isAndSent(wanted, describeJson(value)), ...differenceOf(value) }));
  }
}

/** The validator uses doubles: for it 2^63 is an integer. */
const differenceOf = (value: JsonValue | undefined): Pick<Problem, 'difference'> =>
  value instanceof NumberLiteral && Number.isInteger(Number(value.text)) ? { difference: 'int64-range' } : {};

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

/** Invalid members are replaced by harmless values: the caller rejects if there was any problem. */
function contentOf(fixture: JsonObject, form: Form, problems: Problems): FixtureContent {
  rejectUnknownMembers(fixture, FIXTURE_MEMBERS, '', problems);
  const { $schema, description, nextId, pets, generate } = fixture;
  if ($schema !== undefined && typeof $schema !== 'string') problems.wrong('$schema', 'a string', $schema);
  if (!isDescription(description, form)) {
    problems.wrong('description', `a string of 1 to ${MAX_DESCRIPTION} characters`, description);
  }
  if (nextId !== undefined && typeof nextId !== 'bigint') problems.wrong('nextId', AN_INT64, nextId);
  if (pets === undefined && generate === undefined) {
    const message = 'is missing: give "pets": [] or "generate": {"count": 100, "seed": 1}';
    problems.add(() => ({ location: 'pets', message }));
  }
  if (pets !== undefined && generate !== undefined) {
    problems.add(() => ({ location: 'generate', message: "can't be combined with pets; leave one of them out" }));
  }
  return {
    description: typeof description === 'string' ? description : '',
    nextId: typeof nextId === 'bigint' ? nextId : undefined,
    pets: pets === undefined ? [] : readPets(pets, form, problems),
    generate: generate === undefined ? undefined : recipeOf(generate, problems),
  };
}

function isDescription(value: JsonValue | undefined, { needsDescription }: Form): boolean {
  if (value === undefined) return !needsDescription;
  return typeof value === 'string' && value !== '' && value.length <= MAX_DESCRIPTION;
}

function readPets(value: JsonValue, { petAt }: Form, problems: Problems): readonly PetFields[] {
  if (!Array.isArray(value)) {
    problems.wrong('pets', 'an array', value);
    return [];
  }
  const indexOfId = new Map<bigint, number>();
  const pets: PetFields[] = [];
  for (const [index, member] of value.entries()) {
    const location = petAt(index);
    if (isObject(member)) rejectUnknownMembers(member, PET_MEMBERS, `${location}/`, problems);
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

function recipeOf(value: JsonValue, problems: Problems): Recipe {
  if (!isObject(value)) {
    problems.wrong('generate', 'an object such as {"count": 100, "seed": 1}', value);
    return { count: 1, seed: 0 };
  }
  rejectUnknownMembers(value, GENERATE_MEMBERS, 'generate/', problems);
  const integer = (member: string, from: number, to: number): number => {
    const parameter = value[member];
    if (typeof parameter === 'bigint' && parameter >= from && parameter <= to) return Number(parameter);
    problems.wrong(`generate/${member}`, `an integer from ${from} to ${to}`, parameter);
    return from;
  };
  return { count: integer('count', 1, MAX_GENERATED), seed: integer('seed', 0, MAX_SEED) };
}

function rejectUnknownMembers(value: JsonObject, known: readonly string[], prefix: string, problems: Problems): void {
  for (const member in value) {
    if (known.includes(member)) continue;
    problems.add(() => ({ location: prefix + shorten(member, MAX_QUOTED_MEMBER), message: notKnown(member, known) }));
  }
}
