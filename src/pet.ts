/** A pet as it is kept and served: exact ids, and its text made once. */
import { fieldsOf } from './document.ts';
import type { Problem } from './exchange.ts';
import type { components } from './generated/interface.d.ts';
import { INT64_MAX, INT64_MIN, type JsonValue, OtherNumber } from './int64.ts';
import { quoted, shorten } from './wording.ts';

export type PetStatus = components['schemas']['PetStatus'];

/** NewPet of interface.md, with its int64 exact. */
export interface NewPet {
  readonly name: string;
  readonly categoryId: bigint;
  readonly status?: PetStatus;
}

/** Pet of interface.md. `json` is the pet as it is served and stored; lists join these texts. */
export interface Pet {
  readonly id: bigint;
  readonly status: PetStatus | undefined;
  readonly json: string;
}

/** The pet that `newPet` becomes under `id`. No status is invented: without one the member is absent. */
export function petOf(id: bigint, newPet: NewPet): Pet {
  // JSON.stringify escapes lone surrogates, so that a name comes back as it was sent, whatever it holds.
  const name = JSON.stringify(newPet.name);
  const status = newPet.status === undefined ? '' : `,"status":"${newPet.status}"`;
  return { id, status: newPet.status, json: `{"id":${id},"name":${name},"categoryId":${newPet.categoryId}${status}}` };
}

/** What a reader makes of a value: what it asked for, or all that is wrong with it. */
export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: Problem[] };

const NEW_PET = fieldsOf('NewPet');
const PET = fieldsOf('Pet');

/** Reads a NewPet by the document's constraints; `place` is where it stands (`body`). Unknown members are passed over. */
export const readNewPet = (value: JsonValue, place: string): Reading<NewPet> =>
  readFields<NewPet>(value, NEW_PET, place);

/** Reads a Pet by the document's constraints; `place` is where it stands (`pets[3]`). */
export function readPet(value: JsonValue, place: string): Reading<Pet> {
  const reading = readFields<NewPet & { id: bigint }>(value, PET, place);
  return reading.ok ? { ok: true, value: petOf(reading.value.id, reading.value) } : reading;
}

function readFields<T>(value: JsonValue, fields: typeof NEW_PET, place: string): Reading<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof OtherNumber) {
    const wanted = fields.map(({ name, required }) => (required ? name : `${name} (optional)`)).join(', ');
    return { ok: false, problems: [{ place, message: `must be a JSON object with ${wanted}; got ${kindOf(value)}` }] };
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
    const wrong =
      field.type === 'integer' ? typeof given !== 'bigint' : typeof given !== 'string' || !allowed(field, given);
    if (wrong) problems.push(wrongField(field, given, `${place}/${field.name}`));
    else read[field.name] = given;
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: read as T };
}

const allowed = (field: (typeof NEW_PET)[number], text: string): boolean =>
  field.enum === undefined || field.enum.includes(text);

function wrongField(field: (typeof NEW_PET)[number], given: JsonValue, place: string): Problem {
  const message = `must be ${wantedOf(field)}; got ${kindOf(given)}`;
  // The referee counts in doubles: to it 2^63 is an integer like any other, and 1e-400 is 0.
  if (field.type === 'integer' && given instanceof OtherNumber && Number.isInteger(Number(given.text))) {
    return { place, message, difference: 'int64-range' };
  }
  return { place, message };
}

function wantedOf(field: (typeof NEW_PET)[number]): string {
  if (field.enum) return `one of ${field.enum.join(', ')}`;
  return field.type === 'integer' ? `an integer from ${INT64_MIN} to ${INT64_MAX}` : 'a string';
}

/** A value in a few words: short enough for a message, whatever was sent. */
function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof OtherNumber) return shorten(value.text, 40);
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' ? 'an object' : String(value);
}
