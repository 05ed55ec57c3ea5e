/** A pet as it is kept and served: exact ids, and its text made once. */
import { type Field, fieldsOf } from './document.ts';
import type { Problem } from './exchange.ts';
import type { components } from './generated/interface.d.ts';
import { type JsonValue, OtherNumber } from './int64.ts';
import { quoted, shorten } from './wording.ts';

export type PetStatus = components['schemas']['PetStatus'];

/** NewPet of the specification, with its int64 exact. */
export type NewPet = components['schemas']['NewPet'];

/** Pet of the specification. `json` is the pet as it is served and stored; lists join these texts. */
export interface Pet {
  readonly id: bigint;
  readonly status: PetStatus | undefined;
  readonly json: string;
}

const NEW_PET = fieldsOf('NewPet');
const PET = fieldsOf('Pet');

/** How the fields of NewPet are written, in the order of Pet; the id comes first. */
const WRITTEN = PET.filter(({ name }) => name !== 'id').map((field) => ({
  name: field.name as keyof NewPet,
  before: `,${JSON.stringify(field.name)}:`,
  isInteger: field.type === 'integer',
}));
for (const { name } of PET.filter(({ required }) => required)) {
  if (name === 'id' || NEW_PET.some((field) => field.name === name && field.required)) continue;
  throw new Error(`spec/openapi.yaml: Pet requires ${name}, which nothing fills in`);
}

/** The pet that `newPet` becomes under `id`. Nothing is invented: a member that was not given is absent. */
export function petOf(id: bigint, newPet: NewPet): Pet {
  let json = `{"id":${id}`;
  for (const { name, before, isInteger } of WRITTEN) {
    const value = newPet[name];
    // JSON.stringify escapes lone surrogates, so that a name comes back as it was sent, whatever it holds.
    if (value !== undefined) json += before + (isInteger ? String(value) : JSON.stringify(value));
  }
  return { id, status: newPet.status, json: `${json}}` };
}

/** What a reader makes of a value: what it asked for, or all that is wrong with it. */
export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: Problem[] };

/** Reads a NewPet by the document's constraints; `place` is where it stands (`body`). Unknown members are passed over. */
export const readNewPet = (value: JsonValue, place: string): Reading<NewPet> =>
  readFields<NewPet>(value, NEW_PET, place);

/** Reads a Pet by the document's constraints; `place` is where it stands (`pets[3]`). */
export function readPet(value: JsonValue, place: string): Reading<Pet> {
  const reading = readFields<NewPet & { id: bigint }>(value, PET, place);
  return reading.ok ? { ok: true, value: petOf(reading.value.id, reading.value) } : reading;
}

function readFields<T>(value: JsonValue, fields: readonly Field[], place: string): Reading<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof OtherNumber) {
    return { ok: false, problems: [{ place, message: `must be ${objectWith(fields)}; got ${kindOf(value)}` }] };
  }
  const problems: Problem[] = [];
  const read: Record<string, JsonValue> = {};
  for (const field of fields) {
    const given = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (given === undefined) {
      if (field.required)
        problems.push({ place: `${place}/${field.name}`, message: `is required: ${wantedOf(field)}` });
      continue;
    }
    if (!allowed(field, given)) problems.push(wrongField(field, given, `${place}/${field.name}`));
    else read[field.name] = given;
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: read as T };
}

const objectWith = (fields: readonly Field[]): string =>
  `a JSON object with ${fields.map(({ name, required }) => (required ? name : `${name} (optional)`)).join(', ')}`;

/** What a NewPet is, in words. */
export const newPetInWords: string = objectWith(NEW_PET);

function allowed(field: Field, given: JsonValue): boolean {
  if (field.type === 'integer') {
    return typeof given === 'bigint' && given >= field.minimum && given <= field.maximum;
  }
  return typeof given === 'string' && (field.enum === undefined || field.enum.includes(given));
}

function wrongField(field: Field, given: JsonValue, place: string): Problem {
  const message = `must be ${wantedOf(field)}; got ${kindOf(given)}`;
  // The referee counts in doubles: to it 2^63 is an integer like any other, and 1e-400 is 0.
  if (field.type === 'integer' && given instanceof OtherNumber && Number.isInteger(Number(given.text))) {
    return { place, message, difference: 'int64-range' };
  }
  return { place, message };
}

function wantedOf(field: Field): string {
  if (field.enum) return `one of ${field.enum.join(', ')}`;
  return field.type === 'integer' ? `an integer from ${field.minimum} to ${field.maximum}` : 'a string';
}

/** A value in a few words: short enough for a message, whatever was sent. */
function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof OtherNumber) return shorten(value.text, 40);
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' ? 'an object' : String(value);
}
