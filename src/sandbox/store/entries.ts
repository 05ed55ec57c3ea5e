/**
 * The journal of a sandbox: JSON entries, one per line. The state of the sandbox is the fold of its journal (`state.ts`). A new
 * kind of entry is one more row in `entry-schemas.ts`, and its case in `apply`.
 *
 *     {"begin":{"id":"sbx_…","createdAt":1795…,"preconfigured":false},"seed":"default","set":{"label":null,…}}
 *     {"pets":[{"id":13,"name":"Biscuit","categoryId":1}]}            all pets of one request: all of them or none
 *     {"set":{"clock":{"offset":0,"frozenAt":1795370468996}}}                    the fields that changed, whole
 *     {"counts":{"flt_…":{"triggered":1,"drawn":0}}}                  how often fault rules acted
 *     {"reset":"again"}                                               or {"seed":"empty"}, or {"snapshot":"name"}
 *     {"snapshot":"name","createdAt":1795…}                           and {"drop":"name"}
 */
import { firstProblem } from '../../base/api/json-schema.ts';
import { type Pet, readStrictPet } from '../../base/api/pet.ts';
import { checks as entryChecks } from '../../base/generated/entry-checks.js';
import { isInt64, isObject, type JsonObject, type JsonValue, parseJson, plainValue } from '../../base/int64.ts';
import { quoted } from '../../base/text.ts';
import { type Fixture, inlineFixture } from './fixture.ts';
import type { FaultRecord, SandboxRecord } from './record.ts';

/** What a control may change of a record. */
export type ChangedFields = Partial<
  Pick<SandboxRecord, 'label' | 'expiresAt' | 'keys' | 'clock' | 'faults' | 'drill' | 'drillResults'>
>;

/** How often a rule matched and acted. */
export type FaultCounts = Pick<FaultRecord, 'triggered' | 'drawn' | 'seen' | 'window'>;

/** New pets. */
export interface PetsEntry {
  readonly pets: readonly Pet[];
}

/** The first entry of a journal. */
interface Begin<Seed> {
  readonly begin: Pick<SandboxRecord, 'id' | 'createdAt' | 'preconfigured'>;
  readonly seed: Seed;
  readonly set: Required<ChangedFields>;
}

export type Entry<Seed = Fixture> =
  | PetsEntry
  | Begin<Seed>
  | { readonly set: ChangedFields }
  | { readonly counts: Readonly<Record<string, FaultCounts>> }
  | { readonly reset: Restart<Seed> }
  | { readonly snapshot: string; readonly createdAt: number }
  | { readonly drop: string };

/** Where a reset leads: a fixture, one of its own snapshots, or `again` the fixture that it has. */
export type Restart<Seed = Fixture> = { readonly seed: Seed } | { readonly snapshot: string } | 'again';

/** An entry as it is read: fixtures that are not in it are named. */
export type WrittenEntry = Entry<Fixture | string>;

/** The fixture that an entry begins with, in itself or in its reset. */
const seedIn = <Seed>(entry: Entry<Seed>): Seed | undefined =>
  (('reset' in entry ? entry.reset : entry) as { readonly seed?: Seed }).seed;

const withSeed = <Seed>(entry: WrittenEntry, seed: Seed): Entry<Seed> =>
  ('reset' in entry ? { ...entry, reset: { seed } } : { ...entry, seed }) as Entry<Seed>;

/** The name of the fixture that an entry begins with; `undefined` if it contains it, or has none. */
export function fixtureNameIn(entry: WrittenEntry): string | undefined {
  const given = seedIn(entry);
  return typeof given === 'string' ? given : undefined;
}

/** @param fixture the one that it names, if it names one */
export const withFixture = (entry: WrittenEntry, fixture: Fixture | undefined): Entry =>
  fixture ? withSeed(entry, fixture) : (entry as Entry);

/** A line that isn't an entry; the message says what is wrong with it. */
export class EntryError extends Error {}

/** Pets in one line of a rewritten journal; fewer if they are long. */
const PETS_A_LINE = 1_000;
const CHARACTERS_A_LINE = 256 * 1024;

