/** One fixture file: its text, checked from end to end. */
import { fieldsOf } from '../document.ts';
import { INT64_MAX, INT64_MIN, type JsonObject, type JsonValue, OtherNumber, parseJson } from '../int64.ts';
import { type Pet, readPet } from '../pet.ts';
import { notKnown, shorten } from '../wording.ts';
import { MAX_GENERATED, MAX_SEED } from './generate.ts';

/** A fixture that is not right: each line of `message` names the file, the place, and what to write instead. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
}

/** How to make a fixture's pets up. */
export interface Recipe {
  readonly count: number;
  readonly seed: number;
}

/** What a fixture file says: its pets, in its own order, or how to make them up. */
export interface FixtureContent {
  readonly description: string;
  /** The first id to give out, where the file names one. */
  readonly nextId: bigint | undefined;
  readonly pets: readonly Pet[];
  readonly generate: Recipe | undefined;
}

/** Problems of one file that are told in words; those beyond are counted. */
const SHOWN_PROBLEMS = 20;

const MAX_DESCRIPTION = 500;

/** Characters of a file that a message quotes. */
const MAX_SHOWN = 40;

const AN_INT64 = `an integer from ${INT64_MIN} to ${INT64_MAX}`;

const FIXTURE_MEMBERS = ['$schema', 'description', 'nextId', 'pets', 'generate'];
const GENERATE_MEMBERS = ['count', 'seed'];
const PET_MEMBERS = fieldsOf('Pet').map(({ name }) => name);

/** Notes what is wrong at a place of the file, such as `pets[3]/categoryId`. */
type Complain = (place: string, problem: string) => void;

/**
 * Reads a fixture file's text: every integer exactly, every pet by the document's Pet and no member beyond it.
 *
 * @param file how to call the file in messages
 * @throws {FixtureError} with every problem of the file, the first twenty in words
 */
export function readFixture(text: string, file: string): FixtureContent {
  const problems: string[] = [];
  const content = contentOf(parseObject(text, file), (place, problem) => problems.push(`${file}: ${place} ${problem}`));
  if (problems.length === 0) return content;
  const shown = problems.slice(0, SHOWN_PROBLEMS);
  if (problems.length > shown.length) shown.push(`${file}: and ${problems.length - shown.length} more`);
  throw new FixtureError(shown.join('\n'));
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
    `${file}: must be a JSON object such as {"description": "…", "pets": []}; got ${kindOf(value)}`,
  );
}

/** What is complained of stands as something harmless in the answer: it goes no further. */
function contentOf(file: JsonObject, complain: Complain): FixtureContent {
  refuseUnknown(file, FIXTURE_MEMBERS, '', complain);
  const { $schema, description, nextId, pets, generate } = file;
  if ($schema !== undefined && typeof $schema !== 'string') {
    complain('$schema', `must be a string; got ${kindOf($schema)}`);
  }
  if (typeof description !== 'string' || description === '' || description.length > MAX_DESCRIPTION) {
    complain('description', `must be a string of 1 to ${MAX_DESCRIPTION} characters; got ${kindOf(description)}`);
  }
  if (nextId !== undefined && typeof nextId !== 'bigint') {
    complain('nextId', `must be ${AN_INT64}; got ${kindOf(nextId)}`);
  }
  if (pets === undefined && generate === undefined) {
    complain('pets', 'is missing: give "pets": [] or "generate": {"count": 100, "seed": 1}');
  }
  if (pets !== undefined && generate !== undefined)
    complain('generate', 'cannot stand beside pets: leave one of them out');
  return {
    description: typeof description === 'string' ? description : '',
    nextId: typeof nextId === 'bigint' ? nextId : undefined,
    pets: pets === undefined ? [] : petsOf(pets, complain),
    generate: generate === undefined ? undefined : recipeOf(generate, complain),
  };
}

function petsOf(value: JsonValue, complain: Complain): readonly Pet[] {
  if (!Array.isArray(value)) {
    complain('pets', `must be an array; got ${kindOf(value)}`);
    return [];
  }
  const placeOfId = new Map<bigint, string>();
  return value.flatMap((member, index) => {
    const place = `pets[${index}]`;
    if (isObject(member)) refuseUnknown(member, PET_MEMBERS, `${place}/`, complain);
    const reading = readPet(member, place);
    if (!reading.ok) {
      for (const problem of reading.problems) complain(problem.place, problem.message);
      return [];
    }
    const { id } = reading.value;
    const twin = placeOfId.get(id);
    if (twin !== undefined) complain(`${place}/id`, `must be an id of its own; ${id} is taken by ${twin}`);
    else placeOfId.set(id, place);
    return [reading.value];
  });
}

function recipeOf(value: JsonValue, complain: Complain): Recipe {
  if (!isObject(value)) {
    complain('generate', `must be an object such as {"count": 100, "seed": 1}; got ${kindOf(value)}`);
    return { count: 1, seed: 0 };
  }
  refuseUnknown(value, GENERATE_MEMBERS, 'generate/', complain);
  const integer = (member: string, from: number, to: number): number => {
    const given = value[member];
    if (typeof given === 'bigint' && given >= from && given <= to) return Number(given);
    complain(`generate/${member}`, `must be an integer from ${from} to ${to}; got ${kindOf(given)}`);
    return from;
  };
  return { count: integer('count', 1, MAX_GENERATED), seed: integer('seed', 0, MAX_SEED) };
}

function refuseUnknown(value: JsonObject, known: readonly string[], prefix: string, complain: Complain): void {
  for (const member of Object.keys(value)) {
    if (known.includes(member)) continue;
    complain(prefix + shorten(member, MAX_SHOWN), notKnown(member, known));
  }
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof OtherNumber);

function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (value instanceof OtherNumber) return shorten(value.text, MAX_SHOWN);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') {
    return value.length > MAX_SHOWN ? `a string of ${value.length} characters` : JSON.stringify(value);
  }
  return typeof value === 'object' ? 'an object' : String(value);
}
