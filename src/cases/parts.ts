/** The parts of a case that must keep every digit: pets and next ids. */
import { describeJson, INT64_MAX, type JsonObject, type JsonValue, NumberLiteral } from '../int64.ts';
import { type Pet, readPet } from '../pet.ts';
import { fieldsOf } from '../specification.ts';
import { notKnown, shorten } from '../wording.ts';
import type { Complaints } from './complaints.ts';

const PET_MEMBERS = fieldsOf('Pet').map(({ name }) => name);
/** Characters of a member's name that a message quotes. */
const MAX_SHOWN = 40;

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberLiteral);

/** A pet of a fixture or a log. */
export function petIn(pet: JsonValue, where: string, complaints: Complaints): Pet | undefined {
  if (isObject(pet)) {
    for (const name of Object.keys(pet)) {
      if (!PET_MEMBERS.includes(name))
        complaints.add(`${where}/${shorten(name, MAX_SHOWN)}`, notKnown(name, PET_MEMBERS));
    }
  }
  const reading = readPet(pet, where);
  if (reading.ok) return reading.value;
  for (const problem of reading.problems) complaints.add(problem.place, problem.message);
  return undefined;
}

/** The first id to assign. `null` in the file means that none is left. */
export function nextIdIn({ nextId }: JsonObject, place: string, complaints: Complaints): bigint {
  if (nextId === null) return INT64_MAX + 1n;
  if (typeof nextId === 'bigint') return nextId;
  complaints.add(`${place}/nextId`, `must be an int64, or null; got ${describeJson(nextId)}`);
  return 0n;
}

/** The same with plain numbers: nothing else in a case is beyond 53 bits, and a larger number breaks its bounds. */
export function plain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof NumberLiteral) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