/** Pets as entries of moderate length. */
export function* entriesWith(pets: Iterable<Pet>): Generator<PetsEntry, void> {
  let line: Pet[] = [];
  let characters = 0;
  for (const pet of pets) {
    if (line.length === PETS_A_LINE || (line.length > 0 && characters + pet.json.length > CHARACTERS_A_LINE)) {
      yield { pets: line };
      [line, characters] = [[], 0];
    }
    line.push(pet);
    characters += pet.json.length;
  }
  if (line.length > 0) yield { pets: line };
}

/** The line of an entry, without its line break. */
export const entryText = (entry: Entry): string =>
  'pets' in entry ? textOfPets(entry) : Array.from(partsOfText(entry)).join('');

/** The line of an entry in pieces, with its line break: that of a fixture of its own may be as long as a file. */
export function* piecesOfLine(entry: Entry): Generator<string, void> {
  let piece = '';
  for (const part of partsOfText(entry)) {
    piece += part;
    if (piece.length < CHARACTERS_A_LINE) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}\n`;
}

const textOfPets = ({ pets }: PetsEntry): string => `{"pets":[${pets.map(({ json }) => json).join(',')}]}`;

function* partsOfText(entry: Entry): Generator<string, void> {
  if ('pets' in entry) return yield textOfPets(entry);
  const text = JSON.stringify(entry, withoutBigints);
  const given = seedIn(entry);
  if (!given?.isInline) return yield text;
  // A quote within a string has a backslash before it: this is the list of the fixture.
  const at = text.indexOf('"pets":[]') + '"pets":['.length;
  yield text.slice(0, at);
  let isFirst = true;
  for (const { json } of given.pets.each()) {
    yield isFirst ? json : `,${json}`;
    isFirst = false;
  }
  yield text.slice(at);
}

/** Of a fixture, its name is written, or its pets are written apart. */
const withoutBigints = (key: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  if (key !== 'seed' || typeof value !== 'object') return value;
  const { isInline, name: named, nextId } = value as Fixture;
  return isInline ? { nextId, pets: [] } : named;
};

/** The line of a journal. Strictly: what a newer version wrote, or a mistake made by hand, must not be lost unnoticed. @throws {EntryError} */
export function readEntry(line: string): WrittenEntry {
  const value = parsedLine(line);
  const [kind = ''] = Object.keys(value ?? {});
  if (kind === 'pets') return petsIn(value as JsonObject);
  const check = Object.hasOwn(entryChecks, kind) ? entryChecks[kind] : undefined;
  if (!check)
    throw new EntryError(
      `begins with ${quoted(kind, 40)}; entries begin with pets, ${Object.keys(entryChecks).join(', ')}`,
    );
  const pets = takePets(value as JsonObject);
  const entry = plainValue(value) as Entry<string | { readonly nextId: string }>;
  if (!check(entry)) throw new EntryError(firstProblem(check, 'the entry'));
  const given = seedIn(entry);
  if (typeof given !== 'object') return entry as WrittenEntry;
  const nextId = BigInt(given.nextId);
  if (!isInt64(nextId) && !isInt64(nextId - 1n))
    throw new EntryError('seed/nextId is an int64, or one more than the last');
  return withSeed(entry as WrittenEntry, inlineFixture({ nextId, pets }));
}

function parsedLine(line: string): JsonValue {
  try {
    return parseJson(line);
  } catch (error) {
    throw new EntryError((error as Error).message, { cause: error });
  }
}

/** Takes the pets of a fixture out of an entry: beside them, no number is beyond 53 bits. */
function takePets(entry: JsonObject): Pet[] {
  const { seed: given } = isObject(entry['reset']) ? entry['reset'] : entry;
  if (!isObject(given) || !Array.isArray(given['pets'])) return [];
  const pets = petsOfValues(given['pets'], 'seed/pets');
  delete given['pets'];
  return pets;
}

function petsIn({ pets, ...others }: JsonObject): PetsEntry {
  if (!Array.isArray(pets) || pets.length === 0) throw new EntryError('"pets" is an array with a pet in it');
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new EntryError(`the entry must not have more fields: ${quoted(unknown, 64)}`);
  return { pets: petsOfValues(pets, 'pets') };
}

function petsOfValues(values: readonly JsonValue[], location: string): Pet[] {
  return values.map((value, index) => {
    const reading = readStrictPet(value, `${location}[${index}]`);
    if (reading.ok) return reading.value;
    throw new EntryError(reading.problems.map(({ location: where, message }) => `${where} ${message}`).join('; '));
  });
}
