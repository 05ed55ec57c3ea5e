/** A change of pets in a recording: `{"added":{"id":1,…}}`. */
import { describeJson, isObject, type JsonValue } from '../core/int64.ts';
import { type Pet, type ReadResult, readStrictPet } from '../core/pet.ts';
import { notKnown, shorten } from '../core/text.ts';

/** Characters of a field's name that a message quotes. */
const MAX_SHOWN = 64;

/** Reads a change strictly; `location` is its place (`logs[0]/changes[3]`). */
export function readChange(value: JsonValue, location: string): ReadResult<Pet> {
  const fields = isObject(value) ? Object.keys(value) : [];
  const problems = fields
    .filter((name) => name !== 'added')
    .map((name) => ({ location: `${location}/${shorten(name, MAX_SHOWN)}`, message: notKnown(name, ['added']) }));
  if (problems.length > 0) return { ok: false, problems };
  const added = isObject(value) ? value['added'] : undefined;
  if (added !== undefined) return readStrictPet(added, `${location}/added`);
  const message = `must be a change, such as {"added":{"id":1,…}}; got ${describeJson(value)}`;
  return { ok: false, problems: [{ location, message }] };
}
