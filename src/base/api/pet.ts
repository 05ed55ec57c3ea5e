/** A pet as stored and served: exact ids, serialized once. */

import type { components } from '../generated/petstore.d.ts';
import { describeJson, isObject, type JsonObject, type JsonValue, writeJson } from '../int64.ts';
import { didYouMean, isAndSent, notKnown, quoted, shorten } from '../text.ts';
import { SpecificationError } from './errors.ts';
import type { Problem } from './exchange.ts';
import { isRequired } from './schema-problems.ts';
import { checkField, type Field, fieldsOf } from './specification.ts';

export type PetStatus = components['schemas']['PetStatus'];

/** NewPet of the specification, with exact int64 values. */
export type NewPet = components['schemas']['NewPet'];

/** The fields of a Pet. */
export type PetFields = NewPet & { readonly id: bigint };

/** Pet of the specification, as returned by a store. `json` is the pet as served. */
export interface StoredPet {
  readonly id: bigint;
  readonly json: string;
}

/** A pet to be added to a store, which also needs its status. */
export interface Pet extends StoredPet {
  readonly status: PetStatus | undefined;
}

const NEW_PET = fieldsOf('NewPet');
const PET = fieldsOf('Pet');

/** The fields of NewPet, in the order of Pet; the id comes first. */
const WRITTEN = PET.filter(({ name }) => name !== 'id').map((field) => ({
  name: field.name as keyof NewPet,
  before: `,${JSON.stringify(field.name)}:`,
  write: field.type === 'integer' ? String : field.type === 'string' ? JSON.stringify : writeJson,
}));
for (const { name } of PET.filter(({ required }) => required)) {
  if (name === 'id' || NEW_PET.some((field) => field.name === name && field.required)) continue;
  throw new SpecificationError(`spec/openapi.yaml: Pet requires ${name}, which nothing fills in`);
}

/** The pet created from `newPet` with `id`. Members that were not given stay absent. */
export function petOf(id: bigint, newPet: NewPet): Pet {
  let json = `{"id":${id}`;
  for (const { name, before, write } of WRITTEN) {
    const value = newPet[name];
    // JSON.stringify escapes lone surrogates, so every name round-trips.
    if (value !== undefined) json += before + write(value);
  }
  return { id, status: newPet.status, json: `${json}}` };
}

/** The result of reading a value: the value, or everything wrong with it. */
export type ReadResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: Problem[] };

/** Reads a NewPet by the specification's constraints; `location` is where it stands (`body`). Unknown members are ignored. */
export const readNewPet = (value: JsonValue, location: string): ReadResult<NewPet> =>
  readFields<NewPet>(value, NEW_PET, location);

/** Reads a Pet by the specification's constraints; `location` is where it stands (`pets[3]`). `petOf` makes a pet of it. */
export const readPetFields = (value: JsonValue, location: string): ReadResult<PetFields> =>
  readFields<PetFields>(value, PET, location);

const PET_MEMBERS = PET.map(({ name }) => name);
/** Characters of a member's name that a message quotes. */
const MAX_QUOTED_NAME = 64;

/** The pet, as it is stored, that a program wrote: unknown members are problems, because nothing would keep them. */
export function readStrictPet(value: JsonValue, location: string): ReadResult<Pet> {
  const reading = readPetFields(value, location);
  const unknown = isObject(value) ? Object.keys(value).filter((name) => !PET_MEMBERS.includes(name)) : [];
  if (reading.ok && unknown.length === 0) return { ok: true, value: petOf(reading.value.id, reading.value) };
  const problems = unknown.map((name) => ({
    location: `${location}/${shorten(name, MAX_QUOTED_NAME)}`,
    message: notKnown(name, PET_MEMBERS),
  }));
  return { ok: false, problems: [...problems, ...(reading.ok ? [] : reading.problems)] };
}

function readFields<T>(value: JsonValue, fields: readonly Field[], location: string): ReadResult<T> {
  if (!isObject(value)) {
    return {
      ok: false,
      problems: [{ location, message: isAndSent(objectWith(fields), describeJson(value)) }],
    };
  }
  const problems: Problem[] = [];
  const read: Record<string, JsonValue> = {};
  for (const field of fields) {
    const member = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (member === undefined) {
      if (field.required) {
        const sent = misspelled(field.name, value, fields);
        const instead = sent === undefined ? '' : `; ${quoted(sent)} looks like a typo`;
        problems.push({ location: `${location}/${field.name}`, message: `${isRequired(field.schema)}${instead}` });
      }
      continue;
    }
    checkField(field, member, `${location}/${field.name}`, problems);
    read[field.name] = member;
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: read as T };
}

/** Unknown fields in which a misspelled name is looked for. */
export const MAX_UNKNOWN = 20;

/** The field that was probably meant to be `name`. */
function misspelled(name: string, value: JsonObject, fields: readonly Field[]): string | undefined {
  const known = fields.map((field) => field.name);
  const unknown = Object.keys(value).filter((each) => !known.includes(each));
  return unknown.slice(0, MAX_UNKNOWN).find((each) => didYouMean(each, known) === name);
}

const objectWith = (fields: readonly Field[]): string =>
  `a JSON object with ${fields.map(({ name, required }) => (required ? name : `${name} (optional)`)).join(', ')}`;

/** The form of a NewPet, for messages. */
export const newPetShape: string = objectWith(NEW_PET);
